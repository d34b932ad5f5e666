import { Worker } from 'node:worker_threads';
import type { BackupContents } from '#shared/api/backup.ts';
import { ERROR_CODES } from '#shared/api/problem.ts';
import { StationError } from '../errors.ts';
import type { Copier, CopyProgress } from '../ports.ts';
import { GIVE_UP, GO_ON, type CopyJob, type ThreadSays } from './copyJob.ts';

type Contents = Omit<BackupContents, 'name'>;
type Job = CopyJob extends infer J ? (J extends CopyJob ? Omit<J, 'flag'> : never) : never;

/** Beside this file, from the sources as well as from what is made of them. */
const THREAD = new URL(import.meta.url.endsWith('.ts') ? 'copyThread.ts' : 'copyThread.js', import.meta.url);

/** Copies and checks databases on a thread of their own, one for each. `watch` may hold up a step: for tests. */
export function createCopier(watch: (progress: CopyProgress) => Promise<void> | undefined): Copier {
  function run(job: Job, told: (progress: CopyProgress) => void, signal: AbortSignal): Promise<Contents> {
    const shared = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
    const flag = new Int32Array(shared);
    const thread = new Worker(THREAD, { workerData: { ...job, flag: shared } });
    const { promise, resolve, reject } = Promise.withResolvers<Contents>();
    const answer = (): void => {
      Atomics.store(flag, 0, signal.aborted ? GIVE_UP : GO_ON);
      Atomics.notify(flag, 0);
    };
    thread.on('message', (said: ThreadSays) => {
      if (said.kind === 'checked') return resolve(said.contents);
      if (said.kind === 'failed') return reject(failureOf(said, signal));
      told(said.progress);
      const held = watch(said.progress);
      if (held === undefined) answer();
      else void held.then(answer, answer);
    });
    thread.on('error', reject);
    thread.on('exit', (code) => reject(new Error(`The thread of a backup ended with ${code}.`)));
    // It ends by itself once it has said how it went; to terminate it just then has crashed V8.
    return promise;
  }

  return {
    copy: (job, told, signal) => run({ kind: 'copy', ...job }, told, signal),
    receive: (file, told, signal) => run({ kind: 'receive', file }, told, signal),
    check: (file, signal) => run({ kind: 'check', file }, () => undefined, signal),
  };
}

function failureOf({ code, message }: { code: string; message: string }, signal: AbortSignal): Error {
  if (signal.aborted) return new StationError('conflict', 'The backup was cancelled. Nothing is left of it.');
  if (code === 'SQLITE_FULL') return new StationError('storage', 'The disk is full.');
  if (code.startsWith('SQLITE_'))
    return new StationError('storage', `The disk cannot be written or read (${message}).`);
  const known = ERROR_CODES.find((each) => each === code);
  return known === undefined ? new Error(message) : new StationError(known, message);
}
