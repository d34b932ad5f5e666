import { expect, test } from 'vitest';
import { startShop, type PictureShop } from '../../tools/pictures/shop.ts';
import { useShop } from './shop.ts';
import { findBarriers, type Window } from './window.ts';

const { after, openWindow } = useShop('first-start');

/** Opens a window on a fresh data folder, as the desktop program does: signed in, and without a password. */
async function open(): Promise<{ shop: PictureShop; window: Window }> {
  const shop = await startShop(new URL('../../dist/renderer', import.meta.url).pathname);
  after(() => shop.stop());
  const window = await openWindow('light', shop.url);
  await window.page.context().addCookies(shop.cookies);
  return { shop, window };
}

test('the keyboard leads from a fresh folder to the tour, without axe violations', async () => {
  const { shop, window } = await open();
  const { page } = window;
  // Every address leads to the first-start page.
  await page.goto(`${shop.url}settings`);
  await page.getByRole('heading', { name: 'Welcome' }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/welcome');
  expect(await findBarriers(window), 'choosing a password').toEqual([]);
  await page.keyboard.type('short');
  await page.keyboard.press('Enter');
  await page.getByText('Too short').waitFor();
  expect(await findBarriers(window), 'a password too short').toEqual([]);
  await page.keyboard.type(' no more');
  await page.keyboard.press('Enter');

  await page.getByRole('heading', { name: 'Your first devices' }).waitFor();
  expect(await findBarriers(window), 'the first devices').toEqual([]);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Connect a gateway' }).waitFor();
  await page.getByText('Simulated gateway', { exact: true }).waitFor();
  expect(await findBarriers(window), 'connecting a turbo').toEqual([]);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem').first().waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('menuitem').first().waitFor({ state: 'detached' });
  await page.locator('button:focus', { hasText: 'Connect a gateway' }).waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');

  await page.getByRole('heading', { name: 'Your first devices' }).waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByRole('complementary', { name: 'Tour' }).getByText('A-4-2 lights blue').waitFor();
  expect(new URL(page.url()).pathname).toBe('/pick/10418');
  await page.getByRole('button', { name: 'Front button of A-4-2, Blinking blue' }).waitFor();
  expect(await findBarriers(window), 'the first light').toEqual([]);

  // The chosen password works, and the first start is finished.
  const signIn = await fetch(`${shop.url}api/user/login/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password: 'short no more' }),
  });
  expect(signIn.status).toBe(200);
  await page.reload();
  await page.getByRole('complementary', { name: 'Tour' }).getByText('A-4-2 lights blue').waitFor();
  expect(window.complaints).toEqual([]);
});
