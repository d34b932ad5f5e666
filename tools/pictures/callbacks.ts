import type { Scene } from './scene.ts';

/** State of callbacks, the exchange of one, and the built-in receiver. */
export async function callbacks({ shop, page, take }: Scene): Promise<void> {
  await page.goto(`${shop.url}callbacks`);
  await page.getByRole('heading', { name: 'No receiver' }).waitFor();
  await take('callbacks-none');
  await shop.call('PATCH', 'api/settings/', { callback_url: 'http://127.0.0.1:9/hook' });
  const device = await shop.deviceAt('A-3-2');
  const worker = (press_after_ms: number | null) =>
    shop.call('PATCH', `api/simulator/devices/${device}/`, { press_after_ms });
  await worker(0);
  const press = async (nonce: string): Promise<void> => {
    await shop.call('POST', `api/device/${device}/`, { line1: 'Cable tie 200', quantity: 5, nonce });
  };
  await press('pick-17');
  await page.getByText('Retrying').first().waitFor();
  await shop.call('PATCH', 'api/settings/', { callback_url: 'http://receiver.invalid/' });
  await press('pick-18');
  await page.goto(`${shop.url}callbacks`);
  await page.getByText('Delivered').first().waitFor();
  await page.getByText('"pick-18"').first().waitFor();
  await take('callbacks');
  await page.getByRole('link', { name: /pick-17/ }).click();
  await page.getByRole('article').waitFor();
  await take('callbacks-open');
  await shop.call('PATCH', 'api/settings/', { callback_url: '' });
  await worker(null);
}
