import type { Scene } from './scene.ts';

/** Takes screenshots of the Licenses page: closed, and with the license of a library that another one contains. */
export async function licences({ shop, page, take }: Scene): Promise<void> {
  const size = page.viewportSize();
  await page.goto(`${shop.url}licences`);
  await page.getByText('better-sqlite3', { exact: true }).waitFor();
  await take('licences');
  await page.getByText('cssparser', { exact: true }).click();
  await page.getByText('Mozilla Public License').first().waitFor();
  await take('licences-open');
  await page.setViewportSize({ width: 390, height: 844 });
  await take('licences-phone');
  if (size !== null) await page.setViewportSize(size);
}
