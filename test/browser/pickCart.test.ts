import { beforeEach, expect, test } from 'vitest';
import type { Batch } from '#shared/api/batch.ts';
import type { Order } from '#shared/api/order.ts';
import { addPickers, at, enter, enterUntilGone, heard, labelDevices, openPick, scan, touch } from './picker.ts';
import { useShop } from './shop.ts';
import { findBarriers, takeInFrames, type Window } from './window.ts';

const PLACES = ['A-1-1', 'A-1-2', 'A-2-1'];
const SLOTS = ['A1', 'A2', 'A3', 'B1', 'B2', 'B3'];

const shop = useShop('pickCart');
let devices: string[];

beforeEach(async () => {
  await shop.start(PLACES.length + 2);
  devices = await labelDevices(shop, [...PLACES, 'S-A1', 'S-A2']);
  await addPickers(shop, ['Anna', 'Ben']);
  await shop.call('POST', '/api/carts/', {
    name: 'Cart 1',
    code: 'CART-1',
    rows: 2,
    columns: 3,
    slots: SLOTS.map((slot, index) => ({
      slot,
      code: `CART-1-${slot}`,
      ...(index < 2 ? { deviceid: devices[PLACES.length + index] } : {}),
    })),
  });
  for (const [number, ties, bells] of [
    ['SO-1', 2, 1],
    ['SO-2', 3, 0],
    ['SO-3', 1, 2],
  ] as const) {
    await shop.call('POST', '/api/orders/', {
      order_number: number,
      items: [
        { name: 'Cable tie 200', SKU: 'CT-200', ordered_quantity: ties, deviceid: devices[0] },
        ...(bells > 0 ? [{ name: 'Bell', SKU: 'BE-7', ordered_quantity: bells, deviceid: devices[1] }] : []),
      ],
    });
  }
});

const pictures = (window: Window, name: string) => takeInFrames(window, `cart-${name}`);

const batch = () => shop.call<Batch>('GET', '/api/batches/1/');
const putInto = async () =>
  Object.fromEntries(
    (await batch()).slots
      .filter(({ order_number: order }) => order !== null)
      .map(({ slot, shares }) => [slot, shares.reduce((sum, { put }) => sum + put, 0)]),
  );

test('a cart is loaded by scans, picked, put into its slots, and emptied', async () => {
  const window = await openPick(shop, 'Anna');
  const { page } = window;
  await page.getByRole('button', { name: 'Load Cart 1' }).waitFor();
  await pictures(window, 'choose');
  await scan(page, 'CART-1');
  await page.getByRole('heading', { name: 'Scan an order' }).waitFor();
  await scan(page, 'SO-1');
  await page.getByText('Order SO-1: A1. You can scan another slot').waitFor();
  await scan(page, 'CART-1-A2');
  await page.getByText('Order SO-1 is now in A2.').waitFor();
  await scan(page, 'SO-2');
  await page.getByText('Order SO-2: A1.').waitFor();
  await scan(page, 'T-7');
  await page.getByText('Tote T-7 is in A1.').waitFor();
  await pictures(window, 'load');
  await touch(page, /^Fill/);
  await page.getByText('3 orders are on the cart').waitFor();
  await touch(page, /^Go/);
  await at(page, 'A-1-1');
  await pictures(window, 'walk');
  await shop.press(devices[0] ?? '');
  await page.getByRole('heading', { name: 'Put 6' }).waitFor();
  await pictures(window, 'put');
  await scan(page, 'CART-1-B3');
  await page.getByText('That was B3. Put 3 into A1, 2 into A2, 1 into A3.').waitFor();
  await pictures(window, 'wrong');
  await scan(page, 'T-7');
  await at(page, 'A-1-2');
  await expect.poll(putInto).toEqual({ A1: 3, A2: 2, A3: 1 });
  // The Undo button disappears with its message after a few seconds.
  await enter(page, 'u');
  await page.getByRole('heading', { name: 'Put 6' }).waitFor();
  await heard(page, 'All put');
  await page.keyboard.press('Enter');
  await at(page, 'A-1-2');
  await touch(page, 'One less');
  await touch(page, /^Picked/);
  await page.getByText('A3 gets 1 of 2').waitFor();
  await pictures(window, 'short');
  await touch(page, 'One more for A3');
  await touch(page, 'Missing');
  await page.getByRole('heading', { name: 'Put 2' }).waitFor();
  await touch(page, /^Put 2 into A3/);
  await page.getByRole('heading', { name: 'Take Cart 1 to packing' }).waitFor();
  await expect.poll(putInto).toEqual({ A1: 3, A2: 2, A3: 3 });
  await pictures(window, 'end');
  const size = page.viewportSize() ?? { width: 1440, height: 900 };
  for (const width of [390, size.width]) {
    await page.setViewportSize({ ...size, width });
    const word = page.getByRole('button', { name: 'A2 SO-1 2 of 3 complete, short' }).getByText('short');
    const cut = await word.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
    expect(cut, `${width} px`).toBe(0);
  }
  await touch(page, /^Cart emptied/);
  await page.getByRole('heading', { name: 'Scan an order' }).waitFor();
  expect((await batch()).state).toBe('done');
  expect(await findBarriers(window)).toEqual([]);
  expect(window.complaints).toEqual([]);
});

