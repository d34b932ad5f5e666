import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import type { WallScreen, WallScreenLink } from '#shared/api/wallBoard.ts';
import { useShop } from './shop.ts';
import { findBarriers, measureAtRest, savePicture, takePictures, type Window } from './window.ts';

const TV = { width: 1_920, height: 1_080 };
const SIZES = [TV, { width: 1_280, height: 720 }, { width: 1_080, height: 1_920 }];
const ONE = '51D000:000001';
const TWO = '51D000:000002';
const MINUTE_MS = 60_000;
const shop = useShop('board');

beforeEach(() => shop.start(6));

/** Creates work: late and short orders, two pickers, and one device with an empty battery. */
async function work(): Promise<void> {
  for (const username of ['Anna', 'Bartholomew Featherstone']) {
    await shop.call('POST', '/api/users/', { username, password: 'a few easy words', role: 'picker' });
  }
  await shop.call('POST', `/api/device/${ONE}/`, { locationoverride: 'A-1-1' });
  const item = (deviceid: string) => ({ name: 'Cable tie', ordered_quantity: 2, deviceid });
  const order = (number: string, minutes: number | undefined, given: object = {}) =>
    shop.call('POST', '/api/orders/', {
      order_number: number,
      ...(minutes === undefined ? {} : { due_time: new Date(Date.now() + minutes * MINUTE_MS).toISOString() }),
      items: [1, 2, 3, 4].map((place) => item(`51D000:00000${place}`)),
      customer: 'Ms Secret',
      ...given,
    });
  await order('#10418', -25);
  await order('SHOP-2026-11-27-000418', -190);
  for (let number = 20; number < 31; number += 1) await order(`#104${number}`, number * 20);
  await order('#10499', 5, { items: [{ name: 'No place', ordered_quantity: 1 }, item('51D000:000006')] });
  await order('#10500', undefined);
  await shop.call('POST', '/api/orders/%2310418/launch/', { picker: 'Anna' });
  await shop.press(ONE);
  await shop.call('POST', '/api/orders/SHOP-2026-11-27-000418/launch/', { picker: 'Bartholomew Featherstone' });
  const { items } = await shop.call<{ items: { id: number }[] }>('GET', '/api/orders/SHOP-2026-11-27-000418/');
  const path = `/api/orders/SHOP-2026-11-27-000418/items/${items[0]?.id}/short/`;
  await shop.call('POST', path, { reason: 'missing' });
  await shop.call('POST', '/api/orders/%2310499/launch/', {});
  await shop.press(TWO);
  await shop.call('PATCH', `/api/simulator/devices/${ONE}/`, { battery_mv: 2_000 });
  await sortAtWall();
}

/** Creates a wall whose first slot is complete, and an order that waits for a slot. */
async function sortAtWall(): Promise<void> {
  await shop.call('POST', '/api/walls/', { name: 'Wall at the door', rows: 1, columns: 2 });
  const numbers = ['W-1', 'W-2', 'W-3'];
  for (const number of numbers) {
    const items = [{ SKU: 'CT-200', name: 'Cable tie', ordered_quantity: 2 }];
    await shop.call('POST', '/api/orders/', { order_number: number, items });
  }
  const slots = numbers.map((order_number) => ({ order_number }));
  await shop.call('POST', '/api/batches/', { mode: 'wall', wall: 1, slots });
  await shop.call('POST', '/api/batches/1/launch/', {});
  await shop.call('POST', '/api/scan/', { code: 'CT-200', batch: 1, act: true, quantity: 2 });
  await shop.call('POST', '/api/batches/1/put/', { all: true });
}

async function openBoard(url: string, theme: 'light' | 'dark' = 'light'): Promise<Window> {
  const window = await shop.openWindow(theme);
  await window.page.setViewportSize(TV);
  await window.page.goto(url);
  return window;
}

/** Returns the smallest font size on the page, in pixels. */
const smallestLetters = (page: Page) =>
  page.evaluate<number>(`Math.min(...[...document.querySelectorAll('main *, header *')]
    .filter((part) => [...part.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '') && part.clientWidth > 1)
    .map((part) => Number.parseFloat(getComputedStyle(part).fontSize)))`);

/** Returns by how many pixels parts of the page overflow at the bottom. Names that are cut off with an ellipsis do not count. */
const cutOff = (page: Page) =>
  measureAtRest(
    page,
    `Math.max(document.scrollingElement.scrollHeight - innerHeight,
       ...[...document.querySelectorAll('main, section')].map((part) => part.scrollHeight - part.clientHeight))`,
  );

const lettersOf = (page: Page, selector: string) =>
  page.evaluate<number>(`Number.parseFloat(getComputedStyle(document.querySelector('${selector}')).fontSize)`);

