import { cpSync, mkdtempSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Order } from '#shared/api/order.ts';
import type { WorkLine } from '#shared/api/picking.ts';
import { createRepositories } from '../../electron/server/db/repositories.ts';
import { readMeaning } from '../../electron/server/services/picking/scan.ts';
import { listWork } from '../../electron/server/services/picking/work.ts';
import { shopFolder } from '../helpers/shopFolder.ts';
import { addOrder, anItem, expectCountsRight, ONE, orderPath } from '../helpers/orders.ts';
import { API_KEY, startTestStation, type Answer, type TestStation } from '../helpers/startTestStation.ts';

// Launching, aborting and removing orders of many items: in parts, with presses in between, and kills at any time.
const ITEMS = 1_500;
const DEVICES = Array.from({ length: 5 }, (_, index) => `51D000:00000${index + 2}`);
const COMMANDS = "SELECT owner_id FROM commands WHERE owner_kind = 'item'";

let station: TestStation;

beforeEach(async () => {
  station = await startTestStation({ simulate: 6, refreshMs: 0 });
  await station.clock.advance(5_000);
  await station.patch('/api/settings/', { callback_url: 'http://127.0.0.1:1/' });
  await addOrder(
    station,
    'big',
    Array.from({ length: ITEMS }, (_, index) => anItem({ SKU: 'CT-200', deviceid: DEVICES[index % 5] })),
    { seconds: 0 },
  );
});

afterEach(() => station.stop());

const send = (method: string, rest = '', body?: object): Promise<Answer> =>
  station.request(method, orderPath('big', rest), body);
const turn = () => new Promise((resolve) => setImmediate(resolve));
const hasTask = (of: TestStation) => of.rows('SELECT * FROM order_tasks').length > 0;
const callbacks = (of: TestStation) => of.rows("SELECT id FROM outbox WHERE payload LIKE '%press%'").length;
const kinds = (of: TestStation) =>
  of.rows<{ kind: string; n: number }>(
    "SELECT kind, count(*) AS n FROM history WHERE kind LIKE 'order%' OR kind = 'killed' GROUP BY kind ORDER BY kind",
  );

/**
 * A worker presses while the request is carried out. Returns the answer, and the data folder as a kill at that moment
 * would leave it.
 */
async function pressDuring(request: () => Promise<Answer>): Promise<{ killed: string; lit: number; answer: Answer }> {
  await station.post(`/api/device/${ONE}/`, { command: 'flash', nonce: 'press', seconds: 0 });
  await station.clock.advance(5_000);
  const over = new AbortController();
  const answered = request().finally(() => over.abort());
  while (!hasTask(station)) await turn();
  const pressed = station.press(ONE);
  while (callbacks(station) === 0) await turn();
  expect(over.signal.aborted).toBe(false);
  expect(hasTask(station)).toBe(true);
  const lit = station.rows(COMMANDS).length;
  const killed = copyOf(station.dataFolder);
  const answer = await answered;
  await pressed;
  expect(callbacks(station)).toBe(1);
  return { killed, lit, answer };
}

/** A data folder as a kill at this moment would leave it. */
function copyOf(dataFolder: string): string {
  const killed = mkdtempSync(join(tmpdir(), 'pickstation-test-'));
  cpSync(dataFolder, killed, { recursive: true });
  return killed;
}

/** A station started on this folder, once it has finished the tasks that were begun. */
async function restarted(dataFolder: string): Promise<TestStation> {
  const after = await startTestStation({ dataFolder });
  while (hasTask(after)) await turn();
  expect(callbacks(after)).toBe(1);
  return after;
}

function expectLitOnce(of: TestStation): void {
  const owners = of.rows<{ owner_id: number }>(COMMANDS).map(({ owner_id: id }) => id);
  expect(owners).toHaveLength(ITEMS);
  expect(new Set(owners).size).toBe(ITEMS);
  expect(kinds(of)).toEqual([{ kind: 'order_launched', n: 1 }]);
}

