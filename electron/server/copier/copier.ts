import { ERROR_CODES } from '#shared/api/problem.ts';
import type { TableFile } from '#shared/lib/tables/table.ts';
import { bytesOf } from '../db/backupFiles.ts';
import { StationError } from '../errors.ts';
import type {
  Clock,
  Copier,
  CopyProgress,
  DocumentOrder,
  SideProcess,
  StartSideProcess,
  StoredPicture,
} from '../ports.ts';
import { createLane } from '../scheduling/index.ts';
import { GO_ON, type CopyJob, type CopySays, type FoundItems, isReadJob, type Piece, type ReadJob } from './copyJob.ts';
import { createItems } from './readItems.ts';

/** The program for side processes, in the same folder as this file, either as source or as build. */
const PROGRAM = new URL(import.meta.url.endsWith('.ts') ? 'copyProcess.ts' : 'copyProcess.js', import.meta.url);

/** Consequence for the user if the process of a job ends early. */
const LOST = {
  copy: 'No backup was made, and nothing is left of it',
  receive: 'The backup was not accepted, and nothing is left of it',
  check: 'The backup was not checked',
  rewrite: 'The backup was not restored',
  picture: 'The picture was not changed',
  table: 'The file was not read',
  document: 'The file was not read',
} as const satisfies Record<CopyJob['kind'], string>;

/**
 * Time limit for reading a file, because a crafted file could keep the process busy indefinitely. The limit grows with the size, because a
 * slow card reads one MiB per second.
 */
const LIMIT_MS = 120_000;
const LIMIT_MS_PER_MIB = 1_000;
/** Time limit for converting a picture. The largest ones take seconds on a small computer. */
const PICTURE_LIMIT_MS = 60_000;
/** Time limit for reading a file with orders, articles or places. The largest takes seconds, also on a small computer. */
const READ_LIMIT_MS = 120_000;
/** Memory limit for the objects of a process that reads such a file. The largest file within the limits needs less. */
const READ_MEMORY_MIB = 384;
/** Size of the messages that carry a picture or file to the process. Sending one takes less than a millisecond. */
const PIECE_BYTES = 192 * 1024;

/**
 * Creates a service that copies and checks databases, converts pictures and reads files, each job in its own process. `watch` can delay a
 * step, for tests.
 */
