import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import type { Order } from '#shared/api/order.ts';
import type { WorkLine } from '#shared/api/picking.ts';
import { until } from '../shells/until.ts';
import { handsOf } from './clumsyHands.ts';
import {
  accepts,
  addPickers,
  at,
  enter,
  heard,
  labelDevices,
  openPick,
  pauseAfterEntry,
  scan,
  signInPicker,
  touch,
} from './picker.ts';
import { useShop } from './shop.ts';

// Pickers act in a different order than the page expects.
const PLACES = ['A-1-1', 'A-1-2', 'A-1-3'];
const shop = useShop('pickHands');
let devices: string[];

beforeEach(async () => {
  await shop.start(PLACES.length);
  devices = await labelDevices(shop, PLACES);
  await addPickers(shop, ['Anna', 'Ben']);
});

/** Adds an order of five pieces at each of the first places. */
function addOrder(number: string, articles: readonly string[], given: object = {}): Promise<Order> {
  const items = articles.map((name, index) => ({ name, ordered_quantity: 5, deviceid: devices[index] }));
  return shop.call('POST', '/api/orders/', { order_number: number, items, ...given });
}

async function picked(number: string): Promise<string> {
  const { shipments } = await shop.call<Order>('GET', `/api/orders/${number}/`);
  return shipments.flatMap(({ items }) => items.map((item) => `${item.state} ${item.quantity_fulfilled}`)).join(', ');
}

const pressShelf = (index: number) => shop.press(devices[index] ?? '');
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const firstLine = async () => (await shop.call<WorkLine[]>('GET', '/api/work/?order=10418'))[0];

/** Signs Anna in and takes her to the first line of order 10418. */
async function begin(articles: readonly string[], given?: object): Promise<Page> {
  await addOrder('10418', articles, given);
  const { page } = await openPick(shop, 'Anna');
  await touch(page, /^Next order/);
  await at(page, 'A-1-1');
  return page;
}

/** Holds back requests to this address. The returned function releases them. */
async function delay(page: Page, address: string): Promise<() => void> {
  const held = Promise.withResolvers<void>();
  await page.route(address, async (route) => {
    await held.promise;
    await route.continue();
  });
  return held.resolve;
}

test('a number typed on the page applies to scans and the shelf, and a count at the shelf reaches the page', async () => {
  const page = await begin(['Cable tie', 'Fuse', 'Nut']);
  await enter(page, '2');
  await page.getByLabel('Take 2').waitFor();
  // If fewer pieces than requested were counted, the scan asks for a reason instead of confirming the line.
  await scan(page, 'A-1-1');
  await page.getByRole('dialog').getByText('How many did you find?').waitFor();
  expect(await picked('10418')).toBe('active 0, active 0, active 0');
  await touch(page, 'Missing');
  await page.getByText('A-1-1 · 2 found, closed short').waitFor();
  await at(page, 'A-1-2');
  await until('the line to be short', async () => (await picked('10418')) === 'short 2, active 0, active 0');
  await enter(page, '3');
  await until('the shelf to show the number', async () => (await firstLine())?.quantity === 3);
  await pressShelf(1);
  // The press at the shelf counts, and the page asks for the reason.
  await page.getByRole('dialog').getByText('3 of 5 pressed at A-1-2').waitFor();
  await touch(page, 'Missing');
  await at(page, 'A-1-3');
  await expect.poll(() => page.evaluate('document.activeElement?.textContent')).toMatch(/^Picked/);
  expect(await picked('10418')).toBe('short 2, short 3, active 0');
  await button(page, 'One less').click();
  await until('the shelf to count along', async () => (await firstLine())?.quantity === 4);
  const command = (await firstLine())?.command_id;
  await shop.call('POST', `/api/device/${devices[2]}/adjust/`, { command_id: command, quantity: 2 });
  await page.getByLabel('Take 2').waitFor();
  await button(page, /^Short/).click();
  expect(await page.getByRole('dialog').locator('output').innerText()).toBe('2');
  await touch(page, 'Missing');
  await page.getByRole('heading', { name: 'Order 10418 complete' }).waitFor();
  expect(await picked('10418')).toBe('short 2, short 3, short 2');
});

