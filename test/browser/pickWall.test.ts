import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import type { Batch } from '#shared/api/batch.ts';
import type { Carrier } from '#shared/api/carrier.ts';
import type { Order } from '#shared/api/order.ts';
import { addPickers, at, heard, labelDevices, openPick, scan, touch } from './picker.ts';
import { useShop } from './shop.ts';
import { findBarriers, takeInFrames, type Window } from './window.ts';

const ROWS = ['A', 'B', 'C', 'D'];
const SLOTS = ROWS.flatMap((row) => [1, 2, 3, 4, 5, 6].map((column) => `${row}${column}`));
/** Number of slots with a light, counted from the first slot. */
const LIT = 4;
const PLACES = ['P-1', 'P-2'];

const shop = useShop('pickWall');
let devices: string[];
let wall: Carrier;

beforeEach(async () => {
  await shop.start(LIT + PLACES.length);
  devices = await labelDevices(shop, [...SLOTS.slice(0, LIT).map((slot) => `W-${slot}`), ...PLACES]);
  await addPickers(shop, ['Anna', 'Ben']);
  await shop.call('POST', '/api/carts/', { name: 'Cart 1', code: 'CART-1', rows: 1, columns: 2 });
  wall = await shop.call<Carrier>('POST', '/api/walls/', {
    name: 'Wall 1',
    code: 'WALL-1',
    rows: ROWS.length,
    columns: 6,
    slots: SLOTS.map((slot, index) => ({
      slot,
      code: `WALL-1-${slot}`,
      ...(index < LIT ? { deviceid: devices[index] } : {}),
    })),
  });
  for (const [SKU, name, code] of [
    ['CT-200', 'Cable tie 200', 'TIES'],
    ['BE-7', 'Bell', 'BELLS'],
    ['NO-1', 'Nobody ordered it', 'NOBODY'],
  ])
    await shop.call('POST', '/api/articles/', { SKU, name, barcodes: [{ code, quantity: 1 }] });
});

/** Creates an order for cable ties and bells. */
async function order(number: string, ties: number, bells: number, places: readonly (string | undefined)[] = []) {
  const device = (index: number) => (places[index] === undefined ? {} : { deviceid: places[index] });
  await shop.call('POST', '/api/orders/', {
    order_number: number,
    items: [
      ...(ties > 0 ? [{ name: 'Cable tie 200', SKU: 'CT-200', ordered_quantity: ties, ...device(0) }] : []),
      ...(bells > 0 ? [{ name: 'Bell', SKU: 'BE-7', ordered_quantity: bells, ...device(1) }] : []),
    ],
  });
}

const pictures = (window: Window, name: string) => takeInFrames(window, `wall-${name}`);

const batch = () => shop.call<Batch>('GET', '/api/batches/1/');
const putInto = async () =>
  Object.fromEntries(
    (await batch()).slots
      .filter(({ order_number: number }) => number !== null)
      .map(({ slot, shares }) => [slot, shares.reduce((sum, { put }) => sum + put, 0)]),
  );
const title = ({ page }: Window, name: string) => page.getByRole('heading', { name, exact: true, level: 2 }).waitFor();

/** Touches the only Undo button on the page, that of the stage or else that of the message. */
const undo = (page: Page) => touch(page, /^Undo/);

