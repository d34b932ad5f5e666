import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import type { Device } from '#shared/api/device.ts';
import { readCsv } from '../helpers/files/readCsv.ts';
import { useShop } from './shop.ts';
import { findBarriers, tileOf, type Window, type WindowTheme } from './window.ts';

const ONE = '51D000:000001';
const TWO = '51D000:000002';
const FOUR = '51D000:000004';

const shop = useShop('places');

beforeEach(async () => {
  await shop.start(4);
  await shop.call('POST', `/api/device/${ONE}/`, { locationoverride: 'A-1', statica: 'Nut' });
  await shop.call('POST', `/api/device/${TWO}/`, { locationoverride: 'A-2' });
  await shop.call('POST', '/api/location-aliases/', { name: 'Returns', deviceid: ONE, deviceIs: 'Below' });
});

async function openPlaces(theme: WindowTheme = 'light'): Promise<Window> {
  const window = await shop.open(theme);
  await tileOf(window.page, 'A-1').waitFor();
  await window.page.getByRole('link', { name: 'Places', exact: true }).click();
  await window.page.getByRole('heading', { name: 'Places' }).waitFor();
  return window;
}

const inspect = (deviceid: string) => shop.call<Device>('GET', `/api/device/${deviceid}/`);
const simulated = (deviceid: string, change: object) =>
  shop.call('PATCH', `/api/simulator/devices/${deviceid}/`, change);
const rowOf = (page: Page, name: string) => page.getByRole('row', { name: new RegExp(name) });
const firstRow = (page: Page) => page.locator('[data-row="0"]').textContent();

test('sorted by state, a device that goes offline moves to the top and opens with Enter, and Back keeps sorting and filter', async () => {
  const { page, complaints } = await openPlaces();
  await page.getByRole('button', { name: 'State' }).click();
  await expect.poll(() => page.url()).toContain('?sort=state');
  await simulated(TWO, { reachable: false });
  await rowOf(page, 'A-2').getByText('Offline').waitFor();
  await expect.poll(() => firstRow(page)).toContain('A-2');
  await page.getByRole('radio', { name: /^Offline/ }).click();
  await page.getByText('1 of 4 devices').waitFor();
  await page.getByRole('grid').getByRole('link').first().focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'A-2', exact: true }).waitFor();
  await page.goBack();
  await page.getByText('1 of 4 devices').waitFor();
  await page.reload();
  await page.getByText('1 of 4 devices').waitFor();
  expect(page.url()).toContain('?sort=state&show=silent');
  await page.goto(`${shop.url}devices?show=silent`);
  await page.getByText('1 of 4 devices').waitFor();
  await page.getByRole('columnheader', { name: 'Firmware' }).waitFor();
  expect(complaints).toEqual([]);
});

test("a turbo's new devices wait, one is accepted and one refused, and a second window shows this", async () => {
  await shop.call('PATCH', '/api/settings/', { accept_devices: 'ask' });
  const { page, complaints } = await openPlaces();
  const other = await openPlaces('dark');
  shop.startTurbo(3);
  await page.getByText('3 new devices to accept').waitFor();
  await page.getByRole('button', { name: 'Accept 7C0000:000002' }).click();
  await rowOf(page, '7C0000:000002').waitFor();
  await page.getByRole('button', { name: 'Refuse 7C0000:000001' }).click();
  await other.page.getByText('1 new device to accept').waitFor();
  await other.page.getByRole('button', { name: '1 refused' }).click();
  await other.page.getByRole('button', { name: 'Allow 7C0000:000001 again' }).click();
  await page.getByRole('button', { name: 'Accept all 2' }).click();
  await other.page.getByText(/new devices? to accept/).waitFor({ state: 'detached' });
  await expect.poll(async () => (await inspect('7C0000:000003')).online).toBe(true);
  expect([...complaints, ...other.complaints]).toEqual([]);
});

test('Replace a device takes the new device by a press and moves everything to it, and Undo moves everything back', async () => {
  const { page, complaints } = await openPlaces();
  await page.getByRole('button', { name: 'Replace a device' }).click();
  await page.getByText('Press a button on the new device').waitFor();
  await shop.call('POST', `/api/simulator/devices/${FOUR}/press/`, { button: 'front' });
  await page.getByText(`${FOUR} was pressed`).waitFor();
  await expect.poll(() => page.getByRole('combobox', { name: 'New device' }).inputValue()).toBe(FOUR);
  const old = page.getByRole('combobox', { name: 'Device to replace' });
  await old.fill('A-1');
  await page.getByRole('option', { name: /A-1/ }).click();
  await page.getByText('The alias Returns').waitFor();
  await page.getByRole('button', { name: 'Replace', exact: true }).click();
  await page.getByText(`${FOUR} is now the device at A-1.`).waitFor();
  expect(await inspect(FOUR)).toMatchObject({ locationoverride: 'A-1', statica: 'Nut' });
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(async () => (await inspect(ONE)).statica).toBe('Nut');
  expect(complaints).toEqual([]);
});

