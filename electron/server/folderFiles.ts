import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { access, lstat, mkdir, open, opendir, readdir, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { FolderEntry, Folders } from './ports.ts';

/** Read at once: hashing it holds the event loop for a fraction of a millisecond. */
const PART_BYTES = 128 * 1024;
/** Time between two looks of the watcher. */
const POLL_MS = 1_000;
/** Never through a link, and never waiting at a pipe. Windows has neither flag. */
const READ_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
const WRITE_FLAGS = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | (constants.O_NOFOLLOW ?? 0);

/** The folders of this machine, one operation at a time each: a share that hangs holds one thread of Node's pool. */
export function systemFolders(): Folders {
  return {
    async list(folder, isWanted) {
      const entries: FolderEntry[] = [];
      for (const name of await readdir(folder)) {
        if (!isWanted(name)) continue;
        const stat = await lstat(join(folder, name)).catch(unlessGone);
        if (stat === undefined || stat.isDirectory()) continue;
        entries.push({ name, size: stat.size, modifiedMs: stat.mtimeMs, isFile: stat.isFile() });
      }
      return entries;
    },
    check: checkFolder,
    async has(folder, name) {
      return (await lstat(within(folder, name)).catch(unlessGone)) !== undefined;
    },
    async makeFolder(folder, name) {
      const path = within(folder, name);
      // Not the folder above: a share that is away leaves an empty place.
      await mkdir(path).catch(unlessExists);
      await checkFolder(path);
      return path;
    },
    async read(folder, name, limit) {
      const file = await open(within(folder, name), READ_FLAGS);
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
          // It grew meanwhile.
          if (read > limit) return undefined;
          const part = buffer.subarray(0, bytesRead);
          hash.update(part);
          parts.push(part);
        }
        return { bytes: Buffer.concat(parts), hash: hash.digest('hex') };
      } finally {
        await file.close();
      }
    },
    async write(folder, name, text) {
      const path = within(folder, name);
      // The same at the next try: a kill leaves none behind for ever.
      const temporary = within(folder, `.${createHash('sha256').update(name).digest('hex').slice(0, 16)}.tmp`);
      try {
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
        throw error;
      }
      await syncFolder(folder);
    },
    async move(folder, name, to) {
      await rename(within(folder, name), within(to.folder, to.name));
      await syncFolder(to.folder);
    },
    watch(folder, changed) {
      let close: (() => Promise<void>) | undefined;
      let isStopped = false;
      async function begin(): Promise<void> {
        const { watch } = await import('chokidar');
        if (isStopped) return;
        // Polls: shares report no changes. Only the folder itself, so that a share that hangs holds one thread.
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
        // The next look at the folder says what is the matter.
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

async function checkFolder(path: string): Promise<void> {
  // Fails with ENOTDIR if it is a file.
  await (await opendir(path)).close();
  await access(path, constants.R_OK | constants.W_OK);
}

/** The path of a name in a folder. Throws if the name leads elsewhere, as one from a restored backup may. */
function within(folder: string, name: string): string {
  if (name === '' || name === '.' || name === '..' || basename(name) !== name || /[\\/]/.test(name)) {
    throw new Error(`${name} is not the name of a file.`);
  }
  return join(folder, name);
}

function unlessGone(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
  throw error;
}

function unlessExists(error: unknown): void {
  if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
}

/** Keeps a rename over a power failure. Not every system and share can. */
async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch {
    // The file itself is on disk.
  }
}
