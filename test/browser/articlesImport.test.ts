import { beforeEach, expect, test } from 'vitest';
import { useShop } from './shop.ts';
import { takePictures } from './window.ts';

const SHOPIFY =
  'Handle,Title,Option1 Value,Variant SKU,Variant Price,Variant Inventory Qty,Bin\nmug,Mug,Blue,MUG-1,8,15,A-1-2\nmug,,Red,MUG-2,8,12500,A-1-3\n';

const shop = useShop('articles-import');

beforeEach(async () => {
  await shop.start(1);
  await shop.call('POST', '/api/articles/', { sku: 'MUG-1', places: [{ location: 'A-1-2' }] });
  await shop.call('POST', '/api/articles/', { sku: 'MUG-2', places: [{ location: 'A-1-3' }] });
});

test('the preview of a Shopify file shows its names and the whole stock, also on a phone', async () => {
  const window = await shop.open('light');
  const { page, complaints } = window;
  await page.goto(`${shop.url}import?what=articles`);
  await page.getByRole('textbox', { name: 'Or paste from a spreadsheet' }).fill(SHOPIFY);
  await page.getByRole('button', { name: 'Preview' }).click();
  await page.getByText('Mug Blue').waitFor();
  await page.getByText('Mug Red').waitFor();
  expect(await page.getByText('"Variant Inventory Qty" is not read').count()).toBe(1);

  await page.getByRole('button', { name: 'Columns and options' }).click();
  await page.getByRole('button', { name: /Variant Inventory Qty$/ }).click();
  await page.getByRole('option', { name: 'On hand' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('Also set the stock of existing articles').click();
  for (const width of [1_440, 1_024, 390]) {
    await page.setViewportSize({ width, height: 844 });
    for (const text of ['not counted → 15', 'not counted → 12,500']) {
      const stock = page.getByText(text);
      await stock.waitFor();
      const hidden = () =>
        stock.evaluate((each) => {
          const cell = each.parentElement ?? each;
          return Math.max(each.scrollWidth - each.clientWidth, cell.scrollHeight - cell.clientHeight);
        });
      await expect.poll(hidden, { message: `${text} at ${width}` }).toBe(0);
    }
    await takePictures(window, `articles-import-${width}`);
  }
  expect(complaints).toEqual([]);
});

test('the article page fits the width of a phone, and only its tables scroll sideways', async () => {
  const { page } = await shop.open('light');
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${shop.url}articles/MUG-1`);
  await page.getByRole('heading', { name: 'Places' }).waitFor();
  expect(await page.evaluate<number>('document.scrollingElement.scrollWidth')).toBe(390);
});
