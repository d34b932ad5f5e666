import { beforeEach, expect, test } from 'vitest';
import type { Order } from '#shared/api/order.ts';
import { startReceiver, type Receiver } from '../helpers/servers/receiver.ts';
import { until } from '../shells/until.ts';
import {
  addPickers,
  at,
  enter,
  labelDevices,
  openPick as openPickOf,
  pauseAfterEntry,
  scan,
  takeNext,
  touch,
} from './picker.ts';
import { useShop } from './shop.ts';
import {
  findBarriers,
  measureOverflow,
  restingBox,
  takeInFrames,
  takePictures,
  type Window,
  type WindowTheme,
} from './window.ts';

const SIZES = [
  { width: 1_280, height: 800 },
  { width: 1_024, height: 768 },
  { width: 1_920, height: 1_080 },
  { width: 390, height: 844 },
  { width: 375, height: 667 },
  { width: 667, height: 375 },
];
const PLACES = ['A-1-1', 'A-1-2', 'A-1-3', 'A-1-4', 'A-1-5'];
const ARTICLES = ['Cable tie', 'Fuse', 'Nut', 'Washer', 'Glove'];

const shop = useShop('pick');
let receiver: Receiver;
let devices: string[];

beforeEach(async () => {
  receiver = await startReceiver();
  shop.after(() => receiver.stop());
  await shop.start(PLACES.length);
  await shop.call('PATCH', '/api/settings/', { callback_url: receiver.url, ordernonce: '{order}' });
  devices = await labelDevices(shop, PLACES);
  await addPickers(shop, ['Anna', 'Ben']);
});

/** Adds an order with one line at each of the first places. */
function addOrder(number: string, lines: number, given: object = {}): Promise<Order> {
  const items = devices.slice(0, lines).map((deviceid, index) => ({
    name: ARTICLES[index],
    SKU: `SKU-${index + 1}`,
    ordered_quantity: index + 2,
    deviceid,
  }));
  return shop.call('POST', '/api/orders/', { order_number: number, items, ...given });
}

const orderNow = (number: string) => shop.call<Order>('GET', `/api/orders/${number}/`);
const statesOf = async (number: string) =>
  (await orderNow(number)).shipments.flatMap(({ items }) => items.map(({ state }) => state)).join(' ');
const pressShelf = (index: number) => shop.press(devices[index] ?? '');

const openPick = (name: string, theme?: WindowTheme) => openPickOf(shop, name, theme);

/** Summarizes the order events that the receiver got. */
const told = () =>
  (receiver.payloads() as { order_event?: string; item?: string; quantity?: number }[]).flatMap(
    ({ order_event: event, item, quantity }) => {
      if (event === undefined) return [];
      return item === undefined ? event : `${event} ${item} ${quantity}`;
    },
  );

test('a picker confirms by scan, shelf, Enter, touch and short, and the receiver gets exactly those picks', async () => {
  await addOrder('10418', 5);
  const { page, complaints } = await openPick('Anna');
  await takeNext(page);
  await at(page, 'A-1-1');
  await expect.poll(() => page.evaluate('document.activeElement?.textContent')).toMatch(/^Picked/);

  await scan(page, 'A-1-1');
  // The message disappears after a few seconds, so look for it first.
  await page.getByText('A-1-1 · 2 picked').waitFor();
  await at(page, 'A-1-2');
  await pressShelf(1);
  await page.getByText('A-1-2 · 3 picked').waitFor();
  await at(page, 'A-1-3');
  await page.keyboard.press('Enter');
  await at(page, 'A-1-4');
  await page.getByRole('button', { name: 'One less' }).click();
  await page.getByLabel('Take 4').waitFor();
  await page.getByRole('button', { name: /^Picked/ }).click();
  await page.getByRole('dialog').getByText('How many did you find?').waitFor();
  await touch(page, 'Missing');
  await at(page, 'A-1-5');
  await page.getByRole('button', { name: /^Short/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'One more' }).last().click();
  await touch(page, 'Missing');
  await page.getByRole('heading', { name: 'Order 10418 complete' }).waitFor();
  expect(await statesOf('10418')).toBe('done done done short short');
  await until('the receiver to be told', async () => told().length >= 9);
  expect(told()).toEqual([
    'device_ack Cable tie 2',
    'item_added Cable tie 2',
    'device_ack Fuse 3',
    'item_added Fuse 3',
    'device_ack Nut 4',
    'item_added Nut 4',
    'item_added Washer 4',
    'item_added Glove 1',
    'order_fulfilled',
  ]);
  expect(complaints).toEqual([]);
});

