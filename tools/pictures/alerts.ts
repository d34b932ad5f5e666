import type { Scene } from './scene.ts';

/** Takes screenshots of alerts: none, new, acknowledged and ended. */
export async function alerts({ shop, page, take }: Scene): Promise<void> {
  const battery = async (label: string, battery_mv: number) =>
    shop.call('PATCH', `api/simulator/devices/${await shop.deviceAt(label)}/`, { battery_mv });
  await page.goto(`${shop.url}alerts`);
  await page.getByText('No open alerts').waitFor();
  await take('alerts-none');
  for (const [label, millivolts] of [
    ['A-2-4', 2_260],
    ['A-3-3', 2_310],
    ['B-2-3', 2_290],
  ] as const) {
    await battery(label, millivolts);
  }
  await page.getByRole('button', { name: /^Mark as seen: Battery low, 14 %/ }).click();
  await page.getByText('Seen by admin').waitFor();
  await take('alerts');
  await battery('A-2-4', 3_000);
  await page.getByRole('tab', { name: 'Resolved' }).click();
  await page
    .getByText(/^Resolved /)
    .last()
    .waitFor();
  await take('alerts-ended');
  await battery('A-3-3', 3_000);
  await battery('B-2-3', 3_000);
}
