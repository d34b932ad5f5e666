import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import type { Order } from '#shared/api/order.ts';
import { addOrder, anItem, expectCountsRight, orderPath } from '../helpers/orders.ts';
import { type TestStation } from '../helpers/startTestStation.ts';
import { COMMANDS, DEVICES, hasTask, restarted, turn, useLargeOrder } from '../helpers/largeOrder.ts';

// Launching, aborting and removing orders of many items: in parts, with other work in between.
const ITEMS = 1_500;
const large = useLargeOrder(ITEMS);

const kinds = (of: TestStation) =>
  of.rows<{ kind: string; n: number }>(
    "SELECT kind, count(*) AS n FROM history WHERE kind LIKE 'order%' OR kind = 'killed' GROUP BY kind ORDER BY kind",
  );

function expectLitOnce(of: TestStation): void {
  const owners = of.rows<{ owner_id: number }>(COMMANDS).map(({ owner_id: id }) => id);
  expect(owners).toHaveLength(ITEMS);
  expect(new Set(owners).size).toBe(ITEMS);
  expect(kinds(of)).toEqual([{ kind: 'order_launched', n: 1 }]);
}

test('launches a large order of which only the last line has a place, and refuses one without any in little time', async () => {
  const lost = Array.from({ length: ITEMS }, (_, index) => anItem({ deviceid: null, SKU: `lost ${index}` }));
  await addOrder(large.station, 'lost', lost);
  expect(await large.station.request('POST', orderPath('lost', 'launch/'))).toMatchObject({ status: 409 });
  expect((await large.station.get<Order>(orderPath('lost'))).launched_time).toBe(null);
  await addOrder(large.station, 'last', [...lost, anItem({ seconds: 0 })]);
  const { status, body } = await large.station.request('POST', orderPath('last', 'launch/'));
  expect(status).toBe(200);
  const { items = [], unassigned } = body as Order;
  expect(unassigned).toHaveLength(ITEMS);
  expect(items.filter(({ state }) => state === 'active').map(({ id }) => id)).toEqual([items.at(-1)?.id]);
  expect(large.station.rows(COMMANDS)).toHaveLength(1);
  await expectCountsRight(large.station, 'last');
});

test('commits a press between two parts of a launch, and a restart completes the launch after a kill', async () => {
  const { killed, lit, answer } = await large.pressDuring(() => large.send('POST', 'launch/'));
  expect(lit).toBeGreaterThan(0);
  expect(lit).toBeLessThan(ITEMS);
  expect(answer.status).toBe(200);
  const { items, state } = answer.body as Order;
  expect(state).toBe('in_progress');
  expect(items?.every((item) => item.state === 'active')).toBe(true);
  expectLitOnce(large.station);
  await expectCountsRight(large.station, 'big');
  const after = await restarted(killed);
  expectLitOnce(after);
  await expectCountsRight(after, 'big');
  await after.stop();
});

test('launches a large order in parts even if all its lines name one device that does not exist', async () => {
  const items = Array.from({ length: ITEMS }, () => anItem({ deviceid: '51D000:00FFFF', name: DEVICES[0] }));
  await addOrder(large.station, 'typo', items);
  const { answer } = await large.pressDuring(() => large.station.request('POST', orderPath('typo', 'launch/')));
  expect(answer.status).toBe(200);
  await expectCountsRight(large.station, 'typo');
});

test('completing a launch after a kill does not light a line again that ended meanwhile', async () => {
  const { killed } = await large.pressDuring(() => large.send('POST', 'launch/'));
  const db = new Database(join(killed, 'pickstation.sqlite'));
  const item = Number(db.prepare('SELECT max(owner_id) FROM commands').pluck().get());
  // As if it had timed out just before the kill.
  db.prepare("DELETE FROM commands WHERE owner_kind = 'item' AND owner_id = ?").run(item);
  db.prepare("UPDATE items SET state = 'open', trouble = 'timed_out' WHERE id = ?").run(item);
  db.close();
  const after = await restarted(killed);
  expect(after.rows("SELECT id FROM items WHERE state <> 'active'")).toEqual([{ id: item }]);
  await after.stop();
});

test('an abort of many lines lets presses through, and a restart completes it after a kill', async () => {
  expect(await large.send('POST', 'launch/')).toMatchObject({ status: 200 });
  const { killed, lit, answer } = await large.pressDuring(() => large.send('POST', 'abort/'));
  expect(lit).toBeGreaterThan(0);
  expect(answer).toMatchObject({ status: 200, body: { state: 'aborted' } });
  const after = await restarted(killed);
  for (const each of [large.station, after]) {
    expect(each.rows(COMMANDS)).toEqual([]);
    expect(each.rows("SELECT id FROM items WHERE state <> 'cancelled'")).toEqual([]);
    expect(kinds(each)).toEqual([
      { kind: 'killed', n: ITEMS },
      { kind: 'order_aborted', n: 1 },
      { kind: 'order_launched', n: 1 },
    ]);
    await expectCountsRight(each, 'big');
  }
  await after.stop();
});

test('an abort takes the lines with it that are opened again meanwhile, however many they are', async () => {
  const { body } = await large.send('POST', 'launch/');
  const over = ((body as Order).items ?? []).slice(0, 60);
  const [reason] = (await large.station.get<{ short_reasons: string[] }>('/api/settings/')).short_reasons;
  const short = await Promise.all(over.map(({ id }) => large.send('POST', `items/${id}/short/`, { reason })));
  const aborting = large.send('POST', 'abort/');
  while (!hasTask(large.station)) await turn();
  const opened = await Promise.all(over.map(({ id }) => large.send('POST', `items/${id}/reopen/`, {})));
  expect(hasTask(large.station)).toBe(true);
  expect([...short, ...opened].map(({ status }) => status)).toEqual(Array.from({ length: 120 }, () => 200));
  expect(await aborting).toMatchObject({ status: 200, body: { state: 'aborted' } });
  expect(hasTask(large.station)).toBe(false);
  expect(large.station.rows("SELECT id FROM items WHERE state <> 'cancelled'")).toEqual([]);
  await expectCountsRight(large.station, 'big');
});

test('a removal of many lines lets presses through, and a restart completes it after a kill', async () => {
  expect(await large.send('POST', 'launch/')).toMatchObject({ status: 200 });
  const { killed, answer } = await large.pressDuring(() => large.send('DELETE'));
  expect(answer.status).toBe(204);
  const after = await restarted(killed);
  for (const each of [large.station, after]) {
    expect(each.rows(COMMANDS)).toEqual([]);
    expect(each.rows('SELECT id FROM items')).toEqual([]);
    expect((await each.request('GET', orderPath('big'))).status).toBe(404);
    expect(kinds(each)).toEqual([
      { kind: 'killed', n: ITEMS },
      { kind: 'order_launched', n: 1 },
      { kind: 'order_removed', n: 1 },
    ]);
  }
  await after.stop();
});
