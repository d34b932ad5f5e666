import { afterEach, beforeEach, expect, test } from 'vitest';
import type { HistoryEntry, OrderTimeline } from '#shared/api/history.ts';
import type { ScanResult } from '#shared/api/picking.ts';
import type { Item, OrderProgress } from '#shared/api/order.ts';
import {
  addOrder,
  anItem,
  correct,
  expectCountsRight,
  getOrder,
  itemsOf,
  launch,
  ONE,
  orderPath,
  press,
  statesOf,
  THREE_BUTTONS,
} from '../../helpers/orders.ts';
import { startReceiver, type Receiver } from '../../helpers/servers/receiver.ts';
import { startTestStation, type Answer, type TestStation } from '../../helpers/startTestStation.ts';

// Contract, section 16: an order with required scans is complete once every picked article has been scanned.
let station: TestStation;
let receiver: Receiver;

beforeEach(async () => {
  receiver = await startReceiver();
  station = await startTestStation({ simulate: 3, refreshMs: 0 });
  await station.post('/api/users/', { username: 'Anna', password: 'long enough', role: 'picker' });
  await station.patch('/api/settings/', { callback_url: receiver.url, ordernonce: 'o-{order}', shipmentnonce: 's' });
  await station.clock.advance(5_000);
});

afterEach(async () => {
  await station.stop();
  await receiver.stop();
});

const TIE = anItem({ SKU: 'CT-200' });
const FUSE = anItem({ name: 'Fuse', SKU: 'F-1', deviceid: THREE_BUTTONS });
const DARK = anItem({ name: 'Bolt', SKU: 'B-1', deviceid: undefined, warehouse_location: 'C-9' });
const REQUIRED = { scan_required: true };

async function begin(items: object[], given: object = REQUIRED): Promise<void> {
  await addOrder(station, 'SO-1', items, given);
  await station.post(orderPath('SO-1', 'launch/'), { picker: 'Anna' });
  await station.clock.advance(5_000);
}

const scan = (code: string, more: object = {}): Promise<ScanResult> =>
  station.post('/api/scan/', {
    code,
    picker: 'Anna',
    act: true,
    order_number: 'SO-1',
    key: `${code} ${scans++}`,
    ...more,
  });
let scans = 0;

async function verify(index: number, body?: object): Promise<Answer> {
  const item = (await itemsOf(station, 'SO-1'))[index];
  return station.request('POST', orderPath('SO-1', `items/${item?.id}/verify/`), body);
}

const waiting = async () => (await itemsOf(station, 'SO-1')).map(({ awaits_scan: waits }) => waits);
const told = async (): Promise<string[]> => {
  await station.clock.advance(3_000);
  const events = receiver.payloads().map(({ order_event: event }) => String(event));
  return events.filter((event) => event.endsWith('fulfilled'));
};
const history = (kind: string): Promise<HistoryEntry[]> => station.get(`/api/history/?kind=${kind}`);

test('a press books the pieces, and scanning the article completes the shipment and the order', async () => {
  await begin([TIE]);
  await press(station, ONE);
  expect(await statesOf(station, 'SO-1')).toBe('in_progress: in_progress(done)');
  expect(await waiting()).toEqual([true]);
  expect(await told()).toEqual([]);
  expect(await scan('CT-200')).toMatchObject({ result: 'acknowledged', says: 'Cable tie is the right article.' });
  expect(await statesOf(station, 'SO-1')).toBe('fulfilled: fulfilled(done)');
  expect(await itemsOf(station, 'SO-1')).toMatchObject([{ verified: true, awaits_scan: false }]);
  expect(await told()).toEqual(['shipment_fulfilled', 'order_fulfilled']);
  expect(await history('order_verified')).toMatchObject([{ by: 'API key', for: 'Anna', item: { name: 'Cable tie' } }]);
  await expectCountsRight(station, 'SO-1');
});

