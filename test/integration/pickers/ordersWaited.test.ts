import { afterEach, beforeEach, expect, test } from 'vitest';
import type { WorkLine } from '#shared/api/picking.ts';
import { addOrder, anItem, correct, itemsOf, ONE, orderPath, THREE_BUTTONS } from '../../helpers/orders.ts';
import { startTestStation, type Answer, type TestStation } from '../../helpers/startTestStation.ts';

// Contract, section 16: a confirmation that waited in a browser is recorded only if it still applies.
let station: TestStation;
let line: WorkLine;

beforeEach(async () => {
  station = await startTestStation({ simulate: 2, refreshMs: 0 });
  await station.post('/api/users/', { username: 'Anna', password: 'long enough', role: 'picker' });
  await station.clock.advance(5_000);
  await addOrder(station, 'SO-1', [anItem({ ordered_quantity: 5 }), anItem({ deviceid: THREE_BUTTONS })]);
  await station.post(orderPath('SO-1', 'launch/'), { picker: 'Anna' });
  await station.clock.advance(3_000);
  const [first] = await station.get<WorkLine[]>('/api/work/');
  if (first === undefined) throw new Error('nothing is lit');
  line = first;
});

afterEach(() => station.stop());

const now = () => new Date(station.clock.now()).toISOString();
const acknowledge = (body: object): Promise<Answer> =>
  station.request('POST', `/api/device/${ONE}/acknowledge/`, { command_id: line.command_id, qty: 5, ...body });
const item = async () => (await itemsOf(station, 'SO-1'))[0];

test('a delayed confirmation is booked if nothing changed', async () => {
  const confirmed_at = now();
  await station.clock.advance(59 * 60_000);
  expect((await acknowledge({ confirmed_at, seen: 0 })).status).toBe(200);
  expect(await item()).toMatchObject({ state: 'done', quantity_fulfilled: 5 });
});

test('a delayed confirmation is booked if only the light went out in the meantime', async () => {
  await station.post(orderPath('SO-1', 'pause/'), { picker: 'Anna' });
  expect((await acknowledge({ confirmed_at: now(), seen: 0 })).status).toBe(200);
  expect(await item()).toMatchObject({ state: 'done', quantity_fulfilled: 5 });
});

test.each<[string, (id: number) => Promise<unknown>]>([
  ['somebody corrected the line', (id) => correct(station, 'SO-1', id, { quantity_fulfilled: 2 })],
  ['somebody pressed for it', () => station.press(ONE)],
  [
    'somebody closed it with nothing found',
    (id) => station.post(orderPath('SO-1', `items/${id}/short/`), { reason: 'missing' }),
  ],
])('a delayed confirmation is refused if %s', async (_, change) => {
  const confirmed_at = now();
  await change(line.item_id ?? 0);
  await station.clock.advance(3_000);
  const before = await item();
  expect(await acknowledge({ confirmed_at, seen: 0 })).toMatchObject({ status: 409, body: { code: 'outdated' } });
  expect(await item()).toEqual(before);
});

test('a delayed acknowledgement, short or undo is refused after an hour', async () => {
  const confirmed_at = now();
  await station.clock.advance(3_600_001);
  expect(await acknowledge({ confirmed_at })).toMatchObject({ status: 409, body: { code: 'outdated' } });
  const at = (what: string) => orderPath('SO-1', `items/${line.item_id}/${what}/`);
  const short = await station.request('POST', at('short'), { reason: 'missing', confirmed_at });
  expect(short).toMatchObject({ status: 409, body: { code: 'outdated' } });
  expect(await item()).toMatchObject({ state: 'active', quantity_fulfilled: 0 });
  expect((await acknowledge({})).status).toBe(200);
  const undo = await station.request('POST', at('reopen'), { confirmed_at });
  expect(undo).toMatchObject({ status: 409, body: { code: 'outdated' } });
  const seenOther = await station.request('POST', at('reopen'), { seen: 4 });
  expect(seenOther).toMatchObject({ status: 409, body: { code: 'outdated' } });
  expect(await item()).toMatchObject({ state: 'done', quantity_fulfilled: 5 });
});

