import type { Page } from 'playwright-core';
import type { Scene } from './scene.ts';

/** Which devices need care: silent ones, low batteries, new ones, and what is done about them. */
export async function devices({ shop, page, take }: Scene): Promise<void> {
  const simulated = async (label: string, fields: object) =>
    shop.call('PATCH', `api/simulator/devices/${await shop.deviceAt(label)}/`, fields);
  await simulated('A-2-2', { reachable: false });
  await simulated('A-2-4', { battery_mv: 2_260 });
  await simulated('A-3-3', { battery_mv: 2_310 });
  await simulated('B-2-3', { battery_mv: 2_410 });
  await page.goto(`${shop.url}devices`);
  await page.getByRole('row', { name: /Silent/ }).waitFor();
  await take('devices');
  await page.getByRole('radio', { name: /^Weak signal/ }).click();
  await take('devices-none');
  await page.getByRole('button', { name: 'Show all devices' }).click();
  await many(page, take);
  await page.getByRole('button', { name: 'Replace a device' }).click();
  await page.getByRole('dialog').waitFor();
  await take('devices-replace');
  await shop.call('POST', `api/simulator/devices/${await shop.deviceAt('B-2-4')}/press/`, { button: 'front' });
  await page.getByText('B-2-4 was pressed').waitFor();
  await page.getByRole('combobox', { name: 'Device to replace' }).fill('A-2-2');
  await page.getByRole('option').first().click();
  await take('devices-replace-pressed');
  await page.goto(`${shop.url}devices/batteries`);
  await page.getByRole('table').first().waitFor();
  await page.getByRole('radio', { name: '30 %' }).click();
  await take('devices-batteries');
  await page.emulateMedia({ media: 'print' });
  await take('devices-batteries-printed');
  await page.emulateMedia({ media: 'screen' });
  await simulated('A-2-2', { reachable: true });
}

async function many(page: Page, take: Scene['take']): Promise<void> {
  await page.getByRole('checkbox', { name: 'Choose A-2-2' }).click();
  await page.getByRole('checkbox', { name: 'Choose A-3-3' }).click({ modifiers: ['Shift'] });
  await take('devices-chosen');
  await page.getByRole('button', { name: 'Settings…' }).click();
  await page.getByRole('dialog').waitFor();
  await take('devices-settings');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Remove…' }).click();
  await page.getByRole('alertdialog').waitFor();
  await take('devices-remove');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Choose none' }).click();
}
