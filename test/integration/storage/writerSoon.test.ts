import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDatabase } from '../../../electron/server/db/database.ts';
import { createWriter } from '../../../electron/server/db/writer.ts';
import { createFakeClock } from '../../helpers/fakeClock.ts';

const SOON_MS = 20;

function startWriter() {
  const folder = mkdtempSync(join(tmpdir(), 'pickstation-soon-'));
  const database = openDatabase(folder);
  const clock = createFakeClock(0);
  const writer = createWriter({
    db: database.writer,
    clock,
    log: { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined },
    soonMs: SOON_MS,
    revisionFloor: 0,
    publish: () => undefined,
    watchClock: () => undefined,
  });
  return {
    clock,
    writer,
    [Symbol.dispose]() {
      writer.stop();
      database.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

test('when idle, a low-priority write is committed after 2 ms', async () => {
  using rig = startWriter();
  await rig.writer.write(() => undefined);
  await rig.clock.advance(100);
  await rig.writer.write(() => undefined);
  void rig.writer.writeSoon(() => undefined);
  await rig.clock.advance(1);
  expect(rig.writer.commits()).toBe(2);
  await rig.clock.advance(1);
  expect(rig.writer.commits()).toBe(3);
});

test('when busy, a low-priority write waits for the next commit, for at most 20 ms', async () => {
  using rig = startWriter();
  for (const ms of [0, 40]) {
    await rig.clock.advance(ms);
    await rig.writer.write(() => undefined);
  }
  void rig.writer.writeSoon(() => undefined);
  await rig.clock.advance(SOON_MS - 1);
  expect(rig.writer.commits()).toBe(2);
  await rig.clock.advance(1);
  expect(rig.writer.commits()).toBe(3);

  void rig.writer.writeSoon(() => undefined);
  await rig.clock.advance(1);
  await rig.writer.write(() => undefined);
  expect(rig.writer.commits()).toBe(4);
  await rig.clock.advance(SOON_MS);
  expect(rig.writer.commits()).toBe(4);
});
