import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { ADMIN_PASSWORD } from '../shells/stationProcess.ts';
import { until } from '../shells/until.ts';
import { useShop } from './shop.ts';
import { measureAtRest, restingBox, type Window } from './window.ts';

const ONE = '51D000:000001';
const TWO = '51D000:000002';
const SIZES = [
  { width: 1_440, height: 900 },
  { width: 1_024, height: 700 },
  { width: 768, height: 1_024 },
  { width: 390, height: 844 },
];

const shop = useShop('layout');
let window: Window;
let page: Page;

beforeEach(async () => {
  await shop.start(3);
  window = await shop.open();
  ({ page } = window);
});

const boxOf = (selector: string) => restingBox(page.locator(selector).first());

test('the document itself never scrolls, at any size', async () => {
  const overflow = () => measureAtRest(page, 'document.scrollingElement.scrollHeight - innerHeight');
  for (const size of SIZES) {
    await page.setViewportSize(size);
    const where = `${size.width}x${size.height}`;
    await page.goto(`${shop.url}today`);
    await page.getByRole('link', { name: ONE, exact: true }).waitFor();
    expect(await overflow(), `station ${where}`).toBe(0);
    await page.goto(`${shop.url}settings`);
    await page.getByRole('switch').first().waitFor();
    expect(await overflow(), `settings ${where}`).toBe(0);
    await page.goto(`${shop.url}today?device=${ONE}`);
    for (const tab of ['Now', 'Send', 'Statics', 'History', 'Settings']) {
      await page.getByRole('tab', { name: tab }).click();
      expect(await overflow(), `${tab} ${where}`).toBe(0);
    }
    await page.getByRole('switch').first().waitFor();
    expect(await overflow(), `settings of a device ${where}`).toBe(0);
  }
});

test('the header of a page ends where the content ends, which leaves room for a scrollbar', async () => {
  const right = async (selector: string) => {
    const { x, width } = await boxOf(selector);
    return Math.round(x + width);
  };
  await page.setViewportSize({ width: 1_024, height: 700 });
  await page.goto(`${shop.url}history`);
  await page.getByRole('button', { name: 'History as an Excel file' }).waitFor();
  expect(await right('header > :last-child')).toBe(await right('[aria-label=Figures]'));
  await page.goto(`${shop.url}places/carts`);
  await page.getByRole('button', { name: 'Add a cart or wall' }).waitFor();
  expect(await right('header > :last-child')).toBe(await right('main > *'));
  await page.goto(`${shop.url}connections`);
  await page.getByRole('list', { name: 'Gateways' }).waitFor();
  expect(await right('header > :last-child')).toBe(await right('[aria-label=Gateways]'));
});

test('at 1024 px the state of a page and the picker of an order have one line', async () => {
  await page.setViewportSize({ width: 1_024, height: 700 });
  for (const path of ['today', 'places']) {
    await page.goto(`${shop.url}${path}`);
    const note = page.locator('header [role=status]').filter({ hasText: '3 devices' });
    await note.waitFor();
    expect(
      await measureAtRest(page, `document.querySelector('header h1 + div').getClientRects()[0].height`),
      path,
    ).toBeLessThan(24);
  }
  await shop.call('POST', '/api/orders/', { order_number: '#1053', items: [{ name: 'Bolt', ordered_quantity: 2 }] });
  await shop.call('POST', '/api/orders/%231053/launch/', { picker: 'admin' });
  await shop.call('POST', '/api/orders/%231053/pause/', { picker: 'admin' });
  await page.goto(`${shop.url}orders`);
  await page.getByText('admin, paused', { exact: true }).waitFor();
  const cut = `(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(
    document.querySelector('[title="admin, paused"] > :last-child'))`;
  expect(await measureAtRest(page, cut)).toBe(0);
});

test('the longest name in the rail leaves a margin before it', async () => {
  await page.getByRole('link', { name: 'Connections', exact: true }).waitFor();
  const margin = await page.evaluate(`(() => {
    const link = [...document.querySelectorAll('a')].find(({ textContent }) => textContent === 'Connections');
    const range = document.createRange();
    range.selectNodeContents(link);
    return range.getBoundingClientRect().left - link.getBoundingClientRect().left;
  })()`);
  expect(margin).toBeGreaterThan(2);
});

