import { beforeEach, expect, test } from 'vitest';
import type { Order } from '#shared/api/order.ts';
import type { Article } from '#shared/api/article.ts';
import { ROUTES } from '#shared/lib/station/pageRoutes.ts';
import { at, labelDevices, takeNext, touch } from './picker.ts';
import { useShop } from './shop.ts';
import { signIn, type Window } from './window.ts';

/** What the parameters of addresses are replaced with. Addresses with other parameters are left out. */
const EXAMPLES: Readonly<Record<string, string>> = { ':order_number': 'SO1', ':sku': 'FUSE' };
/** These need a screen's token, or a station without a password. */
const LEFT_OUT: readonly string[] = ['/board', '/welcome'];

const ADDRESSES = Object.values(ROUTES)
  .flat()
  .map((path) => path.replaceAll(/:\w+/g, (name) => EXAMPLES[name] ?? name))
  .filter((path) => !path.includes(':') && !LEFT_OUT.includes(path));

const shop = useShop('plain-http');
let home: string;
let window: Window;

beforeEach(async () => {
  await shop.start(2);
  home = `http://shop.test:${new URL(shop.url).port}/`;
  await shop.call('PATCH', '/api/settings/', { public_urls: [home] });
  await labelDevices(shop, ['A-1', 'A-2']);
  await shop.call('POST', '/api/articles/', { sku: 'FUSE', name: 'Fuse', places: [{ location: 'A-1' }] });
  const items = [{ name: 'Fuse', SKU: 'FUSE', ordered_quantity: 2, deviceid: '51D000:000001' }];
  await shop.call('POST', '/api/orders/', { order_number: 'SO1', items });
  window = await shop.openWindow('light', home);
  await signIn(window, home);
  // The browser takes this address for another machine, and withholds the functions that need HTTPS.
  expect(await window.page.evaluate('[isSecureContext, typeof crypto.randomUUID]')).toEqual([false, 'undefined']);
});

test('every page opens over plain HTTP on another machine', async () => {
  const { page, complaints } = window;
  for (const address of ADDRESSES) {
    await page.goto(new URL(address, home).href);
    await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' });
    await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
    expect([address, complaints]).toEqual([address, []]);
  }
});

test('a picker picks and an owner counts over plain HTTP on another machine', async () => {
  const { page, complaints } = window;
  await page.goto(`${home}pick`);
  await takeNext(page);
  await at(page, 'A-1');
  await touch(page, /^Picked/);
  await page.getByText('A-1 · 2 picked').waitFor();
  // The page shows a pick before the station has recorded it.
  await expect.poll(() => shop.call<Order>('GET', '/api/orders/SO1/')).toMatchObject({ state: 'fulfilled' });

  await page.goto(`${home}articles/FUSE`);
  await page
    .getByRole('button', { name: /^Count/ })
    .first()
    .click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox').fill('7');
  await dialog.getByRole('button', { name: 'Book' }).click();
  await dialog.waitFor({ state: 'detached' });
  const { places } = await shop.call<Article>('GET', '/api/articles/FUSE/');
  expect(places).toMatchObject([{ location: 'A-1', on_hand: 7 }]);
  expect(complaints).toEqual([]);
});
