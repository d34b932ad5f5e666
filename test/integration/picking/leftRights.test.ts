import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Movement } from '#shared/api/stock.ts';
import type { Task } from '#shared/api/task.ts';
import { addArticle, movementsOf, onHand, postOne } from '../../helpers/articles.ts';
import { addOrder, anItem, launch, ONE, orderPath, press, THREE_BUTTONS } from '../../helpers/orders.ts';
import { openSession } from '../../helpers/session.ts';
import { type Answer, startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

// Contract, section 15: who may say what is left at a place.
type Headers = Record<string, string>;

const PASSWORD = 'a few easy words';
const MINUTE_MS = 60_000;

let station: TestStation;
let anna: Headers;
let ben: Headers;

async function signedIn(username: string): Promise<Headers> {
  const { write } = await openSession(station, { username, password: PASSWORD });
  return { ...write, 'content-type': 'application/json' };
}

async function newPerson(username: string, role: string): Promise<Headers> {
  await station.post('/api/users/', { username, password: PASSWORD, role });
  return signedIn(username);
}

beforeEach(async () => {
  station = await startTestStation({ simulate: 3, refreshMs: 0 });
  await station.post(`/api/device/${ONE}/`, { locationoverride: 'A-1' });
  await station.post(`/api/device/${THREE_BUTTONS}/`, { locationoverride: 'A-2' });
  await station.patch('/api/settings/', { zero_check: true });
  await addArticle(station, 'X', [
    { location: 'A-1', on_hand: 2 },
    { location: 'A-2', on_hand: 2 },
  ]);
  anna = await newPerson('Anna', 'picker');
  ben = await newPerson('Ben', 'picker');
});
afterEach(() => station.stop());

let orders = 0;

/** Empties a place with an order that Anna picks. Returns the id of the pick's movement. */
async function annaPicks(deviceid: string): Promise<number> {
  orders += 1;
  const number = `SO-${orders}`;
  await addOrder(station, number, [anItem({ SKU: 'X', deviceid })]);
  await station.post(orderPath(number, 'launch/'), { picker: 'Anna' });
  await station.clock.advance(5_000);
  await press(station, deviceid);
  return (await movementsOf(station)).at(-1)?.movement_id ?? 0;
}

const left = (headers: Headers | undefined, body: object): Promise<Answer> =>
  station.request('POST', '/api/stock/left/', { sku: 'X', location: 'A-1', ...body }, headers);
const counts = async (): Promise<Movement[]> =>
  (await movementsOf(station)).slice(2).filter(({ kind }) => kind === 'count');
const openTasks = async (): Promise<string[]> =>
  (await station.get<Task[]>('/api/tasks/?state=open')).map(({ kind }) => kind);
const outdated = { status: 409, body: { code: 'outdated' } };
const forbidden = { status: 403, body: { code: 'forbidden', right: 'count' } };

test('a picker who was not asked can neither set the stock nor say that some are left, and the refusal is recorded', async () => {
  expect(await left(anna, { count: 500 })).toMatchObject(forbidden);
  expect(await left(anna, { some_left: true })).toMatchObject(forbidden);
  const movement_id = await annaPicks(ONE);
  for (const body of [{ count: 0 }, { count: 0, movement_id }, { some_left: true }, { some_left: true, movement_id }])
    expect(await left(ben, body)).toMatchObject(forbidden);
  expect(await left(anna, { location: 'A-2', count: 0 })).toMatchObject(forbidden);
  expect(await left(anna, { location: 'A-2', count: 0, movement_id })).toMatchObject(forbidden);
  expect(await left(anna, { count: 0, movement_id: movement_id - 1 })).toMatchObject(forbidden);
  expect([await onHand(station, 'X'), await openTasks(), await counts()]).toEqual([{ 'A-1': 0, 'A-2': 2 }, [], []]);
  await station.clock.advance(MINUTE_MS);
  const audit = await station.get<{ action: string; by: string; subject: string }[]>('/api/audit/');
  expect(audit).toContainEqual(expect.objectContaining({ action: 'right.refused', subject: 'count' }));
});

test('the person who was asked answers once, and the movement names that person', async () => {
  const movement_id = await annaPicks(ONE);
  expect(await left(anna, { count: 1, movement_id })).toMatchObject({ status: 200, body: { on_hand: 1 } });
  expect(await counts()).toMatchObject([{ by: 'Anna', picker: 'Anna', delta: 1, on_hand: 1 }]);
  for (const body of [{ count: 500, movement_id }, { count: 500 }, { some_left: true }])
    expect(await left(anna, body)).toMatchObject(outdated);
  await postOne(station, { sku: 'X', location: 'A-1', count: 2 });
  await annaPicks(ONE);
  expect(await left(anna, { some_left: true })).toMatchObject({ status: 200 });
  expect(await openTasks()).toEqual(['count']);
  expect(await left(anna, { count: 500 })).toMatchObject(outdated);
  expect(await onHand(station, 'X')).toMatchObject({ 'A-1': 0 });
});

test('a question is open for 15 minutes, also after a restart, unless something else moves', async () => {
  const movement_id = await annaPicks(ONE);
  await station.clock.advance(14 * MINUTE_MS);
  await station.restart();
  const headers = await signedIn('Anna');
  expect(await left(headers, { count: 0, movement_id })).toMatchObject({ status: 200 });
  await postOne(station, { sku: 'X', location: 'A-1', count: 2 });
  await annaPicks(ONE);
  await station.clock.advance(15 * MINUTE_MS);
  expect(await left(headers, { count: 0 })).toMatchObject(outdated);
  await postOne(station, { sku: 'X', location: 'A-1', count: 2 });
  await annaPicks(ONE);
  await postOne(station, { sku: 'X', location: 'A-1', delta: 5, key: 'd-1' });
  expect(await left(headers, { count: 0 })).toMatchObject(outdated);
  expect(await onHand(station, 'X')).toMatchObject({ 'A-1': 5 });
});

test('with the right `count`, pickers, control and programs count without being asked', async () => {
  await station.patch('/api/settings/', { picker_rights: ['count'] });
  expect(await left(anna, { count: 7 })).toMatchObject({ status: 200, body: { on_hand: 7 } });
  expect(await left(anna, { some_left: true })).toMatchObject({ status: 200 });
  await station.patch('/api/settings/', { picker_rights: [] });
  expect(await left(anna, { count: 8 })).toMatchObject(forbidden);
  expect(await left(await newPerson('Cleo', 'control'), { count: 9 })).toMatchObject({ status: 200 });
  await postOne(station, { sku: 'X', location: 'A-1', count: 2 });
  const movement_id = await annaPicks(ONE);
  expect(await left(undefined, { count: 3, movement_id })).toMatchObject({ status: 200 });
  expect(await left(undefined, { count: 4, movement_id })).toMatchObject(outdated);
  expect((await counts()).map(({ by, picker, on_hand: after }) => [by, picker, after])).toEqual([
    ['Anna', 'Anna', 7],
    ['Cleo', 'Cleo', 9],
    ['API key', '', 2],
    ['API key', 'Anna', 3],
  ]);
});

test('the answer of a device names the person who picked, even if the station restarts before the press', async () => {
  await annaPicks(THREE_BUTTONS);
  await station.restart();
  await station.clock.advance(3_000);
  expect((await station.device(THREE_BUTTONS)).commands).toHaveLength(1);
  await press(station, THREE_BUTTONS);
  expect(await counts()).toMatchObject([{ by: 'device', picker: 'Anna', location: 'A-2', on_hand: 0 }]);
  expect(await left(await signedIn('Anna'), { location: 'A-2', count: 500 })).toMatchObject(outdated);
});

test('movements name the person who caused them', async () => {
  const cleo = await newPerson('Cleo', 'control');
  await addOrder(station, 'SO-N', [anItem({ SKU: 'X', ordered_quantity: 1 })]);
  await launch(station, 'SO-N');
  const [device] = (await station.device(ONE)).commands;
  const acknowledged = { command_id: device?.command_id };
  await station.request('POST', `/api/device/${ONE}/acknowledge/`, acknowledged, ben);
  await station.request('POST', '/api/stock/', { movements: [{ sku: 'X', location: 'A-1', count: 4 }] }, cleo);
  await postOne(station, { sku: 'X', location: 'A-1', count: 5 });
  const moved = (await movementsOf(station)).slice(2);
  expect(moved.map(({ kind, by, picker }) => [kind, by, picker])).toEqual([
    ['pick', 'Ben', 'Ben'],
    ['count', 'Cleo', 'Cleo'],
    ['count', 'API key', ''],
  ]);
});
