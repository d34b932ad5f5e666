import type { Scene } from './scene.ts';

/** Takes screenshots of the state of callbacks, the messages exchanged for one of them, the built-in receiver and additional receivers. */
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
  await receivers({ shop, page, take }, () => press('pick-19'));
  await shop.call('PATCH', 'api/settings/', { callback_url: '' });
  await worker(null);
}

/** Takes screenshots of additional receivers: one that accepts its callbacks, one that does not respond, and one that is paused. */
async function receivers({ shop, page, take }: Pick<Scene, 'shop' | 'page' | 'take'>, press: () => Promise<void>) {
  const all = [
    { name: 'Booking', url: 'http://receiver.invalid/booking' },
    { name: 'Label printer', url: 'http://127.0.0.1:9/print?sku={SKU}', api_key: 'k', families: { device: true } },
    { name: 'Night report', url: 'https://reports.shop.example/hook', families: { condition: true }, paused: true },
  ];
  for (const receiver of all) await shop.call('POST', 'api/callback-receivers/', receiver);
  await press();
  await page.goto(`${shop.url}callbacks/to`);
  const list = page.getByRole('list', { name: 'Further receivers' });
  await list.getByText('Retrying').waitFor();
  await list.getByText(/Last result .*200/).waitFor();
  await take('callbacks-receivers');
  await page.getByRole('button', { name: 'Edit Label printer' }).click();
  await page.getByRole('dialog').waitFor();
  await take('callbacks-receiver-edit');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /^By receiver/ }).click();
  await page.getByRole('menuitemradio', { name: 'Label printer' }).click();
  await take('callbacks-of-receiver');
}