test('packs add up, a pack that is too large counts nothing, and a scan of the place books the rest', async () => {
  await shop.call('POST', '/api/articles/', {
    sku: 'CT-200',
    name: 'Cable tie 200',
    barcodes: [
      { code: '14006381333938', quantity: 4 },
      { code: '14006381333945', quantity: 10 },
    ],
  });
  const window = await openPick(shop, 'Anna');
  const { page } = window;
  await scan(page, 'CART-1');
  await touch(page, /^Fill/);
  // Until the page has the answer, it ignores Go, which it may already show.
  await page.getByText('3 orders are on the cart').waitFor();
  await touch(page, /^Go/);
  await at(page, 'A-1-1');
  await scan(page, '14006381333938');
  await page.getByText('A-1-1 · 4 of 6 counted').waitFor();
  await page.getByRole('button', { name: 'Take 2' }).waitFor();
  await pictures(window, 'packs');
  await scan(page, '14006381333945');
  await page.getByText('Only 2 left to pick at A-1-1, but the pack has 10. Nothing was counted.').waitFor();
  const shares = (await batch()).slots.flatMap((slot) => slot.shares);
  expect(shares.every(({ picked }) => picked === 0)).toBe(true);
  await scan(page, 'A-1-1');
  await page.getByRole('heading', { name: 'Put 6' }).waitFor();
  await enterUntilGone(page, 'All put');
  await expect.poll(putInto).toEqual({ A1: 2, A2: 1, A3: 3 });
  expect(window.complaints).toEqual([]);
});

