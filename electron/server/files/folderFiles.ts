import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, lstat, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  holdFolder,
  holdSubfolder,
  identitiesOf,
  idOf,
  linkAt,
  type HeldFolder,
  type FolderReach,
  SYSTEM_REACH,
} from './openFolder.ts';
import type { FolderEntry, Folders, OpenFolder } from '../ports.ts';

/** The character that Node substitutes for file name bytes that are not UTF-8. */
const REPLACED = '\ufffd';

/** Number of bytes per read. Hashing them blocks the event loop for only a fraction of a millisecond. */
const PART_BYTES = 128 * 1024;
/** Interval between polls of a watched folder, in milliseconds. */
const POLL_MS = 1_000;
/** Flags for reading a file without following a link, and without blocking on a pipe. Windows has neither flag. */
const READ_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
/** Flags for creating a file, so that an existing one, which may be a link, is never opened. */
const WRITE_FLAGS = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);

/**
 * Returns access to folders of this machine. Each operation makes one system call at a time, so that a hanging network share blocks only
 * one thread of Node's pool.
 */
export function systemFolders(reach: FolderReach = SYSTEM_REACH): Folders {
  return {
    open: async (path) => openFolder(await holdFolder(path, reach), reach),
    watch(folder, changed) {
      let close: (() => Promise<void>) | undefined;
      let isStopped = false;
      async function begin(): Promise<void> {
        const { watch } = await import('chokidar');
        if (isStopped) return;
        // Poll, because network shares do not report changes. Watch only the folder itself, so that a hanging share blocks only one thread.
        const watcher = watch(folder, {
          persistent: false,
          usePolling: true,
          interval: POLL_MS,
          depth: 0,
          ignoreInitial: true,
          ignored: (path) => path !== folder,
        });
        close = () => watcher.close();
        watcher.on('raw', changed);
        // The watcher does not report files that appeared before it was ready, so look once more.
        watcher.on('ready', changed);
        // Look at the folder again, because that access reports the reason.
        watcher.on('error', changed);
      }
      begin().catch(changed);
      return () => {
        isStopped = true;
        close?.().catch(() => undefined);
      };
    },
  };
}

/** Returns the operations on an open folder. */
function openFolder(held: HeldFolder, reach: FolderReach): OpenFolder {
  return {
    path: held.path,
    identities: () => identitiesOf(held),
    list: (isWanted) =>
      held.use(async (base) => {
        const entries: FolderEntry[] = [];
        for (const name of await readdir(base)) {
          if (!isWanted(name)) continue;
          const stat = await lstat(join(base, name)).catch(unlessGone);
          if (stat === undefined && name.includes(REPLACED))
            entries.push({ name, size: 0, modifiedMs: 0, isFile: false, names: 0 });
          if (stat === undefined || stat.isDirectory()) continue;
          const { size, mtimeMs: modifiedMs, nlink: names } = stat;
          entries.push({ name, size, modifiedMs, isFile: stat.isFile(), names });
        }
        return entries;
      }),
    find: (name) =>
      held.use(async (base) => {
        const status = await lstat(within(base, name)).catch(unlessGone);
        return status && (status.isFile() ? 'file' : 'other');
      }),
    makeFolder: async (name) => openFolder(await holdSubfolder(held, name, reach), reach),
    read: (name, limit) => held.use((base) => readFile(within(base, name), limit)),
    write: (name, text) =>
      held.use(async (base) => {
        await writeFile(base, name, text);
        await syncFolder(base);
      }),
    move: (name, to) => held.use((base) => to.folder.take(within(base, name), to.name)),
    take: (path, name) =>
      held.use(async (base) => {
        await rename(path, within(base, name));
        await syncFolder(base);
      }),
    close: held.close,
  };
}

async function readFile(path: string, limit: number): Promise<{ bytes: Uint8Array; hash: string } | undefined> {
  const file = await openFile(path);
  try {
    const { size } = await file.stat();
    if (size > limit) return undefined;
    const hash = createHash('sha256');
    const parts: Buffer[] = [];
    let read = 0;
    for (;;) {
      const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(PART_BYTES), 0, PART_BYTES);
      if (bytesRead === 0) break;
      read += bytesRead;
      // The file has grown since `stat`.
      if (read > limit) return undefined;
      const part = buffer.subarray(0, bytesRead);
      hash.update(part);
      parts.push(part);
    }
    return { bytes: Buffer.concat(parts), hash: hash.digest('hex') };
  } finally {
    await file.close();
  }
}

/** Opens a file. Rejects with `ELOOP` if the file is a link, or with `EMLINK` if it has another hard link. */
async function openFile(path: string): Promise<FileHandle> {
  const before = await lstat(path, { bigint: true });
  if (before.isSymbolicLink()) throw linkAt(path);
  const file = await open(path, READ_FLAGS);
  try {
    const status = await file.stat({ bigint: true });
    if (idOf(status) !== idOf(before)) throw linkAt(path);
    if (status.nlink > 1n) throw Object.assign(new Error('EMLINK'), { code: 'EMLINK', syscall: 'open', path });
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function writeFile(folder: string, name: string, text: string): Promise<void> {
  const path = within(folder, name);
  // The next attempt uses the same temporary name, so that it removes what a killed station left behind.
  const temporary = within(folder, `.${createHash('sha256').update(name).digest('hex').slice(0, 16)}.tmp`);
  try {
    await rm(temporary, { force: true });
    const file = await open(temporary, WRITE_FLAGS);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw Object.assign(error as Error, { path });
  }
}

/** Returns the path of a file in a folder. Throws if the name leads elsewhere, as a name from a restored backup may. */
function within(folder: string, name: string): string {
  // Except on Windows, a backslash is an ordinary character.
  const separators = process.platform === 'win32' ? /[\\/:]/ : /\//;
  if (name === '' || name === '.' || name === '..' || separators.test(name)) {
    throw new Error(`${name} is not the name of a file.`);
  }
  return join(folder, name);
}

function unlessGone(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
  throw error;
}

/** Ensures that a rename survives a power failure. Not every system and network share supports this. */
async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch {
    // Ignore the error: only the folder could not be synced, and the file itself is on disk.
  }
}