test('scanning the article of a lit line picks and verifies it, but scanning its place only picks it', async () => {
  await station.patch('/api/settings/', REQUIRED);
  await begin([TIE, FUSE], {});
  await scan('CT-200');
  await scan(THREE_BUTTONS);
  expect(await waiting()).toEqual([false, true]);
  expect(await history('order_verified')).toEqual([]);
  await scan('F-1');
  expect(await getOrder(station, 'SO-1')).toMatchObject({ state: 'fulfilled' });
});

test('marking an article as impossible to scan completes the order, counts once per key, and its reason is in the history', async () => {
  await begin([TIE]);
  expect(await verify(0)).toMatchObject({ status: 409, body: { code: 'conflict' } });
  await press(station, ONE);
  const body = { reason: 'torn barcode', key: 'tablet/1' };
  expect(await verify(0, body)).toMatchObject({ status: 200, body: { verified: false, awaits_scan: false } });
  expect(await verify(0, body)).toMatchObject({ status: 200 });
  expect(await verify(0)).toMatchObject({ status: 200, body: { awaits_scan: false } });
  expect(await getOrder(station, 'SO-1')).toMatchObject({ state: 'fulfilled' });
  expect(await told()).toEqual(['shipment_fulfilled', 'order_fulfilled']);
  expect(await history('order_not_scanned')).toMatchObject([{ by: 'API key', reason: 'torn barcode' }]);
  const { steps } = await station.get<OrderTimeline>('/api/history/orders/SO-1/');
  expect(steps).toContainEqual(
    expect.objectContaining({ kind: 'order_not_scanned', by: 'API key', item: 'Cable tie' }),
  );
});

test('a delayed request to mark an article as impossible to scan is refused after an hour, or if the pieces have changed', async () => {
  await begin([TIE]);
  const confirmed_at = new Date(station.clock.now()).toISOString();
  await press(station, ONE);
  const [item] = await itemsOf(station, 'SO-1');
  const seen = item?.quantity_fulfilled ?? 0;
  const outdated = { status: 409, body: { code: 'outdated' } };
  expect(await verify(0, { seen: seen + 1 })).toMatchObject(outdated);
  await station.clock.advance(3_600_001);
  expect(await verify(0, { confirmed_at, seen })).toMatchObject(outdated);
  expect(await waiting()).toEqual([true]);
  expect(await verify(0, { seen })).toMatchObject({ status: 200, body: { awaits_scan: false } });
});

test('scanning a wrong article neither books nor verifies anything', async () => {
  await begin([TIE, FUSE]);
  await press(station, ONE);
  const before = await itemsOf(station, 'SO-1');
  await addOrder(station, 'SO-2', [anItem({ name: 'Nut', SKU: 'N-1' })]);
  expect(await scan('N-1')).toMatchObject({ result: 'wrong_item' });
  expect(await itemsOf(station, 'SO-1')).toEqual(before);
});

test('picked items await a scan, regardless of how they were picked; items without pieces do not', async () => {
  await begin([TIE, FUSE, DARK, anItem({ name: 'Nut', ordered_quantity: 3 })]);
  const ids = (await itemsOf(station, 'SO-1')).map(({ id }) => id);
  const act = (index: number, what: string, body: object) =>
    station.post<Item>(orderPath('SO-1', `items/${ids[index]}/${what}/`), body);
  expect(await act(0, 'short', { reason: 'missing', quantity_fulfilled: 0 })).toMatchObject({ awaits_scan: false });
  expect(await act(1, 'short', { reason: 'missing', quantity_fulfilled: 1 })).toMatchObject({ awaits_scan: true });
  expect(await act(2, 'confirm', {})).toMatchObject({ awaits_scan: true });
  expect(await correct(station, 'SO-1', ids[3] ?? 0, { quantity_fulfilled: 3 })).toMatchObject({
    body: { state: 'done', awaits_scan: true },
  });
  await scan('F-1');
  await scan('Nut');
  expect(await getOrder(station, 'SO-1')).toMatchObject({ state: 'in_progress' });
  await scan('B-1');
  expect(await getOrder(station, 'SO-1')).toMatchObject({ state: 'fulfilled' });
});

test('an item that was complete when its order was created does not need a scan', async () => {
  await begin([TIE, { ...FUSE, quantity_fulfilled: 2 }]);
  await scan('CT-200');
  expect(await getOrder(station, 'SO-1')).toMatchObject({ state: 'fulfilled' });
});