test('scanning an order number starts that order, during and after another one, and joins a shared order', async () => {
  const page = await begin(['Cable tie', 'Fuse']);
  await addOrder('10419', ['Cable tie']);
  await addOrder('10420', ['Cable tie', 'Fuse', 'Nut']);
  await scan(page, '10419');
  await page.getByText('Order 10419 is yours now. Order 10418 is paused.').waitFor();
  await page.waitForURL('**/pick/10419');
  // Taking a different order paused this one.
  await page.goto(`${shop.url}pick/10418`);
  await touch(page, /^Continue/);
  await at(page, 'A-1-1');
  await scan(page, 'A-1-1');
  await at(page, 'A-1-2');
  await scan(page, 'A-1-2');
  await page.getByRole('heading', { name: 'Order 10418 complete' }).waitFor();
  const ben = await openPick(shop, 'Ben');
  await scan(ben.page, '10420');
  await at(ben.page, 'A-1-1');
  await scan(page, '10420');
  await page.getByRole('dialog').getByText('Ben has 3 of 3 lines of order 10420.').waitFor();
  // The same code counts only once within a second.
  await page.evaluate('new Promise((next) => setTimeout(next, 1_000))');
  // A scan does not answer a question. The page shakes only briefly, so start waiting for it now.
  const refused = page.locator('[data-refused]').first().waitFor();
  await scan(page, '10420');
  await refused;
  expect(page.url()).not.toContain('10420');
  await touch(page, 'Join');
  await page.waitForURL('**/pick/10420');
  await at(page, 'A-1-3');
});

test('Undo works while the confirmation is in flight, before the list reloads, and after the last line', async () => {
  const page = await begin(['Cable tie']);
  const acknowledge = await delay(page, '**/acknowledge/**');
  await page.keyboard.press('Enter');
  // An Enter that characters follow at once comes from a scanner.
  await pauseAfterEntry(page);
  await enter(page, 'u');
  acknowledge();
  await page.getByText('A-1-1 is open again.').waitFor();
  await at(page, 'A-1-1');
  const list = await delay(page, '**/api/work/**');
  await page.keyboard.press('Enter');
  await until('the line to be booked', async () => (await picked('10418')) === 'done 5');
  await page.getByRole('heading', { name: 'Order 10418 complete' }).waitFor();
  await enter(page, 'u');
  await page.getByText('A-1-1 is open again.').waitFor();
  list();
  await at(page, 'A-1-1');
  expect(await picked('10418')).toBe('active 0');
});

test('a press at the shelf updates or closes an open dialog, and Enter confirms the line again after the dialog closes', async () => {
  const page = await begin(['Nut', 'Nut', 'Glove']);
  await scan(page, 'Nut');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: /^A-1-1/ }).waitFor();
  await pressShelf(0);
  await dialog.getByRole('button', { name: /^A-1-1/ }).waitFor({ state: 'detached' });
  await scan(page, 'A-1-2');
  await dialog.waitFor({ state: 'detached' });
  await at(page, 'A-1-3');
  await button(page, 'Undo').click();
  await at(page, 'A-1-2');
  await scan(page, 'nonsense');
  await button(page, 'Esc').click();
  await button(page, 'More…').click();
  await touch(page, 'Hand over…');
  await button(page, 'Ben').waitFor();
  await pressShelf(1);
  await at(page, 'A-1-3');
  await dialog.waitFor({ state: 'detached' });
  await button(page, 'More…').click();
  await touch(page, 'Flash the light');
  await dialog.waitFor({ state: 'detached' });
  await heard(page, 'Picked');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Order 10418 complete' }).waitFor();
});

test('if an article scan is required, the article of another lit line is refused and picks nothing', async () => {
  const page = await begin(['Cable tie', 'Fuse'], { scan_required: true });
  await pressShelf(0);
  await page.getByText('Scan the article').waitFor();
  await scan(page, 'Fuse');
  await page.getByRole('alert').getByText('Wrong article. Scan Cable tie.').waitFor();
  expect(await picked('10418')).toBe('done 5, active 0');
  await scan(page, 'Cable tie');
  await at(page, 'A-1-2');
  await shop.call('DELETE', '/api/orders/10418/');
  await page.getByRole('heading', { name: 'Order 10418 was deleted.' }).waitFor();
});

test('long names and large numbers fit on a phone', async () => {
  const name = 'Hexagon flange screw M8x40, zinc plated, yellow, 10.9, DIN 6';
  const items = [{ name, SKU: 'SKU-0000000000000000000000001', ordered_quantity: 99_999, deviceid: devices[0] }];
  await shop.call('POST', '/api/orders/', { order_number: 'SO-2026-11-22-0000000000000418-LONG', items });
  const { page } = await openPick(shop, 'Anna');
  await page.setViewportSize({ width: 390, height: 844 });
  await touch(page, /^Next order/);
  await at(page, 'A-1-1');
  await touch(page, 'One less');
  for (const part of [
    page.getByText('99998', { exact: true }).first(),
    page.getByText('99998', { exact: true }).last(),
    page.getByText('of 99999', { exact: true }),
    button(page, 'More…'),
    button(page, /^Short/),
  ]) {
    const { x = 0, width = 999 } = (await part.boundingBox()) ?? {};
    expect(x + width).toBeLessThanOrEqual(390);
  }
});