test('a wall is loaded, sorted by scans, presses and touches, and emptied', async () => {
  await order('SO-1', 2, 1);
  await order('SO-2', 1, 1);
  await order('SO-3', 5, 0);
  for (let more = 4; more < 10; more += 1) await order(`SO-${more}`, 0, 2);
  const window = await openPick(shop, 'Anna');
  const { page } = window;
  await page.getByRole('button', { name: 'Load Wall 1' }).waitFor();
  await pictures(window, 'choose');
  await scan(page, 'WALL-1');
  await title(window, 'Scan an order');
  await scan(page, 'SO-1');
  await page.getByText('Order SO-1: A1.').waitFor();
  await scan(page, 'SO-2');
  await page.getByText('Order SO-2: A2.').waitFor();
  await scan(page, 'SO-3');
  await page.getByText('Order SO-3: A3.').waitFor();
  await touch(page, /^Fill/);
  await page.getByText('9 orders are at the wall.').waitFor();
  await pictures(window, 'load');
  await touch(page, /^Go/);
  await title(window, 'Scan an article');
  await page.getByText('22 pieces for 9 orders to go').waitFor();
  await pictures(window, 'idle');
  // The order with the fewest missing pieces gets the first piece.
  await scan(page, 'CT-200');
  await title(window, 'A2 takes 1');
  await page.getByText('Cable tie 200').waitFor();
  await pictures(window, 'lit');
  // Scan a different code than BE-7, which is scanned next and would count only once within 400 ms.
  await scan(page, 'BELLS');
  await page.getByText('Press A2 first.').waitFor();
  await scan(page, 'WALL-1-B1');
  await page.getByText('That was B1. Put 1 into A2.').waitFor();
  await pictures(window, 'wrong');
  await shop.press(devices[1] ?? '');
  await title(window, 'Scan an article');
  await expect.poll(putInto).toMatchObject({ A1: 0, A2: 1, A3: 0 });
  await scan(page, 'BE-7');
  await title(window, 'A2 takes 1');
  await scan(page, 'WALL-1-A2');
  await page.getByText('A2: order SO-2 is complete.').waitFor();
  await undo(page);
  await title(window, 'A2 takes 1');
  await heard(page, 'Put');
  await touch(page, /^Put 1 into A2/);
  await page.getByText('A2: order SO-2 is complete.').waitFor();
  // A stack lights all slots that need it.
  await page.keyboard.type('9');
  await page.keyboard.press('Enter');
  await title(window, 'Scan one of these 9');
  await pictures(window, 'typed');
  await scan(page, 'CT-200');
  await title(window, 'A1 takes 2, A3 takes 5');
  await page.getByText('2 left over: set aside.').waitFor();
  await pictures(window, 'stack');
  await heard(page, 'Put');
  await page.keyboard.press('Enter');
  await expect.poll(putInto).toMatchObject({ A1: 2, A2: 2, A3: 5 });
  await scan(page, 'CT-200');
  await title(window, 'All orders have it: 1 left over.');
  await pictures(window, 'all-done');
  await scan(page, 'NO-1');
  await title(window, 'Nobody ordered this. Set it aside.');
  await pictures(window, 'nobody');
  await touch(page, 'No barcode');
  await page.getByRole('dialog').getByText('13 for 7 orders').waitFor();
  await pictures(window, 'no-barcode');
  await touch(page, /^Bell/);
  await title(window, 'A1 takes 1');
  await touch(page, /^Not this one/);
  await title(window, 'Scan an article');
  // A complete slot shows its content, and is emptied.
  await touch(page, /^A2 SO-2/);
  await page.getByRole('dialog').getByText('1 Bell').waitFor();
  await pictures(window, 'slot');
  await touch(page, 'It is empty now');
  await page.getByText('A2 is free.').waitFor();
  await undo(page);
  await page.getByText('A2 holds its order again.').waitFor();
  // An aborted order leaves a stopped slot.
  await shop.call('POST', '/api/orders/SO-1/abort/', {});
  await page.getByText('A1 stopped').waitFor();
  await pictures(window, 'stopped');
  await touch(page, /^A1 SO-1/);
  await touch(page, 'Keep together');
  await page.getByText('A1 is free.').waitFor();
  await touch(page, 'No more pieces…');
  await page.getByRole('dialog', { name: '6 orders are waiting for 1 article' }).waitFor();
  await pictures(window, 'no-more');
  await touch(page, /^Missing/);
  await title(window, 'All orders are complete');
  await pictures(window, 'complete');
  const { items = [] } = (await shop.call<Order>('GET', '/api/orders/SO-9/')).shipments[0] ?? {};
  expect(items.map(({ state }) => state)).toEqual(['short']);
  await touch(page, /^Wall emptied/);
  await title(window, 'Scan an order');
  expect((await batch()).state).toBe('done');
  expect(await findBarriers(window)).toEqual([]);
  expect(window.complaints).toEqual([]);
});