test("a press at another of the picker's places is booked, and the next line follows from there", async () => {
  await addOrder('10418', 4);
  const { page } = await openPick('Anna');
  await takeNext(page);
  await at(page, 'A-1-1');
  await pressShelf(2);
  await page.getByText('A-1-3 · 4 picked').waitFor();
  await at(page, 'A-1-4');
  await pressShelf(3);
  await at(page, 'A-1-1');
});

test('wrong, unknown and repeated scans change nothing, a correct scan moves on, and Undo reopens a line', async () => {
  await addOrder('10418', 3);
  const { page } = await openPick('Anna');
  await scan(page, '10418');
  await at(page, 'A-1-1');
  await scan(page, 'A-1-5');
  await page.getByRole('alert').getByText('Wrong place: that was A-1-5. Scan A-1-1.').waitFor();
  await scan(page, 'nonsense');
  await page.getByRole('alert').getByText('nonsense is unknown.').waitFor();
  expect(await statesOf('10418')).toBe('active active active');
  await scan(page, 'sku-1');
  await at(page, 'A-1-2');
  await scan(page, 'sku-1');
  expect(await statesOf('10418')).toBe('done active active');
  // The Undo button disappears with its message after a few seconds.
  await enter(page, 'u');
  await page.getByText('A-1-1 is open again.').waitFor();
  expect(await statesOf('10418')).toBe('active active active');
  await at(page, 'A-1-1');
  // Type a number and Enter, then confirm one of two pieces with a reason.
  await enter(page, '1');
  await page.getByLabel('Take 1').waitFor();
  await pauseAfterEntry(page);
  await page.keyboard.press('Enter');
  await touch(page, 'Missing');
  await at(page, 'A-1-2');
  await expect.poll(() => statesOf('10418')).toBe('short active active');
});

test('a second picker sees who has the order and joins, and each picker follows a separate color', async () => {
  await addOrder('10418', 4);
  const anna = await openPick('Anna');
  await takeNext(anna.page);
  await at(anna.page, 'A-1-1');
  const ben = await openPick('Ben', 'dark');
  await touch(ben.page, /^10418/);
  await ben.page.getByRole('dialog').getByText('Anna has 4 of 4 lines of order 10418.').waitFor();
  await touch(ben.page, 'Join');
  await at(ben.page, 'A-1-3');
  await ben.page.getByText('Yellow is yours').waitFor();
  await anna.page.getByText('Blue is yours').waitFor();
  await ben.page.keyboard.press('Enter');
  await at(ben.page, 'A-1-4');
  await ben.page.keyboard.press('Enter');
  await ben.page.getByText('Still picking: Anna.').waitFor();
  await anna.page.keyboard.press('Enter');
  await at(anna.page, 'A-1-2');
  await anna.page.keyboard.press('Enter');
  await anna.page.getByRole('heading', { name: 'Order 10418 complete' }).waitFor();
  expect((await orderNow('10418')).shipments[0]?.items.map(({ picker }) => picker)).toEqual([
    'Anna',
    'Anna',
    'Ben',
    'Ben',
  ]);
  expect([...anna.complaints, ...ben.complaints]).toEqual([]);
});

test('a confirmation made while the station is offline is kept, and booked once when it is back', async () => {
  await addOrder('10418', 3);
  const window = await openPick('Anna');
  const { page } = window;
  await takeNext(page);
  await at(page, 'A-1-1');
  const { port } = new URL(shop.url);
  window.expectOutage(true);
  await shop.station.kill();
  await page.getByText('Connection to the station lost').waitFor();
  await page.keyboard.press('Enter');
  await at(page, 'A-1-2');
  await page.getByText('No connection: 1 confirmation is kept here').waitFor();
  // While the station is offline, the page cannot know whether more orders are waiting.
  await page.goBack();
  await page.getByRole('heading', { name: 'What are you picking?' }).waitFor();
  expect(await page.getByText('No orders are waiting').count()).toBe(0);
  // The message disappears after a few seconds, so start waiting for it now.
  const sent = page.getByText('1 kept confirmation sent.').waitFor();
  await shop.start(PLACES.length, Number(port));
  await sent;
  await page.goForward();
  await at(page, 'A-1-2');
  window.expectOutage(false);
  expect(await statesOf('10418')).toBe('done active active');
  await until('the receiver to be told', async () => told().length >= 2);
  expect(told()).toEqual(['device_ack Cable tie 2', 'item_added Cable tie 2']);
  await page.reload();
  await at(page, 'A-1-2');
});

