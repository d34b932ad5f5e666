import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { Batch } from '#shared/api/batch.ts';
import type { Order } from '#shared/api/order.ts';
import { addPickers, at, heard, labelDevices, openPick, scan, touch } from './picker.ts';
import { useShop } from './shop.ts';
import { PAGE_PATIENCE_MS, type Window } from './window.ts';

const ORDERS = 24;
const PLACES = Array.from({ length: 20 }, (_, index) => `R-${String(index + 1).padStart(2, '0')}`);
const SLOTS = ['A', 'B', 'C', 'D'].flatMap((row) => [1, 2, 3, 4, 5, 6].map((column) => `${row}${column}`));
const END = 'Take Cart 1 to packing';

const shop = useShop('pickLargeCart');

const numberOf = (order: number) => `SO-${String(order + 1).padStart(2, '0')}`;
const piecesOf = (order: number, line: number) => 1 + ((order + line) % 3);

async function loadCart(): Promise<void> {
  const devices = await labelDevices(shop, PLACES);
  await addPickers(shop, ['Anna', 'Ben']);
  await shop.call('POST', '/api/carts/', {
    name: 'Cart 1',
    code: 'CART-1',
    rows: 4,
    columns: 6,
    slots: SLOTS.map((slot) => ({ slot, code: `CART-1-${slot}` })),
  });
  for (let order = 0; order < ORDERS; order += 1) {
    await shop.call('POST', '/api/orders/', {
      order_number: numberOf(order),
      items: devices.map((deviceid, line) => ({
        name: `Part ${line + 1}`,
        SKU: `P-${line + 1}`,
        ordered_quantity: piecesOf(order, line),
        deviceid,
      })),
    });
  }
  const slots = SLOTS.map((_, order) => ({ order_number: numberOf(order) }));
  await shop.call('POST', '/api/batches/', { mode: 'cart', cart: 1, put_confirmation: 'once', slots });
}

const titleOf = (page: Page): Promise<string> => page.getByRole('heading', { level: 2 }).first().innerText();

/** Waits until the page has another title. Returns whether that was so within this time. */
const changes = (page: Page, title: string, timeout: number): Promise<boolean> =>
  expect
    .poll(() => titleOf(page), { timeout })
    .not.toBe(title)
    .then(
      () => true,
      () => false,
    );

/** Scans places and puts their pieces until this person has no place left, or has picked at this many places. */
async function walk({ page }: Window, most = Infinity): Promise<number> {
  let picked = 0;
  while (picked < most) {
    const title = await titleOf(page);
    if (PLACES.includes(title)) {
      await at(page, title);
      await scan(page, title);
    } else if (/^Put \d+$/.test(title)) {
      await heard(page, 'All put');
      // Right after a change of the page, Enter counts for nothing, so a person presses it again.
      do await page.keyboard.press('Enter');
      while (!(await changes(page, title, 1_000)));
      picked += 1;
    } else return picked;
    expect(await changes(page, title, PAGE_PATIENCE_MS)).toBe(true);
  }
  return picked;
}

test('two people pick 24 orders of 20 lines each on one cart with scans, and the station is killed once', async () => {
  await shop.start(PLACES.length);
  await loadCart();
  const anna = await openPick(shop, 'Anna');
  await touch(anna.page, 'Continue Cart 1');
  await touch(anna.page, /^Go/);
  await at(anna.page, 'R-01');
  const ben = await openPick(shop, 'Ben');
  await scan(ben.page, 'CART-1');
  await touch(ben.page, 'Join', undefined, ben.page.getByRole('dialog'));
  await expect.poll(() => titleOf(ben.page)).toMatch(/^R-/);
  expect(await Promise.all([walk(anna, 3), walk(ben, 3)])).toEqual([3, 3]);
  const { port } = new URL(shop.url);
  for (const window of [anna, ben]) window.expectOutage(true);
  await shop.station.kill();
  for (const { page } of [anna, ben]) await page.getByText('Connection to the station lost').waitFor();
  // Anna's confirmation is kept while the station is offline.
  expect(await walk(anna, 1)).toBe(1);
  await shop.start(PLACES.length, Number(port));
  for (const window of [anna, ben]) {
    await window.page.getByText('Connection to the station lost').waitFor({ state: 'detached' });
    window.expectOutage(false);
  }
  await Promise.all([walk(anna), walk(ben)]);
  for (const { page } of [anna, ben]) await page.getByRole('heading', { name: END }).waitFor();
  const { slots, hands, put_back: putBack } = await shop.call<Batch>('GET', '/api/batches/1/');
  expect([hands, putBack]).toEqual([[], []]);
  for (const [order, { order_number: number, shares }] of slots.entries()) {
    const wanted = PLACES.map((_, line) => piecesOf(order, line));
    expect(number).toBe(numberOf(order));
    expect(shares.map(({ put }) => put)).toEqual(wanted);
    const { state, shipments } = await shop.call<Order>('GET', `/api/orders/${numberOf(order)}/`);
    expect(state).toBe('fulfilled');
    const items = shipments.flatMap((shipment) => shipment.items);
    expect(items.map((item) => item.quantity_fulfilled)).toEqual(wanted);
  }
  expect([...anna.complaints, ...ben.complaints]).toEqual([]);
});
