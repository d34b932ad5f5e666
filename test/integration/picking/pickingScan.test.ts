import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ScanResult } from '#shared/api/picking.ts';
import {
  addOrder,
  anItem,
  FOURTH,
  itemsOf,
  launch,
  litDevices,
  ONE,
  press,
  statesOf,
  THIRD,
  THREE_BUTTONS,
} from '../../helpers/orders.ts';
import { openSession } from '../../helpers/session.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

// Contract, section 16: what a scanned code means, and what a scan does.
let station: TestStation;

const LABELS = { [ONE]: 'A-1', [THREE_BUTTONS]: 'A-2', [THIRD]: 'A-3', [FOURTH]: 'A-4' };

beforeEach(async () => {
  station = await startTestStation({ simulate: 4, refreshMs: 0 });
  for (const [id, locationoverride] of Object.entries(LABELS)) {
    await station.post(`/api/device/${id}/`, { locationoverride });
  }
  await station.clock.advance(5_000);
});

afterEach(() => station.stop());

async function scan(code: string, given: object = {}): Promise<ScanResult> {
  const answer = await station.post<ScanResult>('/api/scan/', { code, ...given });
  await station.clock.advance(3_000);
  return answer;
}

const ITEMS = [
  anItem({ name: 'Cable tie', SKU: 'CT-200', UPC: '4006381333931', ordered_quantity: 5 }),
  anItem({ name: 'Fuse', SKU: 'F-10', deviceid: THIRD }),
];

test('a scan without act picks nothing, and reports which lit line the place or article would pick', async () => {
  await addOrder(station, 'SO-1', ITEMS);
  await launch(station, 'SO-1');
  const lit = { result: 'lit', deviceid: ONE, location: 'A-1', text: 'Cable tie', quantity: 5, order_number: 'SO-1' };
  for (const code of ['A-1', 'a-1', ONE, ONE.toLowerCase(), ' A-1\r']) {
    expect(await scan(code), code).toMatchObject({ ...lit, says: 'A-1: 5 Cable tie', verified: false });
  }
  for (const code of [
    '4006381333931',
    'ct-200',
    'CABLE TIE',
    ']E04006381333931',
    '(01)04006381333931(21)778',
    '04006381333931',
  ]) {
    expect(await scan(code), code).toMatchObject({ ...lit, verified: true });
  }
  expect(await litDevices(station)).toEqual([ONE, THIRD]);
});

test('a scan with act picks like a press, and scanning the article also verifies it', async () => {
  await addOrder(station, 'SO-1', ITEMS);
  await launch(station, 'SO-1');
  expect(await scan('A-3', { act: true })).toMatchObject({ result: 'acknowledged', quantity: 2 });
  expect(await scan('CT-200', { act: true, quantity: 5 })).toMatchObject({
    result: 'acknowledged',
    quantity: 5,
    verified: true,
  });
  expect(await statesOf(station, 'SO-1')).toBe('fulfilled: fulfilled(done done)');
  expect((await itemsOf(station, 'SO-1')).map(({ verified }) => verified)).toEqual([true, false]);
  const [ended] = await station.get<object[]>('/api/history/?kind=acknowledged');
  expect(ended).toMatchObject({ by: 'API key', qty: 5 });
});

test('scanning an article that was picked by a press verifies it once', async () => {
  await addOrder(station, 'SO-1', ITEMS);
  await launch(station, 'SO-1');
  await press(station, ONE);
  const of = { order_number: 'SO-1', act: true };
  expect(await scan('CT-200', of)).toMatchObject({ result: 'acknowledged', verified: true, command_id: null });
  expect((await itemsOf(station, 'SO-1'))[0]).toMatchObject({ state: 'done', quantity_fulfilled: 5, verified: true });
  expect(await scan('CT-200', of)).toMatchObject({ result: 'already_done', says: 'Cable tie is already done.' });
});

