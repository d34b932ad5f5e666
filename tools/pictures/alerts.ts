import type { Scene } from './scene.ts';

/** What somebody has to look after: before there is anything, as it comes, with one of it seen, and what is over. */
export async function alerts({ shop, page, take }: Scene): Promise<void> {
  const simulated = async (label: string, fields: object) =>
    shop.call('PATCH', `api/simulator/devices/${await shop.deviceAt(label)}/`, fields);
  await page.goto(`${shop.url}alerts`);
  await page.getByText('Nothing to look after').waitFor();
  await take('alerts-none');
  await simulated('A-2-4', { battery_mv: 2_260 });
  await simulated('A-3-3', { battery_mv: 2_310 });
  await shop.call('PATCH', 'api/settings/', { alert_weak_dbm: -58 });
  await page.getByRole('button', { name: /^Seen: Battery low, 14 %/ }).click();
  await page.getByText('Seen by admin').waitFor();
  await take('alerts');
  await shop.call('PATCH', 'api/settings/', { alert_weak_dbm: -85 });
  await page.getByRole('tab', { name: 'Over' }).click();
  await page.getByText(/^Over/).first().waitFor();
  await take('alerts-ended');
  await simulated('A-2-4', { battery_mv: 3_000 });
  await simulated('A-3-3', { battery_mv: 3_000 });
}
