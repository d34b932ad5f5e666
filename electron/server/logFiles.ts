import { appendFileSync, closeSync, fstatSync, lstatSync, mkdirSync, openSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { hideInLogLine } from './domain/hiddenSecrets.ts';
import { LOG_LIMITS, logDay, logName } from './domain/logFileNames.ts';
import { APPEND, listDumps, openPart, type OpenPart, readNewest } from './logFolder.ts';
import type { Clock, LogFiles } from './ports.ts';

/** In the data folder. */
export const LOG_FOLDER = 'logs';
/** In the data folder, where the desktop shell keeps crash dumps. */
export const DUMP_FOLDER = 'crashes';

/** Between two writes. The first line after a pause is written at once. */
const BATCH_MS = 50;
/** After a failed write. */
const RETRY_MS = 5_000;
/** Told at this failure in a row: a start that a full disk refuses has ended before, and said so itself. */
const TOLD_FAILURE = 2;
const MAX_WAITING_BYTES = 2 ** 20;
const MAX_LINE_BYTES = 64 * 1_024;
/** A flood of lines may take this at once, and then this in a second: it costs neither the processor nor a memory card. */
const BURST_BYTES = 4 * 2 ** 20;
const BYTES_A_SECOND = 16 * 1_024;

/** What writes the log files, for the logger and for the end of the process. */
export type LogFileWriter = LogFiles & {
  /** Takes a line that ends with a newline. Never throws and never waits; on disk within BATCH_MS. */
  write(line: string): void;
  /** Writes everything that waits before it returns: for a process that may end. Never throws. */
  flushNow(): void;
  /** Whether nothing waits to be written. */
  idle(): boolean;
  /** Writes what waits, and closes the file; a later line opens it again. */
  stop(): Promise<void>;
};

/**
 * Keeps the log in `<dataFolder>/logs`. `failed` is called once when writing fails again after a while; it is tried again
 * until it succeeds. `openFile` opens the file of now: for tests of a bad disk.
 */
export function createLogFiles(parts: {
  dataFolder: string;
  clock: Pick<Clock, 'now' | 'monotonic' | 'setTimer'>;
  failed: (error: unknown) => void;
  /** Hidden in every line, besides what `hide` is given. */
  secrets?: readonly string[];
  openFile?: typeof openPart;
}): LogFileWriter {
  const { clock, failed, secrets = [], openFile = openPart } = parts;
  const folder = join(parts.dataFolder, LOG_FOLDER);
  let waiting: string[] = [];
  let waitingBytes = 0;
  let leftOut = 0;
  let budget = BURST_BYTES;
  let budgetAt = clock.monotonic();
  /** Being written, from `from` on. */
  let batch: { bytes: Buffer; from: number } | undefined;
  let current: OpenPart | undefined;
  let timer: { cancel(): void } | undefined;
  let busy: Promise<void> | undefined;
  let nextAt = 0;
  let failures = 0;
  let cleaner: (() => (text: string) => string) | undefined;
  let clean = (text: string): string => text;
  // Nobody has said how many days stay: a start that is refused, or the guard of an update, deletes none for their age.
  let days: () => number = () => Number.POSITIVE_INFINITY;
  let isDaysNew = false;

  function write(line: string): void {
    const bytes = Buffer.byteLength(line);
    const now = clock.monotonic();
    budget = Math.min(BURST_BYTES, budget + ((now - budgetAt) / 1_000) * BYTES_A_SECOND);
    budgetAt = now;
    if (bytes > budget || waitingBytes + bytes > MAX_WAITING_BYTES) {
      leftOut += 1;
      return;
    }
    budget -= bytes;
    noteLeftOut();
    waiting.push(line);
    waitingBytes += bytes;
    schedule();
  }

  function noteLeftOut(): void {
    if (leftOut === 0) return;
    const msg = `${leftOut} lines were left out: there were too many, or the disk did not take them`;
    waiting.push(`${JSON.stringify({ level: 'warn', time: new Date(clock.now()).toISOString(), msg })}\n`);
    leftOut = 0;
  }

  function schedule(): void {
    if (timer !== undefined || busy !== undefined) return;
    timer = clock.setTimer(Math.max(0, nextAt - clock.monotonic()), () => {
      timer = undefined;
      void run();
    });
  }

  function run(): Promise<void> {
    busy ??= writeBatch()
      .then(
        () => {
          failures = 0;
          nextAt = clock.monotonic() + BATCH_MS;
        },
        async (error: unknown) => {
          nextAt = clock.monotonic() + RETRY_MS;
          await closeCurrent();
          failures += 1;
          if (failures === TOLD_FAILURE) failed(error);
        },
      )
      .finally(() => {
        busy = undefined;
        if (waiting.length > 0 || batch !== undefined) schedule();
      });
    return busy;
  }

  async function writeBatch(): Promise<void> {
    const mine = (batch ??= { bytes: takeWaiting(), from: 0 });
    const { handle } = await partFor(mine.bytes.length);
    // `flushNow` may have written the rest.
    while (mine.from < mine.bytes.length) {
      const { bytesWritten } = await handle.write(mine.bytes, mine.from);
      mine.from += bytesWritten;
    }
    batch = undefined;
  }

  function takeWaiting(): Buffer {
    try {
      clean = cleaner?.() ?? clean;
    } catch {
      // The station that it belongs to has stopped: its last answer still holds.
    }
    const lines = waiting.map((line) => hiddenLine(line));
    waiting = [];
    waitingBytes = 0;
    return Buffer.from(lines.join(''));
  }

  function cleanAll(text: string): string {
    return clean(secrets.reduce((so, secret) => so.replaceAll(secret, '***'), text));
  }

  function hiddenLine(line: string): string {
    const hidden = hideInLogLine(line.trimEnd(), cleanAll);
    return `${hidden.length > MAX_LINE_BYTES ? `${hidden.slice(0, MAX_LINE_BYTES)}…` : hidden}\n`;
  }

  async function partFor(bytes: number): Promise<OpenPart> {
    if (current !== undefined) {
      const { size, nlink } = await current.handle.stat();
      const isWhole = size > 0 && size + bytes > LOG_LIMITS.partBytes;
      // Somebody may have deleted it.
      if (current.day === logDay(clock.now()) && nlink > 0 && !isWhole && !isDaysNew) return current;
      await closeCurrent();
    }
    isDaysNew = false;
    current = await openFile(folder, clock.now(), bytes, days());
    return current;
  }

  async function closeCurrent(): Promise<void> {
    const { handle } = current ?? {};
    current = undefined;
    await handle?.close().catch(() => undefined);
  }

  function flushNow(): void {
    noteLeftOut();
    if (batch === undefined && waiting.length === 0) return;
    const rest = batch?.bytes.subarray(batch.from) ?? Buffer.alloc(0);
    const text = Buffer.concat([rest, takeWaiting()]);
    // A write in progress may repeat its lines; none is missing.
    if (batch !== undefined) batch.from = batch.bytes.length;
    batch = undefined;
    const path = current?.path ?? join(folder, logName(logDay(clock.now()), 1));
    try {
      mkdirSync(dirname(path), { mode: 0o700 });
    } catch {
      // It exists, or the next line fails as well.
    }
    try {
      if (lstatSync(dirname(path)).isSymbolicLink()) return;
      const file = openSync(path, APPEND, 0o600);
      if (fstatSync(file).nlink === 1) appendFileSync(file, text);
      closeSync(file);
    } catch {
      // The process ends: nobody is left to try again.
    }
  }

  async function flush(): Promise<void> {
    noteLeftOut();
    await busy;
    timer?.cancel();
    timer = undefined;
    if (waiting.length > 0 || batch !== undefined) await run();
  }

  return {
    folder,
    write,
    flush,
    flushNow,
    idle: () => busy === undefined && batch === undefined && waiting.length === 0,
    async stop() {
      await flush();
      await closeCurrent();
    },
    hide: (next) => (cleaner = next),
    keepDays(next) {
      days = next;
      // The file that is open deleted none.
      isDaysNew = true;
    },
    async read(maxBytes) {
      await flush();
      return readNewest(folder, maxBytes);
    },
    async dumps() {
      const dumps = await listDumps(join(parts.dataFolder, DUMP_FOLDER));
      return dumps.map(({ name, at, bytes }) => ({ name, at, bytes }));
    },
  };
}
