import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../electron/server/db/database.ts';
import { createRepositories } from '../../electron/server/db/repositories.ts';
import { createWriter } from '../../electron/server/db/writer.ts';
import type { Log } from '../../electron/server/ports.ts';
import { createBus } from '../../electron/server/services/base/bus.ts';
import { createHistory } from '../../electron/server/services/history/history.ts';
import { createFakeClock } from '../helpers/fakeClock.ts';
import { START_MS } from '../helpers/startTestStation.ts';

const SILENT: Log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const AT_ONCE = 500;

function start() {
  const folder = mkdtempSync(join(tmpdir(), 'pickstation-index-'));
  const database = openDatabase(folder);
  const repositories = createRepositories(database.writer);
  const clock = createFakeClock(START_MS);
  const bus = createBus();
  const writer = createWriter({
    db: database.writer,
    clock,
    log: SILENT,
    soonMs: 0,
    revisionFloor: 0,
    publish: (commit) => bus.publish(commit),
    watchClock: () => undefined,
  });
  clock.whenIdle(writer.idle, 'the writer');
  const history = createHistory({ repositories, reads: createRepositories(database.reader), writer, bus, log: SILENT });
  onTestFinished(() => {
    history.stop();
    writer.stop();
    database.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    unindexed: () => repositories.history.countUnindexed(),
    /** Records presses on commands that have ended, each with its row and its fact. */
    async press(): Promise<void> {
      await writer.write((tx) => {
        for (let count = 0; count < AT_ONCE; count += 1) {
          const deviceId = '51D000:000001';
          const row = { at: tx.now, deviceId, commandId: count + 1, nonce: '', location: '', qty: 0, detail: {} };
          repositories.history.insert({ ...row, kind: 'late' });
          const at = new Date(tx.now).toISOString();
          tx.emit({ type: 'press.late', deviceid: deviceId, at, location: '', quantity: null, picker: null });
        }
      });
      await clock.advance(10);
    },
  };
}

test('a timeline never scans more than two thousand unindexed rows', async () => {
  const station = start();
  for (const unindexed of [500, 1_000, 1_500, 1_000, 1_500, 1_000]) {
    await station.press();
    expect(station.unindexed()).toBe(unindexed);
  }
});
