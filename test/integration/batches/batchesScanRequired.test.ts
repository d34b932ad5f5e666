import { afterEach, beforeEach, expect, test } from 'vitest';
import type { OrderTimeline } from '#shared/api/history.ts';
import type { ScanResult } from '#shared/api/picking.ts';
import type { Fact } from '#shared/api/station.ts';
import {
  act,
  addBatch,
  addCart,
  addTies,
  getBatch,
  handsOf,
  OTHER_PLACE,
  PLACE,
  slotsOf,
} from '../../helpers/batches.ts';
import { openStream } from '../../helpers/servers/eventStream.ts';
import { addOrder, correct, itemsOf, orderPath, press, statesOf } from '../../helpers/orders.ts';
import { type Answer, type TestStation, startTestStation } from '../../helpers/startTestStation.ts';

// Contract, sections 16 and 21: with `scan_required`, the article must be scanned before or after its pieces are put.
let station: TestStation & AsyncDisposable;
beforeEach(async () => {
  station = await startTestStation({ simulate: 6, refreshMs: 0 });
  await addCart(station);
  await station.patch('/api/settings/', { scan_required: true });
});
afterEach(() => station.stop());

async function load(): Promise<void> {
  await addTies(station, 'SO-1', 2);
  await addTies(station, 'SO-2', 3, { scan_required: false });
  await addBatch(station, ['SO-1', 'SO-2']);
  await act(station, 'launch/');
}

let keys = 0;
const verify = (code: string, given: object = {}): Promise<Answer> =>
  station.request('POST', '/api/scan/', {
    code,
    intent: 'verify',
    item_id: 1,
    act: true,
    key: `scan ${keys++}`,
    ...given,
  });
const cannotScan = (order = 'SO-1', item = 1): Promise<Answer> =>
  station.request('POST', orderPath(order, `items/${item}/verify/`), { key: `no scan ${keys++}` });
const awaiting = async () => {
  const { slots } = await getBatch(station);
  return slots.flatMap(({ shares }) => shares.map(({ awaits_scan: awaits }) => awaits));
};

test('a share awaits its required scan until the article is verified', async () => {
  await load();
  expect(await awaiting()).toEqual([true, false]);
  await press(station, PLACE);
  expect(await awaiting()).toEqual([true, false]);
  expect((await verify('ct-200')).body).toMatchObject({ result: 'acknowledged', verified: true, item_id: 1 });
  expect(await awaiting()).toEqual([false, false]);
  expect(await slotsOf(station)).toEqual(['A1 open 0+2/2', 'A2 open 0+3/3']);
  await act(station, 'put/', { all: true });
  expect(await statesOf(station, 'SO-1')).toBe('fulfilled: fulfilled(done)');
});

test('a verifying scan books nothing, even if the article is lit elsewhere, and a wrong article verifies nothing', async () => {
  const at = (deviceid: string) => ({ name: 'Cable tie', SKU: 'CT-200', ordered_quantity: 2, deviceid });
  await addOrder(station, 'SO-1', [at(PLACE), at(OTHER_PLACE)]);
  await addOrder(station, 'SO-2', [{ name: 'Fuse', SKU: 'F-1', ordered_quantity: 1, deviceid: PLACE }]);
  await addBatch(station, ['SO-1', 'SO-2']);
  await act(station, 'launch/');
  await press(station, PLACE);
  const before = await slotsOf(station);
  expect((await verify('F-1')).body).toMatchObject({ result: 'wrong_item', says: 'F-1 is not Cable tie.' });
  expect((await verify('nonsense')).body).toMatchObject({ result: 'wrong_item', verified: false });
  expect((await verify('CT-200', { act: false })).body).toMatchObject({ result: 'acknowledged' });
  expect(await awaiting()).toEqual([true, true, true]);
  expect((await verify('CT-200')).body).toMatchObject({ result: 'acknowledged' });
  expect(await slotsOf(station)).toEqual(before);
  expect(await awaiting()).toEqual([false, true, true]);
});

test('the barcode of a pack verifies the article, and an item that has not been picked cannot be verified', async () => {
  await station.post('/api/articles/', {
    SKU: 'CT-200',
    name: 'Cable tie',
    barcodes: [{ code: '4006381333931', quantity: 10 }],
  });
  await load();
  expect(await verify('4006381333931')).toMatchObject({ status: 409, body: { code: 'conflict' } });
  expect((await verify('4006381333931', { act: false })).body).toMatchObject({ result: 'acknowledged' });
  await press(station, PLACE);
  expect((await verify('4006381333931')).body).toMatchObject({ result: 'acknowledged' });
  expect(await handsOf(station)).toEqual({ '': 5 });
  expect(await verify('CT-200', { item_id: undefined })).toMatchObject({ status: 400 });
  expect(await verify('CT-200', { item_id: 99 })).toMatchObject({ status: 404 });
  expect((await station.post<ScanResult>('/api/scan/', { code: 'PICK:UNDO', intent: 'verify' })).command).toBe('undo');
});

