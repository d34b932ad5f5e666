import { dirname, join, relative } from 'node:path';
import { constants, type Stats } from 'node:fs';
// Use the original `fs`, because Electron's own treats archives as folders.
import originalFs from 'original-fs';
import type { ProgramFiles } from '../server/update/guardNote.ts';
import { APPIMAGE, PROGRAM } from './arguments.ts';

const { promises: fs } = originalFs;

/** Returns the files to replace in an update, or undefined if the program belongs to a system package, which replaces it. */
export function programFiles(): ProgramFiles | undefined {
  const start = process.platform === 'linux' ? PROGRAM : process.execPath;
  if (process.platform === 'win32') return { root: dirname(start), start };
  // Pickstation.app/Contents/MacOS/Pickstation
  if (process.platform === 'darwin') return { root: dirname(dirname(dirname(start))), start };
  return APPIMAGE === undefined ? undefined : { root: start, start };
}

/** Returns the size of the program on disk, in bytes. */
export async function sizeOfProgram({ root }: ProgramFiles): Promise<number> {
  const status = await fs.stat(root);
  if (!status.isDirectory()) return status.size;
  const names = await fs.readdir(root, { recursive: true });
  const sizes = await Promise.all(names.map(async (name) => (await fs.lstat(join(root, name))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Copies the program to `to`, which must not exist. Returns the files of the copy. */
export async function copyProgram({ root, start }: ProgramFiles, to: string): Promise<ProgramFiles> {
  await fs.cp(root, to, { recursive: true, verbatimSymlinks: true, mode: constants.COPYFILE_FICLONE });
  return { root: to, start: join(to, relative(root, start)) };
}

export async function removeProgram(root: string): Promise<void> {
  await fs.rm(root, { recursive: true, force: true });
}

/** Restores the copy of the program. If the failed version cannot be removed, it stays in the same folder, with `.failed` in its name. */
export async function putProgramBack(kept: ProgramFiles, { root }: ProgramFiles): Promise<void> {
  const part = `${root}.part`;
  const away = `${root}.failed`;
  for (const path of [part, away]) await fs.rm(path, { recursive: true, force: true });
  await copyProgram(kept, part);
  // Rename folders first. A single file is replaced atomically.
  if (kept.root !== kept.start) await fs.rename(root, away).catch(ignoreMissing);
  await fs.rename(part, root);
  await fs.rm(away, { recursive: true, force: true }).catch(() => undefined);
}

/** Returns a stamp that changes when the installed program is replaced, or an empty text if the program is missing. */
export async function stampOf({ root }: ProgramFiles): Promise<string> {
  const stamp = ({ ino, mtimeMs, size }: Stats): string => `${ino} ${mtimeMs} ${size}`;
  try {
    const status = await fs.stat(root);
    if (!status.isDirectory()) return stamp(status);
    const resources = process.platform === 'darwin' ? join('Contents', 'Resources') : 'resources';
    return stamp(await fs.stat(join(root, resources, 'app.asar')));
  } catch {
    return '';
  }
}

function ignoreMissing(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
}
