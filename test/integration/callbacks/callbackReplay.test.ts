import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openKeyRing } from '../../../electron/server/db/keyRing.ts';
import { openDatabase, type OpenDatabase } from '../../../electron/server/db/database.ts';
import { createRepositories, type Repositories } from '../../../electron/server/db/repositories.ts';
import { createWriter, type Writer } from '../../../electron/server/db/writer.ts';
import type { HttpAnswer, HttpClient, Log } from '../../../electron/server/ports.ts';
import { createAudit } from '../../../electron/server/services/base/audit.ts';
import { createCallbackSender } from '../../../electron/server/services/callbacks/sender.ts';
import { createDispatcher } from '../../../electron/server/services/callbacks/dispatcher.ts';
import { settingsTarget } from '../../../electron/server/services/callbacks/httpReceiver.ts';
import { createReplays } from '../../../electron/server/services/callbacks/replays.ts';
import { createTestReceiver } from '../../../electron/server/services/callbacks/testReceiver.ts';
import { createSettings } from '../../../electron/server/services/settings/settings.ts';
import { createFakeClock } from '../../helpers/fakeClock.ts';
import { seededIds } from '../../helpers/seeded.ts';
import { runningTimeAt } from '../../helpers/runningTimeAt.ts';
import { START_MS } from '../../helpers/startTestStation.ts';

const SILENT: Log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

const HOUR_MS = 3_600_000;
/** Running time of the station at the start of each test. */
const RAN_MS = 200 * HOUR_MS;

let folder: string;
let database: OpenDatabase;
let repositories: Repositories;
let writer: Writer;
/** Number of rows that each write changed. */
let changed: number[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pickstation-replay-'));
  database = openDatabase(folder);
  repositories = createRepositories(database.writer);
  changed = [];
  const real = createWriter({
    db: database.writer,
    clock: createFakeClock(START_MS),
    log: SILENT,
    soonMs: 0,
    revisionFloor: 0,
    publish: () => undefined,
    watchClock: () => undefined,
  });
  const changes = database.writer.prepare<[], number>('SELECT total_changes()').pluck();
  writer = {
    ...real,
    write: (useCase) =>
      real.write((tx) => {
        const before = changes.get() ?? 0;
        const value = useCase(tx);
        changed.push((changes.get() ?? 0) - before);
        return value;
      }),
  };
});

