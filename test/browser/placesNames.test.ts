import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import type { LocationAlias } from '#shared/api/alias.ts';
import { readPicture } from '../helpers/screens/readCodes.ts';
import { useShop } from './shop.ts';
import { findBarriers, restingBox, tileOf, type Window, type WindowTheme } from './window.ts';

const ONE = '51D000:000001';
const TWO = '51D000:000002';
const ALIASES = '/api/location-aliases/';

const shop = useShop('places-names');

beforeEach(async () => {
  await shop.start(4);
  await shop.call('POST', `/api/device/${ONE}/`, { locationoverride: 'A-1' });
  await shop.call('POST', `/api/device/${TWO}/`, { locationoverride: 'A-2' });
});

async function openPlaces(theme: WindowTheme = 'light'): Promise<Window> {
  const window = await shop.open(theme);
  await tileOf(window.page, 'A-1').waitFor();
  await window.page.getByRole('link', { name: 'Places', exact: true }).click();
  await window.page.getByRole('heading', { name: 'Places' }).waitFor();
  return window;
}

const addAlias = (name: string, deviceid = ONE, deviceIs = 'Below') =>
  shop.call<LocationAlias>('POST', ALIASES, { name, deviceid, deviceIs });
const listAliases = () => shop.call<LocationAlias[]>('GET', ALIASES);
const nameButton = (page: Page, name: string) => page.getByRole('button', { name: `Edit ${name}`, exact: true });

/** Returns the label of the focused element. */
const focused = (page: Page) => page.evaluate('document.activeElement.getAttribute("aria-label")');

/** Reads the codes on the labels at a printer's resolution. */
async function readLabels(page: Page): Promise<string[]> {
  await page.evaluate('document.querySelector("[data-sheets]").style.zoom = 2.5');
  const found: string[] = [];
  for (const label of await page.getByRole('article').all())
    found.push(...(await readPicture(await label.screenshot())));
  await page.evaluate('document.querySelector("[data-sheets]").style.zoom = 1');
  return found;
}

/** Returns how many pixels of the focused row are above or below the visible part of the table. */
const hiddenPart = (page: Page) =>
  page.evaluate<number>(`(() => {
    const row = document.activeElement.closest('[data-row]').getBoundingClientRect();
    const table = document.querySelector('[role="grid"]');
    const top = table.querySelector('[role="row"]').getBoundingClientRect().bottom;
    const bottom = Math.min(innerHeight, table.getBoundingClientRect().bottom);
    return Math.max(0, Math.round(top - row.top), Math.round(row.bottom - bottom));
  })()`);

/** Returns how many visible rows of the table are not drawn. */
const missingRows = (page: Page) =>
  page.evaluate<number>(`(() => {
    const table = document.querySelector('[role="grid"]');
    const box = table.getBoundingClientRect();
    const top = table.querySelector('[role="row"]').getBoundingClientRect().bottom;
    const drawn = [...table.querySelectorAll('[data-row]')].filter((row) => {
      const { y, bottom } = row.getBoundingClientRect();
      return bottom > top && y < box.bottom;
    });
    return Math.max(0, Math.floor((box.bottom - top) / 64) - drawn.length);
  })()`);

async function pressKeys(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}

test('the aliases of a place stay in their column, and their names can be read', async () => {
  for (const name of ['Cable ties, black', 'Returns of last week', 'Spare parts']) await addAlias(name);
  const { page } = await openPlaces();
  const all = page.locator('[data-control="aliases"]');
  for (const width of [1_280, 1_440, 1_920]) {
    await page.setViewportSize({ width, height: 800 });
    const last = await restingBox(all);
    const cell = await restingBox(all.locator('xpath=ancestor::*[@role="gridcell"]'));
    expect(last.x + last.width, `at ${width}`).toBeLessThanOrEqual(cell.x + cell.width);
    for (const name of ['Cable ties, black', 'Returns of last week'])
      expect((await restingBox(nameButton(page, name).locator('span').last())).width, name).toBeGreaterThan(30);
  }
});

