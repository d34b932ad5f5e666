import {
  appendFileSync,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  type promises,
} from 'node:fs';
import { lstat, mkdir, open, readdir, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  inOrder,
  LOG_LIMITS,
  logDay,
  logName,
  type LogPart,
  parseLogName,
  surplusParts,
} from '../domain/station/logFileNames.ts';
import { linkAt } from '../files/openFolder.ts';
import type { Clock, LogFileText } from '../ports.ts';

/** Flags for appending to a file without following a link, which could lead to somebody else's file. Windows has no such flag. */
const APPEND = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0);
const OWNER_ONLY = 0o600;

export type OpenPart = { handle: promises.FileHandle; day: string; path: string };

/**
 * Opens the log file for the time `now`, in epoch milliseconds, with room for `bytes` more, and deletes files that are older than `days` or
 * exceed the limit. The data folder must exist. Rejects if the file cannot be opened.
 */
export async function openPart(
  folder: string,
  now: number,
  bytes: number,
  days: number = LOG_LIMITS.days,
): Promise<OpenPart> {
  await makeFolder(folder);
  const parts = await listParts(folder);
  const day = logDay(now);
  const last = parts.findLast((part) => part.day === day);
  const isFull = last !== undefined && last.bytes > 0 && last.bytes + bytes > LOG_LIMITS.partBytes;
  const isShared = last !== undefined && (await lstat(join(folder, last.name))).nlink > 1;
  const name = logName(day, (last?.part ?? 1) + (isFull || isShared ? 1 : 0));
  const path = join(folder, name);
  const handle = await open(path, APPEND, OWNER_ONLY);
  try {
    // A file with a second hard link may belong to somebody else.
    if ((await handle.stat()).nlink > 1) throw linkAt(path);
    if (process.platform !== 'win32') await handle.chmod(OWNER_ONLY);
  } catch (error) {
    await handle.close();
    throw error;
  }
  const limits = { ...LOG_LIMITS, days };
  for (const surplus of surplusParts(parts, now, name, limits))
    await unlink(join(folder, surplus.name)).catch(() => undefined);
  return { handle, day, path };
}

/** Manages the log file to which lines are currently written. `openFile` opens the file. */
export function createCurrentPart(
  folder: string,
  { clock, openFile }: { clock: Pick<Clock, 'now'>; openFile: typeof openPart },
) {
  let current: OpenPart | undefined;
  // Until `keepDays` is called, no file is deleted because of its age, for example during a start that is refused.
  let days: () => number = () => Number.POSITIVE_INFINITY;
  let isDaysNew = false;

  async function close(): Promise<void> {
    const { handle } = current ?? {};
    current = undefined;
    await handle?.close().catch(() => undefined);
  }

  return {
    path: (): string | undefined => current?.path,
    /**
     * Returns the current log file. Opens the next one if the day has changed, or if the file is full or was deleted. Rejects if the file
     * cannot be opened.
     */
    async partFor(bytes: number): Promise<OpenPart> {
      if (current !== undefined) {
        const { size, nlink } = await current.handle.stat();
        const isFull = size > 0 && size + bytes > LOG_LIMITS.partBytes;
        if (current.day === logDay(clock.now()) && nlink > 0 && !isFull && !isDaysNew) return current;
        await close();
      }
      isDaysNew = false;
      current = await openFile(folder, clock.now(), bytes, days());
      return current;
    },
    keepDays(next: () => number): void {
      days = next;
      // Make the next write reopen the file, which deletes the old files.
      isDaysNew = true;
    },
    /** Closes the file. A later `partFor` opens it again. */
    close,
  };
}

/**
 * Appends the text to a file before returning, for a process that is ending. Never throws. Skips links and files with a second hard link.
 */
export function appendNow(path: string, text: Buffer): void {
  try {
    mkdirSync(dirname(path), { mode: 0o700 });
  } catch {
    // Either the folder exists, or the next call fails, too.
  }
  try {
    if (lstatSync(dirname(path)).isSymbolicLink()) return;
    const file = openSync(path, APPEND, OWNER_ONLY);
    if (fstatSync(file).nlink === 1) appendFileSync(file, text);
    closeSync(file);
  } catch {
    // The process is ending, so there is no retry.
  }
}

async function makeFolder(folder: string): Promise<void> {
  try {
    // Not recursive: the log must not create the data folder.
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  if ((await lstat(folder)).isSymbolicLink()) throw linkAt(folder);
}

async function listParts(folder: string): Promise<LogPart[]> {
  const parts: LogPart[] = [];
  for (const name of await readdir(folder)) {
    const parsed = parseLogName(name);
    const status = parsed === undefined ? undefined : await lstat(join(folder, name)).catch(() => undefined);
    if (parsed !== undefined && status?.isFile() === true) parts.push({ ...parsed, bytes: status.size });
  }
  return inOrder(parts);
}

/**
 * Returns the newest complete lines of the log files, up to `maxBytes` bytes, starting with the oldest file. Returns an empty list if the
 * folder does not exist.
 */
export async function readNewest(folder: string, maxBytes: number): Promise<LogFileText[]> {
  const found: LogFileText[] = [];
  let room = maxBytes;
  for (const { name, bytes } of (await listParts(folder).catch(() => [])).toReversed()) {
    const text = room === 0 ? '' : await readTail(join(folder, name), Math.min(bytes, room)).catch(() => '');
    room -= Math.min(bytes, room);
    found.unshift({ name, bytes, lines: text.split('\n').filter((line) => line !== '') });
  }
  return found;
}

async function readTail(path: string, bytes: number): Promise<string> {
  const handle = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  try {
    const { size } = await handle.stat();
    const from = Math.max(0, size - bytes);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(bytes), 0, bytes, from);
    const text = buffer.toString('utf8', 0, bytesRead);
    return from === 0 ? text : text.slice(text.indexOf('\n') + 1);
  } finally {
    await handle.close();
  }
}

/** Lists the crash dumps below this folder, newest first. They contain memory of the process, and therefore secrets. */
export async function listDumps(folder: string): Promise<{ name: string; at: number; bytes: number; path: string }[]> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const dumps = [];
  for (const file of files) {
    if (!file.isFile() || !file.name.endsWith('.dmp')) continue;
    const path = join(file.parentPath, file.name);
    const status = await lstat(path).catch(() => undefined);
    if (status !== undefined) dumps.push({ name: file.name, at: status.mtimeMs, bytes: status.size, path });
  }
  return dumps.toSorted((one, other) => other.at - one.at);
}