test('if scans are required, scanning an article verifies a picked line before it picks another line with the same article', async () => {
  await station.post('/api/users/', { username: 'Anna', password: 'a few easy words', role: 'picker' });
  const [tie = {}] = ITEMS;
  await addOrder(station, 'SO-1', [tie, { ...tie, deviceid: THIRD }], { scan_required: true });
  await station.post('/api/orders/SO-1/launch/', { picker: 'Anna' });
  const asAnna = { order_number: 'SO-1', picker: 'Anna', act: true };
  await scan('A-1', asAnna);
  expect(await scan('CT-200', asAnna)).toMatchObject({ result: 'acknowledged', deviceid: ONE, command_id: null });
  expect(await statesOf(station, 'SO-1')).toContain('(done active)');
  expect((await itemsOf(station, 'SO-1')).map(({ verified }) => verified)).toEqual([true, false]);
  expect(await scan('CT-200', { ...asAnna, key: 'second' })).toMatchObject({ result: 'acknowledged', deviceid: THIRD });
  expect(await statesOf(station, 'SO-1')).toContain('(done done)');
});

test('reports a wrong place or article in an order, and the nearest lit place', async () => {
  await addOrder(station, 'SO-1', ITEMS);
  await addOrder(station, 'SO-2', [anItem({ SKU: 'other', deviceid: FOURTH })]);
  await launch(station, 'SO-1');
  await launch(station, 'SO-2');
  const of = { order_number: 'SO-1', act: true };
  expect(await scan('A-2', of)).toMatchObject({
    result: 'wrong_place',
    location: 'A-2',
    expected: ['A-1', 'A-3'],
    says: 'Wrong place: that was A-2. Scan A-1.',
  });
  expect(await scan('A-4', of)).toMatchObject({ result: 'wrong_place' });
  expect(await scan('other', of)).toMatchObject({
    result: 'wrong_item',
    says: 'other is not in this order. Scan A-1.',
  });
  expect(await scan('nonsense', of)).toMatchObject({ result: 'unknown', says: 'nonsense is unknown.' });
  await press(station, ONE);
  expect(await scan('A-1', of)).toMatchObject({ result: 'already_done', says: 'A-1 is already done.' });
  expect(await litDevices(station)).toEqual([THIRD, FOURTH]);
});

test('does not suggest a place that has no work or is lit for another picker', async () => {
  await station.post('/api/users/', { username: 'Anna', password: 'long enough', role: 'picker' });
  await addOrder(station, 'SO-1', ITEMS);
  await station.post('/api/orders/SO-1/launch/', { picker: 'Anna' });
  await station.clock.advance(3_000);
  expect(await scan('A-2', { act: true })).toMatchObject({ result: 'place', says: 'Nothing is lit at A-2.' });
  expect(await scan('A-1', { act: true })).toMatchObject({ result: 'place', says: 'A-1 is lit for Anna.' });
  expect(await scan('CT-200', { act: true })).toMatchObject({ result: 'place', says: 'CT-200 is lit for Anna.' });
  expect(await scan('A-1', { act: true, picker: 'Anna' })).toMatchObject({ result: 'acknowledged' });
  expect(await scan('CT-200', { act: true })).toMatchObject({ result: 'place', says: 'CT-200 is not lit anywhere.' });
});

test("in a shared order, another picker's place is wrong while the scanning picker has lit lines", async () => {
  for (const username of ['Anna', 'Ben']) {
    await station.post('/api/users/', { username, password: 'a few easy words', role: 'picker' });
  }
  await addOrder(station, 'SO-1', ITEMS);
  await station.post('/api/orders/SO-1/launch/', { picker: 'Anna' });
  await station.post('/api/orders/SO-1/join/', { picker: 'Ben' });
  const [first, second] = (await itemsOf(station, 'SO-1')).map(({ picker }) => picker);
  expect([first, second]).toEqual(['Anna', 'Ben']);
  const asAnna = { order_number: 'SO-1', picker: 'Anna', act: true };
  expect(await scan('A-3', asAnna)).toMatchObject({ result: 'wrong_place', expected: ['A-1'] });
  expect(await statesOf(station, 'SO-1')).toContain('(active active)');
  expect(await scan('A-1', asAnna)).toMatchObject({ result: 'acknowledged' });
  expect(await scan('A-3', { ...asAnna, key: 'help' })).toMatchObject({ result: 'acknowledged' });
});

test('a code that matches several lines returns the candidates and changes nothing', async () => {
  const [tie] = ITEMS;
  await addOrder(station, 'SO-1', [tie ?? {}, { ...tie, deviceid: THIRD }]);
  await launch(station, 'SO-1');
  const answer = await scan('CT-200', { act: true });
  expect(answer).toMatchObject({ result: 'ambiguous', says: 'This code matches 2 lines. Choose one.' });
  expect(answer.candidates.map(({ location, quantity }) => [location, quantity])).toEqual([
    ['A-1', 5],
    ['A-3', 5],
  ]);
  expect(await litDevices(station)).toEqual([ONE, THIRD]);
});

