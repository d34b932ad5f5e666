import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Article } from '#shared/api/article.ts';
import { addArticle, articlePath, getArticle } from '../../helpers/articles.ts';
import { act, addBatch, addCart, handsOf } from '../../helpers/batches.ts';
import { addOrder, anItem, getOrder, itemsOf, launch, ONE, orderPath, press } from '../../helpers/orders.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

// Contract, section 20: `wanted` is what orders still need of an article.
let station: TestStation;

beforeEach(async () => {
  station = await startTestStation({ simulate: 2, refreshMs: 0 });
  await station.post(`/api/device/${ONE}/`, { locationoverride: 'A-1' });
  const barcodes = [{ code: '4006381333931' }, { code: 'BOX-X', quantity: 10 }];
  await addArticle(station, 'X', [{ location: 'A-1', on_hand: 10 }], { name: 'Cable tie', barcodes });
});
afterEach(() => station.stop());

const wanted = async (sku = 'X'): Promise<number | undefined> => (await getArticle(station, sku)).wanted;
const line = (given: object) => ({ ordered_quantity: 3, ...given });

test('an open order counts before its launch, by SKU, barcode and name', async () => {
  expect(await wanted()).toBe(0);
  await addOrder(station, 'SO-1', [line({ SKU: 'x' })]);
  expect(await wanted()).toBe(3);
  await addOrder(station, 'SO-2', [line({ UPC: '04006381333931' }), line({ SKU: 'box-x', ordered_quantity: 2 })]);
  await addOrder(station, 'SO-3', [line({ name: 'CABLE TIE', ordered_quantity: 4 })]);
  expect(await wanted()).toBe(12);
  const [listed] = await station.get<Article[]>('/api/articles/');
  expect(listed).toMatchObject({ sku: 'X', wanted: 12, places: [{ allocated: 0, available: 10 }] });
});

test('a line counts for the article that it would take at its launch only', async () => {
  await addArticle(station, 'Y', [], { name: 'Clip' });
  await addOrder(station, 'SO-1', [line({ SKU: 'Y', UPC: '4006381333931', name: 'Cable tie' })]);
  expect([await wanted('X'), await wanted('Y')]).toEqual([0, 3]);
  await addArticle(station, 'Z', [], { name: 'Clip' });
  await addOrder(station, 'SO-2', [line({ name: 'Clip' })]);
  expect([await wanted('Y'), await wanted('Z')]).toEqual([3, 0]);
});

test('it falls with each pick, and stays through launch, pause and restart', async () => {
  await addOrder(station, 'SO-1', [line({ SKU: 'X' }), line({ SKU: 'X', ordered_quantity: 5, deviceid: ONE })]);
  await station.post(orderPath('SO-1', 'launch/'), { picker: 'admin' });
  await station.clock.advance(5_000);
  expect(await wanted()).toBe(8);
  await press(station, ONE);
  expect(await wanted()).toBe(5);
  await station.post(orderPath('SO-1', 'pause/'), { picker: 'admin' });
  await station.restart();
  expect(await wanted()).toBe(5);
});

test('lines of an aborted order and shorts are not wanted, and a deleted order leaves nothing', async () => {
  await addOrder(station, 'SO-1', [line({ SKU: 'X' }), line({ SKU: 'X', ordered_quantity: 5 })]);
  await launch(station, 'SO-1');
  const [first] = await itemsOf(station, 'SO-1');
  await station.post(orderPath('SO-1', `items/${first?.id}/short/`), { reason: 'other', quantity_fulfilled: 1 });
  expect(await wanted()).toBe(5);
  await station.post(orderPath('SO-1', 'abort/'));
  expect(await wanted()).toBe(0);
  await addOrder(station, 'SO-2', [line({ SKU: 'X' })]);
  await addOrder(station, 'SO-3', [anItem({ SKU: 'X', deviceid: undefined })]);
  await station.post(orderPath('SO-3', 'abort/'));
  expect(await wanted()).toBe(3);
  await station.request('DELETE', orderPath('SO-2'));
  expect(await wanted()).toBe(0);
});

test('pieces that an order already has are not wanted, and an article can be sent back as it was read', async () => {
  await addOrder(station, 'SO-1', [line({ SKU: 'X', quantity_fulfilled: 2 })]);
  const article = await getArticle(station, 'X');
  expect(article.wanted).toBe(1);
  const answer = await station.request('PUT', articlePath('X'), article);
  expect(answer).toMatchObject({ status: 200, body: { warnings: [] } });
});

test('a waiting order of a picker is wanted like any other, also while that person picks another order', async () => {
  for (const number of ['SO-1', 'SO-2']) {
    await addOrder(station, number, [line({ SKU: 'X' })]);
    await station.post(orderPath(number, 'launch/'), { picker: 'admin' });
  }
  await station.clock.advance(5_000);
  expect((await getOrder(station, 'SO-2')).waits).toBe(true);
  expect(await wanted()).toBe(6);
  await press(station, ONE);
  expect(await wanted()).toBe(3);
});

test('the orders of a batch are wanted until their pieces are picked, also while these are in hand, and again after an undo', async () => {
  await addCart(station, { slots: [] });
  for (const number of ['SO-1', 'SO-2']) await addOrder(station, number, [line({ SKU: 'X' })]);
  await addBatch(station, ['SO-1', 'SO-2']);
  expect(await wanted()).toBe(6);
  await act(station, 'launch/', { picker: 'admin' });
  expect(await wanted()).toBe(6);
  await press(station, ONE);
  expect([await wanted(), Object.values(await handsOf(station))]).toEqual([0, [6]]);
  const [item] = await itemsOf(station, 'SO-2');
  await station.post(orderPath('SO-2', `items/${item?.id}/reopen/`));
  expect(await wanted()).toBe(3);
  await act(station, 'pause/', { picker: 'admin' });
  expect(await wanted()).toBe(3);
  // An aborted batch leaves its orders open.
  await act(station, 'abort/');
  expect(await wanted()).toBe(3);
  await station.post(orderPath('SO-2', 'abort/'));
  expect(await wanted()).toBe(0);
});
