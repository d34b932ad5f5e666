import type { Scene } from './scene.ts';

/** Which devices need care: a silent one, low batteries, and what is done about them. */
export async function devices({ shop, page, take }: Scene): Promise<void> {
  const simulated = async (label: string, fields: object) =>
    shop.call('PATCH', `api/simulator/devices/${await shop.deviceAt(label)}/`, fields);
  await simulated('A-2-2', { reachable: false });
  await simulated('A-2-4', { battery_mv: 2_260 });
  await simulated('A-3-3', { battery_mv: 2_310 });
  await simulated('B-2-3', { battery_mv: 2_410 });
  await page.goto(`${shop.url}devices`);
  await page.getByRole('heading', { name: 'Devices' }).waitFor();
  await page.getByRole('row', { name: /Silent/ }).waitFor();
  await take('devices');
  await page.getByRole('radio', { name: /^Weak signal/ }).click();
  await take('devices-none');
  await page.goto(`${shop.url}devices/batteries`);
  await page.getByRole('table').first().waitFor();
  await page.getByRole('radio', { name: '30 %' }).click();
  await take('devices-batteries');
  await simulated('A-2-2', { reachable: true });
}
