import { beforeEach, expect, test } from 'vitest';
import type { Order } from '#shared/api/order.ts';
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

const PLACES = ['A-1-1', 'A-1-2', 'A-1-3', 'A-1-4', 'A-1-5'];
const ARTICLES = ['Cable tie 200 mm, black', 'Fuse', 'Nut', 'Washer', 'Glove'];

const shop = useShop('pickControls');
let devices: string[];
let found: string[];

beforeEach(async () => {
  await shop.start(PLACES.length);
  devices = await labelDevices(shop, PLACES);
  await addPickers(shop, ['Anna', 'Ben']);
  found = [];
});

const look = async (window: Window, state: string) =>
  void found.push(...(await findHiddenControls(window, `order-${state}`)));

/** Creates an order with a line at each of the first places. */
const addOrder = (number: string, lines: number, given: object = {}) =>
  shop.call('POST', '/api/orders/', {
    order_number: number,
    items: devices.slice(0, lines).map((deviceid, index) => ({
      name: ARTICLES[index],
      SKU: `SKU-${index + 1}`,
      description: 'black, nylon, bag of 100 pieces',
      ordered_quantity: index + 2,
      deviceid,
    })),
    ...given,
  });

const closeDialog = async ({ page }: Window) => {
  await page.locator('[role="dialog"]:focus-within').waitFor();
  await accepts(page);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
};

test('in every state of Pick for an order, no control is covered, cut or out of view', async () => {
  await addOrder('10418', 5, { customer: 'Hofmann & Söhne Elektrotechnik', note: 'Gift: add the card, no prices' });
  await addOrder('10419', 2, { due_time: '2020-01-01T15:00:00Z', priority: 5 });
  const window = await openPick(shop, 'Anna');
  const { page } = window;
  await page.getByRole('button', { name: /10418/ }).waitFor();
  await look(window, 'choose');
  await touch(page, /^10418/);
  await at(page, 'A-1-1');
  await look(window, 'line');
  await scan(page, 'NOWHERE');
  await page.getByText(/NOWHERE/).waitFor();
  await look(window, 'wrong');
  await touch(page, 'Take 2');
  await page.getByRole('dialog').waitFor();
  await look(window, 'pad');
  await closeDialog(window);
  await touch(page, 'Short…');
  await page.getByRole('dialog').waitFor();
  await look(window, 'short');
  await closeDialog(window);
  await touch(page, 'More…');
  await page.getByRole('dialog').waitFor();
  await look(window, 'more');
  await closeDialog(window);
  for (let more = 0; more < 2; more += 1) await touch(page, 'One more');
  await touch(page, /^Picked/);
  await page.getByRole('dialog').waitFor();
  await look(window, 'too-many');
  await closeDialog(window);
  for (let less = 0; less < 2; less += 1) await touch(page, 'One less');
  await touch(page, /^Picked/);
  await at(page, 'A-1-2');
  await look(window, 'next');
  await touch(page, 'More…');
  await touch(page, 'Pause this order');
  await page.getByRole('heading', { name: 'Paused' }).waitFor();
  await look(window, 'paused');
  await touch(page, /^Continue/);
  await at(page, 'A-1-2');
  for (let line = 2; line <= PLACES.length; line += 1) {
    await heard(page, 'Picked');
    await touch(page, /^Picked/);
  }
  await page.getByText('Order 10418 complete').waitFor();
  await look(window, 'done');
  expect(found).toEqual([]);
  expect(window.complaints).toEqual([]);
});

test('questions about a long number and about three quick confirmations cover nothing', async () => {
  await addOrder('10450', 5, { customer: 'Hofmann & Söhne Elektrotechnik', note: 'Gift: add the card, no prices' });
  const window = await openPick(shop, 'Anna');
  const { page } = window;
  await touch(page, /^10450/);
  await at(page, 'A-1-1');
  await pressEnters(page, ['A-1-2', 'A-1-3', 'Did you pick these three?']);
  await look(window, 'hasty');
  await touch(page, 'Undo all');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await heard(page, 'Picked');
  await enter(page, '48213');
  await page.getByRole('heading', { name: /48.?213/ }).waitFor();
  await look(window, 'number');
  expect(found).toEqual([]);
  expect(window.complaints).toEqual([]);
});