test('two people at one cart see what the other holds, and one puts the pieces that the other picked but did not put', async () => {
  await shop.call('POST', '/api/batches/', {
    mode: 'cart',
    cart: 1,
    put_confirmation: 'each',
    slots: ['SO-1', 'SO-2', 'SO-3'].map((order_number) => ({ order_number })),
  });
  const anna = await openPick(shop, 'Anna');
  await touch(anna.page, 'Continue Cart 1');
  await touch(anna.page, /^Go/);
  await at(anna.page, 'A-1-1');
  const ben = await openPick(shop, 'Ben', 'dark');
  await scan(ben.page, 'CART-1');
  await ben.page.getByRole('dialog', { name: 'Anna is picking Cart 1: 2 places to go' }).waitFor();
  await pictures(ben, 'join');
  // The message disappears after a few seconds, so start waiting for it now.
  const told = anna.page.getByText('Ben joined and took 1 of your places.').waitFor();
  // The page below the question has the same button, so touch the one in the dialog.
  await touch(ben.page, 'Join', undefined, ben.page.getByRole('dialog'));
  await at(ben.page, 'A-1-2');
  await told;
  await anna.page.getByText('Cart 1 · with Ben').waitFor();
  // Anna picks at the shelf, but not at Ben's place.
  await shop.press(devices[0] ?? '');
  await anna.page.getByRole('heading', { name: 'Put 6' }).waitFor();
  await at(ben.page, 'A-1-2');
  await ben.page.getByText('Anna holds 6 pieces: A1 2 · A2 3 · A3 1').waitFor();
  await pictures(ben, 'two-people');
  await scan(ben.page, 'A-1-2');
  await ben.page.getByRole('heading', { name: 'Put 3' }).waitFor();
  await anna.page.getByText('Ben holds 3 pieces: A1 1 · A3 2').waitFor();
  await pictures(anna, 'two-people-put');
  // A press at A1 puts its first pieces, which Anna holds.
  await shop.press(devices[PLACES.length] ?? '');
  await anna.page.getByRole('heading', { name: 'Put 4' }).waitFor();
  await scan(ben.page, 'CART-1-A1');
  await ben.page.getByRole('heading', { name: 'Put 2' }).waitFor();
  await expect.poll(putInto).toEqual({ A1: 3, A2: 0, A3: 0 });
  // The notice about the press at A1 ends with Ben's put, and moves the buttons of Anna's page.
  await anna.page.getByRole('button', { name: 'Not mine' }).waitFor({ state: 'detached' });
  // Anna goes home, and Ben scans the cart and gets her pieces.
  await touch(anna.page, 'More…');
  await pictures(anna, 'more');
  await touch(anna.page, 'Pause: Ben gets your places');
  await touch(anna.page, 'Pause anyway');
  await anna.page.getByText('You left Cart 1. Your places go to Ben.').waitFor();
  await pictures(anna, 'left');
  // Until Ben's page knows that she has left, the cart's code only lists his own pieces.
  await ben.page.getByRole('button', { name: 'Settle…' }).waitFor();
  await scan(ben.page, 'CART-1');
  await ben.page.getByText('4 Cable tie 200').waitFor();
  await pictures(ben, 'hand');
  await touch(ben.page, 'I have them');
  await ben.page.getByRole('heading', { name: 'Put 6' }).waitFor();
  await heard(ben.page, 'All put');
  await ben.page.keyboard.press('Enter');
  await ben.page.getByRole('heading', { name: 'Take Cart 1 to packing' }).waitFor();
  await anna.page.getByRole('heading', { name: 'Take Cart 1 to packing' }).waitFor();
  await expect.poll(putInto).toEqual({ A1: 3, A2: 3, A3: 3 });
  expect(await findBarriers(ben)).toEqual([]);
  expect([...anna.complaints, ...ben.complaints]).toEqual([]);
});

test('during the walk, a stopped slot is emptied on a tablet, where nothing covers its button', async () => {
  await shop.call('POST', '/api/batches/', {
    mode: 'cart',
    cart: 1,
    put_confirmation: 'each',
    slots: ['SO-1', 'SO-2', 'SO-3'].map((order_number) => ({ order_number })),
  });
  const window = await openPick(shop, 'Anna');
  const { page } = window;
  await page.setViewportSize({ width: 1024, height: 768 });
  await touch(page, 'Continue Cart 1');
  await touch(page, /^Go/);
  await at(page, 'A-1-1');
  await touch(page, /^Picked/);
  await touch(page, /^Put 2 into A1/);
  await expect.poll(putInto).toMatchObject({ A1: 2 });
  await shop.call('POST', '/api/orders/SO-1/abort/', {});
  await page.getByText('A1 stopped').first().waitFor();
  await touch(page, 'All put');
  await at(page, 'A-1-2');
  await pictures(window, 'stopped');
  await touch(page, 'Empty it…');
  await pictures(window, 'stopped-ask');
  await touch(page, 'Keep together');
  await page.getByText('A1 stopped').first().waitFor({ state: 'detached' });
  expect((await batch()).slots.find(({ slot }) => slot === 'A1')?.state).toBe('free');
  expect(window.complaints).toEqual([]);
});