test('a TV shows orders by due time, alerts and lines, readable from 5 m, without customer names', async () => {
  await work();
  const { url } = await shop.call<WallScreenLink>('POST', '/api/screens/', { name: 'Packing bench' });
  const window = await openBoard(url ?? '');
  const { page } = window;
  await page.getByRole('heading', { name: '17 orders to pick' }).waitFor();
  await page.getByText('1 battery low').waitFor();
  const rows = page.getByRole('table').getByRole('row');
  await expect.poll(() => rows.count()).toBe(9);
  expect(await rows.nth(1).innerText()).toMatch(
    /SHOP-2026-11-27-000418[^]*3 h late[^]*1 of 4[^]*1 short[^]*Bartholomew/,
  );
  expect(await rows.nth(2).innerText()).toMatch(/#10418[^]*2[5-9] min late[^]*Anna/);
  await page.getByText('and 9 more orders').waitFor();
  await page.getByText('2 late', { exact: true }).waitFor();
  await page.getByText('1 line short today').waitFor();
  const wall = page.getByRole('region', { name: 'Carts and walls' });
  expect(await wall.innerText()).toMatch(/Wall at the door[^]*1 of 2[^]*Sorting · 1 waiting/);
  expect(await lettersOf(page, '[aria-label="Carts and walls"] li span')).toBeGreaterThanOrEqual(40);
  expect(await page.locator('body').innerText()).not.toContain('Secret');
  expect(await page.getByRole('navigation').count()).toBe(0);
  expect(await lettersOf(page, 'tbody td')).toBeGreaterThanOrEqual(40);
  expect(await lettersOf(page, 'li strong')).toBeGreaterThanOrEqual(40);
  expect(await smallestLetters(page)).toBeGreaterThanOrEqual(28);
  for (const size of SIZES) {
    await page.setViewportSize(size);
    expect(await findBarriers(window), String(size.width)).toEqual([]);
    expect(await cutOff(page), String(size.width)).toBeLessThanOrEqual(0);
    await takePictures(window, `board-${size.width}`);
  }
  await page.setViewportSize(TV);
  await savePicture(window, 'board-tv-light');
  await page.emulateMedia({ colorScheme: 'dark' });
  await savePicture(window, 'board-tv-dark');
  // The board shows a press without a reload.
  await shop.press('51D000:000003');
  await page.getByRole('progressbar', { name: '3 of 4 lines of order #10418 are picked' }).waitFor();
  expect(window.complaints).toEqual([]);
});

test('a board shows that the station is offline, recovers by itself after a restart, and ends when its screen is removed', async () => {
  const { id, url } = await shop.call<WallScreenLink>('POST', '/api/screens/', { name: 'Packing bench' });
  const window = await openBoard(url ?? '');
  const { page } = window;
  await page.getByRole('heading', { name: 'Nothing to pick', level: 1 }).waitFor();
  expect(await findBarriers(window), 'nothing to pick').toEqual([]);
  await takePictures(window, 'board-empty');
  const { port } = new URL(shop.url);
  window.expectOutage(true);
  await shop.station.kill();
  await page.getByText(/The station has not answered since \d\d:\d\d/).waitFor();
  expect(await findBarriers(window), 'away').toEqual([]);
  await takePictures(window, 'board-away');
  await shop.start(6, Number(port));
  await page.getByText(/The station has not answered/).waitFor({ state: 'detached' });
  await page.getByRole('heading', { name: 'Nothing to pick', level: 1 }).waitFor();
  await shop.call('DELETE', `/api/screens/${id}/`);
  await page.getByRole('heading', { name: 'This screen was removed, or its link is incomplete' }).waitFor();
  expect(await findBarriers(window), 'removed').toEqual([]);
  await page.goto(`${shop.url}board`);
  await page.getByRole('heading', { name: 'This address needs a screen’s link' }).waitFor();
  expect(window.complaints).toEqual([]);
});

test('an admin creates a screen, tries its link in the same browser without being signed out, and removes the screen', async () => {
  const window = await shop.open();
  const { page } = window;
  await page.goto(`${shop.url}settings/screens`);
  await page.getByText('No screens').waitFor();
  await page.getByRole('button', { name: 'Add a screen' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Packing bench');
  await page.getByRole('button', { name: 'Create link' }).click();
  const link = page.getByRole('alertdialog').getByText(/board#psb_/);
  const url = await link.innerText();
  expect(await findBarriers(window), 'the link').toEqual([]);
  await takePictures(window, 'board-link');
  await page.getByRole('button', { name: 'I have copied it' }).click();
  const tv = await page.context().newPage();
  await tv.goto(url);
  await tv.getByRole('heading', { name: 'Nothing to pick', level: 1 }).waitFor();
  await page.reload();
  await page.getByRole('list', { name: 'Screens' }).getByText('Open', { exact: true }).waitFor();
  expect(await findBarriers(window), 'the list').toEqual([]);
  await takePictures(window, 'board-screens');
  await page.getByRole('button', { name: 'Remove Packing bench' }).click();
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await page.getByText('No screens').waitFor();
  await tv.getByRole('heading', { name: 'This screen was removed, or its link is incomplete' }).waitFor();
  expect(await shop.call<WallScreen[]>('GET', '/api/screens/')).toEqual([]);
});
