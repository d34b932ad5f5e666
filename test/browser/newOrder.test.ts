import { beforeEach, expect, test } from 'vitest';
import type { Article } from '#shared/api/article.ts';
import type { Order } from '#shared/api/order.ts';
import type { Movement } from '#shared/api/stock.ts';
import { useShop } from './shop.ts';
import type { Window } from './window.ts';

const ONE = '51D000:000001';
const BARCODE = '4006381333931';

const shop = useShop('newOrder');

beforeEach(async () => {
  await shop.start(2);
  await shop.call('POST', `/api/device/${ONE}/`, { locationoverride: 'A-1' });
  await shop.call<Article>('POST', '/api/articles/', {
    sku: 'CT-200',
    name: 'Cable tie',
    barcodes: [{ code: BARCODE }],
    places: [{ location: 'A-1', on_hand: 18 }],
  });
});

const stock = () => shop.call<Article>('GET', '/api/articles/CT-200/');

async function openForm(number: string): Promise<Window> {
  const window = await shop.open();
  await window.page.goto(`${shop.url}orders?view=new`);
  await window.page.getByRole('textbox', { name: 'Order number' }).fill(number);
  return window;
}

test.each([
  { how: 'a SKU, ignoring case', typed: 'ct-200' },
  { how: 'a barcode', typed: BARCODE },
])('an order made by typing $how lights the place of the article, and a press moves its stock', async ({ typed }) => {
  const { page, complaints } = await openForm('N1');
  const field = page.getByRole('combobox', { name: 'Article' });
  await field.pressSequentially(typed);
  await field.press('Enter');
  await page.getByText('A-1 · 18 there').waitFor();
  expect(await field.inputValue()).toBe('CT-200');
  await page.getByRole('textbox', { name: 'Quantity' }).fill('3');
  await page.getByRole('button', { name: 'Create order' }).click();
  await page.getByRole('heading', { name: 'Order N1' }).waitFor();
  const { items } = await shop.call<Order>('GET', '/api/orders/N1/');
  expect(items).toMatchObject([{ SKU: 'CT-200', name: 'Cable tie', ordered_quantity: 3 }]);
  await page.getByRole('button', { name: 'Launch', exact: true }).click();
  await page.getByText(/^Lit$/).waitFor();
  await shop.press(ONE);
  await page.getByRole('status').filter({ hasText: 'Fulfilled' }).waitFor();
  expect((await stock()).places).toMatchObject([{ location: 'A-1', on_hand: 15 }]);
  expect((await shop.call<Movement[]>('GET', '/api/movements/?kind=pick')).map(({ delta }) => delta)).toEqual([-3]);
  expect(complaints).toEqual([]);
});
