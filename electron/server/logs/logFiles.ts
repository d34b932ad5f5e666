import { join } from 'node:path';
import { logDay, logName } from '../domain/station/logFileNames.ts';
import { appendNow, createCurrentPart, listDumps, openPart, readNewest } from './logFolder.ts';
import { createFloodLimit, createHiding } from './logLines.ts';
import type { Clock, LogFiles } from '../ports.ts';

/** Folder inside the data folder with the log files. */
export const LOG_FOLDER = 'logs';
/** Folder inside the data folder in which the desktop shell keeps crash dumps. */
export const DUMP_FOLDER = 'crashes';

/** Time between two writes in milliseconds. The first line after a pause is written immediately. */
const BATCH_MS = 50;
/** Time until the next attempt after a failed write, in milliseconds. */
const RETRY_MS = 5_000;
/**
 * The problem is reported after this many consecutive failures. A single failure is not reported: if startup fails on a full disk, its own
 * error message is enough.
 */
const TOLD_FAILURE = 2;
const MAX_WAITING_BYTES = 2 ** 20;

/** Writer of the log files, for the logger and for the end of the process. */
export type LogFileWriter = LogFiles & {
  /** Adds a line that ends with a newline. Never throws and never waits. The line is on disk within BATCH_MS. */
  write(line: string): void;
  /** Writes all waiting lines before it returns, for a process that may be ending. Never throws. */
  flushNow(): void;
  /** Whether no line is waiting to be written. */
  idle(): boolean;
  /** Writes all waiting lines and closes the file. A later line opens the file again. */
  stop(): Promise<void>;
};

/**
 * Creates a writer that keeps the log in `<dataFolder>/logs`. Retries after a failed write, and calls `failed` once per outage, at the
 * second consecutive failure. `openFile` opens the current file; tests replace it to simulate a bad disk.
 */
export function createLogFiles(parts: {
  dataFolder: string;
  clock: Pick<Clock, 'now' | 'monotonic' | 'setTimer'>;
  failed: (error: unknown) => void;
  /** Texts to hide in every line, in addition to those that the function passed to `hide` removes. */
  secrets?: readonly string[];
  openFile?: typeof openPart;
}): LogFileWriter {
  const { clock, failed, secrets = [], openFile = openPart } = parts;
  const folder = join(parts.dataFolder, LOG_FOLDER);
  const waiting = createWaiting(clock, secrets);
  const current = createCurrentPart(folder, { clock, openFile });
  /** The lines being written. The bytes before `from` are already on disk. */
  let batch: { bytes: Buffer; from: number } | undefined;
  let timer: { cancel(): void } | undefined;
  let busy: Promise<void> | undefined;
  let nextAt = 0;
  let failures = 0;

  function write(line: string): void {
    if (waiting.add(line)) schedule();
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
          await current.close();
          failures += 1;
          if (failures === TOLD_FAILURE) failed(error);
        },
      )
      .finally(() => {
        busy = undefined;
        if (!waiting.isEmpty() || batch !== undefined) schedule();
      });
    return busy;
  }

  async function writeBatch(): Promise<void> {
    const mine = (batch ??= { bytes: waiting.take(), from: 0 });
    const { handle } = await current.partFor(mine.bytes.length);
    // `flushNow` may have written the rest.
    while (mine.from < mine.bytes.length) {
      const { bytesWritten } = await handle.write(mine.bytes, mine.from);
      mine.from += bytesWritten;
    }
    batch = undefined;
  }

  function flushNow(): void {
    waiting.noteLeftOut();
    if (batch === undefined && waiting.isEmpty()) return;
    const rest = batch?.bytes.subarray(batch.from) ?? Buffer.alloc(0);
    const text = Buffer.concat([rest, waiting.take()]);
    // If a write is in progress, its lines may appear twice, but none are lost.
    if (batch !== undefined) batch.from = batch.bytes.length;
    batch = undefined;
    appendNow(current.path() ?? join(folder, logName(logDay(clock.now()), 1)), text);
  }

  async function flush(): Promise<void> {
    waiting.noteLeftOut();
    await busy;
    timer?.cancel();
    timer = undefined;
    if (!waiting.isEmpty() || batch !== undefined) await run();
  }

  return {
    folder,
    write,
    flush,
    flushNow,
    idle: () => busy === undefined && batch === undefined && waiting.isEmpty(),
    async stop() {
      await flush();
      await current.close();
    },
    hide: waiting.hide,
    keepDays: (days) => current.keepDays(days),
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

/**
 * Creates a queue for lines that wait to be written. If the queue is full or lines arrive too fast, further lines are dropped and counted.
 */
function createWaiting(clock: Pick<Clock, 'now' | 'monotonic'>, secrets: readonly string[]) {
  const flood = createFloodLimit(clock);
  const hiding = createHiding(secrets);
  let lines: string[] = [];
  let bytes = 0;
  let leftOut = 0;

  function noteLeftOut(): void {
    if (leftOut === 0) return;
    const msg = `${leftOut} lines were left out: there were too many, or the disk did not take them`;
    lines.push(`${JSON.stringify({ level: 'warn', time: new Date(clock.now()).toISOString(), msg })}\n`);
    leftOut = 0;
  }

  return {
    noteLeftOut,
    isEmpty: () => lines.length === 0,
    /** Adds a line. Returns whether it was accepted. */
    add(line: string): boolean {
      const size = Buffer.byteLength(line);
      if (!flood.take(size, bytes + size <= MAX_WAITING_BYTES)) {
        leftOut += 1;
        return false;
      }
      noteLeftOut();
      lines.push(line);
      bytes += size;
      return true;
    },
    /** Removes all lines from the queue and returns them without secrets. */
    take(): Buffer {
      const text = hiding.hideIn(lines);
      lines = [];
      bytes = 0;
      return Buffer.from(text);
    },
    hide: (cleaner: Parameters<LogFiles['hide']>[0]) => hiding.setCleaner(cleaner),
  };
}
