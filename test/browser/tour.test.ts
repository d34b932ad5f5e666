import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { Order } from '#shared/api/order.ts';
import type { Station } from '#shared/api/station.ts';
import { startReceiver } from '../helpers/servers/receiver.ts';
import { heard } from './picker.ts';
import { useShop } from './shop.ts';
import { findBarriers, measureAtRest, restingBox, takePictures, type Window } from './window.ts';

const SIZES = [
  { width: 1_440, height: 900 },
  { width: 1_280, height: 800 },
  { width: 1_024, height: 768 },
  { width: 390, height: 844 },
];
/** Time in milliseconds in which a calm person reads a sentence and finds the place. */
const CALM_MS = 10_000;
const STEPS = 5;
/**
 * Number of pixels by which the page exceeds its window, or a part exceeds its container. Names that are cut off with
 * an ellipsis are ignored.
 */
const OVERFLOW = `Math.max(document.scrollingElement.scrollHeight - innerHeight, document.scrollingElement.scrollWidth - innerWidth,
  ...[...document.querySelectorAll('main, main *, aside')].map((part) =>
    getComputedStyle(part).textOverflow === 'ellipsis' || part.clientWidth <= 1 ? 0 : part.scrollWidth - part.clientWidth - 1))`;

const shop = useShop('tour');

const strip = (page: Page) => page.getByRole('complementary', { name: 'Tour' });
const says = (page: Page, words: string | RegExp) => strip(page).getByText(words).waitFor();
const light = (page: Page, place: string) =>
  strip(page).getByRole('button', { name: new RegExp(`^Front button of ${place},`) });
const orderNow = (number: string) => shop.call<Order>('GET', `/api/orders/${number}/`);
const stateOf = async (number: string) => (await orderNow(number)).state;

/** Presses the button of the device at this place. */
async function finger(place: string): Promise<void> {
  const { devices } = await shop.call<Station>('GET', '/api/station/');
  const device = devices.find(({ locationoverride }) => locationoverride === place);
  await shop.press(device?.deviceid ?? '');
}

