import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { Scene } from './scene.ts';

/** Takes screenshots of devices that need attention (offline, low battery, new), and of how to handle them. */
export async function devices({ shop, page, take }: Scene): Promise<void> {
  const simulated = async (label: string, fields: object) =>
    shop.call('PATCH', `api/simulator/devices/${await shop.deviceAt(label)}/`, fields);
  await simulated('A-2-2', { reachable: false });
  await simulated('A-2-4', { battery_mv: 2_260 });
  await simulated('A-3-3', { battery_mv: 2_310 });
  await simulated('B-2-3', { battery_mv: 2_410 });
  await page.goto(`${shop.url}devices`);
  await page.getByRole('row', { name: /Offline/ }).waitFor();
  await take('devices');
  await page.getByRole('radio', { name: /^Weak signal/ }).click();
  await take('devices-none');
  await page.getByRole('button', { name: 'Show all places' }).click();
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
  await newcomers({ shop, page, take });
}

/** Takes screenshots of unknown devices that a network turbo serves. */
async function newcomers({ shop, page, take }: Pick<Scene, 'shop' | 'page' | 'take'>): Promise<void> {
  await shop.call('PATCH', 'api/settings/', { accept_devices: 'ask' });
  const secret = 'a-password-of-a-turbo';
  await shop.call('POST', 'api/users/', { username: 'turbo', password: secret, role: 'picker' });
  const sim = join(import.meta.dirname, '..', '..', 'electron', 'turboSim', 'main.ts');
  const url = `${shop.url.replace('http:', 'ws:')}turbo/`;
  const turbo = spawn(process.execPath, [sim, '--devices', '4', '--user', 'turbo', '--connect', url], {
    env: { ...process.env, PICKSTATION_TURBO_SECRET: secret },
    stdio: 'ignore',
  });
  try {
    await page.goto(`${shop.url}devices`);
    await page.getByText('4 new devices to accept').waitFor();
    await page.getByRole('button', { name: 'Refuse 7C0000:000001' }).click();
    await page.getByRole('button', { name: '1 refused' }).click();
    await page.getByRole('checkbox', { name: 'Select 7C0000:000003' }).click();
    await take('devices-new');
  } finally {
    turbo.kill('SIGKILL');
  }
}

async function many(page: Page, take: Scene['take']): Promise<void> {
  await page.getByRole('checkbox', { name: 'Select A-2-2' }).click();
  await page.getByRole('checkbox', { name: 'Select A-3-3' }).click({ modifiers: ['Shift'] });
  await take('devices-chosen');
  await page.getByRole('button', { name: 'Settings…' }).click();
  await page.getByRole('dialog').waitFor();
  await take('devices-settings');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Remove…' }).click();
  await page.getByRole('alertdialog').waitFor();
  await take('devices-remove');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Clear selection' }).click();
}
