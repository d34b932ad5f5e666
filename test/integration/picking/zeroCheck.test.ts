import { afterEach, beforeEach, expect, test } from 'vitest';
import type { LeftAsked } from '#shared/api/stock.ts';
import type { Task } from '#shared/api/task.ts';
import { addArticle, movedOf, movementsOf, onHand, postOne } from '../../helpers/articles.ts';
import { openStream } from '../../helpers/servers/eventStream.ts';
import { addOrder, anItem, itemsOf, launch, ONE, press, THREE_BUTTONS } from '../../helpers/orders.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

// Contract, section 20: asking whether a place is empty, and counting after visits.
let station: TestStation;

beforeEach(async () => {
  station = await startTestStation({ simulate: 3, refreshMs: 0 });
  await station.post(`/api/device/${ONE}/`, { locationoverride: 'A-1' });
  await station.post(`/api/device/${THREE_BUTTONS}/`, { locationoverride: 'A-2' });
  await station.patch('/api/settings/', { zero_check: true });
  await addArticle(station, 'X', [
    { location: 'A-1', on_hand: 2 },
    { location: 'A-2', on_hand: 2 },
  ]);
});
afterEach(() => station.stop());

let orders = 0;

async function pick(deviceid: string): Promise<void> {
  orders += 1;
  await addOrder(station, `SO-${orders}`, [anItem({ SKU: 'X', deviceid })]);
  await launch(station, `SO-${orders}`);
  await press(station, deviceid);
}

/** Returns the questions that pages receive during an action. */
async function askedDuring(act: () => Promise<void>): Promise<LeftAsked[]> {
  const stream = await openStream(station.url);
  await act();
  const { revision } = await station.get<{ revision: number }>('/api/station/');
  await stream.until(() => (stream.commits().at(-1)?.id ?? 0) >= revision);
  stream.close();
  const facts = stream.commits().flatMap((commit) => commit.facts);
  return facts.flatMap((fact) => (fact.type === 'stock.asked' ? [fact.asked] : []));
}

const lit = async (device: string): Promise<number> => (await station.device(device)).commands.length;
const tasks = async (): Promise<unknown[]> =>
  (await station.get<Task[]>('/api/tasks/?state=open')).map(({ kind, location }) => [kind, location]);
const left = (body: object) => station.request('POST', '/api/stock/left/', { sku: 'X', ...body });

test('a device with three buttons asks whether its place is empty, and a press confirms it', async () => {
  await pick(THREE_BUTTONS);
  expect(await station.device(THREE_BUTTONS)).toMatchObject({
    commands: [{ quantity: 0 }],
    displayed: { screen: { lines: ['Empty?', 'Plus: some left'] } },
  });
  await press(station, THREE_BUTTONS);
  expect((await movedOf(station)).slice(2)).toEqual([
    ['pick', 'A-2', -2, 0],
    ['count', 'A-2', 0, 0],
  ]);
  expect(await tasks()).toEqual([]);
  expect((await movementsOf(station)).at(-1)).toMatchObject({ by: 'device' });
});

test('a press after plus reports that pieces are left, and a count is requested', async () => {
  await pick(THREE_BUTTONS);
  await press(station, THREE_BUTTONS, 'plus');
  await press(station, THREE_BUTTONS);
  expect((await movedOf(station)).slice(2)).toEqual([['pick', 'A-2', -2, 0]]);
  expect(await tasks()).toEqual([['count', 'A-2']]);
});

test('an unanswered question ends within 15 seconds without changes, and other work takes precedence', async () => {
  await pick(THREE_BUTTONS);
  await station.clock.advance(15_000);
  expect(await lit(THREE_BUTTONS)).toBe(0);
  expect([await tasks(), (await movedOf(station)).length]).toEqual([[], 3]);
  await postOne(station, { sku: 'X', location: 'A-2', count: 2 });
  await addOrder(station, 'SO-A', [
    anItem({ SKU: 'X', deviceid: THREE_BUTTONS }),
    anItem({ name: 'Y', deviceid: THREE_BUTTONS }),
  ]);
  await launch(station, 'SO-A');
  await press(station, THREE_BUTTONS);
  expect(await onHand(station, 'X')).toMatchObject({ 'A-2': 0 });
  expect(await lit(THREE_BUTTONS)).toBe(1);
  await press(station, THREE_BUTTONS);
  expect((await itemsOf(station, 'SO-A')).map(({ state }) => state)).toEqual(['done', 'done']);
});

test('a device with one button does not ask, and no device asks if the setting is off', async () => {
  await pick(ONE);
  expect(await lit(ONE)).toBe(0);
  await station.patch('/api/settings/', { zero_check: false });
  await pick(THREE_BUTTONS);
  expect(await lit(THREE_BUTTONS)).toBe(0);
});

test('pages show the question, and an answer counts only if the stock has not changed since', async () => {
  const asked = await askedDuring(() => pick(ONE));
  expect(asked).toMatchObject([{ what: 'empty', SKU: 'X', location: 'A-1', deviceid: ONE, order: `SO-${orders}` }]);
  const { movement_id = 0 } = asked[0] ?? {};
  expect(await left({ location: 'a-1', some_left: true, movement_id })).toMatchObject({ status: 200 });
  expect(await tasks()).toEqual([['count', 'A-1']]);
  expect(await left({ location: 'A-1', count: 0 })).toMatchObject({ status: 200, body: { on_hand: 0 } });
  expect(await tasks()).toEqual([]);
  expect(await left({ location: 'A-1', count: 5, movement_id })).toMatchObject({
    status: 409,
    body: { code: 'outdated' },
  });
  expect(await left({ location: 'nowhere', count: 5 })).toMatchObject({ status: 404 });
  for (const body of [{}, { count: -1 }, { count: 1, some_left: true }, { some_left: false }])
    expect(await left({ location: 'A-1', ...body })).toMatchObject({ status: 400 });
  expect(await onHand(station, 'X')).toMatchObject({ 'A-1': 0 });
});

test('if count_every is 2, every second pick at a place asks how many pieces are left', async () => {
  await station.patch('/api/settings/', { zero_check: false, count_every: 2 });
  await postOne(station, { sku: 'X', location: 'A-1', count: 50 });
  const asked = await askedDuring(async () => {
    for (let visit = 1; visit <= 5; visit += 1) await pick(ONE);
  });
  expect(asked.map(({ what, location }) => [what, location])).toEqual([
    ['count', 'A-1'],
    ['count', 'A-1'],
  ]);
});