/** Moves the focus with Tab to the element with this name, then presses Enter. */
async function reach(page: Page, name: RegExp): Promise<void> {
  for (let tabs = 0; tabs < 60; tabs += 1) {
    const focused = await page.evaluate<string>(
      `document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? ''`,
    );
    if (name.test(focused)) return page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not lead to ${String(name)}`);
}

/** Opens the tour of a new station, as its owner does. */
async function openTour(): Promise<Window> {
  await shop.start(0);
  const window = await shop.open();
  await window.page.getByRole('button', { name: 'Create the demo shop' }).click();
  await says(window.page, 'A-4-2 lights blue, your color. Take 12 and press its button here.');
  return window;
}

test("the tour runs from 'Create the demo shop' to its end with only the keyboard, without axe violations", async () => {
  await shop.start(0);
  const window = await shop.open();
  const { page } = window;
  const check = async (step: string) => {
    expect(await findBarriers(window), step).toEqual([]);
    await takePictures(window, `tour-${step}`);
  };
  await reach(page, /^Create the demo shop/);
  await says(page, /^A-4-2 lights blue/);
  expect(new URL(page.url()).pathname).toBe('/pick/10418');
  await check('shelf');
  await reach(page, /^Front button of A-4-2/);
  await says(page, /A-3-4 is next: if its button is out of reach/);
  await check('here');
  await heard(page, 'Picked');
  await reach(page, /^Picked/);
  await says(page, /^A-3-2 is next. Press its button or Picked/);
  await check('either');
  await heard(page, 'Picked');
  await page.keyboard.press('Enter');
  await says(page, 'B-2-1 is the last one. The tour presses it for you: the page follows every press at the shelf.');
  await check('last');
  await says(page, 'Done: the order is complete.');
  await page.getByRole('link', { name: 'Import your orders' }).waitFor();
  await check('done');
  expect(await stateOf('10418')).toBe('fulfilled');
  await reach(page, /^Close the tour/);
  await strip(page).waitFor({ state: 'detached' });
  await page.reload();
  await page.getByRole('heading', { name: 'Order 10418 complete' }).waitFor();
  expect(await strip(page).count()).toBe(0);
  expect(window.complaints).toEqual([]);
});

test('the tour takes less than two minutes with ten seconds to read each step', async () => {
  await shop.start(0);
  const { page } = await shop.open();
  const from = performance.now();
  await page.getByRole('button', { name: 'Create the demo shop' }).click();
  await says(page, /^A-4-2 lights blue/);
  await light(page, 'A-4-2').click();
  await says(page, /press Picked/);
  await heard(page, 'Picked');
  await page.getByRole('button', { name: /^Picked/ }).click();
  await says(page, /both record the same pick/);
  await light(page, 'A-3-2').click();
  await says(page, 'Done: the order is complete.');
  const walkMs = performance.now() - from;
  console.info(`the tour, each step done at once: ${(walkMs / 1_000).toFixed(1)} s`);
  expect(walkMs + STEPS * CALM_MS).toBeLessThan(120_000);
});

test('the tour can be taken again, and a receiver then gets the callback of its first press', async () => {
  const { page } = await openTour();
  for (const place of ['A-4-2', 'A-3-4', 'A-3-2']) await finger(place);
  await says(page, 'Done: the order is complete.');
  const receiver = await startReceiver();
  shop.after(() => receiver.stop());
  await shop.call('PATCH', '/api/settings/', { callback_url: receiver.url });
  await page.goto(`${shop.url}help`);
  await page.getByRole('button', { name: 'Take the tour' }).click();
  await says(page, /^A-4-2 lights blue/);
  await finger('A-4-2');
  // Several events are sent at the same time and can arrive in any order.
  await expect
    .poll(() => receiver.payloads())
    .toContainEqual(expect.objectContaining({ order_event: 'device_ack', item: 'M8 nut', quantity: 12 }));
});

test('the tour continues from the actual state after a press at another place, an abort, a reload and a kill of the station', async () => {
  const window = await openTour();
  const { page } = window;
  await finger('A-3-2');
  await says(page, 'That pick is recorded. B-2-1 is next: if its button is out of reach, press Picked on the page.');
  await shop.call('POST', '/api/orders/10418/abort/');
  await says(page, 'The order was aborted, and its lights are off. Start again with it.');
  await strip(page).getByRole('button', { name: 'Start again' }).click();
  await says(page, 'That pick is recorded. B-2-1 is next: if its button is out of reach, press Picked on the page.');
  await page.reload();
  await says(page, 'That pick is recorded. B-2-1 is next: if its button is out of reach, press Picked on the page.');
  const { port } = new URL(shop.url);
  window.expectOutage(true);
  await shop.station.kill();
  await page.getByText('Connection to the station lost').waitFor();
  await shop.start(0, Number(port));
  await page.getByText('Connection to the station lost').waitFor({ state: 'detached' });
  window.expectOutage(false);
  await heard(page, 'Picked');
  await page.getByRole('button', { name: /^Picked/ }).click();
  await says(page, 'A-4-2 is next. Press its button or Picked: both record the same pick.');
  await page.goto(`${shop.url}pick`);
  await says(page, 'The tour continues with order 10418.');
  await strip(page).getByRole('button', { name: 'Continue' }).click();
  await heard(page, 'Picked');
  await page.getByRole('button', { name: /^Picked/ }).click();
  await says(page, 'A-3-4 is the last one. The tour presses it for you: the page follows every press at the shelf.');
  await says(page, 'Done: the order is complete.');
  expect(await stateOf('10418')).toBe('fulfilled');
});

test('Station and Help start the tour again with a new order, but Help does not offer it to a picker', async () => {
  const { page } = await openTour();
  await strip(page).getByRole('button', { name: 'End the tour' }).click();
  await strip(page).waitFor({ state: 'detached' });
  for (const place of ['A-4-2', 'A-3-4', 'A-3-2', 'B-2-1']) await finger(place);
  await page.getByRole('heading', { name: 'Order 10418 complete' }).waitFor();
  await page.goto(shop.url);
  await page.getByRole('button', { name: 'Take the tour' }).click();
  await says(page, /^A-4-2 lights blue/);
  expect(new URL(page.url()).pathname).toBe('/pick/DEMO-2');
  await page.goto(`${shop.url}help`);
  await page.getByRole('button', { name: 'Take the tour' }).click();
  await says(page, /^A-4-2 lights blue/);
  expect(new URL(page.url()).pathname).toBe('/pick/DEMO-2');
  await shop.call('POST', '/api/users/', { username: 'Anna', password: 'a few easy words', role: 'picker' });
  const anna = await shop.openWindow('light');
  await anna.page.goto(`${shop.url}help`);
  await anna.page.getByLabel('User name').fill('Anna');
  await anna.page.getByRole('textbox', { name: 'Password' }).fill('a few easy words');
  await anna.page.getByRole('button', { name: 'Sign in' }).click();
  await anna.page.getByRole('heading', { name: 'Hardware' }).waitFor();
  expect(await anna.page.getByRole('button', { name: 'Take the tour' }).count()).toBe(0);
});

test('the tour has no axe violations on a phone and does not overflow at desktop, tablet or phone widths', async () => {
  const window = await openTour();
  const { page } = window;
  const measure = async (step: string) => {
    for (const viewport of SIZES) {
      await page.setViewportSize(viewport);
      expect(await measureAtRest(page, OVERFLOW), `${step} at ${viewport.width}`).toBeLessThanOrEqual(0);
      const box = await restingBox(strip(page));
      expect(box.y + box.height, `${step} at ${viewport.width}`).toBeLessThanOrEqual(viewport.height);
      if (viewport.width === 390) expect(await findBarriers(window), step).toEqual([]);
      await takePictures(window, `tour-${step}-${viewport.width}`);
    }
  };
  await measure('shelf');
  for (const place of ['A-4-2', 'A-3-4', 'A-3-2']) await finger(place);
  await says(page, 'Done: the order is complete.');
  await measure('done');
  expect(window.complaints).toEqual([]);
});
