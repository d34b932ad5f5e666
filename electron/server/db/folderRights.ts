import { statSync } from 'node:fs';

const GROUP_WRITES = 0o020;
const OTHERS_WRITE = 0o002;

/**
 * Returns who else can write to the folder, or undefined if only its owner can. The owner's private group counts as the owner. Windows has
 * other rights, which are not checked.
 */
export function findWriters(folder: string): 'group' | 'everybody' | undefined {
  if (process.platform === 'win32') return undefined;
  const found = statOf(folder);
  if (found === undefined) return undefined;
  const { mode, uid, gid } = found;
  if ((mode & OTHERS_WRITE) !== 0) return 'everybody';
  return (mode & GROUP_WRITES) !== 0 && gid !== uid ? 'group' : undefined;
}

function statOf(folder: string) {
  try {
    return statSync(folder, { throwIfNoEntry: false });
  } catch {
    // The folder is not readable now. Another check reports that.
    return undefined;
  }
}
