import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ScanResult, WorkLine } from '#shared/api/picking.ts';
import { addArticle, getArticle, movedOf, movementsOf, onHand } from '../../helpers/articles.ts';
import { litDevices, ONE, press, THIRD, THREE_BUTTONS } from '../../helpers/orders.ts';
import { startReceiver } from '../../helpers/servers/receiver.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

// Contract, section 20: putting away.
let station: TestStation;

beforeEach(async () => {
  station = await startTestStation({ simulate: 4, refreshMs: 0 });
  for (const username of ['Anna', 'Ben'])
    await station.post('/api/users/', { username, password: 'harbour street', role: 'picker' });
  for (const [id, label] of [
    [ONE, 'A-1'],
    [THREE_BUTTONS, 'A-2'],
    [THIRD, 'A-3'],
  ] as const)
    await station.post(`/api/device/${id}/`, { locationoverride: label });
  const barcodes = [{ code: '4006381333931' }, { code: 'BOX-10', quantity: 10 }];
  const places = [{ location: 'A-1', on_hand: 5 }, { location: 'A-2' }, { location: 'Loft' }];
  await addArticle(station, 'X', places, { name: 'Nut M8', description: 'steel', barcodes });
});
afterEach(() => station.stop());

const asked = (code: string, given: object = {}) => ({ code, intent: 'put_away', picker: 'Anna', ...given });

async function put(code: string, given: object = {}): Promise<ScanResult> {
  const answer = await station.post<ScanResult>('/api/scan/', asked(code, { act: true, ...given }));
  await station.clock.advance(3_000);
  return answer;
}

test("the article's places light up white, and a press at one of them books there and turns off the others", async () => {
  const receiver = await startReceiver();
  await station.patch('/api/settings/', { callback_url: receiver.url });
  expect(await put('4006381333931', { quantity: 3 })).toMatchObject({
    result: 'put_away',
    text: 'Nut M8',
    quantity: 3,
    says: 'Put 3 Nut M8 at A-1 or A-2.',
    candidates: [{ location: 'A-1', deviceid: ONE }, { location: 'A-2' }, { location: 'Loft', deviceid: null }],
  });
  expect(await litDevices(station)).toEqual([ONE, THREE_BUTTONS]);
  expect((await station.device(ONE)).commands).toMatchObject([
    { color: 'white', quantity: 3, line1: 'Nut M8', line2: 'steel', command: 'flash' },
  ]);
  await press(station, THREE_BUTTONS, 'plus');
  await press(station, THREE_BUTTONS);
  expect(await litDevices(station)).toEqual([]);
  expect((await movedOf(station)).slice(1)).toEqual([['put_away', 'A-2', 4, null]]);
  expect((await movementsOf(station)).at(-1)).toMatchObject({ picker: 'Anna', by: 'device', deviceid: THREE_BUTTONS });
  await put('x', { quantity: 2 });
  await press(station, ONE);
  expect(await onHand(station, 'X')).toEqual({ 'A-1': 7, 'A-2': null, Loft: null });
  expect(receiver.requests).toEqual([]);
  await receiver.stop();
});

test('each scan counts, even within two seconds, and a pack counts its pieces; a repeated key does not count', async () => {
  for (const [code, quantity] of [
    ['4006381333931', 1],
    ['4006381333931', 2],
    ['BOX-10', 12],
  ] as const) {
    const { body } = await station.request('POST', '/api/scan/', asked(code, { act: true, key: String(quantity) }));
    expect(body).toMatchObject({ quantity, repeated: false });
  }
  await put('BOX-10', { key: '12' });
  await press(station, ONE);
  expect(await onHand(station, 'X')).toMatchObject({ 'A-1': 17 });
});

test('two people who put away the same article have separate lights', async () => {
  await put('X', { quantity: 3 });
  await put('X', { quantity: 4, picker: 'Ben' });
  expect((await station.device(ONE)).commands).toMatchObject([{ quantity: 3 }, { quantity: 4 }]);
  await press(station, ONE);
  expect((await station.device(THREE_BUTTONS)).commands).toMatchObject([{ quantity: 4 }]);
  await press(station, ONE);
  expect(await litDevices(station)).toEqual([]);
  expect(await onHand(station, 'X')).toMatchObject({ 'A-1': 12 });
});

test('without act nothing changes, a quantity of 0 is refused, and unknown codes are reported', async () => {
  expect(await station.post('/api/scan/', asked('X'))).toMatchObject({ result: 'put_away', quantity: 1 });
  expect(await litDevices(station)).toEqual([]);
  const { status } = await station.request('POST', '/api/scan/', asked('X', { act: true, quantity: 0 }));
  expect(status).toBe(400);
  expect(await put('A-1')).toMatchObject({ result: 'unknown', says: 'A-1 is not an article.' });
  expect(await put('PICK:OK')).toMatchObject({ result: 'command' });
});

test('an article without a place gets the first place in walking order that has no article', async () => {
  const rack = await station.post<{ shelves: { id: number }[] }>('/api/map/racks/', { name: 'A' });
  for (const [column, id] of [THIRD, THREE_BUTTONS].entries())
    await station.request('PUT', `/api/map/places/${id}/`, { shelf: rack.shelves[0]?.id, column });
  await addArticle(station, 'Y');
  expect(await station.post('/api/scan/', asked('Y'))).toMatchObject({ location: 'A-3' });
  expect((await getArticle(station, 'Y')).places).toEqual([]);
  expect(await put('Y', { quantity: 6 })).toMatchObject({ location: 'A-3', deviceid: THIRD });
  await station.restart();
  await station.clock.advance(3_000);
  await press(station, THIRD);
  expect((await getArticle(station, 'Y')).places).toMatchObject([{ location: 'A-3', on_hand: null }]);
  expect((await movedOf(station)).at(-1)).toEqual(['put_away', 'A-3', 6, null]);
  await addArticle(station, 'Z');
  const refused = await station.request('POST', '/api/scan/', asked('Z', { act: true }));
  expect(refused).toMatchObject({ status: 409, body: { detail: expect.stringContaining('no place') as string } });
});

test('pieces go to the lit place after its device gets another label, and after a rename, and scanning the place works like a press', async () => {
  await put('X', { quantity: 1 });
  await station.post(`/api/device/${ONE}/`, { locationoverride: 'Elsewhere' });
  await press(station, ONE);
  expect(await onHand(station, 'X')).toMatchObject({ 'A-1': 6 });
  await station.post(`/api/device/${ONE}/`, { locationoverride: 'A-1' });
  await put('X', { quantity: 2 });
  await station.post('/api/places/rename/', { from: 'A-1', to: 'B-9' });
  await press(station, ONE);
  expect(await onHand(station, 'X')).toMatchObject({ 'B-9': 8 });
  await put('X', { quantity: 2 });
  expect(await station.get<WorkLine[]>('/api/work/')).toMatchObject([{ text: 'Nut M8', item_id: null }, {}]);
  await station.post('/api/scan/', { code: 'B-9', act: true, picker: 'Anna' });
  expect(await onHand(station, 'X')).toMatchObject({ 'B-9': 10 });
  expect(await litDevices(station)).toEqual([]);
});
