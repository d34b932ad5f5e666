import { beforeEach, expect, test } from 'vitest';
import { findCut, findHiddenControls } from './controls.ts';
import {
  accepts,
  addPickers,
  at,
  enter,
  heard,
  labelDevices,
  openPick,
  pressEnters,
  scan,
  touch,
  touchUntilGone,
} from './picker.ts';
import { useShop } from './shop.ts';
import type { Window } from './window.ts';

const PLACES = ['A-1-1', 'A-1-2', 'A-2-1'];
const ROWS = ['A', 'B', 'C'];
const slotsOf = (prefix: string, columns: readonly number[]) =>
  ROWS.flatMap((row) => columns.map((column) => ({ slot: `${row}${column}`, code: `${prefix}-${row}${column}` })));
/** The largest cart of the design: nine slots get something from one place. */
const ORDERS = Array.from({ length: 9 }, (_, index) => `SO-${10_001 + index}`);

const shop = useShop('cartControls');
let devices: string[];
let found: string[];

beforeEach(async () => {
  await shop.start(PLACES.length);
  devices = await labelDevices(shop, PLACES);
  await addPickers(shop, ['Anna', 'Ben']);
  found = [];
  await shop.call('PATCH', '/api/settings/', { put_confirmation: 'each' });
  for (const order_number of ORDERS)
    await shop.call('POST', '/api/orders/', {
      order_number,
      customer: 'Hofmann & Söhne Elektrotechnik',
      items: ['Cable tie 200 mm, black', 'Bell'].map((name, index) => ({
        name,
        SKU: `SKU-${index + 1}`,
        ordered_quantity: 2 + index,
        deviceid: devices[index],
      })),
    });
});

/** The slots of a place, with the pieces that each gets. */
const STRIP = 'main ul[aria-label="Who gets how many"] > li';

const look = async (window: Window, state: string) => void found.push(...(await findHiddenControls(window, state)));
const heading = ({ page }: Window, name: string) =>
  page.getByRole('heading', { name, exact: true, level: 2 }).waitFor();

const addCart = () =>
  shop.call('POST', '/api/carts/', {
    name: 'Cart 1',
    code: 'CART-1',
    rows: ROWS.length,
    columns: 3,
    slots: slotsOf('CART-1', [1, 2, 3]),
  });

test('in every state of a cart with nine slots, no control is covered, cut or out of view', async () => {
  await addCart();
  const window = await openPick(shop, 'Anna');
  const { page } = window;
  await page.getByRole('button', { name: 'Load Cart 1' }).waitFor();
  await look(window, 'cart-choose');
  await scan(page, 'CART-1');
  await heading(window, 'Scan an order');
  await touch(page, /^Fill/);
  await page.getByText('9 orders are on the cart').waitFor();
  await look(window, 'cart-load');
  await touch(page, /^Go/);
  await at(page, 'A-1-1');
  found.push(...(await findCut(window, 'cart-walk', STRIP)));
  await look(window, 'cart-walk');
  await touch(page, /^Picked/);
  await heading(window, 'Put 18');
  await look(window, 'cart-put');
  await scan(page, 'NOWHERE');
  await page.getByText(/NOWHERE/).waitFor();
  await look(window, 'cart-wrong');
  await touch(page, /^Put 2 into A1/);
  await heading(window, 'Put 16');
  await shop.call('POST', '/api/orders/SO-10001/abort/', {});
  await page.getByText('A1 stopped').first().waitFor();
  await look(window, 'cart-put-stopped');
  await touch(page, 'All put');
  await at(page, 'A-1-2');
  await look(window, 'cart-walk-stopped');
  await touch(page, 'Empty it…');
  await page.getByRole('dialog').waitFor();
  await look(window, 'cart-empty');
  await touch(page, 'Keep together');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  for (let less = 0; less < 5; less += 1) await touch(page, 'One less');
  await touch(page, /^Picked/);
  await page
    .getByText(/gets . of 3/)
    .first()
    .waitFor();
  await look(window, 'cart-short');
  await touch(page, 'Missing');
  await page.getByRole('heading', { name: /^Put / }).waitFor();
  await touch(page, 'All put');
  await page.getByRole('heading', { name: 'Take Cart 1 to packing' }).waitFor();
  await look(window, 'cart-end');
  expect(found).toEqual([]);
  expect(window.complaints).toEqual([]);
});

