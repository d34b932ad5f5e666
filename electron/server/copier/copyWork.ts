import Database from 'better-sqlite3';
import { VERSION } from '#shared/api/version.ts';
import { whole } from '#shared/lib/station/inParts.ts';
import { checkBackup, rewriteBackup } from '../db/backupCheck.ts';
import { scratchOf, signBackup } from '../db/backupFiles.ts';
import { clearLogFlag } from '../db/foreignFile.ts';
import { MIGRATIONS } from '../db/migrations.ts';
import { convertPicture } from './convertPicture.ts';
import { type CopyJob, type CopySays, isReadJob, type Piece, type ReadJob } from './copyJob.ts';
import type { ParentChannel } from './parentChannel.ts';
import { itemsOf, rowsIn } from './readItems.ts';

/** Number of database pages per step, one MiB. The station is notified after each step and can delay the next. */
const PAGES_PER_STEP = 256;
/** Time between checks for the station's reply, in milliseconds. */
const LOOK_AGAIN_MS = 0.2;

/** Sends a message to the station. Resolves with the station's reply. */
type Say = (message: CopySays) => Promise<unknown>;

/** Runs the job from the first message on `line`, then ends the process. Waits for a reply to each message that it sends. */
export function doCopyJob(line: ParentChannel): void {
  const listeners: ((answer: unknown) => void)[] = [];
  const send: Say = (message) => {
    const { promise, resolve } = Promise.withResolvers<unknown>();
    listeners.push(resolve);
    line.send(message);
    return promise;
  };
  async function run(job: CopyJob): Promise<void> {
    await send(await outcomeOf(job, send));
    line.end();
  }
  line.onMessage((message) => {
    const wake = listeners.shift();
    // The first message is the job; all others are answers.
    if (wake === undefined) void run(message as CopyJob);
    else wake(message);
  });
}

async function outcomeOf(job: CopyJob, say: Say): Promise<CopySays> {
  try {
    if (job.kind === 'picture') return await convert(say);
    if (isReadJob(job)) return await read(job, say);
    const file = job.kind === 'copy' ? job.to : job.file;
    if (job.kind === 'copy') await copy(job, say);
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

/** Receives a file in pieces, so that no message blocks the station. */
async function receive(say: Say): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for (;;) {
    // Safe cast: only the station sends messages here.
    const { base64 } = (await say({ kind: 'more' })) as Piece;
    if (base64 === '') return Buffer.concat(pieces);
    pieces.push(Buffer.from(base64, 'base64'));
  }
}

async function convert(say: Say): Promise<CopySays> {
  const { content, small } = await convertPicture(await receive(say));
  return { kind: 'converted', content: content.toString('base64'), small: small.toString('base64') };
}

/** Reads a file, and sends its rows or orders in parts. */
async function read(job: ReadJob, say: Say): Promise<CopySays> {
  const bytes = await receive(say);
  if (job.kind === 'document') {
    // The readers are loaded only for files.
    const { readOrderDocument } = await import('../http/compat/orderDocument.ts');
    const orders = whole(readOrderDocument(bytes, job.format));
    for (const found of itemsOf(orders)) await say({ kind: 'items', ...found });
    return { kind: 'read', rest: null };
  }
  const { readFile } = await import('../services/tables/index.ts');
  const file = whole(readFile(bytes, job.encoding));
  if (!file.ok) return { kind: 'read', rest: file };
  for (const [list, { rows }] of file.sheets.entries())
    for (const found of rowsIn(rows, list)) await say({ kind: 'items', ...found });
  return { kind: 'read', rest: { ...file, sheets: file.sheets.map((sheet) => ({ ...sheet, rows: [] })) } };
}

/** Copies the database in its state at the start of the call. The open read transaction excludes later changes. */
async function copy({ from, to, by, at }: Extract<CopyJob, { kind: 'copy' }>, say: Say): Promise<void> {
  const source = new Database(from, { readonly: true, fileMustExist: true, timeout: 5_000 });
  try {
    const pageBytes = Number(source.pragma('page_size', { simple: true }));
    source.exec('BEGIN');
    source.prepare('SELECT count(*) FROM sqlite_master').get();
    let told: 'not' | 'unanswered' | 'answered' = 'not';
    await source.backup(to, {
      // better-sqlite3 calls this repeatedly, even while it copies no pages.
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

function lookAway(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)), 0, 0, LOOK_AGAIN_MS);
}