test('with work of others, kept and refused confirmations, no control is covered, cut or out of view', async () => {
  await addOrder('10418', 2);
  await addOrder('10420', 3, { customer: 'Hofmann & Söhne Elektrotechnik' });
  const [ben, anna] = [await openPick(shop, 'Ben'), await openPick(shop, 'Anna')];
  await touch(ben.page, /^10418/);
  await at(ben.page, 'A-1-1');
  await anna.page.getByRole('button', { name: /^10418/ }).waitFor();
  await touch(anna.page, /^10418/);
  await anna.page.getByRole('dialog').waitFor();
  await look(anna, 'join');
  await closeDialog(anna);
  await touch(anna.page, /^10420/);
  await at(anna.page, 'A-1-1');
  await anna.page.getByText("Ben's work is lit here").waitFor();
  await look(anna, 'others-light');
  await anna.page.context().setOffline(true);
  anna.expectOutage(true);
  await touch(anna.page, /^Picked/);
  await anna.page.getByText(/kept here/).waitFor();
  await look(anna, 'offline');
  await at(anna.page, 'A-1-2');
  await touch(anna.page, /^Picked/);
  await at(anna.page, 'A-1-3');
  await shop.call('POST', '/api/orders/10420/abort/', {});
  await anna.page.context().setOffline(false);
  await anna.page.getByText('Put 2 back at A-1-1.').waitFor();
  await look(anna, 'not-booked');
  expect(found).toEqual([]);
});

test('confirmations that were not booked do not cover Picked', async () => {
  await addOrder('10430', 5);
  const window = await openPick(shop, 'Anna');
  const { page } = window;
  await touch(page, /^10430/);
  await at(page, 'A-1-1');
  await page.context().setOffline(true);
  window.expectOutage(true);
  for (const place of PLACES.slice(0, 4)) {
    await at(page, place);
    await touch(page, /^Picked/);
  }
  const { shipments } = await shop.call<Order>('GET', '/api/orders/10430/');
  for (const { id } of shipments.flatMap(({ items }) => items).slice(0, 4))
    await shop.call('POST', `/api/orders/10430/items/${id}/short/`, { quantity_fulfilled: 1, reason: 'missing' });
  await page.context().setOffline(false);
  await expect.poll(() => page.getByText(/Not booked/).count()).toBeGreaterThan(0);
  await at(page, 'A-1-5');
  // On a phone, the instruction scrolls below so many entries.
  const cut = await findCut(window, 'order-not-booked-line', 'main button[aria-label^="Take"] > strong');
  found.push(...cut.filter((line) => / at (?:1024|1920) x /.test(line)));
  await look(window, 'not-booked-line');
  expect(found).toEqual([]);
});

test('notices about presses of two people at one light cover nothing, and the order names what nobody answered', async () => {
  await addOrder('10440', 2, { customer: 'Hofmann & Söhne Elektrotechnik' });
  await addOrder('10441', 1);
  const [ben, anna] = [await openPick(shop, 'Ben'), await openPick(shop, 'Anna')];
  await touch(ben.page, /^10441/);
  await at(ben.page, 'A-1-1');
  await touch(anna.page, /^10440/);
  await at(anna.page, 'A-1-1');
  await anna.page.getByText("Ben's work is lit here").waitFor();
  await shop.press(devices[0] ?? '');
  await anna.page.getByRole('button', { name: 'It was mine' }).waitFor();
  await look(anna, 'press-of-ben');
  await ben.page.getByText('A press at A-1-1 booked your 2.').waitFor();
  await ben.page.getByText('a press booked 2 while Anna waited there').waitFor();
  await look(ben, 'press-done');
  await anna.page.reload();
  await anna.page.getByRole('button', { name: 'It was mine' }).waitFor();
  await touch(anna.page, 'One less');
  await touch(anna.page, 'It was mine');
  await anna.page.getByRole('dialog', { name: 'How many did you take at A-1-1?' }).waitFor();
  await look(anna, 'press-number');
  await closeDialog(anna);
  await touch(anna.page, 'One more');
  await touch(anna.page, 'More…');
  await touch(anna.page, 'Pause this order');
  await anna.page.getByRole('heading', { name: 'Paused' }).waitFor();
  await look(anna, 'press-paused');
  await touch(anna.page, 'Another order');
  await anna.page.getByRole('button', { name: 'It was mine' }).waitFor();
  await look(anna, 'press-choose');
  await touch(anna.page, /^Continue/);
  await at(anna.page, 'A-1-1');
  await touchUntilGone(anna.page, 'It was mine');
  await at(anna.page, 'A-1-2');
  // Ben's line is open again, and Anna's is booked with its own rest.
  await at(ben.page, 'A-1-1');
  expect(await ben.page.getByRole('button', { name: 'Not mine' }).count()).toBe(0);
  const items = async (number: string) =>
    (await shop.call<Order>('GET', `/api/orders/${number}/`)).shipments.flatMap((each) => each.items);
  await expect.poll(async () => (await items('10440')).map(({ quantity_fulfilled: done }) => done)).toEqual([2, 0]);
  expect((await items('10441')).map(({ quantity_fulfilled: done }) => done)).toEqual([0]);
  expect(found).toEqual([]);
  expect([...anna.complaints, ...ben.complaints]).toEqual([]);
});