test('the question about three quick confirmations and the note about a freed slot cover nothing at a cart', async () => {
  await addCart();
  const window = await openPick(shop, 'Anna');
  const { page } = window;
  await scan(page, 'CART-1');
  await heading(window, 'Scan an order');
  await touch(page, /^Fill/);
  await page.getByText('9 orders are on the cart').waitFor();
  await touch(page, /^Go/);
  await at(page, 'A-1-1');
  await pressEnters(page, ['Put 18', 'A-1-2', 'Did you pick these three?']);
  await look(window, 'cart-hasty');
  await touch(page, 'Undo all');
  await at(page, 'A-1-1');
  await touch(page, /^Picked/);
  await heading(window, 'Put 18');
  await touch(page, 'All put');
  await at(page, 'A-1-2');
  // The page continues before the station has the put.
  await expect.poll(async () => (await shop.call<{ hands: object[] }>('GET', '/api/batches/1/')).hands).toEqual([]);
  await shop.call('POST', '/api/orders/SO-10001/abort/', {});
  await shop.call('POST', '/api/batches/1/slots/A1/free/', { keep: true });
  await page.getByText(/^A1 was freed/).waitFor();
  await look(window, 'cart-walk-freed');
  await touch(page, /^Picked/);
  await heading(window, 'Put 24');
  await look(window, 'cart-put-freed');
  await touch(page, 'More…');
  await touch(page, 'Slots…');
  await page.getByRole('heading', { name: 'Choose a slot' }).waitFor();
  await look(window, 'cart-slots');
  await touch(page, 'Back');
  await touch(page, 'All put');
  await page.getByRole('heading', { name: 'Take Cart 1 to packing' }).waitFor();
  await look(window, 'cart-end-freed');
  await page.goto(`${shop.url}pack/1`);
  await page.getByText('Freed slots').waitFor();
  await look(window, 'pack-freed');
  expect(found).toEqual([]);
  expect(window.complaints).toEqual([]);
});

test('in every state of a wall and its pack page, no control is covered, cut or out of view', async () => {
  await shop.call('POST', '/api/walls/', {
    name: 'Wall 1',
    code: 'WALL-1',
    rows: ROWS.length,
    columns: 6,
    slots: slotsOf('WALL-1', [1, 2, 3, 4, 5, 6]),
  });
  for (const [index, name] of ['Cable tie 200 mm, black', 'Bell'].entries())
    await shop.call('POST', '/api/articles/', { sku: `SKU-${index + 1}`, name });
  const window = await openPick(shop, 'Anna');
  const { page } = window;
  await scan(page, 'WALL-1');
  await heading(window, 'Scan an order');
  await touch(page, /^Fill/);
  await page.getByText('9 orders are at the wall').waitFor();
  await look(window, 'wall-load');
  await touch(page, /^Go/);
  await heading(window, 'Scan an article');
  await look(window, 'wall-idle');
  await scan(page, 'SKU-1');
  await heading(window, 'A1 takes 1');
  await look(window, 'wall-lit');
  await touch(page, /^Put 1 into A1/);
  await heading(window, 'Scan an article');
  await page.keyboard.type('17');
  await page.keyboard.press('Enter');
  await heading(window, 'Scan one of these 17');
  await scan(page, 'SKU-1');
  await page.getByRole('heading', { name: /Put 17/ }).waitFor();
  found.push(...(await findCut(window, 'wall-stack', 'main [data-lit] > strong')));
  await look(window, 'wall-stack');
  await heard(page, 'Put');
  await page.locator('button[data-look="main"]').click();
  await heading(window, 'Scan an article');
  await touch(page, /^No barcode/);
  await page.getByRole('dialog').waitFor();
  await look(window, 'wall-no-barcode');
  await accepts(page);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await shop.call('POST', '/api/scan/', { code: 'SKU-2', batch: 1, act: true, quantity: 12 });
  await shop.call('POST', '/api/batches/1/put/', { all: true });
  await shop.call('POST', '/api/orders/SO-10009/abort/', {});
  await page.getByText('stopped').first().waitFor();
  await look(window, 'wall-stopped');
  await touch(page, 'No more pieces…');
  await page.getByRole('dialog').waitFor();
  await look(window, 'wall-no-more');
  await accepts(page);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await shop.call('POST', '/api/batches/1/slots/A1/free/');
  await page.getByText(/^A1 was freed/).waitFor();
  await look(window, 'wall-freed');
  await scan(page, 'SKU-2');
  await page.getByRole('heading', { name: /takes 1$/ }).waitFor();
  await look(window, 'wall-lit-freed');
  await page.goto(`${shop.url}pack/1`);
  await page
    .getByRole('button', { name: /^Print the packing slip/ })
    .first()
    .waitFor();
  await look(window, 'pack');
  expect(found).toEqual([]);
  expect(window.complaints).toEqual([]);
});

