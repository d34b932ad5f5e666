import { afterEach, beforeEach, expect, test } from 'vitest';
import type { WorkLine } from '#shared/api/picking.ts';
import { addOrder, anItem, itemsOf, launch, ONE, orderPath, THREE_BUTTONS } from '../../helpers/orders.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

// Contract, section 16: presses in circumstances that the fuzz reaches only seldom.
let station: TestStation;

beforeEach(async () => {
  station = await startTestStation({ simulate: 4, refreshMs: 0 });
  for (const username of ['Anna', 'Ben'])
    await station.post('/api/users/', { username, password: 'long enough', role: 'picker' });
  await station.clock.advance(5_000);
});
afterEach(() => station.stop());

const PICKERS = { 'SO-1': 'Anna', 'SO-2': 'Ben' } as const;

const link = (latency_ms: number) => station.patch('/api/simulator/turbos/SIM-1/', { latency_ms });
const reach = (reachable: boolean) => station.patch(`/api/simulator/devices/${ONE}/`, { reachable });
const kinds = () => station.rows<{ kind: string }>('SELECT kind FROM history ORDER BY id').map(({ kind }) => kind);

/** Launches an order with one line at device ONE for its picker. Returns the id of the item. */
async function give(order: keyof typeof PICKERS, pieces = 1): Promise<number> {
  await addOrder(station, order, [anItem({ ordered_quantity: pieces })]);
  await station.post(orderPath(order, 'launch/'), { picker: PICKERS[order] });
  return (await itemsOf(station, order))[0]?.id ?? 0;
}

async function fulfilled(order: string): Promise<number | undefined> {
  return (await itemsOf(station, order))[0]?.quantity_fulfilled;
}

/** Waits until device ONE shows the line of this order. */
async function untilShown(order: string): Promise<void> {
  for (let waited = 0; waited < 30_000; waited += 10) {
    const [first] = (await station.device(ONE)).commands;
    if (first?.order_number === order && first.shown_at !== null) return;
    await station.clock.advance(10);
  }
  throw new Error(`${ONE} does not show ${order}`);
}

test('the time of a press over a slow link is its arrival at the station', async () => {
  await give('SO-1');
  await station.clock.advance(5_000);
  await link(1_400);
  const pressedAt = station.clock.now();
  await station.press(ONE);
  await station.clock.advance(10_000);
  const [row] = station.rows<{ at: number }>("SELECT at FROM history WHERE kind = 'acknowledged'");
  expect(row?.at).toBe(pressedAt + 1_400);
});

test('a press is too early even if a pause turned off its line before the press arrived', async () => {
  await give('SO-1');
  await give('SO-2');
  await station.clock.advance(5_000);
  await link(120);
  await station.press(ONE);
  await station.clock.advance(370);
  // Ben's line has been on the screen for 130 ms.
  await station.press(ONE);
  await station.post(orderPath('SO-2', 'pause/'), { picker: 'Ben' });
  await station.clock.advance(5_000);
  expect(kinds()).toContain('early');
  expect(await fulfilled('SO-2')).toBe(0);
});

test.each<[string, number | undefined]>([
  ['early', undefined],
  ['not early if the clock was set back by an hour since the last line was pressed', -3_600_000],
])("a press 100 ms after another person's line appeared is %s", async (_, jump) => {
  await give('SO-1');
  await give('SO-2');
  await station.clock.advance(5_000);
  await link(120);
  await station.press(ONE);
  // The press arrives after 120 ms, and the device shows Ben's line after 240 ms.
  await station.clock.advance(180);
  if (jump !== undefined) station.clock.jump(jump);
  await station.clock.advance(160);
  await station.press(ONE);
  await station.clock.advance(5_000);
  expect(await fulfilled('SO-2')).toBe(jump === undefined ? 0 : 1);
});

test.each([0, 60])('after a message, a line has no previous line, even %i ms away', async (latency) => {
  await give('SO-1');
  await station.post(`/api/device/${ONE}/`, { line1: 'Break', nonce: 'm', seconds: 1 });
  await give('SO-2');
  await station.clock.advance(5_000);
  await link(latency);
  await station.press(ONE);
  await untilShown('SO-2');
  await station.press(ONE);
  await station.clock.advance(5_000);
  expect(kinds()).not.toContain('early');
  expect(await fulfilled('SO-2')).toBe(1);
});

test('a line that is lit again but never shown is not the previous line a second time', async () => {
  await give('SO-1');
  await station.clock.advance(5_000);
  await station.post(orderPath('SO-1', 'pause/'), { picker: 'Anna' });
  await station.clock.advance(10_000);
  await reach(false);
  await station.post(orderPath('SO-1', 'launch/'), { picker: 'Anna' });
  await station.post(orderPath('SO-1', 'pause/'), { picker: 'Anna' });
  await give('SO-2');
  await reach(true);
  await untilShown('SO-2');
  await station.press(ONE);
  await station.clock.advance(5_000);
  expect(await fulfilled('SO-2')).toBe(1);
});

test('a press made before "It was mine" closed its line is late, even if the line was opened again', async () => {
  const meant = await give('SO-1', 3);
  await addOrder(station, 'SO-3', [anItem({ deviceid: THREE_BUTTONS })]);
  await launch(station, 'SO-3');
  await station.clock.advance(5_000);
  await station.press(THREE_BUTTONS);
  await station.clock.advance(3_000);
  await reach(false);
  await station.press(ONE);
  const [{ id } = { id: 0 }] = await itemsOf(station, 'SO-3');
  await station.post(orderPath('SO-3', `items/${id}/reopen/`), { instead: meant });
  expect(await fulfilled('SO-1')).toBe(3);
  await station.post(orderPath('SO-1', `items/${meant}/reopen/`), { quantity_fulfilled: 0 });
  await reach(true);
  await station.clock.advance(30_000);
  expect(kinds()).toContain('late');
  expect(await fulfilled('SO-1')).toBe(0);
});

test('a quantity confirmed for a replaced command is relative to what that command showed', async () => {
  const id = await give('SO-1', 5);
  await station.clock.advance(5_000);
  const [shown] = (await station.device(ONE)).commands;
  await station.patch(orderPath('SO-1', `items/${id}/`), { quantity_fulfilled: 2 });
  expect((await station.device(ONE)).commands).toMatchObject([{ quantity: 3 }]);
  await station.post(`/api/device/${ONE}/acknowledge/`, { command_id: shown?.command_id, qty: 4 });
  expect(await fulfilled('SO-1')).toBe(4);
});

test('a line that timed out is not current if it is lit again at the same device', async () => {
  await addOrder(station, 'SO-1', [anItem({})], { seconds: 5 });
  await station.post(orderPath('SO-1', 'launch/'), { picker: 'Anna' });
  const [{ id } = { id: 0 }] = await itemsOf(station, 'SO-1');
  await station.request('PUT', '/api/user/current/', { item_id: id, picker: 'Anna' });
  const current = async () =>
    (await station.get<WorkLine[]>('/api/work/?picker=Anna')).map((line) => [line.item_id, line.current]);
  expect(await current()).toEqual([[id, true]]);
  await station.clock.advance(20_000);
  expect(await itemsOf(station, 'SO-1')).toMatchObject([{ state: 'open', timed_out: true }]);
  await station.post(orderPath('SO-1', 'launch/'), { picker: 'Anna' });
  expect(await current()).toEqual([[id, false]]);
});