test('an alias added by keyboard appears with its device in another window immediately', async () => {
  const { page, complaints } = await openPlaces();
  const other = await openPlaces('dark');
  await page.getByRole('button', { name: 'Add another place' }).focus();
  await pressKeys(page, 'Enter');
  await page.getByRole('dialog').locator('input:focus').waitFor();
  await page.keyboard.type('B-7');
  await pressKeys(page, 'Tab');
  await page.keyboard.type('a-2');
  await page.getByRole('option', { name: /A-2/ }).waitFor();
  await page.getByRole('option', { name: /A-1/ }).waitFor({ state: 'detached' });
  await pressKeys(page, 'ArrowDown');
  await page.locator('[role="option"][data-focused]').waitFor();
  await pressKeys(page, 'Enter');
  await expect.poll(() => page.getByRole('combobox', { name: 'Device' }).inputValue()).toBe(`A-2 · ${TWO}`);
  await pressKeys(page, 'Tab', 'ArrowRight', 'Enter');
  await page.getByText('Place B-7 added.').waitFor();
  // The message stays while the pointer is on it.
  await page.getByRole('button', { name: 'Undo' }).hover();
  const [alias] = await listAliases();
  expect(alias).toMatchObject({ name: 'B-7', deviceid: TWO });

  await nameButton(other.page, 'B-7').waitFor();
  await shop.call('POST', '/api/devices/', { location: 'B-7', command: 'pick', line1: 'Nut', color: 'g' });
  await other.page
    .getByRole('row', { name: /B-7/ })
    .getByRole('link', { name: /lit for B-7.*Lit green/ })
    .waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await nameButton(other.page, 'B-7').waitFor({ state: 'detached' });
  expect([...complaints, ...other.complaints]).toEqual([]);
});

/** Labels the devices `P-1`, `P-2` and so on. */
async function labelAll(devices: number): Promise<void> {
  for (let from = 1; from <= devices; from += 500) {
    const numbers = Array.from({ length: Math.min(500, devices - from + 1) }, (_, index) => from + index);
    const requests = numbers.map((number) => ({
      deviceid: `51D000:${String(number).padStart(6, '0')}`,
      locationoverride: `P-${number}`,
    }));
    await shop.call('POST', '/api/devices/', requests);
  }
}

test('among four hundred places, keys and the wheel reach every row, and Back restores the position', async () => {
  await shop.station.stop();
  await shop.start(400);
  await labelAll(400);
  const window = await shop.open();
  const { page, complaints } = window;
  await page.goto(`${shop.url}places`);
  await nameButton(page, 'P-1').focus();
  await pressKeys(page, 'End');
  await expect.poll(() => focused(page)).toBe('Edit P-400');
  await expect.poll(() => hiddenPart(page)).toBe(0);
  await pressKeys(page, 'Home');
  await expect.poll(() => focused(page)).toBe('Edit P-1');
  await expect.poll(() => hiddenPart(page)).toBe(0);
  expect(await page.getByRole('row').count()).toBeLessThan(60);
  // Move beyond the last visible row, and back beyond the first one, without waiting for the table.
  await pressKeys(page, 'PageDown', 'PageDown', 'ArrowDown');
  await expect.poll(() => focused(page)).toBe('Edit P-22');
  await expect.poll(() => hiddenPart(page)).toBe(0);
  // When the table becomes shorter, the focused row at its lower edge stays visible.
  await page.setViewportSize({ width: 1_280, height: 600 });
  await expect.poll(() => page.getByRole('grid').evaluate((grid) => grid.clientHeight)).toBeLessThan(400);
  await expect.poll(() => hiddenPart(page)).toBe(0);
  await pressKeys(page, 'PageUp', 'ArrowUp');
  await expect.poll(() => hiddenPart(page)).toBe(0);
  // Scroll step by step: no row is missing between the first and the last visible one.
  const grid = page.getByRole('grid');
  for (let top = 0; top < 2_000; top += 617) {
    await grid.evaluate((table, to) => void (table.scrollTop = to), top);
    await expect.poll(() => missingRows(page)).toBe(0);
  }
  const kept = () => page.evaluate('Object.values(history.state?.scroll ?? {})[0]');
  const top = await grid.evaluate((table) => table.scrollTop);
  await expect.poll(kept).toBe(top);
  await page.getByRole('searchbox').fill('P-232');
  await nameButton(page, 'P-232').waitFor();
  await page.getByRole('searchbox').fill('');
  // All rows are drawn again.
  await expect.poll(() => grid.evaluate((table) => table.scrollHeight)).toBeGreaterThan(20_000);
  await grid.evaluate((table) => void (table.scrollTop = 16_000));
  await expect.poll(kept).toBe(16_000);
  await expect.poll(() => missingRows(page)).toBe(0);
  await grid.getByRole('link').nth(8).click();
  await page.waitForURL(/device=/);
  await page.goBack();
  await expect.poll(() => grid.evaluate((table) => table.scrollTop)).toBe(16_000);
  await page.reload();
  await expect.poll(() => grid.evaluate((table) => table.scrollTop)).toBe(16_000);
  expect(complaints).toEqual([]);
});