test('a corrected field is saved with the first click', async () => {
  await page.goto(`${shop.url}settings`);
  await page.getByLabel('Current password').fill(ADMIN_PASSWORD);
  const next = page.getByRole('textbox', { name: 'New password' });
  const button = page.getByRole('button', { name: 'Change password' });
  await next.fill('short');
  await button.click();
  await until('the field to be marked', () =>
    page.evaluate<boolean>(`document.activeElement.matches('[name=new_password][aria-invalid=true]')`),
  );
  await next.fill('long enough now');
  const box = await restingBox(button);
  await page.mouse.move(box.x + 20, box.y + 3);
  await page.mouse.down();
  // A pressed button shrinks slightly towards its center.
  const pressed = await button.boundingBox();
  expect((pressed?.y ?? 0) + (pressed?.height ?? 0) / 2).toBeCloseTo(box.y + box.height / 2, 0);
  await page.mouse.up();
  await page.getByText('Password changed.').waitFor();
  expect(window.complaints).toEqual([]);
});

test('choosing a device in the palette moves the focus to its panel', async () => {
  const heading = `document.activeElement.matches('aside h2') && document.activeElement.textContent`;
  for (const [from, device] of [
    ['', ONE],
    ['settings', TWO],
  ] as const) {
    await page.goto(`${shop.url}${from}`);
    await page.getByRole('button', { name: 'Search' }).click();
    await page.locator('[role="combobox"]:focus').waitFor();
    await page.keyboard.type(device.slice(-6));
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: device, exact: true }).waitFor();
    await page.getByRole('combobox').waitFor({ state: 'detached' });
    await until('the focus to be in the panel', async () => (await page.evaluate(heading)) === device);
    // Wait two frames for any code that would move the focus back.
    await page.evaluate('new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next)))');
    expect(await page.evaluate(heading)).toBe(device);
  }
  expect(window.complaints).toEqual([]);
});

test('on a tablet the paper preview fits the screen, and on a phone the panel ends above the page links', async () => {
  await page.setViewportSize({ width: 768, height: 1_024 });
  await page.goto(`${shop.url}today?device=${ONE}`);
  for (const [tab, place] of [
    ['Now', 'aside'],
    ['Send', 'aside figure'],
    ['Statics', 'aside figure'],
  ] as const) {
    await page.getByRole('tab', { name: tab }).click();
    // The canvas has no width while it is out of sight, so wait until the screen is drawn.
    await until('the screen to be drawn', () =>
      page.evaluate<boolean>(`document.querySelector('${place} canvas')?.width > 0`),
    );
    const screen = await boxOf(`${place} canvas`);
    const paper = await boxOf(`${place} :has(> div > canvas)`);
    expect(screen.width % 296, tab).toBe(0);
    expect(paper.width - screen.width, tab).toBe(16);
    expect(screen.x - paper.x, tab).toBe(8);
  }
  await page.setViewportSize({ width: 390, height: 844 });
  const panel = await boxOf('aside');
  const rail = await boxOf('nav');
  expect(panel.y + panel.height).toBe(rail.y);
  expect(panel.width).toBe(390);
});

test('an overlong shelf name stays in its row, with the full name as its tooltip', async () => {
  const name = 'shelf'.repeat(20);
  await shop.call('POST', '/api/map/racks/', { name: 'A', columns: 3, shelves: [name, 'A-1'] });
  for (const level of ['Overview', 'Shelf', 'Close-up']) {
    await page.getByRole('radio', { name: level }).click();
    await page.getByRole('radio', { name: level, checked: true }).waitFor();
    const header = page.getByTitle(name);
    const below = page.getByTitle('A-1', { exact: true }).locator('..');
    const [inner, next] = [await restingBox(header.locator('span')), await restingBox(below)];
    expect(inner.y + inner.height, level).toBeLessThanOrEqual(next.y);
  }
});