test('if a code matches several lines, a scan books the line that it names', async () => {
  const [tie] = ITEMS;
  const unlit = { name: 'Nut', ordered_quantity: 1, warehouse_location: 'Z-9' };
  await station.post('/api/users/', { username: 'Anna', password: 'long enough', role: 'picker' });
  await addOrder(station, 'SO-1', [tie ?? {}, { ...tie, deviceid: THIRD }, { ...tie, deviceid: THIRD }, unlit, unlit]);
  await station.post('/api/orders/SO-1/launch/', { picker: 'Anna' });
  await station.clock.advance(3_000);
  const ids = (await itemsOf(station, 'SO-1')).map(({ id }) => id);
  const asAnna = { order_number: 'SO-1', picker: 'Anna', act: true };
  expect(await scan('CT-200', { ...asAnna, item_id: ids[3] })).toMatchObject({ result: 'ambiguous' });
  // The scans count even within two seconds, because they name different lines.
  for (const item_id of [ids[1], ids[0]]) {
    const answer = await station.request('POST', '/api/scan/', { ...asAnna, code: 'CT-200', item_id });
    expect(answer).toMatchObject({ status: 200, body: { result: 'acknowledged', item_id, repeated: false } });
  }
  await station.clock.advance(3_000);
  expect(await scan('Z-9', { ...asAnna, item_id: ids[4] })).toMatchObject({ result: 'acknowledged', item_id: ids[4] });
  const again = await station.request('POST', '/api/scan/', { ...asAnna, code: 'Z-9', item_id: ids[4] });
  expect(again).toMatchObject({ status: 409, body: { code: 'outdated' } });
  expect((await itemsOf(station, 'SO-1')).map(({ state }) => state)).toEqual([
    'done',
    'done',
    'active',
    'active',
    'done',
  ]);
  await station.post('/api/orders/SO-1/pause/', { picker: 'Anna' });
  const place = await addOrder(station, 'SO-2', [tie ?? {}, tie ?? {}]);
  await station.post('/api/orders/SO-2/launch/', { picker: 'Anna' });
  await station.clock.advance(3_000);
  const last = place.shipments[0]?.items[1]?.id;
  expect(await scan('A-1', { ...asAnna, order_number: 'SO-2', item_id: last })).toMatchObject({
    result: 'acknowledged',
    item_id: last,
  });
  expect((await itemsOf(station, 'SO-2')).map(({ state }) => state)).toEqual(['active', 'done']);
});

test('matches an order number in any case, and assigns the order to the person who scans it', async () => {
  await station.post('/api/users/', { username: 'Anna', password: 'long enough', role: 'picker' });
  await station.post('/api/users/', { username: 'Ben', password: 'long enough', role: 'picker' });
  await addOrder(station, 'A-1x', ITEMS);
  expect(await scan('a-1X')).toMatchObject({
    result: 'order',
    order_number: 'A-1x',
    says: 'Order A-1x: 2 of 2 lines to pick.',
  });
  expect(await scan('a-1X', { act: true, picker: 'nobody' })).toMatchObject({ result: 'order', taken: false });
  expect(await statesOf(station, 'A-1x')).toBe('open: open(open open)');
  const { write } = await openSession(station, { username: 'Anna', password: 'long enough' });
  const taken = await station.request(
    'POST',
    '/api/scan/',
    { code: 'A-1x', act: true },
    { ...write, 'content-type': 'application/json' },
  );
  expect(taken).toMatchObject({ status: 200, body: { result: 'order', taken: true } });
  expect(await statesOf(station, 'A-1x')).toBe('in_progress: in_progress(active active)');
  expect(await scan('A-1x', { act: true, picker: 'ben' })).toMatchObject({
    taken: false,
    pickers: [{ name: 'Anna' }],
    says: 'Anna has 2 of 2 lines of order A-1x. POST .../join/ shares it.',
  });
});

