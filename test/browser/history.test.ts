import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { until } from '../shells/until.ts';
import { useShop } from './shop.ts';
import { findFaults, measureAtRest, restingBox, savePicture, searchEverything } from './window.ts';

const ONE = '51D000:000001';
const TWO = '51D000:000002';

const shop = useShop('history');

beforeEach(() => shop.start(2));

/** Creates this many commands and ends all of them with one kill. */
async function leavePast(count: number): Promise<void> {
  const many = Array.from({ length: count }, (_, index) => ({
    deviceid: TWO,
    line1: `Part ${index + 1}`,
    quantity: 2,
  }));
  await shop.call('POST', '/api/devices/', many);
  await shop.call('POST', `/api/device/${TWO}/`, { command: 'kill' });
}

async function pick(line1: string): Promise<void> {
  await shop.call('POST', `/api/device/${ONE}/`, { command: 'flash', line1, quantity: 4, color: 'g', seconds: 600 });
  await until('the command to be shown', async () => {
    const { commands } = await shop.call<{ commands: { state: string }[] }>('GET', `/api/device/${ONE}/`);
    return commands[0]?.state === 'shown';
  });
  await shop.call('POST', `/api/simulator/devices/${ONE}/press/`, {});
}

/** Creates three lines: two are pressed, one of them by a picker, and one is short. */
async function workForReport(): Promise<void> {
  await shop.call('POST', '/api/users/', { username: 'Anna', password: 'a few easy words', role: 'picker' });
  const order = (number: string, deviceids: string[]) =>
    shop.call('POST', '/api/orders/', {
      order_number: number,
      items: deviceids.map((deviceid) => ({ name: 'Cable tie 200', SKU: 'CT-200', ordered_quantity: 2, deviceid })),
    });
  await order('1001', [ONE, TWO]);
  await order('1002', [TWO]);
  const { items } = await shop.call<{ items: { id: number }[] }>('POST', '/api/orders/1001/launch/', {
    picker: 'Anna',
  });
  await shop.press(ONE);
  await shop.call('POST', `/api/orders/1001/items/${items[1]?.id}/short/`, {
    reason: 'missing',
    quantity_fulfilled: 1,
  });
  await shop.call('POST', '/api/orders/1002/launch/', {});
  await shop.press(TWO);
}

/** Returns how much wider a table in the report is than its container. */
const reportOverflow = (page: Page) =>
  measureAtRest(
    page,
    `Math.max(0, ...[...document.querySelectorAll('[aria-label="Report"], [aria-label="Report"] *')].map((part) =>
       part.clientWidth > 1 && getComputedStyle(part).overflowX !== 'visible' ? part.scrollWidth - part.clientWidth : 0))`,
  );

const topOf = (page: Page, name: string) =>
  page.evaluate<number>(
    `[...document.querySelectorAll('[data-row] a')].find((link) => link.textContent === ${JSON.stringify(name)})?.getBoundingClientRect().top ?? NaN`,
  );

test('new events appear at the top, and a reader further down keeps the scroll position', async () => {
  await leavePast(80);
  const { page, complaints } = await shop.open();
  await page.goto(`${shop.url}history`);
  await page.getByRole('grid').waitFor();
  await pick('Cable tie 200');
  await page.getByRole('link', { name: '4 × Cable tie 200' }).waitFor();
  await page.getByText('too few presses to say').first().waitFor();
  await page.evaluate('document.querySelector("main > div").scrollTo(0, 2000)');
  await until('other rows to be drawn', async () => (await page.locator('[data-row="30"]').count()) === 1);
  await restingBox(page.locator('[data-row="30"]'));
  const seen = await page.evaluate<string>(
    `[...document.querySelectorAll('[data-row] a')].find((link) => link.getBoundingClientRect().top > 300).textContent`,
  );
  const before = await topOf(page, seen);
  const height = await page.evaluate<number>('document.querySelector("main > div").scrollHeight');
  await pick('Fuse 10 A');
  await until('the list to be longer', async () => {
    return (await page.evaluate<number>('document.querySelector("main > div").scrollHeight')) > height;
  });
  await expect.poll(() => topOf(page, seen)).toBeCloseTo(before, 0);
  await page.evaluate('document.querySelector("main > div").scrollTo(0, 0)');
  await page.getByRole('link', { name: '4 × Fuse 10 A' }).waitFor();
  expect(complaints).toEqual([]);
});

test('with only the keyboard, a timeline is opened, reloaded and closed, and the history is downloaded as CSV', async () => {
  await leavePast(3);
  await pick('Cable tie 200');
  const { page, complaints } = await shop.open();
  await searchEverything(page, 'picks hour');
  await page.keyboard.press('Enter');
  const row = page.getByRole('link', { name: '4 × Cable tie 200' });
  await row.focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  const pane = page.getByRole('region', { name: 'Details of this command' });
  await pane.getByText('Pressed on the device').waitFor();
  await page.reload();
  await pane.getByText('Pressed on the device').waitFor();
  await page.keyboard.press('Escape');
  await pane.waitFor({ state: 'detached' });
  expect(new URL(page.url()).pathname).toBe('/history');
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'History as CSV' }).click();
  const download = await saved;
  expect(download.suggestedFilename()).toBe('history.csv');
  expect(complaints).toEqual([]);
});

test('the History page has no axe violations and does not overflow at desktop, tablet or phone widths', async () => {
  const window = await shop.open();
  const { page } = window;
  const isWell = async (what: string) => expect(await findFaults(window), what).toEqual([]);
  await page.goto(`${shop.url}history?range=all`);
  await page.getByRole('heading', { name: 'No history yet' }).waitFor();
  await isWell('none');
  await leavePast(30);
  await pick('Cable tie 200');
  await page.getByRole('link', { name: '4 × Cable tie 200' }).waitFor();
  await page.getByRole('button', { name: 'Show table' }).click();
  await page.getByRole('table').waitFor();
  await isWell('figures');
  await page.getByRole('link', { name: '4 × Cable tie 200' }).click();
  await page.getByText('Pressed on the device').waitFor();
  await isWell('open');
  await page.goto(`${shop.url}history?range=between&from=2026-11-20T08:00:00Z&to=2026-11-19T08:00:00Z&order=7`);
  await page.getByText('The end is before the start.').waitFor();
  await isWell('turned');
  await workForReport();
  await page.goto(`${shop.url}history`);
  await page.getByRole('region', { name: 'Report' }).waitFor();
  await page
    .getByText('3 lines were picked. One was short. Too few lines were confirmed by a press to calculate')
    .waitFor();
  expect(await findFaults(window, { overflow: reportOverflow }), 'report').toEqual([]);
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Short lines by article as an Excel file' }).click();
  expect((await saved).suggestedFilename()).toBe('shorts.xlsx');
  if (process.env['PICTURES'] !== undefined) {
    await page.setViewportSize({ width: 1_440, height: 1_600 });
    await savePicture(window, 'history-report-light');
    await page.emulateMedia({ colorScheme: 'dark' });
    await savePicture(window, 'history-report-dark');
  }
  expect(window.complaints).toEqual([]);
});
