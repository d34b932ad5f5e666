import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Delivery } from '#shared/api/callback.ts';
import type { HistoryEntry } from '#shared/api/history.ts';
import { DEFAULT_SETTINGS } from '#shared/api/settings.ts';
import { openDatabase, type OpenDatabase } from '../../../electron/server/db/database.ts';
import { createRepositories, type Repositories } from '../../../electron/server/db/repositories.ts';
import { createWriter, type Writer } from '../../../electron/server/db/writer.ts';
import type { Log } from '../../../electron/server/ports.ts';
import { createBus, type Bus } from '../../../electron/server/services/base/bus.ts';
import { createRetention } from '../../../electron/server/services/history/retention.ts';
import type { CurrentSettings } from '../../../electron/server/services/settings/index.ts';
import { createFakeClock, type FakeClock } from '../../helpers/fakeClock.ts';
import { startReceiver } from '../../helpers/servers/receiver.ts';
import { START_MS, startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

const SILENT: Log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const DAY = 86_400_000;
const MINUTE = 60_000;

describe('retention', () => {
  let folder: string;
  let database: OpenDatabase;
  let repositories: Repositories;
  let writer: Writer;
  let clock: FakeClock;
  let days: Pick<CurrentSettings, 'history_days' | 'callback_days' | 'history_customer_days'>;
  /** Number of rows that each write changed. */
  let changed: number[];
  let stop: () => void;
  let bus: Bus;
  let isDiskFull: boolean;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'pickstation-retention-'));
    database = openDatabase(folder);
    database.writer.pragma('synchronous = OFF');
    repositories = createRepositories(database.writer);
    clock = createFakeClock(START_MS);
    changed = [];
    bus = createBus();
    isDiskFull = false;
    days = { history_days: 400, callback_days: 400, history_customer_days: 0 };
    const real = createWriter({
      db: database.writer,
      clock,
      log: SILENT,
      soonMs: 0,
      revisionFloor: 0,
      publish: () => undefined,
      watchClock: () => undefined,
    });
    clock.whenIdle(real.idle, 'the writer');
    const changes = database.writer.prepare<[], number>('SELECT total_changes()').pluck();
    writer = {
      ...real,
      writeSoon: (useCase) =>
        real.writeSoon((tx) => {
          if (isDiskFull) throw new Error('disk full');
          const before = changes.get() ?? 0;
          const value = useCase(tx);
          changed.push((changes.get() ?? 0) - before);
          return value;
        }),
    };
  });

  afterEach(() => {
    stop();
    writer.stop();
    database.close();
    rmSync(folder, { recursive: true, force: true });
  });

  function start(): void {
    const retention = createRetention({
      repositories,
      reads: createRepositories(database.reader),
      writer,
      settings: { current: () => ({ ...DEFAULT_SETTINGS, ...days }) as CurrentSettings } as never,
      bus,
      clock,
      log: SILENT,
      orders: { removeOldest: () => Promise.resolve(false), forgetCustomers: () => Promise.resolve(undefined) },
      batches: { removeOldest: () => Promise.resolve(false) },
    });
    retention.start();
    stop = retention.stop;
  }

  /** Inserts a history row and a callback for each age in days, oldest first. */
  function fill(ages: readonly number[], state: 'delivered' | 'dead' | 'pending' = 'delivered'): void {
    database.writer.transaction(() => {
      for (const age of ages) {
        const at = clock.now() - age * DAY;
        const historyId = repositories.history.insert({
          at,
          kind: 'acknowledged',
          deviceId: '51D000:000001',
          commandId: 1 + Number(database.writer.prepare('SELECT count(*) FROM history').pluck().get()),
          nonce: '',
          location: '',
          qty: 0,
          detail: {},
        });
        const id = repositories.outbox.insert({
          receiver: 'http',
          webhookNumber: null,
          runMark: 'run',
          historyId,
          family: 'device',
          payload: '{}',
          revision: 1,
          eventAt: 0,
          picked: 0,
          createdAt: at,
          ranMs: 0,
          forwardAt: at,
          address: '',
        });
        if (state === 'pending') continue;
        const result = {
          attempts: 1,
          nextAttemptAt: null,
          uncountedAttempts: 0,
          attemptAt: at,
          status: 200,
          error: null,
          url: '',
        };
        repositories.outbox.record({ id, state, ...result });
      }
    })();
  }

  const count = (table: string) => Number(database.reader.prepare(`SELECT count(*) FROM ${table}`).pluck().get());
  const ages = (from: number, to: number, rowCount: number) =>
    Array.from({ length: rowCount }, (_, index) => from - ((from - to) * index) / rowCount);

  test('removes rows older than the configured number of days, with all related rows, a hundred per step', async () => {
    fill(ages(900, 0, 9_000));
    // The rows of the 400 days before the newest row.
    const LEFT = 4_001;
    start();
    await clock.advance(10 * MINUTE);
    expect(count('history')).toBe(LEFT);
    expect(count('outbox')).toBe(LEFT);
    // A delivery has a second row for its last attempt.
    expect(Math.max(...changed)).toBe(200);
    expect(repositories.outbox.isKeptSince(4_999)).toBe(false);
    expect(repositories.outbox.isKeptSince(5_000)).toBe(true);
    const oldest = database.reader.prepare<[], number>('SELECT min(id) FROM history').pluck().get();
    expect(repositories.outbox.listByHistory(oldest ?? 0)).toHaveLength(1);
    expect(repositories.history.listByCommand(1)).toEqual([]);
  });

  test('other writes can run between the steps', async () => {
    fill(ages(900, 500, 2_000));
    fill([0]);
    start();
    await clock.advance(MINUTE);
    const left: number[] = [];
    while (count('history') > 1) {
      await writer.write(() => undefined);
      left.push(count('history'));
      await clock.advance(20);
    }
    expect(new Set(left).size).toBeGreaterThanOrEqual(19);
  });

  test('never removes undelivered callbacks, but removes old delivered callbacks that come after them', async () => {
    fill(ages(900, 800, 500), 'dead');
    fill(ages(800, 700, 500), 'pending');
    fill(ages(700, 600, 500), 'delivered');
    fill([0]);
    start();
    await clock.advance(10 * MINUTE);
    expect(database.reader.prepare('SELECT state, count(*) AS count FROM outbox GROUP BY state').all()).toEqual([
      { state: 'dead', count: 500 },
      { state: 'delivered', count: 1 },
      { state: 'pending', count: 500 },
    ]);
  });

  test('the age of a late delivery counts from when it was delivered', async () => {
    fill([900, 800]);
    const first = {
      id: 1,
      attempts: 9,
      nextAttemptAt: null,
      uncountedAttempts: 0,
      attemptAt: clock.now() - DAY,
      status: 200,
      error: null,
    };
    repositories.outbox.record({ ...first, state: 'delivered', url: '' });
    fill([0]);
    start();
    await clock.advance(10 * MINUTE);
    expect(database.reader.prepare('SELECT id FROM outbox').pluck().all()).toEqual([1, 3]);
  });

  test('a limit of 0 days keeps everything, separately for history and callbacks', async () => {
    days = { ...days, history_days: 0, callback_days: 30 };
    fill([900, 500, 0]);
    start();
    await clock.advance(10 * MINUTE);
    expect([count('history'), count('outbox')]).toEqual([3, 1]);
    days = { ...days, history_days: 30, callback_days: 0 };
    fill([0]);
    await clock.advance(120 * MINUTE);
    expect([count('history'), count('outbox')]).toEqual([2, 2]);
  });

  test('keeps the newest row regardless of its age, so that its id is not reused', async () => {
    fill([900, 800]);
    await clock.advance(1_000 * DAY);
    start();
    await clock.advance(120 * MINUTE);
    expect(database.reader.prepare('SELECT max(id) FROM history').pluck().get()).toBe(2);
    expect(database.reader.prepare('SELECT max(id) FROM outbox').pluck().get()).toBe(2);
  });

  test('a clock that runs years ahead does not make rows old', async () => {
    fill(ages(300, 0, 500));
    await clock.advance(5_000 * DAY);
    start();
    await clock.advance(120 * MINUTE);
    expect([count('history'), count('outbox')]).toEqual([500, 500]);
  });

  test('a smaller number of days is applied one minute after the change', async () => {
    fill(ages(300, 0, 50));
    start();
    await clock.advance(2 * MINUTE);
    expect(count('history')).toBe(50);
    days.history_days = 100;
    bus.publish({ revision: 1, facts: [{ type: 'settings.changed' }] } as never);
    await clock.advance(MINUTE - 1);
    expect(count('history')).toBe(50);
    await clock.advance(1_000);
    expect(count('history')).toBeLessThan(20);
    expect(count('outbox')).toBe(50);
  });

  test('a settings change during the cleanup does not delay it', async () => {
    fill(ages(900, 0, 500));
    start();
    await clock.advance(MINUTE);
    expect(count('history')).toBeGreaterThan(230);
    bus.publish({ revision: 1, facts: [{ type: 'settings.changed' }] } as never);
    await clock.advance(1_000);
    expect([count('history'), count('outbox')]).toEqual([223, 223]);
  });

  test('retries within an hour after the disk refused a write', async () => {
    fill(ages(900, 500, 50));
    fill([0]);
    isDiskFull = true;
    start();
    await clock.advance(30 * MINUTE);
    expect(count('history')).toBe(51);
    isDiskFull = false;
    await clock.advance(31 * MINUTE);
    expect(count('history')).toBe(1);
  });

  test('after stopping, removes nothing more and leaves no timer', async () => {
    fill(ages(900, 0, 500));
    start();
    await clock.advance(MINUTE);
    stop();
    const left = count('history');
    expect(left).toBeLessThan(500);
    expect(left).toBeGreaterThan(230);
    expect(clock.timerCount()).toBe(0);
    bus.publish({ revision: 1, facts: [{ type: 'settings.changed' }] } as never);
    await clock.advance(120 * MINUTE);
    expect(count('history')).toBe(left);
  });

  test('writes nothing if no row is old enough', async () => {
    fill(ages(300, 0, 500));
    start();
    await clock.advance(600 * MINUTE);
    expect(changed).toEqual([]);
  });
});

