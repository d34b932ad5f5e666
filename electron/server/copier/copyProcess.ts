/**
 * A program of its own, started by copier.ts: reading a whole database, and waiting for the disk, must not hold up a press,
 * and whatever ends it must not end the station. It imports little, since it is started for each backup.
 */
import Database from 'better-sqlite3';
import { VERSION } from '#shared/api/version.ts';
import { checkBackup, rewriteBackup } from '../db/backupCheck.ts';
import { scratchOf, signBackup } from '../db/backupFiles.ts';
import { clearLogFlag } from '../db/foreignFile.ts';
import { MIGRATIONS } from '../db/migrations.ts';
import { type CopyJob, type CopySays } from './copyJob.ts';
import { parentChannel } from './parentChannel.ts';

/** A MiB: the station is told between two steps, and may hold up the next one. */
const PAGES_PER_STEP = 256;
/** So long it looks away while the station has not answered. */
const LOOK_AGAIN_MS = 0.2;

const line = parentChannel();
const heard: (() => void)[] = [];
line.hear((message) => {
  const wake = heard.shift();
  // What comes first is the job; everything else is an answer.
  if (wake === undefined) void run(message as CopyJob);
  else wake();
});

async function run(job: CopyJob): Promise<void> {
  await say(await outcomeOf(job));
  line.end();
}

async function outcomeOf(job: CopyJob): Promise<CopySays> {
  try {
    const file = job.kind === 'copy' ? job.to : job.file;
    if (job.kind === 'copy') await copy(job);
    if (job.kind === 'receive') clearLogFlag(file);
    await say({ kind: 'step', progress: { step: 'checking', doneBytes: 0, totalBytes: 0 } });
    const contents =
      job.kind === 'rewrite' ? rewriteBackup(file, job.to, MIGRATIONS) : checkBackup(file, scratchOf(file), MIGRATIONS);
    return { kind: 'checked', contents };
  } catch (error) {
    const { message, code } = error as Error & { code?: string };
    return { kind: 'failed', code: code ?? '', message };
  }
}

/** What is copied is what was there when it began: a connection that reads in one transaction sees no later change. */
async function copy({ from, to, by, at }: Extract<CopyJob, { kind: 'copy' }>): Promise<void> {
  const source = new Database(from, { readonly: true, fileMustExist: true, timeout: 5_000 });
  try {
    const pageBytes = Number(source.pragma('page_size', { simple: true }));
    source.exec('BEGIN');
    source.prepare('SELECT count(*) FROM sqlite_master').get();
    let told: 'not' | 'unanswered' | 'answered' = 'not';
    await source.backup(to, {
      // Called again and again, also while no pages are asked for.
      progress({ totalPages, remainingPages }) {
        if (told === 'answered') {
          told = 'not';
          return PAGES_PER_STEP;
        }
        if (told === 'unanswered') lookAway();
        else {
          told = 'unanswered';
          const totalBytes = totalPages * pageBytes;
          const progress = { step: 'copying', doneBytes: totalBytes - remainingPages * pageBytes, totalBytes } as const;
          void say({ kind: 'step', progress }).then(() => (told = 'answered'));
        }
        return 0;
      },
    });
  } finally {
    source.close();
  }
  signBackup(to, { at, by, version: VERSION });
}

/** Tells the station, and resolves when it has answered. */
function say(message: CopySays): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  heard.push(resolve);
  line.say(message);
  return promise;
}

function lookAway(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)), 0, 0, LOOK_AGAIN_MS);
}