const NEXT_ITEMS = 10_000;
const addNext = (): Promise<Answer> =>
  station.request('POST', '/api/orders/', {
    order_number: 'next',
    items: Array.from({ length: NEXT_ITEMS }, () => anItem({ deviceid: DEVICES[0], SKU: 'only in the next order' })),
  });
const itemsOfNext = (of: TestStation) => of.rows("SELECT id FROM items WHERE sku = 'only in the next order'").length;

test('commits a press while a large order is created, and a restart after a kill removes the part that was written', async () => {
  const { killed, answer } = await pressDuring(addNext);
  expect(answer.status).toBe(201);
  expect((answer.body as Order).items).toHaveLength(NEXT_ITEMS);
  expect(hasTask(station)).toBe(false);
  await expectCountsRight(station, 'next');
  const after = await restarted(killed);
  expect(itemsOfNext(after)).toBe(0);
  expect(await after.get<Order[]>('/api/orders/')).toMatchObject([{ order_number: 'big' }]);
  expect(kinds(after)).toEqual([]);
  await after.stop();
});

test('commits a press while a file with a large order is imported, and a restart after a kill knows no import', async () => {
  const rows = Array.from({ length: NEXT_ITEMS }, () => 'next,only in the next order,2');
  const csv = ['order_number,SKU,ordered_quantity', ...rows].join('\n');
  const { killed, answer } = await pressDuring(() => station.request('POST', '/api/order-import/', { csv }));
  expect(answer).toMatchObject({ status: 200, body: { counts: { orders: 1, new: NEXT_ITEMS } } });
  await expectCountsRight(station, 'next');
  const after = await restarted(killed);
  expect(itemsOfNext(after)).toBe(0);
  expect((await after.request('GET', '/api/order-import/')).status).toBe(404);
  await after.stop();
});

test('a file of the inbox with a large order lets other requests through, and a restart after a kill imports the rest', async () => {
  using shop = shopFolder();
  await station.patch('/api/settings/', { inbox_folder: shop.path });
  const rows = Array.from({ length: NEXT_ITEMS }, () => 'next,only in the next order,2');
  const csv = ['order_number,SKU,ordered_quantity', 'first,CT-200,1', ...rows, 'last,CT-200,1'].join('\n');
  writeFileSync(join(shop.path, 'orders.csv'), csv);
  const imported = station.clock.advance(30_000);
  while (!hasTask(station)) await turn();
  expect(await station.request('POST', `/api/device/${ONE}/`, { statica: 'Still here' })).toMatchObject({
    status: 200,
  });
  expect(hasTask(station)).toBe(true);
  const killed = copyOf(station.dataFolder);
  await imported;
  expect(shop.names('done')).toContain('orders.csv.result.csv');
  for (const number of ['first', 'next', 'last']) await expectCountsRight(station, number);
  expect(itemsOfNext(station)).toBe(NEXT_ITEMS);
  await station.stop();
  renameSync(join(shop.path, 'done', 'orders.csv'), join(shop.path, 'orders.csv'));
  station = await startTestStation({ dataFolder: killed });
  const numbers = () =>
    station.rows<{ n: string }>('SELECT order_number AS n FROM orders ORDER BY id').map(({ n }) => n);
  expect(numbers().slice(0, 2)).toEqual(['big', 'first']);
  await station.clock.advance(30_000);
  expect(numbers()).toEqual(['big', 'first', 'next', 'last']);
  expect(itemsOfNext(station)).toBe(NEXT_ITEMS);
});