test('pieces that are put while the station is offline are kept, and put once when it is back', async () => {
  await shop.call('POST', '/api/batches/', {
    mode: 'cart',
    cart: 1,
    slots: ['SO-1', 'SO-2'].map((order_number) => ({ order_number })),
  });
  const window = await openPick(shop, 'Anna');
  const { page } = window;
  await scan(page, 'CART-1');
  await touch(page, /^Go/);
  await at(page, 'A-1-1');
  await touch(page, /^Picked/);
  await page.getByRole('heading', { name: 'Put 5' }).waitFor();
  await expect.poll(async () => (await batch()).hands.length).toBe(1);
  const { port } = new URL(shop.url);
  window.expectOutage(true);
  await shop.station.kill();
  await page.getByText('Connection to the station lost').waitFor();
  await scan(page, 'CART-1-A1');
  await at(page, 'A-1-2');
  await scan(page, 'A-1-2');
  await page.getByRole('heading', { name: 'Put 1' }).waitFor();
  await page.getByText('No connection: 2 confirmations are kept here').waitFor();
  await pictures(window, 'away');
  // The message disappears after a few seconds, so start waiting for it now.
  const told = page.getByText('2 kept confirmations sent.').waitFor();
  await shop.start(PLACES.length + 2, Number(port));
  await told;
  window.expectOutage(false);
  await page.getByRole('heading', { name: 'Put 1' }).waitFor();
  expect(await putInto()).toEqual({ A1: 2, A2: 3 });
  // After a reload, the page shows the same pieces in hand.
  await page.reload();
  await page.getByRole('heading', { name: 'Put 1' }).waitFor();
  await page.getByText('Bell').waitFor();
  await heard(page, 'All put');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Take Cart 1 to packing' }).waitFor();
  await expect.poll(putInto).toEqual({ A1: 3, A2: 3 });
  const states = async (number: string) => {
    const { shipments } = await shop.call<Order>('GET', `/api/orders/${number}/`);
    return shipments.flatMap(({ items }) => items.map((item) => `${item.state} ${item.quantity_fulfilled}`));
  };
  await expect.poll(() => states('SO-1')).toEqual(['done 2', 'done 1']);
  expect(await states('SO-2')).toEqual(['done 3']);
});

test('if scans are required, a cart asks for an article scan after each touch or press, unless the article cannot be scanned', async () => {
  await shop.call('PATCH', '/api/settings/', { scan_required: true });
  await shop.call('POST', '/api/articles/', {
    SKU: 'CT-200',
    name: 'Cable tie 200',
    barcodes: [{ code: '4006381333931', quantity: 10 }],
  });
  await shop.call('POST', '/api/batches/', { mode: 'cart', cart: 1, slots: [{ order_number: 'SO-3' }] });
  const window = await openPick(shop, 'Anna');
  const { page } = window;
  await touch(page, 'Continue Cart 1');
  await touch(page, /^Go/);
  await at(page, 'A-1-1');
  await touch(page, /^Picked/);
  await page.getByRole('heading', { name: 'Scan the article' }).waitFor();
  await page.getByText('1 at A-1-1: nothing is picked yet.').waitFor();
  await pictures(window, 'scan');
  await scan(page, 'BE-7');
  await page.getByText('Wrong article. Scan Cable tie 200.').waitFor();
  expect((await batch()).hands).toEqual([]);
  await scan(page, '4006381333931');
  await page.getByRole('heading', { name: 'Put 1' }).waitFor();
  await expect.poll(async () => (await batch()).slots[0]?.shares[0]?.awaits_scan).toBe(false);
  await touch(page, 'All put');
  await at(page, 'A-1-2');
  await shop.press(devices[1] ?? '');
  await page.getByRole('heading', { name: 'Scan the article' }).waitFor();
  await page.getByText('Then put A1 2.').waitFor();
  await pictures(window, 'scan-held');
  expect(await findBarriers(window)).toEqual([]);
  await touch(page, 'Cannot be scanned');
  await page.getByRole('heading', { name: 'Put 2' }).waitFor();
  await touch(page, 'All put');
  await page.getByRole('heading', { name: 'Take Cart 1 to packing' }).waitFor();
  await expect.poll(async () => (await shop.call<Order>('GET', '/api/orders/SO-3/')).state).toBe('fulfilled');
  expect(window.complaints).toEqual([]);
});
