import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDatabase, type OpenDatabase } from '../../../electron/server/db/database.ts';
import { createRepositories, type Repositories } from '../../../electron/server/db/repositories.ts';
import { createWriter, type Writer } from '../../../electron/server/db/writer.ts';
import type { Log } from '../../../electron/server/ports.ts';
import {
  createBrokerQueue,
  type BrokerQueue,
  type PublishCallback,
  type Published,
} from '../../../electron/server/services/callbacks/brokerQueue.ts';
import { createFakeClock, type FakeClock } from '../../helpers/fakeClock.ts';
import { seededIds } from '../../helpers/seeded.ts';
import { START_MS } from '../../helpers/startTestStation.ts';

const SILENT: Log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const TAKEN: Published = { url: 't', error: null };
const REFUSED: Published = { url: 't', error: 'No right.' };

let folder: string;
let database: OpenDatabase;
let repositories: Repositories;
let writer: Writer;
let clock: FakeClock;
let queue: BrokerQueue;
/** `published` lists payloads in publication order. `reply` returns the broker's answer. */
let published: string[];
let reply: (name: string) => Published | Promise<Published> | 'never';
let most: number;
/** Pages of waiting callbacks: how many were read in total and in this turn of the event loop, and the maximum in one turn. */
let pages: { read: number; inTurn: number; most: number };
/** The kind of operation whose next call fails once. */
let failing: 'page' | 'callback' | 'record' | undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pickstation-broker-'));
  database = openDatabase(folder);
  repositories = createRepositories(database.writer);
  clock = createFakeClock(START_MS);
  writer = createWriter({
    db: database.writer,
    clock,
    log: SILENT,
    soonMs: 0,
    revisionFloor: 0,
    publish: () => undefined,
    watchClock: () => undefined,
  });
  queue = createBrokerQueue({
    repositories,
    reads: watchedReads(createRepositories(database.reader)),
    writer: { ...writer, writeSoon: (useCase) => writer.writeSoon((tx) => (failOnce('record'), useCase(tx))) },
    clock,
    time: { ranMs: () => 0, forwardAt: clock.now, keep: () => undefined },
    ids: seededIds(1),
    log: SILENT,
    receiver: { attempted: () => undefined },
    changed: () => undefined,
  });
  clock.whenIdle(() => writer.idle());
  published = [];
  reply = () => TAKEN;
  most = 0;
  pages = { read: 0, inTurn: 0, most: 0 };
  failing = undefined;
});

afterEach(() => {
  queue.stop();
  writer.stop();
  database.close();
  rmSync(folder, { recursive: true, force: true });
});

function failOnce(what: typeof failing): void {
  if (failing !== what) return;
  failing = undefined;
  throw new Error('The disk is broken.');
}

function watchedReads({ outbox, callbackReceivers }: Repositories) {
  const mqtt = outbox.of('mqtt');
  const listWaiting: typeof mqtt.listWaiting = (after, limit) => {
    failOnce('page');
    pages.read += 1;
    pages.inTurn += 1;
    pages.most = Math.max(pages.most, pages.inTurn);
    setImmediate(() => (pages.inTurn = 0));
    return mqtt.listWaiting(after, limit);
  };
  const find: typeof outbox.find = (id) => (failOnce('callback'), outbox.find(id));
  return { callbackReceivers, outbox: { ...outbox, find, of: () => ({ ...mqtt, listWaiting }) } };
}

/** Queues callbacks `A1`, `A2`, `B1`, and so on for the devices A, B, and so on. Names such as `-1` belong to no device. */
async function owe(...names: string[]): Promise<number[]> {
  return writer.write(() =>
    names.map((name) =>
      repositories.outbox.insert({
        receiver: 'mqtt',
        webhookNumber: null,
        runMark: 'run',
        historyId: null,
        family: 'device',
        payload: JSON.stringify(name.startsWith('-') ? { name } : { name, deviceid: name[0] }),
        revision: 1,
        eventAt: 0,
        picked: 0,
        createdAt: START_MS,
        ranMs: 0,
        forwardAt: START_MS,
        address: '',
      }),
    ),
  );
}

const underWay = new Set<string>();