test('two people sort at one wall, despite a reload and a killed station', async () => {
  for (let number = 1; number <= 24; number += 1) await order(`SO-${String(number).padStart(2, '0')}`, 1, 1);
  await shop.call('POST', '/api/batches/', { mode: 'wall', wall: wall.id, fill: { count: 24 } });
  await shop.call('POST', '/api/batches/1/launch/', {});
  const anna = await openPick(shop, 'Anna');
  await touch(anna.page, 'Sort at Wall 1');
  await title(anna, 'Scan an article');
  const ben = await openPick(shop, 'Ben');
  await scan(ben.page, 'WALL-1');
  await title(ben, 'Scan an article');
  await scan(anna.page, 'CT-200');
  await title(anna, 'A1 takes 1');
  // Ben's piece lights a slot that Anna has not lit.
  await scan(ben.page, 'CT-200');
  await title(ben, 'A2 takes 1');
  await ben.page.getByRole('button', { name: /^A1 SO-01 .* Anna 1$/ }).waitFor();
  await pictures(ben, 'two-people');
  await anna.page.reload();
  await title(anna, 'A1 takes 1');
  await anna.page.getByText('Cable tie 200').waitFor();
  const { port } = new URL(shop.url);
  for (const window of [anna, ben]) window.expectOutage(true);
  await shop.station.kill();
  for (const { page } of [anna, ben]) await page.getByText('Connection to the station lost').waitFor();
  // A put is kept while the station is offline, but a scan is not.
  await scan(anna.page, 'WALL-1-A1');
  await title(anna, 'Scan an article');
  await scan(anna.page, 'BE-7');
  await title(anna, 'No connection: nothing was lit. Scan it again later.');
  await pictures(anna, 'away');
  await shop.start(LIT + PLACES.length, Number(port));
  await expect.poll(putInto).toMatchObject({ A1: 1, A2: 0 });
  // Until a page knows that the station is back, its scans light nothing.
  for (const window of [anna, ben]) {
    await window.page.getByText('Connection to the station lost').waitFor({ state: 'detached' });
    window.expectOutage(false);
  }
  await title(ben, 'A2 takes 1');
  await shop.press(devices[1] ?? '');
  await title(ben, 'Scan an article');
  // Each person's piece gets a separate slot. The scan that reaches the station first gets A1.
  await scan(anna.page, 'BE-7');
  await title(anna, 'A1 takes 1');
  await scan(ben.page, 'BE-7');
  await title(ben, 'A2 takes 1');
  for (const { page } of [anna, ben]) {
    await heard(page, 'Put');
    await page.keyboard.press('Enter');
  }
  await expect.poll(putInto).toMatchObject({ A1: 2, A2: 2, A3: 0 });
  // Scanning the wall asks about pieces that another person scanned but did not put.
  await scan(ben.page, 'BE-7');
  await title(ben, 'A3 takes 1');
  // Anna's page knows of Ben's piece.
  await anna.page.getByRole('button', { name: /^A3 SO-03 .* Ben 1$/ }).waitFor();
  await scan(anna.page, 'WALL-1');
  await anna.page.getByRole('dialog', { name: 'Ben scanned: A3 1. Where are the pieces?' }).waitFor();
  await pictures(anna, 'hand');
  await touch(anna.page, 'Not put: turn the slots off');
  await title(ben, 'Scan an article');
  expect(await putInto()).toMatchObject({ A1: 2, A2: 2, A3: 0 });
  expect(await findBarriers(ben)).toEqual([]);
  expect([...anna.complaints, ...ben.complaints]).toEqual([]);
});

test("a wall's orders are picked onto a cart in bulk, then sorted at the wall", async () => {
  const [first, second] = devices.slice(LIT);
  await order('SO-1', 2, 1, [first, second]);
  await order('SO-2', 1, 1, [first, second]);
  const window = await openPick(shop, 'Anna');
  const { page } = window;
  await scan(page, 'WALL-1');
  await touch(page, 'Pick onto a cart first…');
  await pictures(window, 'first-cart');
  await touch(page, 'Pick onto Cart 1');
  await page.getByText('First pick onto Cart 1').waitFor();
  await touch(page, /^Fill/);
  await page.getByText('2 orders are at the wall.').waitFor();
  await touch(page, /^Go/);
  await at(page, 'P-1');
  await pictures(window, 'walk');
  await shop.press(first ?? '');
  await at(page, 'P-2');
  await touch(page, /^Picked/);
  await title(window, 'Scan an article');
  await scan(page, 'BE-7');
  await title(window, 'A2 takes 1');
  await scan(page, 'WALL-1-A2');
  await title(window, 'Scan an article');
  // A cable tie is missing on the cart, so it is picked again.
  await page.keyboard.type('2');
  await page.keyboard.press('Enter');
  await scan(page, 'CT-200');
  await title(window, 'A1 takes 1, A2 takes 1');
  await heard(page, 'Put');
  await page.keyboard.press('Enter');
  await title(window, 'Scan an article');
  await touch(page, 'Not on the cart…');
  await page.getByText('1 Cable tie 200, 1 Bell').waitFor();
  await pictures(window, 'not-on-cart');
  await touch(page, 'Missing: pick again');
  await at(page, 'P-1');
  expect((await batch()).state).toBe('picking');
  expect(window.complaints).toEqual([]);
});
