import { afterEach, beforeEach, expect, test } from 'vitest';
import type { MovementResult } from '#shared/api/stock.ts';
import { addArticle, movementsOf, onHand, postOne } from '../../helpers/articles.ts';
import { startReceiver } from '../../helpers/servers/receiver.ts';
import { openSession } from '../../helpers/session.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

// Contract, sections 2 and 20: keys of movements never expire.
const DAY_MS = 24 * 3_600_000;
const DELIVERY = { sku: 'X', location: 'A-1', delta: 5, key: 'delivery-4711/1' };

let station: TestStation;

beforeEach(async () => {
  station = await startTestStation();
  await addArticle(station, 'X', [{ location: 'A-1', on_hand: 10 }, { location: 'A-2' }]);
});
afterEach(() => station.stop());

/** Posts one movement with this key of a program or session. */
async function postAs(headers: Record<string, string>, movement: object): Promise<MovementResult | undefined> {
  const { body } = await station.request(
    'POST',
    '/api/stock/',
    { movements: [movement] },
    { 'content-type': 'application/json', ...headers },
  );
  return (body as MovementResult[])[0];
}

async function newProgram(name: string): Promise<{ id: string; 'api-key': string }> {
  const { id, api_key: key } = await station.post<{ id: string; api_key: string }>('/api/api-users/', { name });
  return { id, 'api-key': key };
}

async function newPerson(username: string): Promise<Record<string, string>> {
  const password = 'correct horse battery';
  await station.post('/api/users/', { username, password, role: 'control' });
  return (await openSession(station, { username, password })).write;
}

test('a movement that is repeated after days books nothing, and its answer names the first one', async () => {
  const first = await postOne(station, DELIVERY);
  expect(first).not.toHaveProperty('replayed');
  const { time: at = '' } = (await movementsOf(station)).at(-1) ?? {};
  const { movement_id } = first ?? {};
  const replay = { status: 200, movement_id, on_hand: 15, replayed: true, at };
  await station.restart();
  expect(await postOne(station, DELIVERY)).toEqual(replay);
  await station.clock.advance(DAY_MS - 60_000);
  expect(await postOne(station, DELIVERY)).toEqual(replay);
  await station.clock.advance(2 * DAY_MS);
  await station.restart();
  const late = { ...replay, warnings: [expect.stringContaining(`already used for movement ${movement_id} on ${at}`)] };
  expect(await postOne(station, DELIVERY)).toEqual(late);
  expect(await postOne(station, { key: DELIVERY.key, delta: '5', location: 'A-1', SKU: 'X' })).toEqual(late);
  expect(await onHand(station, 'X')).toMatchObject({ 'A-1': 15 });
});

test('a key with other content is refused at any time, and the answer names the first movement', async () => {
  const first = await postOne(station, DELIVERY);
  await station.clock.advance(2 * DAY_MS);
  for (const other of [{ delta: 6 }, { location: 'A-2' }, { reason: 'other' }])
    expect(await postOne(station, { ...DELIVERY, ...other })).toMatchObject({
      status: 409,
      code: 'key_reused',
      movement_id: null,
      detail: expect.stringContaining(`movement ${first?.movement_id} of 2026-`),
    });
  expect(await onHand(station, 'X')).toMatchObject({ 'A-1': 15, 'A-2': null });
});

test('a new API key of the same name is the same program, and another program has its own keys', async () => {
  const erp = await newProgram('ERP');
  const headers = { 'api-key': erp['api-key'] };
  const first = await postAs(headers, DELIVERY);
  expect(first).toMatchObject({ status: 200, on_hand: 15 });
  expect(await station.request('DELETE', `/api/api-users/${erp.id}/`)).toMatchObject({ status: 204 });
  await station.clock.advance(2 * DAY_MS);
  const renewed = await newProgram('erp');
  const { movement_id } = first ?? {};
  expect(await postAs({ 'api-key': renewed['api-key'] }, DELIVERY)).toMatchObject({ replayed: true, movement_id });
  const other = await newProgram('Scanner');
  expect(await postAs({ 'api-key': other['api-key'] }, DELIVERY)).toMatchObject({ status: 200, on_hand: 20 });
});

test('a person who was removed and added again is another caller, for movements and for other requests', async () => {
  const put = { name: 'Article X' };
  const change = async (headers: Record<string, string>, body: object) =>
    (
      await station.request('PATCH', '/api/articles/X/', body, {
        'content-type': 'application/json',
        'idempotency-key': 'k-1',
        ...headers,
      })
    ).status;
  const anna = await newPerson('Anna');
  expect(await postAs(anna, DELIVERY)).toMatchObject({ on_hand: 15 });
  expect(await postAs(anna, DELIVERY)).toMatchObject({ on_hand: 15, replayed: true });
  expect(await change(anna, put)).toBe(200);
  expect(await change(anna, { name: 'Other' })).toBe(409);
  await station.request('DELETE', '/api/users/Anna/');
  await station.clock.advance(1_000);
  const again = await newPerson('Anna');
  expect(await postAs(again, { ...DELIVERY, delta: 6 })).toMatchObject({ status: 200, on_hand: 21 });
  expect(await change(again, { name: 'Other' })).toBe(200);
  expect((await movementsOf(station)).slice(1).map(({ by, picker, key }) => [by, picker, key])).toEqual([
    ['Anna', 'Anna', DELIVERY.key],
    ['Anna', 'Anna', DELIVERY.key],
  ]);
});

test('lists and callbacks of movements return the key, also that of a transfer', async () => {
  const receiver = await startReceiver();
  await station.patch('/api/settings/', { callback_url: receiver.url, callback_families: { movement: true } });
  await postOne(station, DELIVERY);
  const transfer = { sku: 'X', from: 'A-1', to: 'A-2', quantity: 2, key: 'move-1' };
  const first = await postOne(station, transfer);
  expect(await postOne(station, transfer)).toMatchObject({ replayed: true, movement_id: first?.movement_id });
  await postOne(station, { sku: 'X', location: 'A-1', count: 9 });
  for (let turn = 0; turn < 4; turn += 1) await station.clock.advance(600);
  const keys = [DELIVERY.key, 'move-1', 'move-1', null];
  expect((await movementsOf(station)).slice(1).map(({ key }) => key)).toEqual(keys);
  await receiver.received(4);
  const sent = receiver.payloads().toSorted((a, b) => Number(a['movement_id']) - Number(b['movement_id']));
  expect(sent.map(({ key }) => key)).toEqual(keys);
  await receiver.stop();
});

test('a delta without a key gets a warning, also if only the request has a key', async () => {
  const { key: _, ...delta } = DELIVERY;
  const headers = { 'api-key': (await newProgram('ERP'))['api-key'] };
  expect((await postAs(headers, delta))?.warnings).toEqual([expect.stringContaining('without a key')]);
  expect((await postAs({ ...headers, 'idempotency-key': 'r-1' }, delta))?.warnings).toEqual([
    expect.stringContaining('without its own key'),
  ]);
  expect(await postAs(headers, DELIVERY)).not.toHaveProperty('warnings');
});
