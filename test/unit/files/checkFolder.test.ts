import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { holdCheckFolder } from '../../../electron/server/db/checkFolder.ts';

const ROUNDS = 100;
/** Duration of each check in milliseconds: long enough for a second check to lock the folder if the lock does not work. */
const WORK_MS = 3;

/** Locks the folder repeatedly, and counts how often a different worker holds the lock at the same time. */
const CHECKER = `
  const { parentPort, workerData } = require('node:worker_threads');
  const { module, place, shared, rounds, workMs } = workerData;
  const [HOLDERS, BOTH, HELD, NOTHING] = [0, 1, 2, 3];
  const counts = new Int32Array(shared);
  import(module).then(({ holdCheckFolder }) => {
    while (Atomics.load(counts, HELD) < rounds) {
      let hold;
      try {
        hold = holdCheckFolder(place);
      } catch {
        continue;
      }
      if (Atomics.add(counts, HOLDERS, 1) !== 0) Atomics.add(counts, BOTH, 1);
      Atomics.add(counts, HELD, 1);
      Atomics.wait(counts, NOTHING, 0, workMs);
      Atomics.sub(counts, HOLDERS, 1);
      hold.close();
    }
    parentPort.postMessage('done');
  });
`;

test('only one check at a time holds the folder, even while others end and delete their lock', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pickstation-check-'));
  const place = join(folder, 'check');
  const shared = new SharedArrayBuffer(4 * Int32Array.BYTES_PER_ELEMENT);
  const module = new URL('../../../electron/server/db/checkFolder.ts', import.meta.url).href;
  const workerData = { module, place, shared, rounds: ROUNDS, workMs: WORK_MS };
  const checkers = Array.from({ length: 3 }, () => new Worker(CHECKER, { eval: true, workerData }));
  try {
    await Promise.all(checkers.map((checker) => once(checker, 'message')));
    const [holders, both, held] = new Int32Array(shared);
    expect({ holders, both }).toEqual({ holders: 0, both: 0 });
    expect(held).toBeGreaterThanOrEqual(ROUNDS);
  } finally {
    for (const checker of checkers) await checker.terminate();
    rmSync(folder, { recursive: true });
  }
});

test('a held folder cannot be held again, and is removed when the hold ends', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pickstation-check-'));
  const place = join(folder, 'check');
  const hold = holdCheckFolder(place);
  expect(() => holdCheckFolder(place)).toThrow('Another check of these data is running');
  hold.close();
  expect(existsSync(place)).toBe(false);
  holdCheckFolder(place).close();
  rmSync(folder, { recursive: true });
});