test('nobody sees a large order before it is whole', async () => {
  const adding = addNext();
  while (!hasTask(station)) await turn();
  // The parts that are written now are committed with this. An order that is created later keeps its devices as sent.
  const [from] = DEVICES;
  expect((await station.request('POST', `/api/device/${from}/replace/`, { deviceid: ONE })).status).toBe(200);
  expect(itemsOfNext(station)).toBeGreaterThan(0);
  const [listed, aborted, next, found] = await Promise.all([
    station.request('GET', '/api/order-progress/'),
    station.request('GET', '/api/order-progress/?state=aborted'),
    station.request('GET', '/api/work/next/'),
    station.request('GET', '/api/find/?q=only'),
  ]);
  expect(hasTask(station)).toBe(true);
  expect(listed.body).toMatchObject([{ order_number: 'big' }]);
  expect(aborted.body).toEqual([]);
  expect(next.body).toMatchObject({ order: { order_number: 'big' }, waiting: 1 });
  expect(found).toMatchObject({ status: 200, body: [] });
  expect((await adding).status).toBe(201);
  const { items = [] } = await station.get<Order>(orderPath('next'));
  expect(items.map(({ deviceid }) => deviceid)).toEqual(items.map(() => from));
});

test('refuses a large order whose number was given to another meanwhile, and keeps no part of it', async () => {
  const adding = addNext();
  while (!hasTask(station)) await turn();
  await station.request('POST', '/api/order-import/', { csv: 'order_number,SKU,ordered_quantity\nnext,CT-1,1\n' });
  expect(hasTask(station)).toBe(true);
  expect(await adding).toMatchObject({ status: 409, body: { errors: [{ path: '/order_number' }] } });
  expect(itemsOfNext(station)).toBe(0);
  expect(hasTask(station)).toBe(false);
  expect((await station.get<Order>(orderPath('next'))).items).toHaveLength(1);
  expect(await addNext()).toMatchObject({ status: 409 });
});

test('removes what a full disk left of a large order before it creates another', async () => {
  const db = new Database(join(station.dataFolder, 'pickstation.sqlite'));
  db.exec(`INSERT INTO orders (order_number, token, has_items, created_at, state, is_told, item_count, done_count, short_count,
      active_count, unassigned_count, ordered_quantity, quantity_fulfilled) VALUES ('', 'x', 1, 1, 'aborted', 0, 0, 0, 0, 0, 0, 0, 0);
    INSERT INTO order_tasks (order_id, kind, asked_by, done_to) SELECT id, 'remove', '', 0 FROM orders WHERE order_number = ''`);
  // No caller reaches it.
  expect(createRepositories(db).orders.findByNumber('')).toBe(undefined);
  db.close();
  expect((await addNext()).status).toBe(201);
  expect(station.rows('SELECT order_number FROM orders ORDER BY id')).toEqual([
    { order_number: 'big' },
    { order_number: 'next' },
  ]);
});

test('launches a large order of which only the last line has a place, and refuses one without any in little time', async () => {
  const lost = Array.from({ length: ITEMS }, (_, index) => anItem({ deviceid: null, SKU: `lost ${index}` }));
  await addOrder(station, 'lost', lost);
  expect(await station.request('POST', orderPath('lost', 'launch/'))).toMatchObject({ status: 409 });
  expect((await station.get<Order>(orderPath('lost'))).launched_time).toBe(null);
  await addOrder(station, 'last', [...lost, anItem({ seconds: 0 })]);
  const { status, body } = await station.request('POST', orderPath('last', 'launch/'));
  expect(status).toBe(200);
  const { items = [], unassigned } = body as Order;
  expect(unassigned).toHaveLength(ITEMS);
  expect(items.filter(({ state }) => state === 'active').map(({ id }) => id)).toEqual([items.at(-1)?.id]);
  expect(station.rows(COMMANDS)).toHaveLength(1);
  await expectCountsRight(station, 'last');
});

test('commits a press between two parts of a launch, and a restart completes the launch after a kill', async () => {
  const { killed, lit, answer } = await pressDuring(() => send('POST', 'launch/'));
  expect(lit).toBeGreaterThan(0);
  expect(lit).toBeLessThan(ITEMS);
  expect(answer.status).toBe(200);
  const { items, state } = answer.body as Order;
  expect(state).toBe('in_progress');
  expect(items?.every((item) => item.state === 'active')).toBe(true);
  expectLitOnce(station);
  await expectCountsRight(station, 'big');
  const after = await restarted(killed);
  expectLitOnce(after);
  await expectCountsRight(after, 'big');
  await after.stop();
});

