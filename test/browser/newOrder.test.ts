import { beforeEach, expect, test } from 'vitest';
import type { Article } from '#shared/api/article.ts';
import type { Order } from '#shared/api/order.ts';
import type { Movement } from '#shared/api/stock.ts';
import { useShop } from './shop.ts';
import { findFaults, takePictures, type Window } from './window.ts';

const ONE = '51D000:000001';
/** Monitor, tablet and phone. */
const SIZES = [
  [1440, 900],
  [1024, 768],
  [390, 844],
] as const;
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

test('an order from a message: number, customer, address and article in one form, and its slip has the address', async () => {
  const window = await shop.open();
  const { page, complaints } = window;
  await page.goto(`${shop.url}orders?view=new`);
  const dialog = page.getByRole('dialog');
  expect(await dialog.getByRole('textbox', { name: 'Order number' }).inputValue()).toBe('1001');
  await dialog.getByRole('textbox', { name: 'Customer' }).fill('Erika Miller');
  await dialog.getByRole('textbox', { name: 'Address' }).fill('Eulenweg 7\n04107 Leipzig');
  await dialog.getByRole('combobox', { name: 'Article' }).pressSequentially('cable');
  await dialog.getByRole('combobox', { name: 'Article' }).press('Enter');
  await dialog.getByText('A-1 · 18 there').waitFor();
  for (const [width, height] of SIZES) {
    await page.setViewportSize({ width, height });
    await takePictures(window, `new-order-${width}`);
    expect(await findFaults(window, { isDialog: true }), String(width)).toEqual([]);
  }
  await dialog.getByRole('button', { name: 'More fields' }).click();
  await dialog.getByRole('textbox', { name: 'Shipment' }).waitFor();
  await takePictures(window, 'new-order-more');
  expect(await findFaults(window, { isDialog: true })).toEqual([]);
  await dialog.getByRole('button', { name: 'Create order' }).click();
  await page.getByRole('heading', { name: 'Order 1001' }).waitFor();
  await page.getByText('Eulenweg 7').waitFor();
  await page.goto(`${shop.url}orders/1001/print`);
  await page.getByRole('radio', { name: 'Packing slip' }).click();
  const slip = page.getByRole('region', { name: 'Packing slip of order 1001' });
  await slip.getByText('Eulenweg 7').waitFor();
  expect(await slip.innerText()).toContain('Erika Miller\nEulenweg 7\n04107 Leipzig');
  await takePictures(window, 'slip-address');
  expect(complaints).toEqual([]);
});
