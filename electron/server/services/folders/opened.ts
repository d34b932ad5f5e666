import type { Folders, OpenFolder } from '../../ports.ts';

/** Keeps folders of the station itself out of the inbox and the outbox. */
export type FolderGuard = {
  /** Throws `invalid` if this is a folder of the station, through links and bind mounts too. */
  refuseOwn(folder: OpenFolder): Promise<void>;
  /** Throws `invalid` if inbox and outbox, as they are set, are not two separate folders. */
  refuseNested(): void;
};

/** Opens a folder of the settings, and closes it and its subfolders when `work` is done. `work` gets the subfolders in their order. */
export async function withFolder<T>(
  { folders, guard }: { folders: Pick<Folders, 'open'>; guard: FolderGuard },
  path: string,
  subfolders: readonly string[],
  work: (folder: OpenFolder, below: readonly OpenFolder[]) => Promise<T>,
): Promise<T> {
  guard.refuseNested();
  const opened = [await folders.open(path)];
  const [folder] = opened as [OpenFolder];
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
