import { expect, test } from 'vitest';
import type { Article } from '#shared/api/article.ts';
import type { Order } from '#shared/api/order.ts';
import type { Movement } from '#shared/api/stock.ts';
import { until } from '../shells/until.ts';
import { addPickers, at, labelDevices, openPick, pauseAfterEntry, takeNext, touch } from './picker.ts';
import { useShop } from './shop.ts';

// A week in a small shop, from an import to Friday's count: contract, section 20.
const PLACES = ['A-1', 'A-2', 'A-3', 'A-4'];
const FILE = [
  'sku;name;location;minimum;on_hand',
  'TIE;Cable tie;A-1;5;4',
  'TIE;;A-4;;10',
  'NUT;Nut;A-2;;20',
  'FUSE;Fuse;A-3;;1',
].join('\n');

const shop = useShop('week');

const onHand = async (sku: string) =>
  (await shop.call<Article>('GET', `/api/articles/${sku}/`)).places.map(
    ({ location, on_hand: pieces }) => `${location} ${pieces}`,
  );
const states = async (order: string) =>
  (await shop.call<Order>('GET', `/api/orders/${order}/`)).shipments.flatMap(({ items }) =>
    items.map(({ state }) => state),
  );
const addOrder = (number: string, ...items: readonly (readonly [sku: string, pieces: number])[]) =>
  shop.call('POST', '/api/orders/', {
    order_number: number,
    items: items.map(([SKU, ordered_quantity]) => ({ SKU, ordered_quantity })),
  });

test('after deliveries, orders, counts, an empty place and one below 0, the stock matches what the hands did', async () => {
  await shop.start(PLACES.length);
  const devices = await labelDevices(shop, PLACES);
  await addPickers(shop, ['Anna']);
  const office = await shop.open();
  const { page } = office;

  // Monday: the articles come from a file.
  await page.goto(`${shop.url}import?what=articles`);
  await page.getByRole('textbox', { name: 'Or paste from a spreadsheet' }).fill(FILE);
  await page.getByRole('button', { name: 'Preview' }).click();
  await page.getByRole('button', { name: 'Import 4 rows' }).click();
  await page.getByText(/^Imported 3 new articles/).waitFor();
  expect([await onHand('TIE'), await onHand('NUT'), await onHand('FUSE')]).toEqual([
    ['A-1 4', 'A-4 10'],
    ['A-2 20'],
    ['A-3 1'],
  ]);

  // A delivery is put away at the place whose light is pressed.
  await page.goto(`${shop.url}articles/NUT`);
  await page.getByRole('button', { name: 'Put away' }).click();
  await page.getByRole('textbox', { name: 'Pieces' }).fill('30');
  await page.getByRole('button', { name: 'Light its places' }).click();
  await shop.press(devices[1] ?? '');
  await until('the delivery to be booked', async () => (await onHand('NUT')).join() === 'A-2 50');

  // Tuesday: an order from two places; the station chooses the place that has enough.
  await addOrder('S-1', ['TIE', 6], ['NUT', 2]);
  const picker = await openPick(shop, 'Anna');
  await takeNext(picker.page);
  await at(picker.page, 'A-2');
  await picker.page.getByText('50 there').waitFor();
  await picker.page.keyboard.press('Enter');
  await at(picker.page, 'A-4');
  await shop.press(devices[3] ?? '');
  await picker.page.getByRole('heading', { name: 'Order S-1 complete' }).waitFor();
  expect([await onHand('TIE'), await onHand('NUT')]).toEqual([['A-1 4', 'A-4 4'], ['A-2 48']]);

  // Wednesday: A-1 is empty, although four were counted there. The rest comes from the other place.
  await addOrder('S-2', ['TIE', 4]);
  await picker.page.goto(`${shop.url}pick`);
  await takeNext(picker.page);
  await at(picker.page, 'A-1');
  await picker.page.getByRole('button', { name: /^Short/ }).click();
  await touch(picker.page, 'Missing');
  await touch(picker.page, 'Take them from A-4');
  await at(picker.page, 'A-4');
  await shop.press(devices[3] ?? '');
  await picker.page.getByRole('heading', { name: 'Order S-2 complete' }).waitFor();
  expect([await states('S-2'), await onHand('TIE')]).toEqual([['done'], ['A-1 0', 'A-4 0']]);

  // Thursday: three fuses are picked where one was counted, so the place must be counted again.
  await addOrder('S-3', ['FUSE', 3]);
  await picker.page.goto(`${shop.url}pick`);
  await takeNext(picker.page);
  await at(picker.page, 'A-3');
  await pauseAfterEntry(picker.page);
  await picker.page.keyboard.press('Enter');
  await picker.page.getByRole('heading', { name: 'Order S-3 complete' }).waitFor();
  expect(await onHand('FUSE')).toEqual(['A-3 -2']);
  await page.goto(`${shop.url}articles?show=negative`);
  await page.getByRole('gridcell', { name: '−2' }).waitFor();

  // Friday: count for the task, and see what to reorder.
  await page.goto(`${shop.url}articles?show=tasks`);
  await page.getByRole('button', { name: 'Done: Count FUSE A-3' }).click();
  await page.getByRole('textbox', { name: 'Pieces there' }).fill('7');
  await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click();
  await page.getByText('FUSE: booked.').waitFor();
  await page.goto(`${shop.url}articles?show=low`);
  await page.getByRole('row', { name: /Cable tie.*A-1/ }).waitFor();
  expect(await page.getByRole('row', { name: /Fuse/ }).count()).toBe(0);

  const movements = await shop.call<Movement[]>('GET', '/api/movements/');
  const sums = new Map<string, number>();
  for (const { SKU, location, delta } of movements)
    sums.set(`${SKU} ${location}`, (sums.get(`${SKU} ${location}`) ?? 0) + delta);
  expect(Object.fromEntries(sums)).toEqual({ 'TIE A-1': 0, 'TIE A-4': 0, 'NUT A-2': 48, 'FUSE A-3': 7 });
  expect([...office.complaints, ...picker.complaints]).toEqual([]);
});
