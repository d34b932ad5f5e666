import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { StationError } from '../errors.ts';
import type { FailedUpdate } from '../ports.ts';
import { bytesOf, freeBytes, syncPath } from '../db/backupFiles.ts';
import { copyFile, listDataFiles } from '../db/dataCopy.ts';
import { DATABASE_FILE, type FolderHold, holdFolder } from '../db/database.ts';
import { reasonOf } from '../db/inspection.ts';

/** Subfolder of the data folder with everything needed to return to the previous version while a new version of the program is on trial. */
export const UPDATE_FOLDER = 'update';
const TRIAL_FILE = 'trial.json';
const FAILED_FILE = 'failed.json';
const DATA = 'data';
/** Space on the disk to leave free for the system, in bytes. */
const SPARE_BYTES = 64 * 2 ** 20;

/** Additional files of a database, which must not be combined with another database. */
const FOREIGN = ['-wal', '-shm', '-journal'].map((end) => DATABASE_FILE + end);

/** The last time that a Date can represent, in epoch milliseconds. */
const LAST_MS = 8_640_000_000_000_000;

const failedSchema = z.object({ version: z.string(), at: z.int().min(0).max(LAST_MS), problem: z.string() });
const trialSchema = z.object({
  from: z.string(),
  to: z.string(),
  /**
   * State of the trial. In `installing`, the data is still that of `from`. In `trying`, the data has been copied. In `failed`, that copy is
   * being restored.
   */
  state: z.enum(['installing', 'trying', 'failed']),
  /** Why the update failed. Only in the state `failed`. */
  failed: failedSchema.optional(),
  /** Names of the copied files, some of which may already be restored. Only in the state `failed`. */
  names: z.array(z.string()).optional(),
});

/** The trial of a new version, `to`, from the beginning of its installation until it is ready for the first time. */
export type Trial = z.infer<typeof trialSchema>;

/** Returns the trial in progress, or undefined if there is none. */
export function readTrial(dataFolder: string): Trial | undefined {
  return readJson(pathOf(dataFolder, TRIAL_FILE), trialSchema);
}

/** Whether a trial is in progress, even if its file cannot be read at the moment. */
export function isOnTrial(dataFolder: string): boolean {
  return existsSync(pathOf(dataFolder, TRIAL_FILE));
}

/** Returns the last version that was installed here but never became ready. */
export function readFailed(dataFolder: string): FailedUpdate | undefined {
  return readJson(pathOf(dataFolder, FAILED_FILE), failedSchema);
}

/** Returns the number of bytes that `keepData` copies, plus the same number for the backup that a new version makes first. */
export function sizeOfTrial(dataFolder: string): number {
  return 2 * listDataFiles(dataFolder).reduce((sum, name) => sum + bytesOf(join(dataFolder, name)), 0);
}

/** Throws `conflict` if the disk does not have room for this many more bytes. */
export function refuseFullDisk(dataFolder: string, bytes: number): void {
  const needed = bytes + SPARE_BYTES;
  if (freeBytes(dataFolder) >= needed) return;
  throw new StationError(
    'conflict',
    `The update needs ${Math.ceil(needed / 2 ** 20)} MB of free space in ${dataFolder}, to keep this version and its data until the new one is ready. Free some, and install it again.`,
  );
}

export function beginTrial(dataFolder: string, { from, to }: Pick<Trial, 'from' | 'to'>): void {
  mkdirSync(pathOf(dataFolder), { recursive: true, mode: 0o700 });
  writeJson(dataFolder, TRIAL_FILE, { from, to, state: 'installing' });
}

/** Copies the current data for `takeBack`. No process may have the data open. */
export function keepData(dataFolder: string, trial: Trial): void {
  const kept = pathOf(dataFolder, DATA);
  const part = `${kept}.part`;
  for (const folder of [kept, part]) rmSync(folder, { recursive: true, force: true });
  mkdirSync(part, { mode: 0o700 });
  try {
    copyAll(dataFolder, part);
  } catch (error) {
    rmSync(part, { recursive: true, force: true });
    throw error;
  }
  renameSync(part, kept);
  syncPath(pathOf(dataFolder));
  writeJson(dataFolder, TRIAL_FILE, { ...trial, state: 'trying' });
}

/**
 * Restores the copied data, because the new version was never ready and therefore accepted no requests. No process may have the data open.
 * If this is interrupted, `completeTrial` completes it at the next start.
 */
