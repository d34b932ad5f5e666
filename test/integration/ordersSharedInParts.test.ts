import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { addOrder, anItem, expectCountsRight, orderPath } from '../helpers/orders.ts';
import { COMMANDS, DEVICES, hasTask, restarted, turn, useLargeOrder } from '../helpers/largeOrder.ts';

// Sharing orders of many items: in parts, with other work in between.
const ITEMS = 1_500;
const large = useLargeOrder(ITEMS);

type LitFor = { picker: string | null; color: string; n: number };
const LIT_FOR = `SELECT picker, json_extract(content, '$.color') AS color, count(*) AS n FROM commands
  JOIN items ON items.id = owner_id WHERE owner_kind = 'item' GROUP BY picker, color ORDER BY picker`;

/** The lit lines of each picker, with their color, in the data folder of a killed large.station. */
function litAtKill(folder: string): LitFor[] {
  const db = new Database(join(folder, 'pickstation.sqlite'));
  try {
    return db.prepare<[], LitFor>(LIT_FOR).all();
  } finally {
    db.close();
  }
}

const BLUE = { picker: 'Anna', color: 'blue', n: ITEMS };
const YELLOW = { picker: 'Ben', color: 'yellow', n: ITEMS };
const GREEN = { picker: null, color: 'green', n: ITEMS };
const half = <T extends object>(lines: T) => ({ ...lines, n: ITEMS / 2 });
const ANNA = { picker: 'Anna' };
const BEN = { picker: 'Ben' };

async function addPickers(): Promise<void> {
  for (const username of ['Anna', 'Ben'])
    await large.station.post('/api/users/', { username, password: 'long enough', role: 'picker' });
}

test.each([
  { what: 'a launch for a picker', before: [['launch']], request: ['launch', ANNA], lit: [BLUE] },
  { what: 'a join', before: [['launch', ANNA]], request: ['join', BEN], lit: [half(BLUE), half(YELLOW)] },
  { what: 'a handover', before: [['launch', ANNA]], request: ['handover', BEN], lit: [YELLOW] },
  {
    what: 'a handover that lights',
    before: [
      ['launch', ANNA],
      ['pause', ANNA],
    ],
    request: ['handover', BEN],
    lit: [YELLOW],
  },
  { what: 'a departure', before: [['launch', ANNA]], request: ['leave', ANNA], lit: [GREEN] },
  {
    what: 'a departure in a pause',
    before: [
      ['launch', ANNA],
      ['pause', ANNA],
    ],
    request: ['leave', ANNA],
    lit: [GREEN],
  },
  {
    what: 'a pause',
    before: [
      ['launch', ANNA],
      ['join', BEN],
    ],
    request: ['pause', ANNA],
    lit: [half(YELLOW)],
  },
] as const)('$what of many lines lets presses through, and a restart completes it after a kill', async (change) => {
  const act = ([what, body]: readonly [string, object?]) =>
    large.station.request('POST', orderPath('big', `${what}/`), body ?? {});
  await addPickers();
  for (const each of change.before) expect(await act(each)).toMatchObject({ status: 200 });
  const { killed, answer } = await large.pressDuring(() => act(change.request));
  expect(answer.status).toBe(200);
  expect(litAtKill(killed)).not.toEqual(change.lit);
  const after = await restarted(killed);
  for (const each of [large.station, after]) {
    expect(each.rows(LIT_FOR)).toEqual(change.lit);
    await expectCountsRight(each, 'big');
  }
  await after.stop();
});

test('two people who pause at once are both in the dark, however many lines they have', async () => {
  await addPickers();
  const lines = Array.from({ length: 120 }, (_, index) => anItem({ deviceid: DEVICES[index % 5] }));
  await addOrder(large.station, 'shared', lines);
  const act = (what: string, body: object) => large.station.request('POST', orderPath('shared', `${what}/`), body);
  await act('launch', ANNA);
  await act('join', BEN);
  expect(large.station.rows(COMMANDS)).toHaveLength(120);
  const answers = await Promise.all([act('pause', ANNA), act('pause', BEN)]);
  expect(answers).toMatchObject([{ status: 200 }, { status: 200 }]);
  expect(large.station.rows(COMMANDS)).toEqual([]);
});

