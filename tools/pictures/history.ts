import type { Scene } from './scene.ts';

/** Takes screenshots of the History page, its summary, and a timeline. */
export async function history({ shop, page, take }: Scene): Promise<void> {
  const labels = ['A-3-1', 'A-3-2', 'B-2-1'];
  for (const [index, location] of labels.entries()) {
    const deviceid = await shop.deviceAt(location);
    const command = {
      command: 'flash',
      line1: 'Cable tie 200',
      quantity: index + 2,
      color: 'g',
      nonce: `pick-${index}`,
    };
    await shop.call('POST', `api/device/${deviceid}/`, command);
    await shop.call('POST', `api/device/${deviceid}/`, { command: 'kill' });
  }
  await page.goto(`${shop.url}history`);
  await page.getByRole('grid').waitFor();
  await page.getByText('Presses per hour').waitFor();
  await take('history');
  await page.getByRole('link', { name: '4 × Cable tie 200' }).first().click();
  await page.getByText('Removed').nth(1).waitFor();
  await take('history-open');
  await page.goto(`${shop.url}history?order=nothing`);
  await page.getByRole('heading', { name: 'No entry matches' }).waitFor();
  await take('history-none');
}