test('reports an aborted order, and reacts to a press at the shelf while the Short dialog is open', async () => {
  await addOrder('10418', 2);
  const { page } = await openPick('Anna');
  await takeNext(page);
  await at(page, 'A-1-1');
  await page.getByRole('button', { name: /^Short/ }).click();
  await page.getByRole('dialog').waitFor();
  await pressShelf(0);
  await at(page, 'A-1-2');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await shop.call('POST', '/api/orders/10418/abort/');
  await page.getByRole('heading', { name: 'Order 10418 was aborted. Its lights are off.' }).waitFor();
});

test('after a device is replaced during picking, its line keeps its place, and the new button counts', async () => {
  await addOrder('10418', 2);
  const { page } = await openPick('Anna');
  await takeNext(page);
  await at(page, 'A-1-1');
  // Prevent the page from learning about the replacement.
  const stale = Promise.withResolvers<void>();
  await page.route('**/api/work/*', async (route) => {
    await stale.promise;
    await route.continue();
  });
  await shop.call('POST', `/api/device/${devices[0]}/replace/`, { deviceid: devices[4] });
  await page.keyboard.press('Enter');
  await page.getByRole('alert').getByText('Not booked: A-1-1, 2 at').waitFor();
  expect(await statesOf('10418')).toBe('active active');
  stale.resolve();
  await at(page, 'A-1-1');
  await touch(page, 'Book');
  await until('the line to be booked', async () => (await statesOf('10418')) === 'done active');
  await at(page, 'A-1-2');
  await shop.call('POST', `/api/device/${devices[1]}/replace/`, { deviceid: devices[3] });
  await pressShelf(3);
  await page.getByRole('heading', { name: 'Order 10418 complete' }).waitFor();
});

test('an order that requires scans asks for the article after the place', async () => {
  await addOrder('10418', 2, { scan_required: true });
  const { page } = await openPick('Anna');
  await takeNext(page);
  await at(page, 'A-1-1');
  await pressShelf(0);
  await page.getByText('Scan the article').waitFor();
  await scan(page, 'SKU-1');
  await at(page, 'A-1-2');
  expect((await orderNow('10418')).shipments[0]?.items.map(({ verified }) => verified)).toEqual([true, false]);
});

/** Checks that each key of the number pad is in view, and large and far enough apart for gloves. */
async function measurePad(window: Window, { width, height }: { width: number; height: number }): Promise<void> {
  const { page } = window;
  const isPhone = Math.min(width, height) < 480;
  const keys = page.getByRole('dialog').locator('[class*="padKeys"] button');
  await restingBox(keys.last());
  const boxes = await Promise.all((await keys.all()).map((key) => key.boundingBox()));
  expect(boxes).toHaveLength(12);
  for (const [index, box] of boxes.entries()) {
    const where = `key ${index} at ${width}`;
    if (box === null) throw new Error(`${where} is not drawn`);
    expect(Math.min(box.width, box.height), where).toBeGreaterThanOrEqual(isPhone ? 64 : 80);
    expect(box.y + box.height, where).toBeLessThanOrEqual(height);
    expect(box.x + box.width, where).toBeLessThanOrEqual(width);
    for (const other of boxes.slice(0, index)) {
      if (other === null) continue;
      const apart = Math.max(
        other.x - box.x - box.width,
        box.x - other.x - other.width,
        other.y - box.y - box.height,
        box.y - other.y - other.height,
      );
      expect(apart, where).toBeGreaterThanOrEqual(isPhone ? 8 : 49);
    }
  }
  await takePictures(window, `pick-pad-${width}x${height}`);
}