export function takeBack(dataFolder: string, trial: Trial, failed: FailedUpdate): void {
  // If the trial is still `installing`, the data are unchanged.
  if (trial.state === 'installing') return forget(dataFolder, failed);
  const names = trial.names ?? listDataFiles(pathOf(dataFolder, DATA));
  if (!names.includes(DATABASE_FILE)) throw new Error('the kept data have no database');
  writeJson(dataFolder, TRIAL_FILE, { ...trial, state: 'failed', failed, names });
  putBack(dataFolder, names);
  forget(dataFolder, failed);
}

/**
 * Completes an interrupted `takeBack`, runs `takeBack` if the previous version starts although the data belongs to the new one, and copies
 * the data if no guard has done so. Call when `version` starts, before anything is opened, and while no other process can open the data.
 * Throws `storage`.
 */
export function completeTrial(dataFolder: string, version: string): void {
  const trial = readTrial(dataFolder);
  if (trial === undefined) return;
  const { state, from, to } = trial;
  const interrupted = { version: to, at: Date.now(), problem: 'It was not ready before the machine stopped.' };
  try {
    if (state === 'failed' || (state === 'trying' && version === from))
      takeBack(dataFolder, trial, trial.failed ?? interrupted);
    // The new version started before the guard copied the data, and will change them.
    else if (state === 'installing' && version !== from) keepData(dataFolder, trial);
  } catch (error) {
    throw new StationError(
      'storage',
      `The data in ${dataFolder} could not be copied or restored for the update to version ${to} (${reasonOf(error)}). Free some space and start again.`,
    );
  }
}

/** Moves the copied data back. Needs no additional space, because the disk may be full. Once started, the move must be completed. */
function putBack(dataFolder: string, names: readonly string[]): void {
  const kept = pathOf(dataFolder, DATA);
  for (const name of [...listDataFiles(dataFolder), ...FOREIGN])
    if (!names.includes(name)) rmSync(join(dataFolder, name), { force: true });
  for (const name of listDataFiles(kept)) renameSync(join(kept, name), join(dataFolder, name));
  syncPath(dataFolder);
}

/**
 * Ends the trial after `version` has started successfully. If that is the previous version, the update has failed and is reverted, unless a
 * guard is still waiting for the new version; in that case the trial continues.
 */
export function endTrial(dataFolder: string, version?: string): void {
  const trial = version === undefined ? undefined : readTrial(dataFolder);
  if (trial !== undefined && trial.from === version) {
    const guard = holdAlone(pathOf(dataFolder));
    if (guard === undefined) return;
    takeBack(dataFolder, trial, { version: trial.to, at: Date.now(), problem: 'It was not installed.' });
    return guard.close();
  }
  if (existsSync(pathOf(dataFolder, TRIAL_FILE))) {
    rmSync(pathOf(dataFolder, TRIAL_FILE));
    syncPath(pathOf(dataFolder));
  }
  // Remove the copied data last. If the machine stops before this line, the next start removes them.
  rmSync(pathOf(dataFolder, DATA), { recursive: true, force: true });
}

/** Locks a folder. Returns undefined if another program holds the lock. */
export function holdAlone(folder: string): FolderHold | undefined {
  try {
    return holdFolder(folder);
  } catch (error) {
    if (error instanceof StationError && error.code === 'conflict') return undefined;
    throw error;
  }
}

function forget(dataFolder: string, failed: FailedUpdate): void {
  writeJson(dataFolder, FAILED_FILE, failed);
  endTrial(dataFolder);
}

/** Copies all data files. Replaces each file completely or not at all. */
function copyAll(from: string, to: string): void {
  for (const name of listDataFiles(from)) {
    const part = join(to, `${name}.part`);
    rmSync(part, { force: true });
    copyFile(join(from, name), part);
    syncPath(part);
    renameSync(part, join(to, name));
  }
}

function pathOf(dataFolder: string, name = ''): string {
  return join(dataFolder, UPDATE_FOLDER, name);
}

function writeJson(dataFolder: string, name: string, value: Trial | FailedUpdate): void {
  const file = pathOf(dataFolder, name);
  writeFileSync(`${file}.part`, JSON.stringify(value), { mode: 0o600 });
  syncPath(`${file}.part`);
  renameSync(`${file}.part`, file);
  syncPath(pathOf(dataFolder));
}

function readJson<T>(file: string, schema: z.ZodType<T>): T | undefined {
  try {
    return schema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return undefined;
  }
}
