import { constants, existsSync, type BigIntStats } from 'node:fs';
import { access, lstat, mkdir, open, opendir, realpath, stat, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/**
 * How entries of a folder are accessed. `descriptor` (Linux) goes through the open folder, so that nobody can replace the folder in the
 * meantime. `path` (Windows, macOS) compares device and inode before and after, to detect a replacement.
 */
export type FolderReach = 'descriptor' | 'path';

const DESCRIPTORS = '/proc/self/fd';
/** Maximum number of parent folders, more than any path on a machine has. */
const MAX_DEPTH = 256;

export const SYSTEM_REACH: FolderReach =
  process.platform === 'linux' && existsSync(DESCRIPTORS) ? 'descriptor' : 'path';

/** An open folder. If somebody replaces it with a link, the link is not followed. */
export type HeldFolder = {
  /** Path of the folder for messages to people. */
  path: string;
  /** Runs `work` with a path that leads to this folder. Rejects with `ELOOP` if the folder was replaced. */
  use<T>(work: (base: string) => Promise<T>): Promise<T>;
  close(): Promise<void>;
};

/** Opens a folder by its path, which may contain links, because an admin chose it. Rejects unless the folder is readable and writable. */
export function holdFolder(path: string, reach: FolderReach = SYSTEM_REACH): Promise<HeldFolder> {
  return hold(path, path, reach, 'any');
}

/** Opens a subfolder, and creates it if necessary. Rejects with `ELOOP` if the name belongs to a link. */
export function holdSubfolder(above: HeldFolder, name: string, reach: FolderReach = SYSTEM_REACH): Promise<HeldFolder> {
  return above.use(async (base) => {
    const at = join(base, name);
    // Do not create parent folders: they would end up in the empty mount point of an unmounted share.
    await mkdir(at).catch((error: unknown) => {
      if (codeOf(error) !== 'EEXIST') throw error;
    });
    return hold(at, join(above.path, name), reach, 'folder');
  });
}

/**
 * Returns the device and inode of a folder and all its parents, starting with the folder itself. They are the same for all paths through
 * links and bind mounts.
 */
export async function identitiesOf(folder: HeldFolder): Promise<string[]> {
  return folder.use(async (base) => {
    const found: string[] = [];
    // Concatenate the path, so that the system resolves `..`; `join` would drop it.
    for (let at = base; found.length < MAX_DEPTH; at += '/..') {
      const identity = idOf(await stat(at, { bigint: true }));
      if (identity === found.at(-1)) break;
      found.push(identity);
    }
    return found;
  });
}

/**
 * Like `identitiesOf`, but for a path that may not exist yet. In that case, `exists` is false, and the identities are those of the existing
 * parents.
 */
export async function identitiesOfPath(path: string): Promise<{ exists: boolean; identities: string[] }> {
  const identities: string[] = [];
  const status = await stat(path, { bigint: true }).catch(() => undefined);
  if (status === undefined && dirname(path) === path) return { exists: false, identities };
  if (status === undefined) return { exists: false, identities: (await identitiesOfPath(dirname(path))).identities };
  for (let at = await realpath(path); ; at = dirname(at)) {
    identities.push(idOf(await stat(at, { bigint: true })));
    if (dirname(at) === at) return { exists: true, identities };
  }
}

async function hold(at: string, path: string, reach: FolderReach, expects: 'any' | 'folder'): Promise<HeldFolder> {
  const look = expects === 'any' ? stat : lstat;
  const status = await named(at, path, () => look(at, { bigint: true }));
  if (status.isSymbolicLink()) throw linkAt(path);
  // This fails with ENOTDIR if the path is a file.
  await named(at, path, async () => (await opendir(at)).close());
  await named(at, path, () => access(at, constants.R_OK | constants.W_OK));
  if (reach === 'path') return byPath(path, idOf(status), look);
  const flags = constants.O_RDONLY | constants.O_DIRECTORY | (expects === 'any' ? 0 : constants.O_NOFOLLOW);
  const handle = await named(at, path, () => open(at, flags));
  if (idOf(await handle.stat({ bigint: true })) === idOf(status)) return byDescriptor(path, handle);
  await handle.close();
  throw linkAt(path);
}

function byDescriptor(path: string, handle: FileHandle): HeldFolder {
  const base = join(DESCRIPTORS, String(handle.fd));
  return {
    path,
    use: (work) => named(base, path, () => work(base)),
    close: () => handle.close(),
  };
}

function byPath(path: string, identity: string, look: typeof stat): HeldFolder {
  async function check(): Promise<void> {
    const status = await look(path, { bigint: true });
    if (idOf(status) !== identity) throw linkAt(path);
  }
  return {
    path,
    async use(work) {
      await check();
      const result = await work(path);
      await check();
      return result;
    },
    close: () => Promise.resolve(),
  };
}

export function idOf({ dev, ino }: Pick<BigIntStats, 'dev' | 'ino'>): string {
  return `${dev}:${ino}`;
}

/** Replaces the internal path in a system error with the path that the user knows. */
async function named<T>(base: string, path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { path: at } = error as NodeJS.ErrnoException;
    if (at?.startsWith(base) === true) Object.assign(error as object, { path: path + at.slice(base.length) });
    throw error;
  }
}

/** Returns the system error that reports a link where links are not allowed. */
export function linkAt(path: string): Error {
  return Object.assign(new Error(`ELOOP: ${path} is a link`), { code: 'ELOOP', syscall: 'open', path });
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}