export function createCopier(
  startProcess: StartSideProcess,
  watch: (progress: CopyProgress) => Promise<void> | undefined,
  clock: Pick<Clock, 'setTimer'>,
): Copier {
  /** Runs a job in a side process. `pieces` are the replies to its `more` messages. */
  async function run<Outcome>(
    job: CopyJob,
    {
      onProgress = () => undefined,
      onItems = () => undefined,
      pieces,
    }: {
      onProgress?: (progress: CopyProgress) => void;
      onItems?: (found: FoundItems) => void;
      pieces?: Iterator<Piece>;
    },
    signal: AbortSignal,
  ): Promise<Outcome> {
    if (signal.aborted) throw givenUp(job);
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    let isTooLong = false;
    let hasBegun = false;
    const side = start(job, {
      message(message) {
        // Ignore messages from a process that is being killed.
        if (signal.aborted) return;
        // Safe cast: only our own program sends messages here.
        const said = message as CopySays;
        hasBegun = true;
        if (said.kind === 'more') return side.send(pieces?.next().value ?? LAST_PIECE);
        if (said.kind === 'checked') resolve(said.contents);
        if (said.kind === 'converted') resolve(pictureIn(said));
        if (said.kind === 'items') onItems(said);
        if (said.kind === 'read') resolve(said.rest);
        if (said.kind === 'failed') reject(failureOf(said));
        if (said.kind === 'step') onProgress(said.progress);
        const held = said.kind === 'step' ? watch(said.progress) : undefined;
        if (held === undefined) resume();
        else void held.then(resume, resume);
      },
      // Reject only now that the process has ended and no longer writes to the file, so that the caller can remove the file.
      ended(how) {
        if (signal.aborted) reject(givenUp(job));
        else if (isTooLong) reject(tooLong(job));
        // A process that has begun to read ends by itself only if the file needs more memory than its limit.
        else if (hasBegun && isReadJob(job)) reject(tooLarge(how));
        else reject(lost(job, how));
      },
    });
    const resume = (): void => side.send(GO_ON);
    side.send(job);
    signal.addEventListener('abort', side.kill);
    // No limit for a copy: our own database is trusted and can have any size.
    const limit =
      job.kind === 'copy'
        ? undefined
        : clock.setTimer(limitFor(job), () => {
            isTooLong = true;
            side.kill();
          });
    const outcome = promise.finally(() => {
      limit?.cancel();
      signal.removeEventListener('abort', side.kill);
    });
    // Safe cast: the kind of the job determines the type of the outcome.
    return outcome as Promise<Outcome>;
  }

  function start(job: CopyJob, listener: Parameters<StartSideProcess>[1]): SideProcess {
    try {
      return startProcess(PROGRAM, listener, { memoryMiB: isReadJob(job) ? READ_MEMORY_MIB : undefined });
    } catch (error) {
      throw lost(job, `could not be started (${(error as Error).message})`);
    }
  }

  // Read one file and convert one picture at a time, because each may take much memory.
  const alone = createLane();
  const onePicture = createLane();

  function read(
    job: ReadJob,
    bytes: Uint8Array,
    signal: AbortSignal,
  ): Promise<{ rest: unknown; items: ReturnType<typeof createItems> }> {
    return alone(async () => {
      const items = createItems();
      const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
      const rest = await run<unknown>(job, { pieces: piecesOf(file), onItems: items.add }, signal);
      return { rest, items };
    });
  }

  return {
    copy: (job, onProgress, signal) => run({ kind: 'copy', ...job }, { onProgress }, signal),
    receive: (file, onProgress, signal) => run({ kind: 'receive', file }, { onProgress }, signal),
    check: (file, signal) => run({ kind: 'check', file }, {}, signal),
    rewrite: (file, to, signal) => run({ kind: 'rewrite', file, to }, {}, signal),
    convertPicture: (bytes, signal) => onePicture(() => run({ kind: 'picture' }, { pieces: piecesOf(bytes) }, signal)),
    async readTable(bytes, encoding, signal) {
      const { rest, items } = await read({ kind: 'table', encoding }, bytes, signal);
      // Safe cast: only our own program sends it.
      return items.table(rest as TableFile);
    },
    async readDocument(bytes, format, signal) {
      const { items } = await read({ kind: 'document', format }, bytes, signal);
      return items.list<DocumentOrder>();
    },
  };
}

function limitFor(job: Exclude<CopyJob, { kind: 'copy' }>): number {
  if (job.kind === 'picture') return PICTURE_LIMIT_MS;
  if (isReadJob(job)) return READ_LIMIT_MS;
  return LIMIT_MS + (bytesOf(job.file) / 1024 / 1024) * LIMIT_MS_PER_MIB;
}

const SMALLER = 'Remove sheets, columns and rows that are not needed, or split it into several files.';

const LAST_PIECE: Piece = { kind: 'piece', base64: '' };

function* piecesOf(bytes: Buffer): Generator<Piece, undefined> {
  for (let from = 0; from < bytes.length; from += PIECE_BYTES)
    yield { kind: 'piece', base64: bytes.toString('base64', from, from + PIECE_BYTES) };
}

function pictureIn({ content, small }: Extract<CopySays, { kind: 'converted' }>): StoredPicture {
  return { content: Buffer.from(content, 'base64'), small: Buffer.from(small, 'base64') };
}

function tooLong(job: CopyJob): StationError {
  if (isReadJob(job)) return new StationError('invalid', `Reading the file took too long and was canceled. ${SMALLER}`);
  if (job.kind === 'picture')
    return new StationError(
      'unsupported_media_type',
      'Reading the picture took too long and was canceled. Open it in a program for pictures, save it as a JPEG of 640 pixels, and send that file.',
    );
  return new StationError(
    'invalid',
    'This cannot be restored. Reading it took too long and was canceled; the station keeps running. Choose another backup.',
  );
}

/** Returns the error for an aborted job. Jobs other than `copy` and `receive` are aborted only when the station stops. */
function givenUp(job: CopyJob): StationError {
  return job.kind === 'check' || job.kind === 'rewrite' || job.kind === 'picture' || isReadJob(job)
    ? new StationError('stopping', 'The station is stopping. Try again when it is back.')
    : new StationError('conflict', 'The backup was canceled. Nothing is left of it.');
}

function tooLarge(how: string): StationError {
  return new StationError(
    'invalid',
    `The file was not read, because reading it needs more memory than a file may take (the process ${how}). ${SMALLER}`,
  );
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