function connect(): PublishCallback {
  const publish: PublishCallback = async ({ payload }) => {
    const { name } = JSON.parse(payload) as { name: string };
    published.push(name);
    underWay.add(name);
    most = Math.max(most, [...underWay].filter((each) => each[0] === name[0]).length);
    const answer = reply(name);
    if (answer === 'never') return new Promise(() => undefined);
    await new Promise((resolve) => void setImmediate(resolve));
    const given = await answer;
    underWay.delete(name);
    return given;
  };
  queue.connected(publish);
  return publish;
}

const states = () =>
  Object.fromEntries(
    database.reader
      .prepare<[], { name: string; state: string }>("SELECT payload ->> '$.name' AS name, state FROM outbox")
      .all()
      .map(({ name, state }) => [name, state]),
  );

/** Runs everything that is not waiting for the clock. */
const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn += 1) await clock.advance(0);
};

test('publishes queued callbacks oldest first, one at a time per device', async () => {
  await owe('A1', 'A2', 'B1', 'A3', '-1', '-2', 'B2');
  connect();
  await settle();
  expect(published.filter((name) => name.startsWith('A'))).toEqual(['A1', 'A2', 'A3']);
  expect(published.filter((name) => name.startsWith('B'))).toEqual(['B1', 'B2']);
  expect(most).toBeLessThanOrEqual(2);
  expect(new Set(Object.values(states()))).toEqual(new Set(['delivered']));
});

test('a refused callback holds up only the callbacks of its device, even beyond one page, until it is accepted', async () => {
  const many = Array.from({ length: 1_200 }, (_, number) => (number % 2 === 0 ? `A${number}` : `B${number}`));
  await owe(...many);
  reply = (name) => (name === 'A0' ? REFUSED : TAKEN);
  connect();
  await settle();
  expect(published.filter((name) => name.startsWith('A'))).toEqual(['A0']);
  expect(published.filter((name) => name.startsWith('B'))).toEqual(many.filter((name) => name.startsWith('B')));
  const [late = 0] = await owe('A9999');
  const row = repositories.outbox.find(late);
  if (row !== undefined) queue.offer(row, 'A');
  await settle();
  expect(published.filter((name) => name.startsWith('A'))).toEqual(['A0']);
  reply = () => TAKEN;
  published = [];
  await clock.advance(10_000);
  await settle();
  expect(published).toEqual([...many.filter((name) => name.startsWith('A')), 'A9999']);
});

test("callbacks waiting on a page are published even if another device's refused callback is accepted in the meantime", async () => {
  await owe('A1', 'A2', 'A3', 'A4', 'B1');
  const { promise, resolve } = Promise.withResolvers<Published>();
  reply = (name) => (name === 'B1' ? REFUSED : name === 'A2' ? promise : TAKEN);
  connect();
  await settle();
  expect(published).toEqual(['A1', 'B1', 'A2']);
  reply = () => TAKEN;
  await clock.advance(10_000);
  await settle();
  resolve(TAKEN);
  await settle();
  expect(published).toEqual(['A1', 'B1', 'A2', 'B1', 'A3', 'A4']);
  expect(new Set(Object.values(states()))).toEqual(new Set(['delivered']));
});

test('reads the callbacks behind a refused one page by page, and does not reread them for a retry', async () => {
  await owe(...Array.from({ length: 2_000 }, (_, number) => `A${number}`), 'B1');
  reply = (name) => (name.startsWith('A') ? REFUSED : TAKEN);
  connect();
  await settle();
  expect(published).toEqual(['A0', 'B1']);
  expect(pages).toMatchObject({ read: 4, most: 1 });
  await clock.advance(10_000);
  await clock.advance(60_000);
  expect(published).toEqual(['A0', 'B1', 'A0', 'A0']);
  expect(pages.read).toBe(4);
  reply = () => TAKEN;
  queue.sendWaiting();
  await settle();
  expect(published.slice(4)).toEqual(Array.from({ length: 2_000 }, (_, number) => `A${number}`));
  expect(pages.most).toBe(1);
});

test('after a connection is lost during a retry, the next connection repeats the retry before later callbacks', async () => {
  await owe('A1', 'A2');
  reply = () => REFUSED;
  connect();
  await settle();
  reply = () => 'never';
  await clock.advance(10_000);
  queue.disconnected();
  underWay.clear();
  reply = () => TAKEN;
  connect();
  await settle();
  expect(published).toEqual(['A1', 'A1', 'A1', 'A2']);
});