describe('a station after a cleanup', () => {
  const DEVICE = '51D000:000001';
  let station: TestStation;

  afterEach(() => station.stop());

  test('lists only the remaining rows, has no timelines of deleted commands, and continues its ids', async () => {
    const receiver = await startReceiver();
    station = await startTestStation({ simulate: 1, refreshMs: 0 });
    await station.patch('/api/settings/', { callback_url: receiver.url });
    await station.clock.advance(5_000);
    const press = async (nonce: string) => {
      const { command_id } = await station.post<{ command_id: string }>(`/api/device/${DEVICE}/`, {
        line1: 'x',
        nonce,
      });
      await station.clock.advance(1_000);
      await station.press(DEVICE);
      return command_id;
    };
    const [first] = [await press('a'), await press('b')];
    const db = new Database(join(station.dataFolder, 'pickstation.sqlite'));
    db.exec(`UPDATE history SET at = at - ${500 * DAY}`);
    db.exec(
      `UPDATE outbox SET created_at = created_at - ${500 * DAY}, last_attempt_at = last_attempt_at - ${500 * DAY}`,
    );
    db.close();
    await press('c');
    await station.clock.advance(2 * MINUTE);
    const history = await station.get<HistoryEntry[]>('/api/history/');
    expect(history.map(({ id, nonce }) => [id, nonce])).toEqual([['3', 'c']]);
    const deliveries = await station.get<Delivery[]>('/api/callbacks/');
    expect(deliveries.map(({ payload }) => payload['nonce'])).toEqual(['c']);
    expect((await station.request('GET', `/api/history/commands/${first}/`)).status).toBe(404);
    await press('d');
    expect((await station.get<HistoryEntry[]>('/api/history/')).map(({ id }) => id)).toEqual(['4', '3']);
    await receiver.stop();
  });
});
