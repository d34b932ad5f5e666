import type { Folders, OpenFolder } from '../../../electron/server/ports.ts';
import { UNWATCHED_FOLDERS } from '../startTestStation.ts';

/** Returns the machine's real folders with changed operations, to simulate failing network shares. */
export function changedFolders(change: (folder: OpenFolder) => Partial<OpenFolder>): Folders {
  const changed = (folder: OpenFolder): OpenFolder => ({
    ...folder,
    makeFolder: async (name) => changed(await folder.makeFolder(name)),
    ...change(folder),
  });
  return { ...UNWATCHED_FOLDERS, open: async (path) => changed(await UNWATCHED_FOLDERS.open(path)) };
}