test('picking again after an undo requires another scan, but an upward correction of a scanned item does not', async () => {
  await begin([TIE, FUSE]);
  await scan('CT-200');
  const [item] = await itemsOf(station, 'SO-1');
  await station.post(orderPath('SO-1', `items/${item?.id}/reopen/`));
  await station.clock.advance(3_000);
  expect(await waiting()).toEqual([false, false]);
  await press(station, ONE);
  expect(await waiting()).toEqual([true, false]);
  await scan('CT-200');
  await correct(station, 'SO-1', item?.id ?? 0, { quantity_fulfilled: 5 });
  expect(await waiting()).toEqual([false, false]);
});

test("in a shared order, a scan picks the person's own line before it verifies lines that a colleague has picked", async () => {
  await station.post('/api/users/', { username: 'Ben', password: 'long enough', role: 'picker' });
  await begin([TIE, { ...TIE, deviceid: THREE_BUTTONS }]);
  await station.post(orderPath('SO-1', 'join/'), { picker: 'Ben' });
  await station.clock.advance(3_000);
  const ids = (await itemsOf(station, 'SO-1')).map(({ id }) => id);
  await press(station, THREE_BUTTONS);
  expect(await waiting()).toEqual([false, true]);
  expect(await scan('CT-200')).toMatchObject({ result: 'acknowledged', item_id: ids[0], quantity: 2 });
  expect([await waiting(), await told()]).toEqual([[false, true], []]);
  expect(await scan('CT-200')).toMatchObject({ result: 'acknowledged', item_id: ids[1], verified: true });
  expect([await waiting(), await told()]).toEqual([
    [false, false],
    ['shipment_fulfilled', 'order_fulfilled'],
  ]);
});

test('a change to the setting affects only later picks', async () => {
  await begin([TIE, FUSE], {});
  await press(station, ONE);
  await station.patch('/api/settings/', REQUIRED);
  await press(station, THREE_BUTTONS);
  expect(await waiting()).toEqual([false, true]);
  await station.patch('/api/settings/', { scan_required: false });
  expect(await getOrder(station, 'SO-1')).toMatchObject({ state: 'in_progress', scan_required: false });
  await scan('F-1');
  expect(await getOrder(station, 'SO-1')).toMatchObject({ state: 'fulfilled' });
});

test('an order without a picker also awaits scans, and anybody can scan its articles, even without naming the order', async () => {
  await addOrder(station, 'SO-1', [TIE, TIE], REQUIRED);
  await launch(station, 'SO-1');
  await press(station, ONE);
  await press(station, ONE);
  await scan('CT-200');
  expect(await waiting()).toEqual([false, true]);
  await scan('CT-200');
  expect(await getOrder(station, 'SO-1')).toMatchObject({ state: 'fulfilled' });
  await addOrder(station, 'SO-2', [FUSE], REQUIRED);
  await station.post(orderPath('SO-2', 'launch/'), { picker: 'Anna' });
  await station.clock.advance(5_000);
  await press(station, THREE_BUTTONS);
  expect(await scan('F-1', { order_number: undefined })).toMatchObject({
    result: 'acknowledged',
    order_number: 'SO-2',
  });
  expect(await getOrder(station, 'SO-2')).toMatchObject({ state: 'fulfilled' });
});

test('required scans survive a restart, and an order that only awaits scans cannot be launched', async () => {
  await begin([TIE]);
  await press(station, ONE);
  await station.restart();
  const [order] = await station.get<OrderProgress[]>('/api/order-progress/');
  expect(order).toMatchObject({ state: 'in_progress', done_count: 1, unscanned_count: 1 });
  expect(await station.request('POST', orderPath('SO-1', 'launch/'), { picker: 'Anna' })).toMatchObject({
    status: 409,
    body: { detail: expect.stringContaining('1 picked item waits for a scan') as string },
  });
  await scan('CT-200');
  expect(await getOrder(station, 'SO-1')).toMatchObject({ state: 'fulfilled' });
});