test('the Pick page does not overflow, has no axe violations, and has targets large enough for gloves', async () => {
  await addOrder('10418', 5, { due_time: '2026-12-01T15:00:00Z' });
  const window = await openPick('Anna');
  const { page } = window;
  for (const viewport of SIZES) {
    await page.setViewportSize(viewport);
    expect(await measureOverflow(page)).toBeLessThanOrEqual(0);
  }
  expect(await findBarriers(window)).toEqual([]);
  await touch(page, /^Next order/);
  await at(page, 'A-1-1');
  for (const viewport of SIZES) {
    await page.setViewportSize(viewport);
    expect(await measureOverflow(page)).toBeLessThanOrEqual(0);
    const isPhone = Math.min(viewport.width, viewport.height) < 480;
    const boxes: Record<string, { x: number; y: number; width: number; height: number }> = {};
    for (const name of [/^Picked/, /^Short/, 'More…', 'One less', 'One more']) {
      const button = page.getByRole('button', { name });
      const box = (await button.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
      const where = `${String(name)} at ${viewport.width}`;
      for (const [other, { x, y, width, height }] of Object.entries(boxes)) {
        const apart = Math.max(x - box.x - box.width, box.x - x - width, y - box.y - box.height, box.y - y - height);
        expect(apart, `between ${other} and ${where}`).toBeGreaterThanOrEqual(isPhone ? 8 : 49);
      }
      boxes[String(name)] = box;
      expect(Math.min(box.width, box.height), where).toBeGreaterThanOrEqual(isPhone ? 64 : 80);
      // The whole box is in view without scrolling.
      expect(box.y + box.height, where).toBeLessThanOrEqual(viewport.height);
      expect(box.x + box.width, where).toBeLessThanOrEqual(viewport.width);
    }
    await takePictures(window, `pick-${viewport.width}x${viewport.height}`);
    await touch(page, 'Take 2');
    await measurePad(window, viewport);
    // Escape goes to the focused element, so wait until the dialog has the focus.
    await page.locator('[role="dialog"]:focus-within').waitFor();
    // A dialog ignores the key right after it opens, so wait until it accepts keys.
    await page.getByRole('dialog').locator('[class*="_pad_"]:not([data-inert])').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }
  expect(await findBarriers(window)).toEqual([]);
  expect(window.complaints).toEqual([]);
});

test('an order number stays on one line, a phone shows it above its customer, and an end with shorts is marked', async () => {
  const number = 'SO-2026-1026';
  await addOrder(number, 2, { customer: 'Rosa Lindenbaum-Sommerfeld' });
  await addOrder('SO-2026-1027', 1, { customer: 'Ida Roth' });
  await addOrder('SO-2026-1028-4711-0815-1234567890-ABCDEFGHIJKLMNOPQRSTUVWXYZ', 1);
  const window = await openPick('Anna');
  const { page } = window;
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByText('Ida Roth').waitFor();
  /** Returns the overflow of the page, and the height of the order numbers in text lines. */
  const drawn = () =>
    page.evaluate<{ tooWide: number; lines: number[] }>(`(() => {
      const numbers = [...document.querySelectorAll('h2 span > span, li span > span')]
        .filter((each) => each.textContent.startsWith('SO-2026-102') && each.textContent.length < 15);
      return {
        tooWide: document.querySelector('main').scrollWidth - document.querySelector('main').clientWidth,
        lines: numbers.map((each) => Math.round(each.offsetHeight / parseFloat(getComputedStyle(each).fontSize) / 1.25)),
      };
    })()`);
  await expect.poll(drawn).toEqual({ tooWide: 0, lines: [1, 1, 1, 1] });
  await takeInFrames(window, 'pick-choose');
  await takeNext(page);
  await at(page, 'A-1-1');
  const header = page.locator('header').getByText(`Order ${number}`, { exact: true });
  const name = page.locator('header').getByText('Rosa Lindenbaum-Sommerfeld', { exact: true });
  const above = await restingBox(header);
  const below = await restingBox(name);
  const top = await restingBox(page.locator('header'));
  expect(above.y).toBeGreaterThanOrEqual(top.y);
  expect(below.y).toBeGreaterThanOrEqual(above.y + above.height);
  expect(below.y + below.height).toBeLessThanOrEqual(top.y + top.height);
  await takeInFrames(window, 'pick-line');
  await touch(page, /^Picked/);
  await at(page, 'A-1-2');
  await touch(page, /^Short/);
  await touch(page, 'Missing');
  await page.getByRole('heading', { name: `Order ${number} complete with shorts` }).waitFor();
  await page.getByText('3 pieces missing').waitFor();
  await expect.poll(drawn).toEqual({ tooWide: 0, lines: [1] });
  await takeInFrames(window, 'pick-short');
  expect(await findBarriers(window)).toEqual([]);
  await touch(page, 'Next order');
  await at(page, 'A-1-1');
  await touch(page, /^Picked/);
  await page.getByRole('heading', { name: 'Order SO-2026-1027 complete' }).waitFor();
  await takeInFrames(window, 'pick-done');
  expect(window.complaints).toEqual([]);
});
