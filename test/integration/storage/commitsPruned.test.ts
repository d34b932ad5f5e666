import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDatabase, type OpenDatabase } from '../../../electron/server/db/database.ts';
import { createWriter, type Writer } from '../../../electron/server/db/writer.ts';
import type { Log } from '../../../electron/server/ports.ts';
import { createFakeClock } from '../../helpers/fakeClock.ts';
import { START_MS } from '../../helpers/startTestStation.ts';

const SILENT: Log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const KEPT = 100_000;

let folder: string;
let database: OpenDatabase;
let writer: Writer | undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pickstation-commits-'));
  database = openDatabase(folder);
});

afterEach(() => {
  writer?.stop();
  database.close();
  rmSync(folder, { recursive: true, force: true });
});

function start(revisionFloor: number): Writer {
  writer = createWriter({
    db: database.writer,
    clock: createFakeClock(START_MS),
    log: SILENT,
    soonMs: 0,
    revisionFloor,
    publish: () => undefined,
    watchClock: () => undefined,
  });
  return writer;
}

/** Inserts `count` commits, whose revisions increase in steps of ten. */
function fill(count: number): void {
  const insert = database.writer.prepare("INSERT INTO commits (revision, at, facts) VALUES (?, 0, '[]')");
  database.writer.transaction(() => {
    for (let number = 1; number <= count; number += 1) insert.run(number * 10);
  })();
}

const tell = (to: Writer) => to.write((tx) => tx.emit({ type: 'settings.changed' }));
const kept = () =>
  database.reader
    .prepare('SELECT count(*) AS count, min(revision) AS oldest, max(revision) AS newest FROM commits')
    .get();

test('keeps at least the last hundred thousand commits, regardless of gaps between their revisions', async () => {
  fill(KEPT + 999);
  const station = start(5_000_000);
  await tell(station);
  expect(kept()).toEqual({ count: KEPT + 1_000, oldest: 10, newest: 5_000_001 });
  await tell(station);
  expect(kept()).toEqual({ count: KEPT + 1, oldest: 10_010, newest: 5_000_002 });
  for (let count = 0; count < 999; count += 1) await tell(station);
  expect(kept()).toEqual({ count: KEPT + 1_000, oldest: 10_010, newest: 5_001_001 });
  await tell(station);
  expect(kept()).toEqual({ count: KEPT + 1, oldest: 20_010, newest: 5_001_002 });
});

test('the revision floor applies to the next commit, not to the current revision', async () => {
  fill(3);
  const station = start(1_000);
  expect(station.revision()).toBe(30);
  await station.write(() => undefined);
  expect(station.revision()).toBe(30);
  await tell(station);
  expect(station.revision()).toBe(1_001);
  await tell(station);
  expect(station.revision()).toBe(1_002);
});

test('revisions above the floor continue without gaps', async () => {
  fill(3);
  const station = start(7);
  await tell(station);
  expect(station.revision()).toBe(31);
});