test('notices about presses, hands that were left and the question before a pause cover nothing at a cart', async () => {
  await addCart();
  await shop.call('POST', '/api/orders/', {
    order_number: 'SO-20001',
    items: [{ name: 'Cable tie 200 mm, black', SKU: 'SKU-1', ordered_quantity: 4, deviceid: devices[0] }],
  });
  const anna = await openPick(shop, 'Anna');
  const { page } = anna;
  await scan(page, 'CART-1');
  await heading(anna, 'Scan an order');
  for (const [index, number] of ORDERS.entries()) {
    await scan(page, number);
    await page.getByText(`Order ${number}: ${ROWS[Math.floor(index / 3)]}${(index % 3) + 1}`).waitFor();
  }
  await touch(page, /^Go/);
  await at(page, 'A-1-1');
  const ben = await openPick(shop, 'Ben');
  await touch(ben.page, /^SO-20001/);
  await at(ben.page, 'A-1-1');
  await ben.page.getByText('is lit here').waitFor();
  await shop.press(devices[0] ?? '');
  await ben.page.getByRole('button', { name: 'It was mine' }).waitFor();
  await heading(anna, 'Put 18');
  await page.getByText('A press at A-1-1 booked your 18.').waitFor();
  await look(anna, 'cart-press-put');
  await page.reload();
  await page.getByRole('button', { name: 'Not mine' }).waitFor();
  await touchUntilGone(page, 'Not mine');
  await at(page, 'A-1-1');
  // The pieces are open again, so Ben is not asked any more. The light shows his line now.
  await ben.page.getByRole('button', { name: 'It was mine' }).waitFor({ state: 'detached' });
  await ben.page.getByText('is lit here').waitFor({ state: 'detached' });
  await shop.press(devices[0] ?? '');
  await ben.page.getByText('Order SO-20001 complete').waitFor();
  await page.getByRole('button', { name: 'It was mine' }).waitFor();
  await look(anna, 'cart-press-walk');
  await touchUntilGone(page, 'It was mine');
  await heading(anna, 'Put 18');
  await at(ben.page, 'A-1-1');
  await touch(page, 'More…');
  await touch(page, 'Pause the cart');
  await page.getByText('You hold:').waitFor();
  await look(anna, 'cart-pause-holding');
  await touch(page, 'Pause anyway');
  await heading(anna, 'Put 18');
  await ben.page.goto(`${shop.url}pick`);
  await ben.page.getByRole('heading', { name: 'What are you picking?' }).waitFor();
  await scan(ben.page, 'CART-1');
  await ben.page.getByRole('dialog').waitFor();
  await ben.page.getByText('Anna held 18').waitFor();
  await look(ben, 'cart-hand-left');
  await touch(ben.page, 'Back on the shelf');
  await ben.page.getByText('The pieces in hand are settled.').waitFor();
  expect(found).toEqual([]);
  expect([...anna.complaints, ...ben.complaints]).toEqual([]);
});

