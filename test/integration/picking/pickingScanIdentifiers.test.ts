import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ScanResult } from '#shared/api/picking.ts';
import { GS } from '#shared/lib/picking/gs.ts';
import { addArticle } from '../../helpers/articles.ts';
import { addOrder, anItem, itemsOf, launch, ONE, THREE_BUTTONS } from '../../helpers/orders.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

// Data identifiers of distributors (MH10.8.2, ISO 15434) and UPC-E, in scans and files.
let station: TestStation;

beforeEach(async () => {
  station = await startTestStation({ simulate: 4, refreshMs: 0 });
  await station.post(`/api/device/${ONE}/`, { locationoverride: 'A-1' });
  await station.post(`/api/device/${THREE_BUTTONS}/`, { locationoverride: 'A-2' });
  await addArticle(station, 'DEMO-1', [{ location: 'A-1' }], { barcodes: [{ code: '042100005264' }] });
});
afterEach(() => station.stop());

const scan = (code: string, given: object = {}) => station.post<ScanResult>('/api/scan/', { code, ...given });

const ENVELOPE = `[)>\x1e06${GS}K4500${GS}1PDEMO-1${GS}Q10\x1e\x04`;

test.each([
  ['an item of the supplier', '1PDEMO-1'],
  ['an item of the customer', 'Pdemo-1'],
  ['a label of a distributor', ENVELOPE],
  ['a UPC-E', '04252614'],
])('%s is its article, to pick, to verify and to put away', async (_what, code) => {
  await addOrder(station, 'SO-1', [anItem({ SKU: 'DEMO-1', warehouse_location: 'A-1' })]);
  await launch(station, 'SO-1');
  const [item] = await itemsOf(station, 'SO-1');
  expect(await scan(code, { order_number: 'SO-1' })).toMatchObject({ result: 'lit', item_id: item?.id });
  expect(await scan(code)).toMatchObject({ result: 'lit', item_id: item?.id });
  expect(await scan(code, { intent: 'verify', item_id: item?.id })).toMatchObject({ verified: true });
  expect(await scan(code, { intent: 'put_away' })).toMatchObject({ result: 'put_away', location: 'A-1' });
});

test.each([
  ['an article', () => addArticle(station, '1PDEMO-1', [{ location: 'A-2' }])],
  ['a place', () => station.post(`/api/device/${THREE_BUTTONS}/`, { locationoverride: '1PDEMO-1' })],
  ['a place without a light', () => station.post('/api/places/', { name: '1PDEMO-1' })],
])('the whole text counts if %s has this name', async (_what, create) => {
  await create();
  await addOrder(station, 'SO-1', [anItem({ SKU: 'DEMO-1', warehouse_location: 'A-1' })]);
  await launch(station, 'SO-1');
  const [item] = await itemsOf(station, 'SO-1');
  expect((await scan('1PDEMO-1', { order_number: 'SO-1' })).item_id).toBeNull();
  expect(await scan('1PDEMO-1', { intent: 'verify', item_id: item?.id })).toMatchObject({ verified: false });
  expect((await scan('1PDEMO-1', { intent: 'put_away' })).location).not.toBe('A-1');
});

test('cells with an identifier are their article with a note, unless something has the whole name', async () => {
  const csv = 'Order,SKU,UPC,Qty\nSO-1,1PDEMO-1,,2\nSO-1,,P042100005264,1\nSO-2,PDEMO-2,,1\n';
  const send = async () => {
    const { id } = await station.post<{ id: number }>('/api/imports/', { kind: 'orders', csv, dry_run: true });
    return (await station.get<{ rows: { message: string }[] }>(`/api/imports/${id}/`)).rows.map(
      ({ message }) => message,
    );
  };
  expect(await send()).toEqual([
    '"1PDEMO-1" is read as the article DEMO-1, without its data identifier.',
    '"P042100005264" is read as the article 042100005264, without its data identifier.',
    '',
  ]);
  await addArticle(station, '1PDEMO-1');
  expect((await send())[0]).toBe('');
});