test('a place that waits for its device gets one by a press in its dialog, in both themes without barriers', async () => {
  await shop.call('POST', '/api/places/', { name: 'Cellar', note: 'Cold' });
  const window = await openPlaces();
  const { page, complaints } = window;
  const other = await openPlaces('dark');
  await rowOf(page, 'Cellar').getByText('Waits for its device').waitFor();
  await page.getByText('4 devices, all OK · 1 place waits for a device').waitFor();
  expect(await findBarriers(window)).toEqual([]);
  await page.getByRole('button', { name: 'More for Cellar' }).click();
  await page.getByRole('menuitem', { name: 'Hang a device here…' }).click();
  await page.getByRole('dialog', { name: 'Hang a device at Cellar' }).waitFor();
  expect(await findBarriers(window)).toEqual([]);
  await shop.call('POST', `/api/simulator/devices/${FOUR}/press/`, { button: 'front' });
  await expect.poll(() => page.getByRole('combobox', { name: 'Device' }).inputValue()).toBe(FOUR);
  await page.getByRole('button', { name: 'Hang it here' }).click();
  await page.getByText(`${FOUR} hangs at Cellar now.`).waitFor();
  for (const each of [page, other.page]) {
    await each.getByText('Waits for its device').waitFor({ state: 'detached' });
    await rowOf(each, 'Cellar').getByText(FOUR).waitFor();
  }
  expect([...complaints, ...other.complaints]).toEqual([]);
});

test('Shift selects many devices, which are changed together', async () => {
  const { page, complaints } = await openPlaces();
  await page.getByRole('checkbox', { name: 'Select A-1' }).click();
  await page.getByRole('checkbox', { name: `Select ${FOUR}` }).click({ modifiers: ['Shift'] });
  await page.getByText('4 devices selected').waitFor();
  await page.getByRole('checkbox', { name: 'Select A-2' }).focus();
  await page.keyboard.press('Space');
  await page.getByText('3 devices selected').waitFor();
  await page.getByRole('button', { name: 'Settings…' }).click();
  await page.getByRole('textbox', { name: /^LED brightness/ }).fill('35');
  await page.keyboard.press('Enter');
  await page.getByText('Settings of 3 devices changed.').waitFor();
  const brightness = await Promise.all([ONE, TWO, FOUR].map(async (deviceid) => (await inspect(deviceid)).brightness));
  expect(brightness).toEqual([35, 100, 35]);
  await page.getByRole('button', { name: 'Clear statics…' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Clear' }).click();
  await page.getByText('Statics of 3 devices cleared.').waitFor();
  expect(await inspect(ONE)).toMatchObject({ statica: '', locationoverride: 'A-1' });
  expect(complaints).toEqual([]);
});

test('batteries to change print on one sheet and download as CSV', async () => {
  await simulated(ONE, { battery_mv: 2_260 });
  const { page, complaints } = await openPlaces();
  await page.getByRole('button', { name: 'Batteries to change' }).click();
  await page.getByRole('heading', { name: '1 battery to change' }).waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'CSV' }).click(),
  ]);
  const { records } = readCsv(readFileSync(await download.path(), 'utf8'));
  expect(records[1]?.cells.slice(0, 2)).toEqual([ONE, 'A-1']);
  expect(records[1]?.cells).toContain('Returns');
  const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
  expect(pdf.match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
  await page.emulateMedia({ media: 'print' });
  expect(await page.getByRole('navigation').isVisible()).toBe(false);
  expect(await page.getByRole('table').isVisible()).toBe(true);
  expect(complaints).toEqual([]);
});

test('the views of Places have no axe violations', async () => {
  await simulated(ONE, { battery_mv: 2_260 });
  await simulated(TWO, { reachable: false });
  await shop.call('PATCH', '/api/settings/', { accept_devices: 'ask' });
  const window = await openPlaces();
  const { page } = window;
  shop.startTurbo(2);
  await page.getByText('2 new devices to accept').waitFor();
  await page.getByRole('checkbox', { name: 'Select A-1' }).click();
  expect(await findBarriers(window)).toEqual([]);
  await page.getByRole('button', { name: 'Settings…' }).click();
  await page.getByRole('dialog').waitFor();
  expect(await findBarriers(window)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Replace a device' }).click();
  await page.getByRole('dialog').waitFor();
  expect(await findBarriers(window)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.goto(`${shop.url}places/batteries`);
  await page.getByRole('table').waitFor();
  expect(await findBarriers(window)).toEqual([]);
  expect(window.complaints).toEqual([]);
});
