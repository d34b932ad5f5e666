import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDatabase, type OpenDatabase } from '../../../electron/server/db/database.ts';
import { createWriter, type Commit, type Transaction, type Writer } from '../../../electron/server/db/writer.ts';
import { StationError } from '../../../electron/server/errors.ts';
import { createFakeClock } from '../../helpers/fakeClock.ts';
import { START_MS } from '../../helpers/startTestStation.ts';

let folder: string;
let database: OpenDatabase;
let writer: Writer;
let published: Commit[];
/** Duration of the work so far, in milliseconds. */
let workedMs: number;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pickstation-parts-'));
  database = openDatabase(folder);
  database.writer.exec('CREATE TABLE done (id INTEGER PRIMARY KEY, item INTEGER NOT NULL UNIQUE)');
  published = [];
  workedMs = 0;
  writer = createWriter({
    db: database.writer,
    clock: { ...createFakeClock(START_MS), now: () => START_MS + workedMs, monotonic: () => workedMs },
    log: { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined },
    soonMs: 0,
    revisionFloor: 0,
    publish: (commit) => published.push(commit),
    watchClock: () => undefined,
  });
});

afterEach(() => {
  writer.stop();
  database.close();
  rmSync(folder, { recursive: true, force: true });
});

const items = Array.from({ length: 300 }, (_, index) => index);
const turn = () => new Promise((resolve) => setImmediate(resolve));
const done = (db = database.reader) => db.prepare<[], number>('SELECT item FROM done ORDER BY id').pluck().all();
const throwOn = (error: unknown) => {
  throw error;
};

function put(tx: Transaction, item: number): number {
  database.writer.prepare('INSERT INTO done (item) VALUES (?)').run(item);
  tx.emit({ type: 'device.removed', deviceid: String(item) });
  return item * 2;
}

test('many items are written in several turns but in one commit, and readers do not see them before the commit', async () => {
  const result = writer.writeEach(items, put, throwOn);
  await turn();
  await turn();
  expect(done(database.writer).length).toBeGreaterThan(0);
  expect(done(database.writer).length).toBeLessThan(300);
  expect(done()).toEqual([]);
  expect(writer.idle()).toBe(false);
  expect(await result).toEqual(items.map((item) => item * 2));
  expect(done()).toEqual(items);
  expect(writer.commits()).toBe(1);
  expect(writer.idle()).toBe(true);
  expect(published).toHaveLength(1);
  expect(published[0]?.facts).toHaveLength(300);
  expect(JSON.parse(published[0]?.text ?? '')).toEqual(published[0]?.facts);
});

test('an item that fails is rolled back by itself, with its facts and follow-up work', async () => {
  const followed: string[] = [];
  const follow = (tx: Transaction, name: string): void => {
    tx.apply(() => followed.push(`applied ${name}`));
    tx.afterCommit(() => followed.push(`after ${name}`));
    tx.beforeCommit(name, () => () => followed.push(`prepared ${name}`));
  };
  await writer.write((tx) => {
    put(tx, 1);
    const failing = () =>
      tx.attempt(() => {
        put(tx, 2);
        follow(tx, 'failed');
        put(tx, 1);
      });
    expect(failing).toThrow(/UNIQUE/);
    expect(tx.attempt(() => put(tx, 3))).toBe(6);
    follow(tx, 'rest');
  });
  expect(done()).toEqual([1, 3]);
  expect(published.map(({ facts }) => facts.map((fact) => ('deviceid' in fact ? fact.deviceid : '')))).toEqual([
    ['1', '3'],
  ]);
  expect(followed).toEqual(['applied rest', 'after rest', 'prepared rest']);
});

test('another write waits for only one part, and is committed together with the finished items', async () => {
  const result = writer.writeEach(items, put, throwOn);
  await turn();
  const press = await writer.write((tx) => put(tx, 1_000));
  expect(press).toBe(2_000);
  const first = done();
  expect(first.at(-1)).toBe(1_000);
  expect(first.length).toBeGreaterThan(1);
  expect(first.length).toBeLessThan(200);
  expect(await result).toHaveLength(300);
  expect(done().filter((item) => item !== 1_000)).toEqual(items);
  expect(writer.commits()).toBe(2);
  expect(published.map(({ facts }) => facts.length)).toEqual([first.length, 301 - first.length]);
});

