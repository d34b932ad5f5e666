import type { Scene } from './scene.ts';

/** Takes screenshots of the Locate page: empty, with one place before and after a click, with a short list, and without results. */
export async function locate({ shop, page, take }: Scene): Promise<void> {
  const size = page.viewportSize();
  await shop.call('POST', 'api/devices/', { location: 'A-2-2', statica: 'Wing nut M5' });
  await page.goto(`${shop.url}locate`);
  await page.getByText('What are you looking for?').waitFor();
  await take('locate');
  await page.goto(`${shop.url}locate/?q=wing+nut+m5`);
  await page.getByRole('button', { name: 'Light it' }).waitFor();
  await take('locate-one');
  await page.getByRole('button', { name: 'Light it' }).click();
  await page.getByText('Flashing for 10 seconds').waitFor();
  await take('locate-lit');
  await page.goto(`${shop.url}locate/?q=A-2`);
  await page.getByText(/places match/).waitFor();
  await take('locate-several');
  await page.setViewportSize({ width: 390, height: 844 });
  await take('locate-phone');
  if (size !== null) await page.setViewportSize(size);
  await page.goto(`${shop.url}locate/?q=CT-999`);
  await page.getByText('was not found').waitFor();
  await take('locate-nothing');
}