test.each([70, 100, 150])('a scanner at %i ms per key books only what it scans', async (everyMs) => {
  const items = [0, 1].map((index) => ({
    name: `Part ${index}`,
    UPC: `40063813339${index}1`,
    ordered_quantity: 5,
    deviceid: devices[index],
  }));
  await shop.call('POST', '/api/orders/', { order_number: '10418', items });
  await addOrder('10419', ['Cable tie']);
  const window = await shop.openWindow('light');
  const { page } = window;
  await page.clock.install();
  await signInPicker(shop, window, 'Anna');
  const { keys } = handsOf(shop, 'Anna', page);
  await keys('10418', everyMs);
  await at(page, 'A-1-1');
  await keys('A-1-3', everyMs);
  await page.getByRole('alert').getByText('Wrong place: that was A-1-3. Scan A-1-1.').waitFor();
  expect(await picked('10418')).toBe('active 0, active 0');
  await keys('A-1-1', everyMs);
  await at(page, 'A-1-2');
  await keys('4006381333911', everyMs);
  await page.getByRole('heading', { name: 'Order 10418 complete' }).waitFor();
  expect(await picked('10418')).toBe('done 5, done 5');
  await keys('10419', everyMs);
  await page.waitForURL('**/pick/10419');
  expect(await page.getByRole('dialog').count()).toBe(0);
});

test('a double touch, a double Enter or a late touch books one line, and intended touches book one line each', async () => {
  const page = await begin(['Cable tie', 'Fuse', 'Nut']);
  /** Touches Picked. The person did so at the time `at` of the page's clock, even if the page handles it later. */
  const touchAt = (at: string) => `(() => {
      const picked = [...document.querySelectorAll('button')].find((each) => /^Picked/.test(each.textContent));
      const event = new MouseEvent('click', { bubbles: true, cancelable: true });
      Object.defineProperty(event, 'timeStamp', { value: ${at} });
      picked.dispatchEvent(event);
      return picked;
    })()`;
  /** Touches twice, with this time between the touches, even if timers are late. */
  const twice = (gapMs: number) =>
    page.evaluate(
      `(async () => {
        const from = performance.now();
        ${touchAt('from')};
        await new Promise((next) => setTimeout(next, ${gapMs}));
        ${touchAt(`from + ${gapMs}`)};
      })()`,
    );
  const now = () => page.evaluate<number>('performance.now()');
  /** Handles a touch that was made at this time. Returns whether the page shows that it ignored the touch. */
  const touchMadeAt = (at: number) =>
    page.evaluate<boolean>(
      `(async () => {
        const picked = ${touchAt(String(at))};
        await new Promise((next) => setTimeout(next));
        return 'refused' in picked.dataset;
      })()`,
    );
  await twice(110);
  await at(page, 'A-1-2');
  await until('the first line to be booked', async () => (await picked('10418')) === 'done 5, active 0, active 0');
  const before = await now();
  await pressShelf(1);
  await at(page, 'A-1-3');
  // The page now accepts touches, but this one was meant for the line before.
  expect(await touchMadeAt(before)).toBe(true);
  expect(await picked('10418')).toBe('done 5, done 5, active 0');
  await at(page, 'A-1-3');
  await enter(page, 'u');
  await at(page, 'A-1-2');
  await twice(300);
  await page.getByRole('heading', { name: 'Order 10418 complete' }).waitFor();
  expect(await picked('10418')).toBe('done 5, done 5, done 5');
});

test('a quantity above the ordered one asks for confirmation and does not reach the shelf, and a lower one needs a reason', async () => {
  const page = await begin(['Cable tie', 'Fuse']);
  await enter(page, '4');
  await until('the shelf to show four', async () => (await firstLine())?.quantity === 4);
  await enter(page, '50');
  await page.getByLabel('Take 50').waitFor();
  await until('the shelf to show what is asked', async () => (await firstLine())?.quantity === 5);
  await pauseAfterEntry(page);
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByText('You counted 50 of 5').waitFor();
  await touch(page, 'No: take 5');
  await page.getByLabel('Take 5').waitFor();
  await heard(page, 'Picked');
  await page.keyboard.press('Enter');
  await at(page, 'A-1-2');
  await expect.poll(() => picked('10418')).toBe('done 5, active 0');
  await enter(page, '4');
  await page.getByLabel('Take 4').waitFor();
  await pauseAfterEntry(page);
  await page.keyboard.press('Enter');
  await dialog.getByText('How many did you find?').waitFor();
  await accepts(page);
  await enter(page, '3');
  await until('the dialog to take the number', async () => (await dialog.locator('output').innerText()) === '3');
  await touch(page, 'Missing');
  await page.getByRole('heading', { name: 'Order 10418 complete' }).waitFor();
  expect(await picked('10418')).toBe('done 5, short 3');
});
