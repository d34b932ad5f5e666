import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { holdFolder, LOCK_FILE } from '../../../electron/server/db/database.ts';

/** Reads the lock as a check does, until a starting station waits for the lock. From then on, SQLite refuses new readers. */
const READER = `
  const { parentPort, workerData } = require('node:worker_threads');
  const Database = require('better-sqlite3');
  const read = (lock) => lock.prepare('SELECT count(*) FROM sqlite_master').get();
  const held = new Database(workerData, { timeout: 0 });
  held.exec('BEGIN');
  read(held);
  parentPort.postMessage('held');
  for (let isWaitedFor = false; !isWaitedFor; ) {
    const other = new Database(workerData, { timeout: 0 });
    try {
      read(other);
    } catch {
      isWaitedFor = true;
    }
    other.close();
  }
  held.close();
`;

test('a starting station can lock the folder even while a check reads the lock file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pickstation-lock-'));
  const file = join(folder, LOCK_FILE);
  holdFolder(folder).close();
  const reader = new Worker(READER, { eval: true, workerData: file });
  try {
    await once(reader, 'message');
    const hold = holdFolder(folder);
    expect(() => holdFolder(folder)).toThrow('Another Pickstation is running');
    hold.close();
  } finally {
    await reader.terminate();
    rmSync(folder, { recursive: true });
  }
});
