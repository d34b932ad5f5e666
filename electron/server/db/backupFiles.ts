import {
  chmodSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { StationError } from '../errors.ts';
import { BACKUP_KINDS, type BackupKind } from '#shared/lib/station/backupKinds.ts';

/** Name of the folder with the backups, inside the data folder. */
export const BACKUP_FOLDER = 'backups';

/** Suffix of incomplete files. They are never listed, and the next start removes them. */
const PART = '.part';
const MAX_LISTING_BYTES = 4_096;
const NAME = new RegExp(`^pickstation-(\\d{8})-(\\d{6})Z-(${BACKUP_KINDS.join('|')})(?:-(\\d+))?\\.sqlite$`);

/** A backup file in the folder. `createdAt` is when it was added, in epoch milliseconds. */
export type BackupFile = { name: string; kind: BackupKind; createdAt: number; size: number };

/** Additional facts for the list of backups. */
export type BackupListing = { by: string; revision: number };

/** Who requested a backup, when, and with which version. Stored in the backup itself. */
export type BackupNote = { at: number; by: string; version: string };

export function backupPath(dataFolder: string, name: string): string {
  return join(dataFolder, BACKUP_FOLDER, name);
}

/**
 * Lists backups, newest first, and backups of the same second in reverse order of creation. Returns an empty list if the folder cannot be
 * read, because creating a backup reports why.
 */
export function listBackups(dataFolder: string): BackupFile[] {
  const folder = join(dataFolder, BACKUP_FOLDER);
  const files = namesIn(folder).flatMap((name) => {
    const [, day, time, kind, number = '1'] = NAME.exec(name) ?? [];
    // The file may have been deleted in the meantime.
    const status = lstatSync(join(folder, name), { throwIfNoEntry: false });
    if (day === undefined || time === undefined || status?.isFile() !== true) return [];
    const file = { name, kind: kind as BackupKind, createdAt: momentOf(day, time), size: status.size };
    return [{ file, number: Number(number) }];
  });
  return files
    .toSorted((one, other) => other.file.createdAt - one.file.createdAt || other.number - one.number)
    .map(({ file }) => file);
}

/** Returns the path for a temporary copy while a backup is read. The next start removes the copy. */
export function scratchOf(file: string): string {
  return `${file}${PART}`;
}

/** Chooses a unique name, and the path to write to until the backup is complete. Creates the folder, readable only by its owner. */
export function beginBackup(dataFolder: string, kind: BackupKind, at: number): { name: string; part: string } {
  const folder = join(dataFolder, BACKUP_FOLDER);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (isLink(folder)) {
    throw new StationError(
      'storage',
      `No backup was created: ${folder} is a link, and the station does not follow links. Replace it with a folder that has the backups, or mount their disk at this path.`,
    );
  }
  const stem = `pickstation-${stampOf(at)}-${kind}`;
  for (let number = 1; ; number += 1) {
    const name = `${stem}${number === 1 ? '' : `-${number}`}.sqlite`;
    const part = join(folder, name + PART);
    if (existsSync(join(folder, name)) || existsSync(part)) continue;
    // Set the mode before writing content.
    closeSync(openSync(part, 'wx', 0o600));
    return { name, part };
  }
}

/** Renames a complete file to its final name. Returns once the change is on disk. */
export function finishBackup(dataFolder: string, { name, part }: { name: string; part: string }): void {
  if (process.platform !== 'win32') chmodSync(part, 0o600);
  syncPath(part);
  renameSync(part, backupPath(dataFolder, name));
  syncPath(join(dataFolder, BACKUP_FOLDER));
}

/** Flags for opening a backup without following a link that somebody put in its place. Windows has no such flag. */
const READ = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0);

export type OpenBackup = FileHandle;

/**
 * Opens a listed backup. Rejects if it is a link or no longer exists. Hard links are allowed, because a check of a running station creates
 * them.
 */