test('an exported file is previewed, corrected in one cell, imported and undone', async () => {
  await addAlias('A-1 left', ONE, 'to the Right of');
  await addAlias('=HYPERLINK("x")', TWO, 'Above');
  const { page, complaints } = await openPlaces();
  await page.getByRole('button', { name: 'Files: import and export' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'Export all places as CSV' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('location-aliases.csv');
  const exported = readFileSync(await download.path());
  expect(exported.toString('utf8')).toContain(`"'=HYPERLINK(""x"")",${TWO},Above,,,,,,\r\n`);
  const before = (await listAliases()).map(({ id: _id, ...alias }) => alias);
  for (const { id } of await listAliases()) await shop.call('DELETE', `${ALIASES}${id}/`);
  await shop.call('POST', `/api/device/${ONE}/`, { locationoverride: '' });

  await page.getByRole('button', { name: 'Files: import and export' }).click();
  await page.getByRole('menuitem', { name: 'Import a file…' }).click();
  const text = `${exported.toString('utf8')}Bench,nowhere,Above\r\n`;
  await page.locator('input[type="file"]').setInputFiles({
    name: 'location-aliases.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(text, 'utf8'),
  });
  await page.getByText('1 row will not be imported.').waitFor();
  await page.getByText('No DeviceID or label is "nowhere".').waitFor();
  expect(await listAliases()).toEqual([]);
  await page.getByRole('button', { name: /^Correct Device, line \d+: nowhere$/ }).click();
  await page.getByRole('textbox', { name: /^Device, line/ }).fill(TWO);
  await pressKeys(page, 'Enter');
  await page.getByRole('button', { name: 'Import 4 places' }).click();
  await page.getByText(/^Imported 4 rows at \d\d:\d\d by admin\.$/).waitFor();
  await page.getByText('3 new, 1 changed.').waitFor();
  await nameButton(page, '=HYPERLINK("x")').waitFor();
  const after = (await listAliases()).map(({ id: _id, ...alias }) => alias);
  expect(after.filter(({ name }) => name !== 'Bench')).toEqual(before);
  expect(after.find(({ name }) => name === 'Bench')).toEqual({ name: 'Bench', deviceid: TWO, deviceIs: 'Above' });
  await nameButton(page, 'A-1').waitFor();

  const other = await openPlaces('dark');
  await page.reload();
  await page.getByRole('button', { name: 'Undo the import' }).waitFor();
  await other.page.getByRole('button', { name: 'Undo the import' }).click();
  await other.page.getByRole('alertdialog').getByRole('button', { name: 'Undo the import' }).click();
  await other.page.getByText('Undone: 4 rows.').waitFor();
  await page.getByRole('button', { name: 'Undo the import' }).waitFor({ state: 'detached' });
  await nameButton(page, 'A-1').waitFor({ state: 'detached' });
  expect(await listAliases()).toEqual([]);
  expect(complaints).toEqual([]);
});

test('labels printed in the dark theme are black on white, and a scanner reads them', async () => {
  await addAlias('Shelf 7, left side');
  await addAlias('Größe');
  const window = await openPlaces('dark');
  const { page } = window;
  await page.getByRole('button', { name: 'Print labels' }).click();
  await page.getByText('4 labels on 1 sheet').waitFor();
  expect(await readLabels(page)).toEqual(['A-1', 'A-2', 'Größe', 'Shelf 7, left side']);
  // The name is printed twice: in large type, and below the barcode.
  expect(await page.getByRole('article', { name: 'A-1', exact: true }).getByText('A-1', { exact: true }).count()).toBe(
    2,
  );
  await page.getByRole('article', { name: 'Größe' }).getByRole('img', { name: 'QR code' }).waitFor();

  await page.emulateMedia({ media: 'print' });
  expect(await page.getByRole('heading', { name: 'Print labels' }).isVisible()).toBe(false);
  expect(await page.getByRole('navigation').isVisible()).toBe(false);
  expect(await page.evaluate('getComputedStyle(document.querySelector("[data-sheets] section")).color')).toBe(
    'rgb(0, 0, 0)',
  );
  const sheet = await page.getByRole('region', { name: 'Sheet 1' }).screenshot();
  expect(await readPicture(sheet)).toEqual(expect.arrayContaining(['A-1', 'A-2', 'Größe']));
  await page.emulateMedia({ media: 'screen' });

  await page.getByRole('radio', { name: '3', exact: true }).click();
  await page.getByRole('radio', { name: 'the device' }).click();
  expect(await readLabels(page)).toEqual([ONE, TWO, ONE, ONE]);
  await page.getByRole('radio', { name: 'the place' }).click();
  await page.getByText('1 label has a QR code because the text is too long').waitFor();
  await page.getByText('1 label has a QR code because a barcode cannot contain letters').waitFor();
  expect(window.complaints).toEqual([]);
});

test('thirty labels print on exactly three sheets', async () => {
  for (let number = 1; number <= 28; number += 1) await addAlias(`B-${number}`);
  const { page } = await openPlaces();
  await page.getByRole('button', { name: 'Print labels' }).click();
  await page.getByText('30 labels on 3 sheets').waitFor();
  const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
  expect(pdf.match(/\/Type\s*\/Page\b/g)).toHaveLength(3);
  expect(pdf).toMatch(/\/MediaBox\s*\[\s*0 0 59[45][.\d]* 84[12][.\d]*\s*\]/);
});

const AWKWARD = [
  '12345678901234567890123',
  'Cable ties, black 200 mm, box of 1000 pieces (new)',
  'Donaudampfschifffahrtsgesellschaftskapitän',
  'Kệ hàng số 12, ngăn bên trái dưới',
  'MMMMMMM',
  'WWWWWWWWWWWWWWWWWWWWWWW',
  '棚卸し場所の右側',
];

/** Names that overflow their box or are cut off. */
const CUT = `[...document.querySelectorAll('article > p:first-child')].filter((name) => {
  const box = name.getBoundingClientRect();
  const code = name.parentElement.querySelector('svg').getBoundingClientRect();
  const beside = box.left >= code.right - 1;
  return name.scrollHeight > name.clientHeight + 1 || name.scrollWidth > name.clientWidth + 1 || (!beside && box.bottom > code.top + 1);
}).map((name) => name.textContent)`;

test.each([
  ['A4', '2', [595, 842]],
  ['A4', '3', [595, 842]],
  ['102 × 51 mm', '1', [289, 145]],
  ['89 × 36 mm', '1', [252, 102]],
  ['62 × 29 mm', '1', [176, 82]],
] as const)(
  'on paper %s, %s side by side, long and foreign names are not cut off, and every code is readable',
  async (paper, columns, size) => {
    for (const name of AWKWARD) await addAlias(name);
    const { page, complaints } = await openPlaces();
    await page.getByRole('button', { name: 'Print labels' }).click();
    await page.getByRole('radio', { name: paper }).click();
    if (columns !== '1') await page.getByRole('radio', { name: columns, exact: true }).click();
    await page.getByRole('region', { name: 'Sheet 1' }).waitFor();
    expect(await page.evaluate(CUT)).toEqual([]);
    expect((await readLabels(page)).toSorted()).toEqual([...AWKWARD, 'A-1', 'A-2'].toSorted());
    const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
    const boxes = [...pdf.matchAll(/\/MediaBox\s*\[\s*0 0 ([\d.]+) ([\d.]+)\s*\]/g)];
    expect(boxes).toHaveLength(columns === '1' ? AWKWARD.length + 2 : 1);
    for (const [, width, height] of boxes) {
      expect([Math.abs(Number(width) - size[0]) < 2, Math.abs(Number(height) - size[1]) < 2]).toEqual([true, true]);
    }
    expect(complaints).toEqual([]);
  },
);

test('the dialogs, labels and import of Places have no axe violations', async () => {
  await addAlias('A-1 left', ONE, 'to the Right of');
  const window = await openPlaces();
  const { page } = window;
  await nameButton(page, 'A-1 left').waitFor();
  expect(await findBarriers(window)).toEqual([]);
  await nameButton(page, 'A-1 left').click();
  await page.getByRole('dialog').waitFor();
  expect(await findBarriers(window)).toEqual([]);
  await pressKeys(page, 'Escape');
  await page.getByRole('button', { name: 'More for A-1' }).click();
  await page.getByRole('menuitem', { name: 'Its other places…' }).click();
  await page.getByRole('button', { name: 'Delete the place A-1 left' }).waitFor();
  expect(await findBarriers(window)).toEqual([]);
  await pressKeys(page, 'Escape');
  await page.getByRole('button', { name: 'More for A-1' }).click();
  await page.getByRole('menuitem', { name: 'Replace the device…' }).click();
  await page.getByRole('dialog').waitFor();
  expect(await findBarriers(window)).toEqual([]);
  await pressKeys(page, 'Escape', 'Escape');
  await page.goto(`${shop.url}places/import`);
  const paste = page.getByRole('textbox', { name: 'Or paste from a spreadsheet' });
  await paste.fill(`name\tdevice\twhere\nB-1\tA-1\tAbove\nB-2\tnowhere\tAbove`);
  expect(await findBarriers(window)).toEqual([]);
  await page.getByRole('button', { name: 'Preview' }).click();
  await page.getByRole('button', { name: 'Import 1 place' }).waitFor();
  expect(await findBarriers(window)).toEqual([]);
  await page.goto(`${shop.url}places/print`);
  await page.getByRole('region', { name: 'Sheet 1' }).waitFor();
  expect(await findBarriers(window)).toEqual([]);
  expect(window.complaints).toEqual([]);
});