test('long work is committed in steps, so that deadlines start from a recent time', async () => {
  const lateMs: number[] = [];
  const result = writer.writeEach(
    items,
    (tx, item) => {
      lateMs.push(START_MS + workedMs - tx.now);
      workedMs += 1;
      return put(tx, item);
    },
    throwOn,
  );
  expect(await result).toEqual(items.map((item) => item * 2));
  expect(done()).toEqual(items);
  expect(Math.max(...lateMs)).toBeLessThan(60);
  const times = published.map(({ at }) => at);
  expect(times.length).toBeGreaterThan(3);
  for (const [index, at] of times.slice(1).entries()) expect(at).toBeGreaterThanOrEqual((times[index] ?? at) + 50);
});

test('if items are slow, a part has fewer of them, so that other writes do not wait long', async () => {
  const result = writer.writeEach(
    items,
    (tx, item) => {
      workedMs += 10;
      return put(tx, item);
    },
    throwOn,
  );
  await turn();
  await writer.write((tx) => put(tx, 1_000));
  expect(workedMs).toBeLessThanOrEqual(40);
  expect(await result).toHaveLength(300);
  expect(done().filter((item) => item !== 1_000)).toEqual(items);
});

test('the work completes regardless of how many other writes there are', async () => {
  const result = writer.writeEach(items, put, throwOn);
  // Make forty consecutive writes, each in its own turn.
  for (let written = 0; written < 40; written += 1) await writer.write((tx) => put(tx, 1_000 + written));
  expect(done()).toHaveLength(340);
  await result;
});

test('a low-priority write joins the commit without splitting it', async () => {
  const result = writer.writeEach(items, put, throwOn);
  await turn();
  await writer.writeSoon((tx) => put(tx, 1_000));
  expect(await result).toHaveLength(300);
  expect(writer.commits()).toBe(1);
});

test('a failed item changes nothing, and its result is the one from the error handler', async () => {
  const after: number[] = [];
  const applied: number[] = [];
  const results = await writer.writeEach(
    items,
    (tx, item) => {
      const result = put(tx, item);
      tx.apply(() => applied.push(item));
      tx.afterCommit(() => after.push(item));
      if (item % 2 === 1) throw new StationError('invalid', `No ${item}.`);
      return String(result);
    },
    (error, item) => (error instanceof StationError ? `${item}: ${error.message}` : throwOn(error)),
  );
  expect(results.slice(0, 3)).toEqual(['0', '1: No 1.', '4']);
  expect(done()).toEqual(items.filter((item) => item % 2 === 0));
  expect(after).toEqual(done());
  expect(applied).toEqual(done());
  expect(published[0]?.facts).toHaveLength(150);
});

test('if the error handler throws, the other items are still written and the call rejects at the end', async () => {
  const result = writer.writeEach(
    items,
    (tx, item) => {
      put(tx, item);
      if (item === 7) throw new TypeError('a mistake of ours');
    },
    throwOn,
  );
  await expect(result).rejects.toThrow('a mistake of ours');
  expect(done()).toEqual(items.filter((item) => item !== 7));
});

test('commit preparations run in each turn, but only the last prepared action runs', async () => {
  const prepared: number[] = [];
  const told: number[] = [];
  await writer.writeEach(
    items,
    (tx, item) => {
      put(tx, item);
      tx.beforeCommit('count', () => {
        const count = done(database.writer).length;
        prepared.push(count);
        return () => told.push(count);
      });
    },
    throwOn,
  );
  expect(prepared.length).toBeGreaterThan(1);
  expect(told).toEqual([300]);
});

test('a disk failure loses only the part that is not on disk, and the error says how many items are done', async () => {
  const result = writer.writeEach(
    items,
    (tx, item) => {
      if (item === 200) throw full();
      return put(tx, item);
    },
    throwOn,
  );
  await turn();
  await writer.write((tx) => put(tx, 1_000));
  const kept = done();
  const refused = await result.catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(StationError);
  expect(refused).toMatchObject({ code: 'storage' });
  expect(String(refused)).toContain(`Only the first ${kept.length - 1} of 300 were done`);
  expect(done()).toEqual(kept);
  expect(writer.idle()).toBe(true);
  await writer.write((tx) => put(tx, 2_000));
  expect(done().at(-1)).toBe(2_000);
});