afterEach(() => {
  writer.stop();
  database.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Returns a new delivery. `ranMs` is the station's running time at its creation. */
const made = (ranMs: number) => ({
  receiver: 'http' as const,
  webhookNumber: null,
  runMark: 'run',
  historyId: null,
  family: 'device' as const,
  payload: '{}',
  revision: 1,
  eventAt: 0,
  picked: 0,
  createdAt: START_MS,
  ranMs,
  forwardAt: START_MS,
  address: '',
});

/** Inserts deliveries: of every ten, one is delivered, one pending and eight dead. Returns the ids of the dead ones. */
function fill(count: number): number[] {
  const dead: number[] = [];
  database.writer.transaction(() => {
    for (let number = 0; number < count; number += 1) {
      const id = repositories.outbox.insert(made(0));
      const state = number % 10 === 0 ? 'delivered' : number % 10 === 1 ? 'pending' : 'dead';
      if (state === 'dead') dead.push(id);
      if (state === 'pending') continue;
      const result = {
        attempts: 20,
        nextAttemptAt: null,
        uncountedAttempts: 0,
        attemptAt: START_MS,
        status: 500,
        error: null,
        url: '',
      };
      repositories.outbox.record({ id, state, ...result });
    }
  })();
  return dead;
}

const NOBODY: HttpClient = {
  send: () => ({ answer: Promise.reject(new Error('Nothing is sent here.')), giveUp: () => undefined }),
  stop: () => undefined,
};

function replayer(http: HttpClient = NOBODY) {
  const reads = createRepositories(database.reader);
  const settings = createSettings({
    keyRing: openKeyRing(folder),
    madeStationId: 'station-1',
    repositories,
    writer,
    audit: createAudit({ repositories, reads }),
  });
  const clock = createFakeClock(START_MS);
  const testReceiver = createTestReceiver({ clock });
  const sender = createCallbackSender({ http, testReceiver, clock, version: '0' });
  const time = runningTimeAt(START_MS, RAN_MS);
  const dispatcher = createDispatcher({
    repositories,
    reads,
    writer,
    sender,
    clock,
    time,
    ids: seededIds(1),
    log: SILENT,
    changed: () => undefined,
    target: settingsTarget(settings),
    watch: { attempted: () => undefined, isSet: () => true },
    held: () => undefined,
  });
  return {
    ...dispatcher,
    ...createReplays({
      repositories,
      reads,
      writer,
      time,
      refuseUnknown: () => undefined,
      replayed: dispatcher.replayed,
    }),
  };
}

const pending = () =>
  database.reader
    .prepare<[], number>("SELECT id FROM outbox WHERE state = 'pending' AND attempts = uncounted_attempts")
    .pluck()
    .all();

test('replays dead deliveries in portions of a thousand, and returns their total number', async () => {
  const dead = fill(4_000);
  expect(await replayer().replayDead(undefined)).toBe(dead.length);
  expect(Math.max(...changed)).toBe(1_000);
  expect(dead.filter((id) => !pending().includes(id))).toEqual([]);
  expect(database.reader.prepare("SELECT count(*) FROM outbox WHERE state = 'delivered'").pluck().get()).toBe(400);
});

test('replays nothing for a deleted receiver', async () => {
  const id = repositories.outbox.insert({ ...made(0), receiver: '2' });
  repositories.outbox.end('deleted', id);
  expect(await replayer().replayDead('2')).toBe(0);
  expect(pending()).toEqual([]);
});

test('other work runs between the portions', async () => {
  fill(4_000);
  const order: string[] = [];
  const replayed = replayer()
    .replayDead(undefined)
    .then(() => order.push('replayed'));
  await writer.write(() => undefined);
  order.push('other work');
  await replayed;
  expect(order).toEqual(['other work', 'replayed']);
});

test('a delivery that fails during a replay stays dead, and replaying without dead deliveries returns 0', async () => {
  fill(4_000);
  const replayed = replayer().replayDead(undefined);
  const late = await writer.write((tx) => {
    const id = repositories.outbox.insert(made(0));
    const result = {
      attempts: 20,
      nextAttemptAt: null,
      uncountedAttempts: 0,
      attemptAt: tx.now,
      status: 500,
      error: null,
      url: '',
    };
    repositories.outbox.record({ id, state: 'dead', ...result });
    return id;
  });
  expect(await replayed).toBe(3_200);
  expect(repositories.outbox.find(late)?.state).toBe('dead');
  await replayer().replayDead(undefined);
  expect(await replayer().replayDead(undefined)).toBe(0);
});

describe('a delivery in flight', () => {
  const answered = (status: number): HttpAnswer => ({
    status,
    retryAfter: undefined,
    headers: {},
    body: new Uint8Array(),
    isWhole: true,
  });

  /**
   * Starts a delivery created at the running time `sinceRanMs`. `answers` contains one function per attempt so far, which answers that
   * attempt.
   */
  async function underWay(sinceRanMs: number) {
    const answers: ((answer: HttpAnswer) => void)[] = [];
    const http: HttpClient = {
      send() {
        const { promise, resolve } = Promise.withResolvers<HttpAnswer>();
        answers.push(resolve);
        return { answer: promise, giveUp: () => undefined };
      },
      stop: () => undefined,
    };
    const id = repositories.outbox.insert(made(sinceRanMs));
    repositories.settings.put('callback_url', 'http://receiver.example/');
    const dispatcher = replayer(http);
    dispatcher.start();
    await Promise.resolve();
    expect(answers).toHaveLength(1);
    return { id, answers, dispatcher, replay: () => dispatcher.replay(`msg_run_${id}`) };
  }

  for (const status of [200, 500]) {
    test(`is resent if replayed in the commit that records its status ${status}`, async () => {
      const { answers, dispatcher, replay } = await underWay(RAN_MS - 100 * HOUR_MS);
      answers[0]?.(answered(status));
      // The result waits for the commit, and the replay is queued after it.
      while (writer.idle()) await Promise.resolve();
      expect((await replay()).state).toBe('pending');
      await writer.write(() => undefined);
      expect(answers).toHaveLength(2);
      answers[1]?.(answered(200));
      await writer.write(() => undefined);
      expect(pending()).toEqual([]);
      dispatcher.stop();
    });
  }

  test('gets a new limit of 72 hours if replayed, and is retried after a failure', async () => {
    const { id, answers, dispatcher, replay } = await underWay(RAN_MS - 100 * HOUR_MS);
    await replay();
    answers[0]?.(answered(500));
    while (writer.idle()) await Promise.resolve();
    await writer.write(() => undefined);
    expect(repositories.outbox.find(id)).toMatchObject({ state: 'pending', attempts: 1, since_ran_ms: RAN_MS });
    dispatcher.stop();
  });
});
