import {
  chmodSync,
  closeSync,
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
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { BACKUP_KINDS, type BackupKind } from '#shared/lib/backupKinds.ts';

/** In the data folder. */
export const BACKUP_FOLDER = 'backups';

/** What is not whole yet ends so: nobody takes it for a backup, and the next start removes it. */
const PART = '.part';
const MAX_LISTING_BYTES = 4_096;
const NAME = new RegExp(`^pickstation-(\\d{8})-(\\d{6})Z-(${BACKUP_KINDS.join('|')})(?:-(\\d+))?\\.sqlite$`);

/** One file of the folder; `createdAt` is when it came there, epoch milliseconds. */
export type BackupFile = { name: string; kind: BackupKind; createdAt: number; size: number };

/** What the list says of a file. */
export type BackupListing = { by: string; revision: number };

/** Who asked for a backup, when and with which version: it stands in the file itself, wherever that goes. */
export type BackupNote = { at: number; by: string; version: string };

export function backupPath(dataFolder: string, name: string): string {
  return join(dataFolder, BACKUP_FOLDER, name);
}

/** The newest first; those of one second as they were made. None where the folder cannot be read: making one says why. */
export function listBackups(dataFolder: string): BackupFile[] {
  const folder = join(dataFolder, BACKUP_FOLDER);
  const files = namesIn(folder).flatMap((name) => {
    const [, day, time, kind, number = '1'] = NAME.exec(name) ?? [];
    // Between the two somebody may have taken it away.
    const status = lstatSync(join(folder, name), { throwIfNoEntry: false });
    if (day === undefined || time === undefined || status?.isFile() !== true) return [];
    const file = { name, kind: kind as BackupKind, createdAt: momentOf(day, time), size: status.size };
    return [{ file, number: Number(number) }];
  });
  return files
    .toSorted((one, other) => other.file.createdAt - one.file.createdAt || other.number - one.number)
    .map(({ file }) => file);
}

/** Where a copy of a backup may be made while that is read. The next start removes it. */
export function scratchOf(file: string): string {
  return `${file}${PART}`;
}

/** A name that no backup has, and where it is written until it is whole. Makes the folder, for its owner alone. */
export function beginBackup(dataFolder: string, kind: BackupKind, at: number): { name: string; part: string } {
  const folder = join(dataFolder, BACKUP_FOLDER);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const stem = `pickstation-${stampOf(at)}-${kind}`;
  for (let number = 1; ; number += 1) {
    const name = `${stem}${number === 1 ? '' : `-${number}`}.sqlite`;
    const part = join(folder, name + PART);
    if (existsSync(join(folder, name)) || existsSync(part)) continue;
    // The mode is there before what is in it.
    closeSync(openSync(part, 'wx', 0o600));
    return { name, part };
  }
}

/** From now on it is a backup, after a loss of power too. */
export function finishBackup(dataFolder: string, { name, part }: { name: string; part: string }): void {
  if (process.platform !== 'win32') chmodSync(part, 0o600);
  syncPath(part);
  renameSync(part, backupPath(dataFolder, name));
  syncPath(join(dataFolder, BACKUP_FOLDER));
}

/** Removes a backup, whole or begun, with the file beside it. */
export function removeBackup(file: string): void {
  for (const end of ['', '-journal', '-wal', '-shm', '.json']) rmSync(file + end, { force: true });
}

/** What a station that ended in the middle has left. */
export function removeParts(dataFolder: string): void {
  const folder = join(dataFolder, BACKUP_FOLDER);
  for (const name of namesIn(folder)) {
    const isLeft = name.endsWith('.sqlite.json') && !existsSync(join(folder, name.slice(0, -'.json'.length)));
    if (isLeft || name.includes(`.sqlite${PART}`)) rmSync(join(folder, name), { force: true });
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** What the list says of a backup. It is kept in a file beside it, so that the list opens no foreign database. */
export function findListing(dataFolder: string, name: string): BackupListing | undefined {
  try {
    const file = listingOf(backupPath(dataFolder, name));
    // What is no file, such as a pipe, would be read for ever.
    const status = lstatSync(file);
    if (!status.isFile() || status.size > MAX_LISTING_BYTES) return undefined;
    const { by, revision } = JSON.parse(readFileSync(file, 'utf8')) as Record<keyof BackupListing, unknown>;
    return typeof by === 'string' && Number.isSafeInteger(revision) ? { by, revision: Number(revision) } : undefined;
  } catch {
    return undefined;
  }
}

/** Where it cannot be written, the list says less. */
export function keepListing(dataFolder: string, name: string, { by, revision }: BackupListing): void {
  try {
    writeFileSync(listingOf(backupPath(dataFolder, name)), JSON.stringify({ by, revision }), { mode: 0o600 });
  } catch {
    // The backup itself is whole.
  }
}

function listingOf(file: string): string {
  return `${file}.json`;
}

/** Makes a copy the single file that a backup is, and writes down who made it. */
export function signBackup(file: string, note: BackupNote): void {
  const db = new Database(file, { fileMustExist: true });
  try {
    db.pragma('journal_mode = DELETE');
    db.prepare("INSERT OR REPLACE INTO meta (key, value) VALUES ('backup', ?)").run(JSON.stringify(note));
  } finally {
    db.close();
  }
}

/** Room on the disk of a folder, for this user, in bytes. */
export function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/** The size of a file in bytes; 0 where there is no such file. */
export function bytesOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

/** On disk, or thrown. Windows has no folders that could be synced: there the rename waits for the disk by itself. */
export function syncPath(path: string): void {
  if (process.platform === 'win32' && statSync(path).isDirectory()) return;
  // Windows syncs only what may be written.
  const handle = openSync(path, process.platform === 'win32' ? 'r+' : 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** `20261120-080000Z`. */
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