test('matches accented order numbers and names in any case and Unicode normalization', async () => {
  await station.post('/api/users/', { username: 'Änne', password: 'long enough', role: 'picker' });
  await addOrder(station, 'Rück-1ö', ITEMS);
  await station.post(`/api/orders/${encodeURIComponent('Rück-1ö')}/launch/`, { picker: 'änne' });
  for (const code of ['RÜCK-1Ö', 'rück-1ö', 'Ru\u0308ck-1o\u0308']) {
    expect(await scan(code), code).toMatchObject({ result: 'order', order_number: 'Rück-1ö' });
  }
  for (const name of ['änne', 'A\u0308NNE']) {
    expect(await station.get(`/api/orders/?picker=${encodeURIComponent(name)}`), name).toHaveLength(1);
  }
});

test('without a key, a code counts once within two seconds; a new key always counts, and a repeated key never does', async () => {
  const [tie] = ITEMS;
  await addOrder(station, 'SO-1', [tie ?? {}, tie ?? {}, tie ?? {}, tie ?? {}]);
  await launch(station, 'SO-1');
  const quick = (given: object) => station.post<ScanResult>('/api/scan/', { code: 'A-1', act: true, ...given });
  const first = await quick({});
  await station.clock.advance(1_900);
  expect(await quick({})).toEqual({ ...first, repeated: true });
  await station.clock.advance(200);
  expect(await quick({})).toMatchObject({ result: 'acknowledged', repeated: false });
  const keyed = await quick({ key: 'a' });
  expect(keyed).toMatchObject({ result: 'acknowledged', repeated: false });
  await station.clock.advance(10_000);
  expect(await quick({ key: 'a' })).toEqual({ ...keyed, repeated: true });
  expect(await quick({ key: 'b' })).toMatchObject({ result: 'acknowledged' });
  expect(await statesOf(station, 'SO-1')).toBe('fulfilled: fulfilled(done done done done)');
});

test('counts simultaneous scans of a code from several connections only once, although the place has more work', async () => {
  const [tie] = ITEMS;
  await addOrder(station, 'SO-1', [tie ?? {}, tie ?? {}, tie ?? {}]);
  await launch(station, 'SO-1');
  const answers = await Promise.all(
    ['A-1', 'A-1', 'A-1'].map((code) => station.request('POST', '/api/scan/', { code, act: true })),
  );
  expect(answers.filter(({ body }) => (body as ScanResult).repeated)).toHaveLength(2);
  expect(new Set(answers.map(({ body }) => (body as ScanResult).command_id)).size).toBe(1);
  expect(await statesOf(station, 'SO-1')).toBe('in_progress: in_progress(done active active)');
});

test('reports a wrong check digit', async () => {
  expect(await scan('4006381333932')).toMatchObject({
    result: 'unknown',
    says: '4006381333932 is unknown. Its check digit should be 1: scan it again.',
  });
});

test('a key takes an order once, returns the first answer when repeated, and is refused for a different kind of confirmation', async () => {
  await station.post('/api/users/', { username: 'Anna', password: 'long enough', role: 'picker' });
  await addOrder(station, 'SO-1', ITEMS);
  const taking = { act: true, picker: 'Anna', key: 'a' };
  const first = await scan('SO-1', taking);
  expect(first).toMatchObject({ result: 'order', taken: true, repeated: false });
  await station.post('/api/orders/SO-1/abort/');
  expect(await scan('SO-1', taking)).toEqual({ ...first, repeated: true });
  expect(await statesOf(station, 'SO-1')).toBe('aborted: aborted(cancelled cancelled)');
  const [item] = await itemsOf(station, 'SO-1');
  const short = { reason: 'missing', key: 'a' };
  expect(await station.request('POST', `/api/orders/SO-1/items/${item?.id}/short/`, short)).toMatchObject({
    status: 409,
    body: { detail: expect.stringContaining('The key a was used for another request') as string },
  });
});

test('the scan of an order that has ended names nobody to join', async () => {
  for (const username of ['Anna', 'Ben']) {
    await station.post('/api/users/', { username, password: 'a few easy words', role: 'picker' });
  }
  await addOrder(station, 'SO-1', [anItem({ deviceid: ONE })]);
  await station.post('/api/orders/SO-1/launch/', { picker: 'Anna' });
  const asBen = { picker: 'Ben', act: true };
  expect(await scan('SO-1', asBen)).toMatchObject({ result: 'order', taken: false, pickers: [{ name: 'Anna' }] });
  await press(station, ONE);
  expect(await statesOf(station, 'SO-1')).toContain('fulfilled');
  expect(await scan('SO-1', asBen)).toMatchObject({ result: 'order', taken: false, pickers: [] });
});