test.each(['page', 'callback'] as const)(
  'if reading a %s fails, reads it again later and keeps the order',
  async (what) => {
    await owe('A1', 'A2');
    failing = what;
    connect();
    await settle();
    expect(published).toEqual([]);
    await clock.advance(5_000);
    await settle();
    expect(published).toEqual(['A1', 'A2']);
  },
);

test('if the result of an accepted callback cannot be stored, resends the callback after the one in flight', async () => {
  await owe('A1', 'A2');
  failing = 'record';
  const { promise, resolve } = Promise.withResolvers<Published>();
  reply = (name) => (name === 'A2' ? promise : TAKEN);
  connect();
  await settle();
  await clock.advance(5_000);
  expect(published).toEqual(['A1', 'A2']);
  resolve(TAKEN);
  await settle();
  expect(published).toEqual(['A1', 'A2', 'A1']);
  expect(new Set(Object.values(states()))).toEqual(new Set(['delivered']));
});

test('a lost connection does not count as an attempt, and the next connection publishes unacknowledged callbacks in order', async () => {
  await owe('A1', 'A2');
  reply = () => 'never';
  connect();
  await settle();
  expect(published).toEqual(['A1']);
  queue.disconnected();
  await owe('A3');
  reply = () => TAKEN;
  underWay.clear();
  published = [];
  connect();
  await settle();
  expect(published).toEqual(['A1', 'A2', 'A3']);
  expect(database.reader.prepare('SELECT attempts FROM outbox').pluck().all()).toEqual([1, 1, 1]);
});

test('a callback that is refused for too long is dead, and the next callback for its device is sent', async () => {
  await owe('A1', 'A2');
  reply = (name) => (name === 'A1' ? REFUSED : TAKEN);
  database.writer.exec("UPDATE outbox SET attempts = 20, since_ran_ms = -400000000 WHERE payload LIKE '%A1%'");
  connect();
  await settle();
  expect(states()).toEqual({ A1: 'dead', A2: 'delivered' });
  expect(published).toEqual(['A1', 'A2']);
});

test('publishes a replayed callback again, and "send now" does not wait for the next attempt', async () => {
  const [first = 0] = await owe('A1', 'A2');
  reply = (name) => (name === 'A1' ? REFUSED : TAKEN);
  connect();
  await settle();
  reply = () => TAKEN;
  expect(queue.sendWaiting()).toBe(2);
  await settle();
  expect(published).toEqual(['A1', 'A1', 'A2']);
  await writer.write(() => repositories.outbox.replay(first, { ranMs: 0, forwardAt: START_MS }));
  queue.replayed([first]);
  await settle();
  expect(published.slice(3)).toEqual(['A1']);
});

test.each(['is under way', 'was refused, and is not recorded yet'])(
  'a replayed callback follows a later callback of its device that %s',
  async (how) => {
    const [first = 0] = await owe('A1', 'A2', 'B1');
    const { promise, resolve } = Promise.withResolvers<Published>();
    reply = (name) => (name === 'A2' ? promise : TAKEN);
    connect();
    await settle();
    await writer.write(() => repositories.outbox.replay(first, { ranMs: 0, forwardAt: START_MS }));
    if (how === 'is under way') queue.replayed([first]);
    await settle();
    resolve(REFUSED);
    await promise;
    // The answer has arrived, but it is recorded only at the end of the turn.
    await new Promise((done) => process.nextTick(done));
    if (how !== 'is under way') queue.replayed([first]);
    reply = () => TAKEN;
    await settle();
    await clock.advance(10_000);
    await settle();
    expect(published).toEqual(['A1', 'B1', 'A2', 'A2', 'A1']);
    expect(new Set(Object.values(states()))).toEqual(new Set(['delivered']));
  },
);

test.each(['{not json', '[]', 'null', '7', '"x"'])(
  'only the callback with the payload %s fails, and the callbacks after it are sent',
  async (text) => {
    const [damaged] = await owe('A1', 'A2', 'B1');
    database.writer.prepare('UPDATE outbox SET payload = ? WHERE id = ?').run(text, damaged);
    connect();
    await clock.advance(1_000);
    expect(published).toEqual(['A2', 'B1']);
    const stored = 'SELECT state, last_error AS error FROM outbox ORDER BY id';
    expect(database.writer.prepare(stored).all()).toMatchObject([
      { state: 'dead', error: expect.stringContaining('damaged') as string },
      { state: 'delivered' },
      { state: 'delivered' },
    ]);
    expect(queue.refusedCount()).toBe(0);
  },
);
