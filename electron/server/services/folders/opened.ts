import type { Folders, OpenFolder } from '../../ports.ts';

/** Prevents the station's own folders from being used as inbox or outbox. */
export type FolderGuard = {
  /** Throws `invalid` for one of the station's own folders, even if reached through links or bind mounts. */
  refuseOwn(folder: OpenFolder): Promise<void>;
  /** Throws `invalid` unless the inbox and outbox in the settings are two separate folders. */
  refuseNested(): void;
};

type Work<T> = (folder: OpenFolder, below: readonly OpenFolder[]) => Promise<T>;

/** Opens a folder from the settings and its subfolders, in this order, runs `work`, and closes them. */
export async function withFolder<T>(
  { folders, guard }: { folders: Pick<Folders, 'open'>; guard: FolderGuard },
  path: string,
  subfolders: readonly string[],
  work: Work<T>,
): Promise<T> {
  guard.refuseNested();
  return await withSubfolders(guard, await folders.open(path), subfolders, work);
}

/** Opens subfolders of an open folder in this order, runs `work`, and closes all of them. */
export async function withSubfolders<T>(
  guard: FolderGuard,
  folder: OpenFolder,
  subfolders: readonly string[],
  work: Work<T>,
): Promise<T> {
  const opened = [folder];
  try {
    await guard.refuseOwn(folder);
    for (const name of subfolders) {
      const below = await folder.makeFolder(name);
      opened.push(below);
      await guard.refuseOwn(below);
    }
    return await work(folder, opened.slice(1));
  } finally {
    for (const one of opened.toReversed()) await one.close().catch(() => undefined);
  }
}