test('notices about presses at a slot and at places cover nothing at a wall, on the walk and while pieces are put', async () => {
  const [, , light] = devices;
  const slots = slotsOf('WALL-1', [1, 2, 3]).map((each) => (each.slot === 'A1' ? { ...each, deviceid: light } : each));
  await shop.call('POST', '/api/walls/', { name: 'Wall 1', code: 'WALL-1', rows: ROWS.length, columns: 3, slots });
  await shop.call('POST', '/api/batches/', {
    mode: 'wall',
    wall: 1,
    slots: [{ slot: 'A1', order_number: 'SO-10001' }],
  });
  const [anna, ben] = [await openPick(shop, 'Anna'), await openPick(shop, 'Ben')];
  await scan(anna.page, 'WALL-1');
  await touch(anna.page, /^Go/);
  await heading(anna, 'Scan an article');
  await scan(ben.page, 'WALL-1');
  await heading(ben, 'Scan an article');
  await scan(anna.page, 'SKU-1');
  await heading(anna, 'A1 takes 1');
  await scan(ben.page, 'SKU-2');
  await heading(ben, 'A1 takes 1');
  await shop.press(light ?? '');
  await ben.page.getByText("A1: that put Anna's 1.").waitFor();
  await look(ben, 'wall-press-lit');
  await anna.page.getByText('A press at A1 put your 1.').waitFor();
  await look(anna, 'wall-press-idle');
  // Presses at two places, which a browser keeps over a reload.
  const [kept] = await anna.page.evaluate<object[]>(`JSON.parse(localStorage.getItem('pickstation.presses.Anna'))`);
  const other = { ...kept, key: 'other', slot: undefined, own: 4711, picker: 'Ben', place: 'A-1-1', quantity: 12 };
  await anna.page.evaluate(
    `localStorage.setItem('pickstation.presses.Anna', ${JSON.stringify(JSON.stringify([kept, other]))})`,
  );
  await anna.page.reload();
  await anna.page.getByRole('button', { name: 'It was mine' }).waitFor();
  await look(anna, 'wall-two-presses');
  await addCart();
  await anna.page.goto(`${shop.url}pick`);
  await anna.page.getByRole('heading', { name: 'What are you picking?' }).waitFor();
  await look(anna, 'choose-two-presses');
  await scan(anna.page, 'CART-1');
  await heading(anna, 'Scan an order');
  await touch(anna.page, /^Fill/);
  await anna.page.getByText('8 orders are on the cart').waitFor();
  await touch(anna.page, /^Go/);
  await at(anna.page, 'A-1-1');
  await look(anna, 'cart-walk-two-presses');
  await touch(anna.page, /^Picked/);
  await heading(anna, 'Put 16');
  await look(anna, 'cart-put-two-presses');
  expect(found).toEqual([]);
  expect([...anna.complaints, ...ben.complaints]).toEqual([]);
});

test('on a cart with long quantities, large text and entries that were not booked, no slot covers a control', async () => {
  const slots = slotsOf('CART-2', [1, 2, 3]);
  await shop.call('POST', '/api/carts/', { name: 'Cart 2', code: 'CART-2', rows: 3, columns: 3, slots });
  const items = [
    { name: 'Cable tie 200 mm, black', SKU: 'SKU-9', ordered_quantity: 888, deviceid: devices[2] },
    { name: 'Bell', SKU: 'SKU-8', ordered_quantity: 777, deviceid: devices[1] },
  ];
  for (const order of ORDERS) {
    await shop.call('DELETE', `/api/orders/${order}/`);
    await shop.call('POST', '/api/orders/', { order_number: `${order}-2026`, customer: 'Hofmann & Söhne', items });
  }
  const window = await openPick(shop, 'Anna');
  const { page } = window;
  await scan(page, 'CART-2');
  await heading(window, 'Scan an order');
  await touch(page, /^Fill/);
  await page.getByText('9 orders are on the cart').waitFor();
  await touch(page, /^Go/);
  await at(page, 'A-1-2');
  await enter(page, '999');
  await page.getByLabel('Take 999').waitFor();
  await shop.call('POST', `/api/simulator/devices/${devices[1]}/press/`, { button: 'front' });
  await page.getByText('The light booked 6993. You typed 999.').waitFor();
  await look(window, 'cart-differs');
  await touch(page, '6993');
  await heading(window, 'Put 6993');
  // Two places in hand: a slot gets two articles.
  await shop.call('POST', `/api/simulator/devices/${devices[2]}/press/`, { button: 'front' });
  await page.getByRole('heading', { name: 'Put 14985' }).waitFor();
  await look(window, 'cart-put-long');
  await page.evaluate(`document.documentElement.style.fontSize = '130%'`);
  await look(window, 'cart-put-long-130');
  await page.evaluate(`document.documentElement.style.fontSize = ''`);
  // Entries about what no longer fits leave the slots and the buttons free.
  const piece = { slot: 'A1', order_number: ORDERS[0], item_id: 1, quantity: 888 };
  const hands = ['takeOut', 'putIn', 'takeAgain'].map((does, index) => ({
    action: {
      kind: 'cart',
      key: `k${index}`,
      order_number: '',
      item_id: 0,
      place: 'A-1-2',
      batch: 99,
      at: 0,
      tries: 1,
      act: { does: ['put', 'takeOut', 'unpick'][index], pieces: [piece] },
    },
    why: 'It has changed.',
    remedy: { kind: 'hands', does },
  }));
  await page.evaluate(
    `localStorage.setItem('pickstation.outbox.Anna', ${JSON.stringify(JSON.stringify({ actions: [], refused: hands }))})`,
  );
  await page.reload();
  await page.getByText('Take 888 out of A1 again').waitFor();
  await heading(window, 'Put 14985');
  await look(window, 'cart-not-booked');
  expect(found).toEqual([]);
});