test('a delayed scan is refused after an hour or if the line has changed, and is booked otherwise', async () => {
  const scan = (body: object) =>
    station.request('POST', '/api/scan/', { code: ONE, order_number: 'SO-1', picker: 'Anna', act: true, ...body });
  const confirmed_at = now();
  const outdated = { status: 409, body: { code: 'outdated' } };
  expect(await scan({ seen: 2 })).toMatchObject(outdated);
  await station.clock.advance(3_600_001);
  expect(await scan({ confirmed_at, seen: 0 })).toMatchObject(outdated);
  expect(await item()).toMatchObject({ state: 'active', quantity_fulfilled: 0 });
  expect(await scan({ confirmed_at: now(), seen: 0 })).toMatchObject({ status: 200, body: { result: 'acknowledged' } });
  expect(await item()).toMatchObject({ state: 'done', quantity_fulfilled: 5 });
});

test('a delayed dismissal is refused if somebody has counted pieces in the meantime', async () => {
  await addOrder(station, 'SO-2', [anItem(), anItem({ deviceid: undefined, warehouse_location: 'Q-1' })]);
  await station.post(orderPath('SO-2', 'launch/'));
  const dark = (await itemsOf(station, 'SO-2'))[1];
  const dismiss = (body: object) => station.request('POST', orderPath('SO-2', `items/${dark?.id}/dismiss/`), body);
  expect(await dismiss({ seen: 1 })).toMatchObject({ status: 409, body: { code: 'outdated' } });
  expect(await dismiss({ seen: 0 })).toMatchObject({ status: 200, body: { state: 'cancelled' } });
});

test('repeating a request with the same key after a lost answer returns that answer, even if the line has changed', async () => {
  const body = { confirmed_at: now(), seen: 0, key: 'tablet/1' };
  const first = await acknowledge(body);
  expect(await acknowledge(body)).toMatchObject({ status: first.status, body: first.body });
  expect(await item()).toMatchObject({ quantity_fulfilled: 5 });
});

test('a delayed scan of an order number does not take the order after an hour', async () => {
  await addOrder(station, 'SO-2', [anItem({ deviceid: THREE_BUTTONS })]);
  const confirmed_at = now();
  await station.clock.advance(61 * 60_000);
  const scan = (body: object) =>
    station.request('POST', '/api/scan/', { code: 'SO-2', picker: 'Anna', act: true, ...body });
  expect(await scan({ confirmed_at })).toMatchObject({ status: 409, body: { code: 'outdated' } });
  expect((await station.get<{ state: string }>(orderPath('SO-2', ''))).state).toBe('open');
  expect(await scan({})).toMatchObject({ status: 200, body: { result: 'order' } });
});

test('a scan names the line that its page meant, and books nothing if the code means another line now', async () => {
  await addOrder(station, 'SO-2', [anItem(), anItem()]);
  await station.post(orderPath('SO-1', 'pause/'), { picker: 'Anna' });
  await station.post(orderPath('SO-2', 'launch/'), { picker: 'Anna' });
  await station.clock.advance(3_000);
  const [first, second] = await itemsOf(station, 'SO-2');
  await station.post(orderPath('SO-2', `items/${first?.id}/short/`), { reason: 'missing' });
  const scan = (item_id: number | undefined) =>
    station.request('POST', '/api/scan/', {
      code: ONE,
      order_number: 'SO-2',
      picker: 'Anna',
      act: true,
      seen: 0,
      item_id,
    });
  expect(await scan(first?.id)).toMatchObject({ status: 409, body: { code: 'outdated' } });
  expect((await itemsOf(station, 'SO-2')).map(({ state }) => state)).toEqual(['short', 'active']);
  expect(await scan(second?.id)).toMatchObject({ status: 200, body: { result: 'acknowledged' } });
  expect((await itemsOf(station, 'SO-2')).map(({ state }) => state)).toEqual(['short', 'done']);
});