export function openBackup(dataFolder: string, name: string): Promise<OpenBackup> {
  return open(backupPath(dataFolder, name), READ);
}

/** Removes a complete or partial backup, and its listing. */
export function removeBackup(file: string): void {
  for (const end of ['', '-journal', '-wal', '-shm', '.json']) rmSync(file + end, { force: true });
}

/** Removes partial backups and orphaned listings that an interrupted station left behind. */
export function removeParts(dataFolder: string): void {
  const folder = join(dataFolder, BACKUP_FOLDER);
  for (const name of namesIn(folder)) {
    const isLeft = name.endsWith('.sqlite.json') && !existsSync(join(folder, name.slice(0, -'.json'.length)));
    if (isLeft || name.includes(`.sqlite${PART}`)) rmSync(join(folder, name), { force: true });
  }
}

/**
 * Returns the file names in the folder, or an empty list if the folder is a link, so that the station neither lists nor removes files
 * outside its data folder.
 */
function namesIn(folder: string): string[] {
  try {
    return isLink(folder) ? [] : readdirSync(folder);
  } catch {
    return [];
  }
}

function isLink(path: string): boolean {
  return lstatSync(path).isSymbolicLink();
}

/** Finds the additional facts about a backup. They are in a separate file, so that listing does not open a foreign database. */
export function findListing(dataFolder: string, name: string): BackupListing | undefined {
  try {
    const file = listingOf(backupPath(dataFolder, name));
    // Read only files: reading a pipe, for example, could block indefinitely.
    const status = lstatSync(file);
    if (!status.isFile() || status.size > MAX_LISTING_BYTES) return undefined;
    const { by, revision } = JSON.parse(readFileSync(file, 'utf8')) as Record<keyof BackupListing, unknown>;
    return typeof by === 'string' && Number.isSafeInteger(revision) ? { by, revision: Number(revision) } : undefined;
  } catch {
    return undefined;
  }
}

/** Stores the additional facts. If this fails, they are missing in the list. */
export function keepListing(dataFolder: string, name: string, { by, revision }: BackupListing): void {
  try {
    const file = listingOf(backupPath(dataFolder, name));
    rmSync(file, { force: true });
    // Never overwrite an existing file, because it may be a link.
    writeFileSync(file, JSON.stringify({ by, revision }), { mode: 0o600, flag: 'wx' });
  } catch {
    // Ignore the error: the backup itself is complete without its listing.
  }
}

function listingOf(file: string): string {
  return `${file}.json`;
}

/** Converts a copy to a single-file backup and records who requested it. */
export function signBackup(file: string, note: BackupNote): void {
  const db = new Database(file, { fileMustExist: true });
  try {
    db.pragma('journal_mode = DELETE');
    db.prepare("INSERT OR REPLACE INTO meta (key, value) VALUES ('backup', ?)").run(JSON.stringify(note));
  } finally {
    db.close();
  }
}

/** Returns the free space for this user on the disk of a folder, in bytes. */
export function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/** Returns the size of a file in bytes, or 0 if it does not exist. */
export function bytesOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

/** Syncs a path, or throws. Windows cannot sync folders; there, renaming already waits for the disk. */
export function syncPath(path: string): void {
  if (process.platform === 'win32' && statSync(path).isDirectory()) return;
  // Windows syncs only files that are open for writing.
  const handle = openSync(path, process.platform === 'win32' ? 'r+' : 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Formats a time for file names: `20261120-080000Z`. */
function stampOf(at: number): string {
  return new Date(at)
    .toISOString()
    .replaceAll(/[-:]/g, '')
    .replace('T', '-')
    .replace(/\.\d+Z$/, 'Z');
}

function momentOf(day: string, time: string): number {
  const text = `${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}T${time.slice(0, 2)}:${time.slice(2, 4)}:${time.slice(4)}Z`;
  return Date.parse(text) || 0;
}