test('a pause continues while another picker leaves, however many lines there are', async () => {
  await addPickers();
  const lines = Array.from({ length: 240 }, (_, index) => anItem({ deviceid: DEVICES[index % 5] }));
  await addOrder(large.station, 'shared', lines);
  for (const [what, body] of [
    ['launch', ANNA],
    ['join', BEN],
    ['pause', ANNA],
    ['pause', BEN],
    ['leave', ANNA],
  ] as const)
    await large.station.request('POST', orderPath('shared', `${what}/`), body);
  expect(large.station.rows('SELECT name, is_paused FROM order_pickers')).toEqual([{ name: 'Ben', is_paused: 1 }]);
  expect(large.station.rows(LIT_FOR)).toEqual([{ ...GREEN, n: 120 }]);
});

test('a part of a task that fails is done at the next start', async () => {
  await addPickers();
  await large.station.request('POST', orderPath('big', 'launch/'), ANNA);
  const db = new Database(join(large.station.dataFolder, 'pickstation.sqlite'));
  db.exec(`CREATE TRIGGER fails BEFORE UPDATE OF state ON items WHEN new.id % 500 = 0 AND new.state = 'open'
    BEGIN SELECT RAISE(ABORT, 'no'); END`);
  expect((await large.station.request('POST', orderPath('big', 'pause/'), ANNA)).status).toBe(500);
  db.exec('DROP TRIGGER fails');
  db.close();
  expect(hasTask(large.station)).toBe(true);
  await large.station.restart();
  while (hasTask(large.station)) await turn();
  expect(large.station.rows(COMMANDS)).toEqual([]);
});

test('two people who join while another order is launched both get lines', async () => {
  await addPickers();
  const lines = Array.from({ length: 120 }, (_, index) => anItem({ deviceid: DEVICES[index % 5] }));
  await addOrder(large.station, 'shared', lines);
  const act = (what: string, body: object) => large.station.request('POST', orderPath('shared', `${what}/`), body);
  await act('launch', ANNA);
  const launched = large.send('POST', 'launch/');
  while (!hasTask(large.station)) await turn();
  expect(await Promise.all([act('join', BEN), act('join', { picker: 'admin' })])).toMatchObject([
    { status: 200 },
    { status: 200 },
  ]);
  expect((await launched).status).toBe(200);
  const owners = 'SELECT picker, count(*) AS n FROM items WHERE sku IS NULL GROUP BY picker ORDER BY picker';
  expect(large.station.rows(owners)).toEqual([
    { picker: 'Anna', n: 30 },
    { picker: 'Ben', n: 60 },
    { picker: 'admin', n: 30 },
  ]);
});

test('what a full disk left undone is done before the next request changes the order', async () => {
  await addPickers();
  const act = (what: string, body: object) => large.station.request('POST', orderPath('big', `${what}/`), body);
  await act('launch', ANNA);
  const answered = act('join', BEN);
  while (!hasTask(large.station)) await turn();
  const db = new Database(join(large.station.dataFolder, 'pickstation.sqlite'));
  // From now on each part fails, as on a full disk.
  db.exec("CREATE TRIGGER fails BEFORE UPDATE ON order_tasks BEGIN SELECT RAISE(ABORT, 'no'); END");
  expect((await answered).status).toBeGreaterThanOrEqual(500);
  db.exec('DROP TRIGGER fails');
  db.close();
  expect(hasTask(large.station)).toBe(true);
  expect(await act('join', { picker: 'admin' })).toMatchObject({ status: 200 });
  expect(hasTask(large.station)).toBe(false);
  expect(large.station.rows(LIT_FOR)).toMatchObject([{ color: 'blue' }, { color: 'yellow' }, { color: 'magenta' }]);
});
