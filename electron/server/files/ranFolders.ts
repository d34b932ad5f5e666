import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { RanFolders } from '../ports.ts';

const MAX_FOLDERS = 100;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Creates the memory of data folders in a JSON file, the same for the desktop and the service of a user. Returns undefined if the user has
 * no folder for it.
 */
export function createRanFolders(environment: Environment): RanFolders | undefined {
  const file = ranFoldersFile(environment);
  return file === undefined ? undefined : ranFoldersIn(file);
}

/** Creates the memory in this file. */
export function ranFoldersIn(file: string): RanFolders {
  return {
    find: (folder) => read(file)[resolve(folder)],
    keep(folder, at) {
      try {
        const { [resolve(folder)]: _, ...others } = read(file);
        const newest = Object.entries(others)
          .toSorted(([, one], [, other]) => other - one)
          .slice(0, MAX_FOLDERS - 1);
        mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
        writeFileSync(`${file}.part`, JSON.stringify({ [resolve(folder)]: at, ...Object.fromEntries(newest) }), {
          mode: 0o600,
        });
        renameSync(`${file}.part`, file);
      } catch {
        // Ignore the error: without the file, an emptied data folder is not noticed.
      }
    },
  };
}

/**
 * Returns the path of the file for this user. systemd gives its services a separate folder. The file is not in the usual data folder,
 * because that folder may be removed as a whole.
 */
function ranFoldersFile(environment: Environment): string | undefined {
  const name = 'stations.json';
  const given = environment['CACHE_DIRECTORY'] ?? environment['XDG_STATE_HOME'] ?? '';
  if (given !== '') return join(given, 'pickstation', name);
  const home = homedir();
  // Do not create a home for a system user without one.
  if (!existsSync(home)) return undefined;
  if (process.platform === 'win32')
    return join(environment['LOCALAPPDATA'] ?? join(home, 'AppData', 'Local'), 'Pickstation', name);
  return process.platform === 'darwin'
    ? join(home, 'Library', 'Preferences', 'Pickstation', name)
    : join(home, '.local', 'state', 'pickstation', name);
}

function read(file: string): Record<string, number> {
  try {
    const found: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (typeof found !== 'object' || found === null) return {};
    return Object.fromEntries(
      Object.entries(found).filter((entry): entry is [string, number] => Number.isSafeInteger(entry[1])),
    );
  } catch {
    return {};
  }
}
