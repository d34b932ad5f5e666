import { createHash, hash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  openSync,
  promises,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { syncPath } from './backupFiles.ts';
import type { StationOrigin } from './repositories/numbers.ts';

/** Name of the file next to the database that records the station and its latest revision. See docs/decisions/0005. */
export const MARK_FILE = 'pickstation.mark';

/**
 * State of the database when the mark was written. `identity` identifies the station. `revision` is the last commit on disk at `at` (epoch
 * milliseconds). `changes` is the change counter of the database file, without its log. `lost` describes a known loss, until a restore ends
 * it.
 */
export type Mark = { identity: string; revision: number; at: number; changes: number; lost?: string | undefined };

const NOTHING: Mark = { identity: '', revision: 0, at: 0, changes: 0 };

export function identityOf({ createdAt, firstCommand }: StationOrigin): string {
  return `${createdAt}-${firstCommand}`;
}

/** Returns a short station id for topics, derived from values that no other station has. */
export function stationIdOf(origin: StationOrigin): string {
  return `station-${createHash('sha256').update(identityOf(origin)).digest('hex').slice(0, 8)}`;
}

/** Replaces the mark atomically. Resolves when it is on disk. The commit that it names must already be on disk. */
export async function writeMark(dataFolder: string, mark: Mark): Promise<void> {
  const file = join(dataFolder, MARK_FILE);
  const handle = await promises.open(`${file}.part`, 'w', 0o600);
  try {
    await handle.writeFile(textOf(mark));
    await handle.sync();
  } finally {
    await handle.close();
  }
  await promises.rename(`${file}.part`, file);
  // Windows cannot sync folders.
  if (process.platform === 'win32') return;
  const folder = await promises.open(dataFolder, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** Records a loss. Later starts report it until the mark is removed or rewritten, even if the files are complete again. */
export function keepLost(dataFolder: string, lost: string): void {
  const file = join(dataFolder, MARK_FILE);
  const mark = readMark(dataFolder);
  writeFileSync(`${file}.part`, textOf({ ...(typeof mark === 'object' ? mark : NOTHING), lost }), { mode: 0o600 });
  syncPath(`${file}.part`);
  renameSync(`${file}.part`, file);
  syncPath(dataFolder);
}

function textOf(mark: Mark): string {
  const text = JSON.stringify(mark);
  return `${text}\n${hash('sha256', text)}\n`;
}

/** Reads the mark. Returns undefined if there is none, and `unreadable` if it is damaged. */
export function readMark(dataFolder: string): Mark | 'unreadable' | undefined {
  const file = join(dataFolder, MARK_FILE);
  if (!existsSync(file)) return undefined;
  try {
    const [text = '', sum] = readFileSync(file, 'utf8').split('\n');
    if (hash('sha256', text) !== sum) return 'unreadable';
    const { identity, revision, at, changes, lost } = JSON.parse(text) as Mark;
    return { identity, revision, at, changes, lost };
  } catch {
    return 'unreadable';
  }
}

/** Offset of the change counter. https://www.sqlite.org/fileformat2.html#file_change_counter */
const CHANGES_AT = 24;

/**
 * Returns the change counter of the database file, or 0 if it cannot be read. The counter only increases, so older copies have lower
 * counters.
 */
export function changesOf(database: string): number {
  const counter = Buffer.alloc(4);
  try {
    const handle = openSync(database, 'r');
    try {
      readSync(handle, counter, 0, counter.length, CHANGES_AT);
    } finally {
      closeSync(handle);
    }
  } catch {
    return 0;
  }
  return counter.readUInt32BE();
}

/** Removes the mark, so that any database is accepted until the next mark is written. */
export function removeMark(dataFolder: string): void {
  const file = join(dataFolder, MARK_FILE);
  if (!existsSync(file)) return;
  rmSync(file);
  syncPath(dataFolder);
}