test('pieces in hand can be marked as impossible to scan, and the mark survives the put, a restart and an undone put', async () => {
  await load();
  expect(await cannotScan()).toMatchObject({ status: 409 });
  await press(station, PLACE);
  expect(await cannotScan()).toMatchObject({ status: 200, body: { awaits_scan: false, verified: false } });
  expect(await awaiting()).toEqual([false, false]);
  const { steps } = await station.get<OrderTimeline>('/api/history/orders/SO-1/');
  expect(steps).toContainEqual(expect.objectContaining({ kind: 'order_not_scanned', item: 'Cable tie' }));
  await station.restart();
  expect(await awaiting()).toEqual([false, false]);
  await act(station, 'put/', { all: true });
  expect(await statesOf(station, 'SO-1')).toBe('fulfilled: fulfilled(done)');
  await act(station, 'put/undo/', { slot: 'A1', item_id: 1 });
  await act(station, 'put/', { all: true });
  expect(await statesOf(station, 'SO-1')).toBe('fulfilled: fulfilled(done)');
});

test('pieces that are picked again must be scanned again, or marked again as impossible to scan', async () => {
  await load();
  for (const settle of [() => verify('CT-200'), () => cannotScan()]) {
    await press(station, PLACE);
    await settle();
    expect(await awaiting()).toEqual([false, false]);
    await station.post(orderPath('SO-1', 'items/1/reopen/'));
    await station.clock.advance(3_000);
    expect(await awaiting()).toEqual([true, false]);
  }
});

test('an item put without its required scan still awaits it; an item that requires no scan does not', async () => {
  await load();
  await press(station, PLACE);
  await act(station, 'put/', { all: true });
  expect(await statesOf(station, 'SO-1')).toBe('in_progress: in_progress(done)');
  expect(await statesOf(station, 'SO-2')).toBe('fulfilled: fulfilled(done)');
  expect(await awaiting()).toEqual([true, false]);
  expect((await verify('CT-200')).body).toMatchObject({ result: 'acknowledged' });
  expect(await statesOf(station, 'SO-1')).toBe('fulfilled: fulfilled(done)');
  expect(await awaiting()).toEqual([false, false]);
});

test.each([
  ['a scan to verify', () => verify('CT-200')],
  ['Cannot be scanned', () => cannotScan()],
])('%s publishes the batch, so that other pages stop asking; a wrong article does not', async (_, settle) => {
  await load();
  await press(station, PLACE);
  const stream = await openStream(station.url);
  const published = (wanted: Fact['type']) =>
    stream.commits().flatMap(({ facts }) => facts.filter(({ type }) => type === wanted));
  await verify('F-1');
  await settle();
  await station.patch('/api/settings/', { singles: false });
  await station.clock.advance(100);
  await stream.until(() => published('settings.changed').length > 0);
  expect(published('batch.changed')).toEqual([{ type: 'batch.changed', batch_id: 1, state: 'picking' }]);
  stream.close();
});

test('a scan that waited for more than an hour, or that no longer applies, verifies nothing', async () => {
  await load();
  const confirmed_at = new Date(station.clock.now()).toISOString();
  await press(station, PLACE);
  expect(await verify('CT-200', { seen: 1 })).toMatchObject({ status: 409, body: { code: 'outdated' } });
  await station.clock.advance(3_600_001);
  expect(await verify('CT-200', { confirmed_at })).toMatchObject({ status: 409, body: { code: 'outdated' } });
  expect(await awaiting()).toEqual([true, false]);
});

test('in an order without a batch, a scan verifies a picked item, and a partially counted item cannot be marked as impossible to scan', async () => {
  await addTies(station, 'SO-9', 5);
  await station.post(orderPath('SO-9', 'launch/'), {});
  await correct(station, 'SO-9', 1, { quantity_fulfilled: 2 });
  expect(await cannotScan('SO-9')).toMatchObject({ status: 409 });
  await station.clock.advance(3_000);
  await press(station, PLACE);
  expect((await itemsOf(station, 'SO-9'))[0]).toMatchObject({ awaits_scan: true });
  expect((await verify('CT-200')).body).toMatchObject({ result: 'acknowledged', order_number: 'SO-9' });
  expect(await statesOf(station, 'SO-9')).toBe('fulfilled: fulfilled(done)');
});
