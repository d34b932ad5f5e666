import { spawn, type ChildProcess } from 'node:child_process';
import { copyFileSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { z } from 'zod';
import { syncPath } from '../db/backupFiles.ts';
import { UPDATE_FOLDER } from './trial.ts';

const NOTE_FILE = 'guard.json';

const programSchema = z.object({
  /** Path of the program's folder, or of its file if the program is an AppImage. */
  root: z.string(),
  /** The file that starts the program: `root` itself, or a file in it. */
  start: z.string(),
});

/** The program on disk that a newer version replaces. */
export type ProgramFiles = z.infer<typeof programSchema>;

const noteSchema = z.object({
  /** The version that the update installs. */
  to: z.string(),
  program: programSchema,
  /** The copy of the previous version, which runs the guard. */
  kept: programSchema,
  /** The stamp of `program` before the installation. */
  stamp: z.string(),
  args: z.array(z.string()),
});

type Environment = Readonly<Record<string, string | undefined>>;

/** Information for the guard of an update, stored in a file. */
export type GuardNote = z.infer<typeof noteSchema>;

export function writeGuardNote(dataFolder: string, note: GuardNote): void {
  const file = join(dataFolder, UPDATE_FOLDER, NOTE_FILE);
  writeFileSync(file, JSON.stringify(note), { mode: 0o600 });
  syncPath(file);
}

/** Returns the note of the update in progress, or undefined if there is none. */
export function readGuardNote(dataFolder: string): GuardNote | undefined {
  try {
    return noteSchema.parse(JSON.parse(readFileSync(join(dataFolder, UPDATE_FOLDER, NOTE_FILE), 'utf8')));
  } catch {
    return undefined;
  }
}

/** Replaces `file` with a copy of `by` in one step, so that there is exactly one complete version of the file at any time. */
export function replaceFile(file: string, by: string): void {
  const part = `${file}.part`;
  try {
    copyFileSync(by, part);
    syncPath(part);
    renameSync(part, file);
    syncPath(dirname(file));
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  }
}

/** Starts the previous version as the guard of the new one. The guard keeps running after this process ends. */
export function startGuard(dataFolder: string, { kept, args }: GuardNote, environment: Environment): void {
  const switches = args.filter((argument) => argument === '--no-sandbox');
  startProgram(kept.start, [...switches, '--guard-update', '--data', dataFolder], environment);
}

/** Starts a program that keeps running after this process ends. `ended` resolves with the program's exit code, or null after a signal. */
export function startProgram(
  program: string,
  args: readonly string[],
  environment: Environment,
): { ended: Promise<number | null>; kill(): void } {
  const child = spawn(program, args, { detached: true, stdio: 'ignore', env: withoutAppImage(environment) });
  child.unref();
  return {
    ended: new Promise((resolve) => {
      child.once('exit', (code) => resolve(code));
      child.once('error', () => resolve(null));
    }),
    kill: () => killAll(child),
  };
}

/** Kills a process and all processes that it has started. */
function killAll(child: ChildProcess): void {
  try {
    if (process.platform === 'win32' || child.pid === undefined) child.kill('SIGKILL');
    else process.kill(-child.pid, 'SIGKILL');
  } catch {
    // Ignore the error: the processes have already ended.
  }
}

/** Environment variables of the AppImage runtime. */
const OF_APPIMAGE = new Set(['APPIMAGE', 'APPDIR', 'ARGV0', 'OWD']);

/** Removes the variables that an AppImage adds, because its folders disappear when it ends. */
function withoutAppImage(environment: Environment): Environment {
  const folder = environment['APPDIR'];
  const kept = Object.entries(environment).filter(([name]) => !OF_APPIMAGE.has(name));
  if (folder === undefined || folder === '') return Object.fromEntries(kept);
  const isOwn = (path: string): boolean => path.startsWith(folder);
  const without = (list = ''): string =>
    list
      .split(delimiter)
      .filter((path) => !isOwn(path))
      .join(delimiter);
  return Object.fromEntries(kept.map(([name, value]) => [name, without(value)]));
}
