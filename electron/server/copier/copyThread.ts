/**
 * Runs on a thread of its own, started by copier.ts: reading a whole database, and waiting for the disk, must not hold up
 * a press.
 */
import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import Database from 'better-sqlite3';
import { VERSION } from '#shared/api/version.ts';
import { checkBackup } from '../db/backupCheck.ts';
import { makeSingle, signBackup } from '../db/backupFiles.ts';
import { MIGRATIONS } from '../db/migrations.ts';
import type { CopyProgress } from '../ports.ts';
import { GIVE_UP, MUST_WAIT, type CopyJob, type ThreadSays } from './copyJob.ts';

/** A MiB: the station is asked between two steps whether to go on. */
const PAGES_PER_STEP = 256;

/** A little lower than the thread that takes presses: on Linux, where threads have priorities of their own. */
const NICENESS = 10;

if (process.platform === 'linux') setPriority(NICENESS);

const job = workerData as CopyJob;
const flag = new Int32Array(job.flag);

try {
  const file = job.kind === 'copy' ? job.to : job.file;
  if (job.kind === 'copy') await copy(job);
  if (job.kind === 'receive') makeSingle(file);
  step({ step: 'checking', doneBytes: 0, totalBytes: 0 });
  say({ kind: 'checked', contents: checkBackup(file, MIGRATIONS.length) });
} catch (error) {
  const { message, code } = error as Error & { code?: string };
  say({ kind: 'failed', code: code ?? '', message });
}

/** What is copied is what was there when it began: a connection that reads in one transaction sees no later change. */
async function copy({ from, to, by, at }: Extract<CopyJob, { kind: 'copy' }>): Promise<void> {
  const source = new Database(from, { readonly: true, fileMustExist: true, timeout: 5_000 });
  try {
    const pageBytes = Number(source.pragma('page_size', { simple: true }));
    source.exec('BEGIN');
    source.prepare('SELECT count(*) FROM sqlite_master').get();
    await source.backup(to, {
      progress({ totalPages, remainingPages }) {
        const totalBytes = totalPages * pageBytes;
        step({ step: 'copying', doneBytes: totalBytes - remainingPages * pageBytes, totalBytes });
        return PAGES_PER_STEP;
      },
    });
  } finally {
    source.close();
  }
  signBackup(to, { at, by, version: VERSION });
}

/** Tells how far it is, and waits until the station has read that. Throws where it is to be given up. */
function step(progress: CopyProgress): void {
  Atomics.store(flag, 0, MUST_WAIT);
  say({ kind: 'step', progress });
  Atomics.wait(flag, 0, MUST_WAIT);
  if (Atomics.load(flag, 0) === GIVE_UP) throw new Error('It was given up.');
}

function say(message: ThreadSays): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(message);
}
