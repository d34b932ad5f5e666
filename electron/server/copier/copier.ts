import { ERROR_CODES } from '#shared/api/problem.ts';
import { bytesOf } from '../db/backupFiles.ts';
import { StationError } from '../errors.ts';
import type { Clock, Copier, CopyProgress, FoundInBackup, SideProcess, StartSideProcess } from '../ports.ts';
import { GO_ON, type CopyJob, type CopySays } from './copyJob.ts';

/** The program beside this file, as source or as built. */
const PROGRAM = new URL(import.meta.url.endsWith('.ts') ? 'copyProcess.ts' : 'copyProcess.js', import.meta.url);

/** What is left if the process ends early. */
const LOST = {
  copy: 'No backup was made, and nothing is left of it',
  receive: 'The backup was not accepted, and nothing is left of it',
  check: 'The backup was not checked',
  rewrite: 'The backup was not restored',
} as const satisfies Record<CopyJob['kind'], string>;

/** Time limit for reading a file: a crafted one could keep its reader busy for ever. Slow cards read a MiB per second. */
const LIMIT_MS = 120_000;
const LIMIT_MS_PER_MIB = 1_000;

/** Copies and checks databases, each in its own process. `watch` can delay a step: for tests. */
export function createCopier(
  startProcess: StartSideProcess,
  watch: (progress: CopyProgress) => Promise<void> | undefined,
  clock: Pick<Clock, 'setTimer'>,
): Copier {
  async function run(
    job: CopyJob,
    told: (progress: CopyProgress) => void,
    signal: AbortSignal,
  ): Promise<FoundInBackup> {
    if (signal.aborted) throw givenUp(job);
    const { promise, resolve, reject } = Promise.withResolvers<FoundInBackup>();
    let isTooLong = false;
    const side = start(job, {
      message(message) {
        // Ignores messages from a process that is being killed.
        if (signal.aborted) return;
        // Sound: only our process sends here.
        const said = message as CopySays;
        if (said.kind === 'checked') resolve(said.contents);
        if (said.kind === 'failed') reject(failureOf(said));
        if (said.kind === 'step') told(said.progress);
        const held = said.kind === 'step' ? watch(said.progress) : undefined;
        if (held === undefined) goOn();
        else void held.then(goOn, goOn);
      },
      // Settles only now: nobody writes to the file any more, so the caller can remove it.
      ended: (how) => reject(signal.aborted ? givenUp(job) : isTooLong ? tooLong() : lost(job, how)),
    });
    const goOn = (): void => side.send(GO_ON);
    side.send(job);
    signal.addEventListener('abort', side.kill);
    // Our own database is trusted, and may be of any size.
    const limit =
      job.kind === 'copy'
        ? undefined
        : clock.setTimer(limitFor(job.file), () => {
            isTooLong = true;
            side.kill();
          });
    return promise.finally(() => {
      limit?.cancel();
      signal.removeEventListener('abort', side.kill);
    });
  }

  function start(job: CopyJob, heard: Parameters<StartSideProcess>[1]): SideProcess {
    try {
      return startProcess(PROGRAM, heard);
    } catch (error) {
      throw lost(job, `could not be started (${(error as Error).message})`);
    }
  }

  return {
    copy: (job, told, signal) => run({ kind: 'copy', ...job }, told, signal),
    receive: (file, told, signal) => run({ kind: 'receive', file }, told, signal),
    check: (file, signal) => run({ kind: 'check', file }, () => undefined, signal),
    rewrite: (file, to, signal) => run({ kind: 'rewrite', file, to }, () => undefined, signal),
  };
}

function limitFor(file: string): number {
  return LIMIT_MS + (bytesOf(file) / 1024 / 1024) * LIMIT_MS_PER_MIB;
}

function tooLong(): StationError {
  return new StationError(
    'invalid',
    'This cannot be restored. Reading it took too long and was canceled; the station keeps running. Take another backup.',
  );
}

/** Checks are aborted only by a station that stops. */
function givenUp({ kind }: CopyJob): StationError {
  return kind === 'check' || kind === 'rewrite'
    ? new StationError('stopping', 'The station is stopping. Try again when it is back.')
    : new StationError('conflict', 'The backup was canceled. Nothing is left of it.');
}

function lost({ kind }: CopyJob, how: string): StationError {
  return new StationError(
    'internal',
    `${LOST[kind]}: the process for it ${how}. Try again; the station keeps running.`,
  );
}

function failureOf({ code, message }: { code: string; message: string }): Error {
  if (code === 'SQLITE_FULL') return new StationError('storage', 'The disk is full.');
  if (code.startsWith('SQLITE_'))
    return new StationError('storage', `The disk cannot be written or read (${message}).`);
  const known = ERROR_CODES.find((each) => each === code);
  return known === undefined ? new Error(message) : new StationError(known, message);
}
