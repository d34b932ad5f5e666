import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openKeyRing } from '../../../electron/server/db/keyRing.ts';
import { openDatabase, type OpenDatabase } from '../../../electron/server/db/database.ts';
import { createRepositories } from '../../../electron/server/db/repositories.ts';
import { createWriter, type Writer } from '../../../electron/server/db/writer.ts';
import { createAudit, STATION } from '../../../electron/server/services/base/audit.ts';
import { createSettings, type SettingsService } from '../../../electron/server/services/settings/settings.ts';
import { createFakeClock } from '../../helpers/fakeClock.ts';
import { START_MS } from '../../helpers/startTestStation.ts';

let folder: string;
let database: OpenDatabase;
let writer: Writer;
let settings: SettingsService;
/** Values of `backup_keep` in memory at the times when changes were published. */
let published: number[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pickstation-settings-'));
  database = openDatabase(folder);
  // Violating this deferred constraint makes the COMMIT itself fail.
  database.writer.exec(
    `CREATE TABLE parent (id INTEGER PRIMARY KEY);
     CREATE TABLE child (parent INTEGER REFERENCES parent (id) DEFERRABLE INITIALLY DEFERRED)`,
  );
  published = [];
  const repositories = createRepositories(database.writer);
  writer = createWriter({
    db: database.writer,
    clock: createFakeClock(START_MS),
    log: { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined },
    soonMs: 0,
    revisionFloor: 0,
    publish: () => published.push(settings.current().backup_keep),
    watchClock: () => undefined,
  });
  settings = createSettings({
    keyRing: openKeyRing(folder),
    madeStationId: 'station-1',
    repositories,
    writer,
    audit: createAudit({ repositories, reads: createRepositories(database.reader) }),
  });
});

afterEach(() => {
  writer.stop();
  database.close();
  rmSync(folder, { recursive: true, force: true });
});

test('a change takes effect when its fact is published, and not before it is on disk', async () => {
  const changed = settings.change({ backup_keep: 3 }, STATION);
  expect(settings.current().backup_keep).not.toBe(3);
  await changed;
  expect(published).toEqual([3]);
});

test('several changes in one commit have all taken effect when they are published', async () => {
  await Promise.all([
    settings.change({ backup_keep: 3 }, STATION),
    settings.change({ history_days: 400 }, STATION),
    settings.change({ backup_keep: 4 }, STATION),
  ]);
  expect(published).toEqual([4]);
  expect(settings.current()).toMatchObject({ backup_keep: 4, history_days: 400 });
});

test('a failed commit keeps the old settings in memory', async () => {
  const before = settings.current();
  const broken = writer.write(() => database.writer.exec('INSERT INTO child (parent) VALUES (7)'));
  const changed = settings.change({ backup_keep: 3 }, STATION);
  await expect(broken).rejects.toThrow('FOREIGN KEY');
  await expect(changed).rejects.toThrow('FOREIGN KEY');
  expect(settings.current()).toEqual(before);
  expect(published).toEqual([]);
  await settings.change({ history_days: 400 }, STATION);
  expect(settings.current()).toEqual({ ...before, history_days: 400 });
});