test('stopping completes the items first', async () => {
  const result = writer.writeEach(items, put, throwOn);
  writer.stop();
  expect(done()).toHaveLength(300);
  expect(await result).toHaveLength(300);
  await expect(writer.writeEach(items, put, throwOn)).rejects.toMatchObject({ code: 'stopping' });
});

test('stopping has a time limit, and keeps the items completed by then', async () => {
  const result = writer.writeEach(
    items,
    (tx, item) => {
      workedMs += 10;
      return put(tx, item);
    },
    throwOn,
  );
  const press = writer.write((tx) => put(tx, 1_000));
  writer.stop();
  await expect(result).rejects.toMatchObject({ code: 'stopping' });
  expect(await press).toBe(2_000);
  const kept = done().filter((item) => item !== 1_000);
  expect(kept.length).toBeGreaterThan(50);
  expect(kept.length).toBeLessThan(150);
  expect(kept).toEqual(items.slice(0, kept.length));
  expect(writer.idle()).toBe(true);
});

/** Returns the error that SQLite throws if the disk is full. */
function full(): Error {
  database.writer.pragma('max_page_count = 1');
  try {
    for (;;) database.writer.prepare('INSERT INTO done (item) VALUES (abs(random()))').run();
  } catch (error) {
    database.writer.pragma('max_page_count = 1073741823');
    return error instanceof Error ? error : new Error(String(error));
  }
}

test('a write that sends many screens is split into several commits', async () => {
  const sent: number[] = [];
  await writer.writeEach(
    items,
    (tx, item) => {
      put(tx, item);
      tx.beforeCommit(`screen:${item}`, () => () => void sent.push(item));
    },
    throwOn,
  );
  expect(sent).toEqual(items);
  expect(writer.commits()).toBe(4);
});

test('a press waits for only one of several large use-cases, and small use-cases share a commit', async () => {
  const order: string[] = [];
  const work = (name: string, ms: number) => (): string => {
    workedMs += ms;
    order.push(name);
    return name;
  };
  const large = [
    writer.writeLarge(work('launch 1', 2)),
    writer.writeLarge(work('launch 2', 2)),
    writer.writeLarge(work('launch 3', 40)),
    writer.writeLarge(work('launch 4', 40)),
    writer.writeLarge(work('launch 5', 40)),
  ];
  await turn();
  const press = writer.write(work('press', 1));
  expect(await press).toBe('press');
  expect(order).toEqual(['launch 1', 'launch 2', 'launch 3', 'press', 'launch 4']);
  expect(await Promise.all(large)).toEqual(['launch 1', 'launch 2', 'launch 3', 'launch 4', 'launch 5']);
  expect(writer.commits()).toBe(3);
});

test('large use-cases alternate with the parts of a bulk write', async () => {
  const bulk = writer.writeEach(items, put, throwOn);
  const launches = Array.from({ length: 4 }, (_, index) =>
    writer.writeLarge((tx) => {
      workedMs += 40;
      return put(tx, 1_000 + index);
    }),
  );
  await Promise.all(launches);
  expect(done().filter((item) => item < 300).length).toBeGreaterThan(0);
  expect(await bulk).toHaveLength(300);
});

test('a large use-case that fails rolls back only its own changes', async () => {
  const [fails, works] = await Promise.allSettled([
    writer.writeLarge((tx) => {
      put(tx, 1);
      throw new StationError('conflict', 'no');
    }),
    writer.writeLarge((tx) => put(tx, 2)),
  ]);
  expect(fails).toMatchObject({ status: 'rejected', reason: { code: 'conflict' } });
  expect(works).toEqual({ status: 'fulfilled', value: 4 });
  expect(done()).toEqual([2]);
});

test('stopping commits the large use-cases that finish within a second, and refuses the others', async () => {
  const results = Array.from({ length: 40 }, (_, index) =>
    writer.writeLarge((tx) => {
      workedMs += 40;
      return put(tx, index);
    }),
  );
  writer.stop();
  const settled = await Promise.allSettled(results);
  const made = settled.filter(({ status }) => status === 'fulfilled').length;
  expect(made).toBe(25);
  expect(settled.at(-1)).toMatchObject({ status: 'rejected', reason: { code: 'stopping' } });
  await expect(writer.writeLarge(() => 1)).rejects.toMatchObject({ code: 'stopping' });
});