test('launches a large order in parts even if all its lines name one device that does not exist', async () => {
  const items = Array.from({ length: ITEMS }, () => anItem({ deviceid: '51D000:00FFFF', name: DEVICES[0] }));
  await addOrder(station, 'typo', items);
  const { answer } = await pressDuring(() => station.request('POST', orderPath('typo', 'launch/')));
  expect(answer.status).toBe(200);
  await expectCountsRight(station, 'typo');
});

test('completing a launch after a kill does not light a line again that ended meanwhile', async () => {
  const { killed } = await pressDuring(() => send('POST', 'launch/'));
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
  expect(await send('POST', 'launch/')).toMatchObject({ status: 200 });
  const { killed, lit, answer } = await pressDuring(() => send('POST', 'abort/'));
  expect(lit).toBeGreaterThan(0);
  expect(answer).toMatchObject({ status: 200, body: { state: 'aborted' } });
  const after = await restarted(killed);
  for (const each of [station, after]) {
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
  const { body } = await send('POST', 'launch/');
  const over = ((body as Order).items ?? []).slice(0, 60);
  const [reason] = (await station.get<{ short_reasons: string[] }>('/api/settings/')).short_reasons;
  const short = await Promise.all(over.map(({ id }) => send('POST', `items/${id}/short/`, { reason })));
  const aborting = send('POST', 'abort/');
  while (!hasTask(station)) await turn();
  const opened = await Promise.all(over.map(({ id }) => send('POST', `items/${id}/reopen/`, {})));
  expect(hasTask(station)).toBe(true);
  expect([...short, ...opened].map(({ status }) => status)).toEqual(Array.from({ length: 120 }, () => 200));
  expect(await aborting).toMatchObject({ status: 200, body: { state: 'aborted' } });
  expect(hasTask(station)).toBe(false);
  expect(station.rows("SELECT id FROM items WHERE state <> 'cancelled'")).toEqual([]);
  await expectCountsRight(station, 'big');
});

test('a removal of many lines lets presses through, and a restart completes it after a kill', async () => {
  expect(await send('POST', 'launch/')).toMatchObject({ status: 200 });
  const { killed, answer } = await pressDuring(() => send('DELETE'));
  expect(answer.status).toBe(204);
  const after = await restarted(killed);
  for (const each of [station, after]) {
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

type LitFor = { picker: string | null; color: string; n: number };
const LIT_FOR = `SELECT picker, json_extract(content, '$.color') AS color, count(*) AS n FROM commands
  JOIN items ON items.id = owner_id WHERE owner_kind = 'item' GROUP BY picker, color ORDER BY picker`;

/** The lit lines of each picker, with their color, in the data folder of a killed station. */
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
    await station.post('/api/users/', { username, password: 'long enough', role: 'picker' });
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
    station.request('POST', orderPath('big', `${what}/`), body ?? {});
  await addPickers();
  for (const each of change.before) expect(await act(each)).toMatchObject({ status: 200 });
  const { killed, answer } = await pressDuring(() => act(change.request));
  expect(answer.status).toBe(200);
  expect(litAtKill(killed)).not.toEqual(change.lit);
  const after = await restarted(killed);
  for (const each of [station, after]) {
    expect(each.rows(LIT_FOR)).toEqual(change.lit);
    await expectCountsRight(each, 'big');
  }
  await after.stop();
});

test('two people who pause at once are both in the dark, however many lines they have', async () => {
  await addPickers();
  const lines = Array.from({ length: 120 }, (_, index) => anItem({ deviceid: DEVICES[index % 5] }));
  await addOrder(station, 'shared', lines);
  const act = (what: string, body: object) => station.request('POST', orderPath('shared', `${what}/`), body);
  await act('launch', ANNA);
  await act('join', BEN);
  expect(station.rows(COMMANDS)).toHaveLength(120);
  const answers = await Promise.all([act('pause', ANNA), act('pause', BEN)]);
  expect(answers).toMatchObject([{ status: 200 }, { status: 200 }]);
  expect(station.rows(COMMANDS)).toEqual([]);
});

test('a pause continues while another picker leaves, however many lines there are', async () => {
  await addPickers();
  const lines = Array.from({ length: 240 }, (_, index) => anItem({ deviceid: DEVICES[index % 5] }));
  await addOrder(station, 'shared', lines);
  for (const [what, body] of [
    ['launch', ANNA],
    ['join', BEN],
    ['pause', ANNA],
    ['pause', BEN],
    ['leave', ANNA],
  ] as const)
    await station.request('POST', orderPath('shared', `${what}/`), body);
  expect(station.rows('SELECT name, is_paused FROM order_pickers')).toEqual([{ name: 'Ben', is_paused: 1 }]);
  expect(station.rows(LIT_FOR)).toEqual([{ ...GREEN, n: 120 }]);
});

test('a part of a task that fails is done at the next start', async () => {
  await addPickers();
  await station.request('POST', orderPath('big', 'launch/'), ANNA);
  const db = new Database(join(station.dataFolder, 'pickstation.sqlite'));
  db.exec(`CREATE TRIGGER fails BEFORE UPDATE OF state ON items WHEN new.id % 500 = 0 AND new.state = 'open'
    BEGIN SELECT RAISE(ABORT, 'no'); END`);
  expect((await station.request('POST', orderPath('big', 'pause/'), ANNA)).status).toBe(500);
  db.exec('DROP TRIGGER fails');
  db.close();
  expect(hasTask(station)).toBe(true);
  await station.restart();
  while (hasTask(station)) await turn();
  expect(station.rows(COMMANDS)).toEqual([]);
});

test('two people who join while another order is launched both get lines', async () => {
  await addPickers();
  const lines = Array.from({ length: 120 }, (_, index) => anItem({ deviceid: DEVICES[index % 5] }));
  await addOrder(station, 'shared', lines);
  const act = (what: string, body: object) => station.request('POST', orderPath('shared', `${what}/`), body);
  await act('launch', ANNA);
  const launched = send('POST', 'launch/');
  while (!hasTask(station)) await turn();
  expect(await Promise.all([act('join', BEN), act('join', { picker: 'admin' })])).toMatchObject([
    { status: 200 },
    { status: 200 },
  ]);
  expect((await launched).status).toBe(200);
  const owners = 'SELECT picker, count(*) AS n FROM items WHERE sku IS NULL GROUP BY picker ORDER BY picker';
  expect(station.rows(owners)).toEqual([
    { picker: 'Anna', n: 30 },
    { picker: 'Ben', n: 60 },
    { picker: 'admin', n: 30 },
  ]);
});

test('what a full disk left undone is done before the next request changes the order', async () => {
  await addPickers();
  const act = (what: string, body: object) => station.request('POST', orderPath('big', `${what}/`), body);
  await act('launch', ANNA);
  const answered = act('join', BEN);
  while (!hasTask(station)) await turn();
  const db = new Database(join(station.dataFolder, 'pickstation.sqlite'));
  // From now on, as if the disk were full.
  db.exec('BEGIN IMMEDIATE');
  expect((await answered).status).toBeGreaterThanOrEqual(500);
  db.exec('ROLLBACK');
  db.close();
  expect(hasTask(station)).toBe(true);
  expect(await act('join', { picker: 'admin' })).toMatchObject({ status: 200 });
  expect(hasTask(station)).toBe(false);
  expect(station.rows(LIT_FOR)).toMatchObject([{ color: 'blue' }, { color: 'yellow' }, { color: 'magenta' }]);
});

test('lists the lines of each device in the order of its queue', async () => {
  await send('POST', 'launch/');
  for (const order of ['', '?order=big']) {
    const lines = await station.get<WorkLine[]>(`/api/work/${order}`);
    for (const id of DEVICES) {
      const queue = station.rows<{ id: number }>('SELECT id FROM commands WHERE device_id = ? ORDER BY position', id);
      expect(lines.filter(({ deviceid }) => deviceid === id).map(({ command_id: command }) => Number(command))).toEqual(
        queue.map((row) => row.id),
      );
    }
  }
});

/** The tables as they are on disk, with how many items and commands were read one by one, and pages of them. */
function countedTables() {
  const db = new Database(join(station.dataFolder, 'pickstation.sqlite'), { readonly: true });
  const tables = createRepositories(db);
  const reads = { items: 0, labels: 0 };
  const counted =
    <Args extends unknown[], Result>(what: keyof typeof reads, read: (...args: Args) => Result) =>
    (...args: Args): Result => {
      const result = read(...args);
      reads[what] += Array.isArray(result) ? result.length : 1;
      return result;
    };
  const { orders, devices } = tables;
  orders.findItem = counted('items', orders.findItem);
  orders.listItems = counted('items', orders.listItems);
  orders.listItemsAfter = counted('items', orders.listItemsAfter);
  devices.listByLabel = counted('labels', devices.listByLabel);
  return { tables, reads, close: () => db.close() };
}

test('lists lit work a hundred lines at a time, and looks for other places of an article once', async () => {
  await station.post(`/api/device/${ONE}/`, { locationoverride: 'CT-200' });
  expect(await send('POST', 'launch/')).toMatchObject({ status: 200 });
  for (const order of [undefined, 'big']) {
    const { tables, reads, close } = countedTables();
    const work = listWork(tables, { order });
    let most = 0;
    let lines: WorkLine[] = [];
    for (let part = work.next(); ; part = work.next()) {
      most = Math.max(most, reads.items);
      reads.items = 0;
      if (part.done !== true) continue;
      lines = part.value;
      break;
    }
    expect(most).toBe(100);
    expect(lines).toHaveLength(ITEMS);
    expect(lines.every(({ elsewhere: [other] }) => other?.deviceid === ONE)).toBe(true);
    expect(reads.labels).toBe(1);
    close();
  }
});

test('a scan reads only the lines that its code may mean, in any case and with any letters', async () => {
  const articles = ['Überzug', ...Array.from({ length: 500 }, (_, index) => `S-${index}`)];
  await addOrder(
    station,
    'mixed',
    articles.map((SKU, index) => anItem({ SKU, deviceid: DEVICES[index % 5] })),
  );
  await station.post(orderPath('mixed', 'launch/'));
  const { tables, reads, close } = countedTables();
  const codes = [
    ['S-77', 'lit'],
    ['s-77', 'lit'],
    ['ÜBERZUG', 'lit'],
    ['U\u0308berzug', 'lit'],
    ['CT-200', 'wrong_item'],
    [ONE, 'wrong_place'],
  ] as const;
  for (const [code, result] of codes) {
    const ask = { code, order_number: 'mixed', picker: 'Anna', scanRequired: false };
    expect(readMeaning(tables, ask).answer.result, code).toBe(result);
    if (result === 'lit') {
      expect(readMeaning(tables, { ...ask, order_number: undefined }).answer.result, code).toBe(result);
    }
  }
  expect(reads.items).toBe(8);
  close();
});

test.each([
  ['a large order is read', orderPath('big')],
  ['a large order is listed', '/api/orders/'],
  ['much lit work is listed', '/api/work/'],
  ['the lit work of a large order is listed', '/api/work/?order=big'],
])('answers small requests while %s', async (_what, path) => {
  expect(await send('POST', 'launch/')).toMatchObject({ status: 200 });
  const over = new AbortController();
  const headers = { 'api-key': API_KEY };
  const asked = fetch(new URL(path, station.url), { headers })
    .then((sent) => sent.json() as Promise<Order | object[]>)
    .finally(() => over.abort());
  let small = 0;
  while (!over.signal.aborted) {
    await (await fetch(new URL('/healthz', station.url))).text();
    small += 1;
  }
  expect(small).toBeGreaterThan(5);
  const answer = await asked;
  const found = Array.isArray(answer) ? answer : [answer];
  const [order] = found as Order[];
  expect(order?.items ?? found).toHaveLength(ITEMS);
  if (order?.items !== undefined) expect(order.shipments[0]?.items).toEqual(order.items);
});
