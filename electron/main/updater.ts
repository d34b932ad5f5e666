import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { app } from 'electron';
import type { AppImageUpdater, MacUpdater, NsisUpdater } from 'electron-updater';
import {
  beginTrial,
  readFailed,
  readTrial,
  refuseFullDisk,
  sizeOfTrial,
  takeBack,
  UPDATE_FOLDER,
} from '../server/update/trial.ts';
import { StationError } from '../server/errors.ts';
import { VERSION, type StationPorts } from '../server/station.ts';
import { APPIMAGE, PROGRAM } from './arguments.ts';
import {
  type ProgramFiles,
  readGuardNote,
  replaceFile,
  startGuard,
  writeGuardNote,
} from '../server/update/guardNote.ts';
import { copyProgram, programFiles, removeProgram, sizeOfProgram, stampOf } from './programFiles.ts';
import type { Shutdown } from './shutdown.ts';
import { createSignedFeed, type Feed, OTHER_FILE } from './signedFeed.ts';
import type { UpdatePolicy } from '../server/update/updatePolicy.ts';

/** File next to the program's archive, present only if this build updates itself. */
const FEED_FILE = 'release-feed.json';

const NOTHING = 'There is nothing to install.';

type Updater = NonNullable<StationPorts['updater']>;
type Log = StationPorts['log'];
type LibraryUpdater = AppImageUpdater | MacUpdater | NsisUpdater;
type Library = { updater: LibraryUpdater; feed: ReturnType<typeof createSignedFeed> };

/**
 * Updates a packaged program with electron-updater, from the feed of its build. Accepts only releases signed with the key in the running
 * version. `args` are the arguments for the restarted program.
 */
export function createUpdater(parts: {
  dataFolder: string;
  policy: UpdatePolicy;
  shutdown: Shutdown;
  args: () => string[];
  log: Log;
}): Updater {
  const { dataFolder, policy, shutdown, args, log } = parts;
  const files = app.isPackaged ? programFiles() : undefined;
  let library: Promise<Library> | undefined;
  let found: string | undefined;

  // Loaded on demand, because most runs do not need it.
  const load = (): Promise<Library> => {
    library ??= loadLibrary(log).catch((error: unknown) => {
      library = undefined;
      throw error;
    });
    return library;
  };

  /** Downloads the version that was found. Returns the path of the file. */
  async function download(onProgress: (percent: number) => void): Promise<string> {
    const { feed } = await load();
    // Check first, because the library still remembers versions that were found earlier.
    if (found === undefined) throw new StationError('conflict', NOTHING);
    const version = found;
    return feed.download(onProgress).catch((error: unknown) => {
      throw new StationError('conflict', downloadProblem(version, error));
    });
  }

  return {
    cannotCheck: whyNotCheck(policy),
    cannotInstall: whyNotInstall(files),
    policy: policy.mode,
    failed: () => readFailed(dataFolder),
    async download(onProgress) {
      await download(onProgress);
    },
    async check() {
      found = undefined;
      const { feed } = await load();
      const list = await feed.check().catch((error: unknown) => {
        if (error instanceof StationError) throw error;
        throw new StationError('conflict', `The releases could not be read (${shortReason(error)}). Try again later.`);
      });
      found = list.version;
      return list;
    },
    async install() {
      if (files === undefined || found === undefined) throw new StationError('conflict', NOTHING);
      const to = found;
      const { updater, feed } = await load();
      // Download again, because the earlier file may have been deleted in the meantime.
      const file = await download(() => undefined);
      const kept = await keepProgram(files, dataFolder);
      // `args` keeps the window shown or hidden.
      const note = { to, program: files, kept, stamp: await stampOf(files), args: args() };
      shutdown.end(() => {
        const trial = { from: VERSION, to };
        try {
          feed.verify(file);
          beginTrial(dataFolder, trial);
          // Write the note first, because somebody may start the new program as soon as it is installed.
          writeGuardNote(dataFolder, note);
          if (!installWith(updater)) throw new Error('the installer did not start');
          startGuard(dataFolder, note, process.env);
        } catch (error) {
          log.error({ err: error }, 'The update was not installed; the program starts again as it was');
          app.relaunch({ execPath: files.start, args: note.args });
          // Record the failure. Otherwise, the program would try again and restart every hour.
          const problem = `It could not be installed (${shortReason(error)}).`;
          takeBack(dataFolder, { ...trial, state: 'installing' }, { version: to, at: Date.now(), problem });
        }
      });
    },
  };
}

/** Removes the previous version that the last update kept. Call when the update has ended and this version is ready. */
export async function removeKept(dataFolder: string): Promise<void> {
  const note = readGuardNote(dataFolder);
  if (note === undefined || note.kept.start === PROGRAM || readTrial(dataFolder) !== undefined) return;
  // The data folder may be a copy whose note names a different folder.
  if (dirname(note.kept.root) !== join(dataFolder, UPDATE_FOLDER)) return;
  await removeProgram(note.kept.root).catch(() => undefined);
}

function feedFile(): string {
  return join(process.resourcesPath, FEED_FILE);
}

function whyNotCheck({ fault }: UpdatePolicy): string | undefined {
  if (!app.isPackaged) return 'This program runs from its source code. Update the source code instead.';
  if (fault !== undefined) return fault;
  if (!existsSync(feedFile()))
    return 'This build has no address for updates. Install newer versions the way you installed this one.';
  return undefined;
}

function whyNotInstall(files: ProgramFiles | undefined): string | undefined {
  if (files === undefined)
    return 'Pickstation was installed as a system package. Install the newer package in the same way.';
  const folder = dirname(files.root);
  try {
    accessSync(folder, constants.W_OK);
    return undefined;
  } catch {
    return `This user cannot write to the folder of Pickstation, ${folder}. Install newer versions the way you installed this one.`;
  }
}

/** Copies the running program, to restore it if the new version does not become ready. */
async function keepProgram(files: ProgramFiles, dataFolder: string): Promise<ProgramFiles> {
  const folder = join(dataFolder, UPDATE_FOLDER);
  const to = join(folder, files.root === files.start ? 'pickstation.AppImage' : 'program');
  await removeProgram(to);
  refuseFullDisk(dataFolder, (await sizeOfProgram(files)) + sizeOfTrial(dataFolder));
  try {
    const kept = await copyProgram(files, to);
    // Some disks do not allow programs to run.
    accessSync(kept.start, constants.X_OK);
    return kept;
  } catch (error) {
    throw new StationError(
      'conflict',
      `This version could not be kept in ${to} (${shortReason(error)}). Nothing was changed.`,
    );
  }
}

/** Installs the new version without starting it. The guard starts it afterwards, except on macOS, where the system does. */
function installWith(updater: LibraryUpdater): boolean {
  if ('install' in updater) return updater.install(true, false);
  updater.quitAndInstall();
  return true;
}

async function loadLibrary(log: Log): Promise<Library> {
  const given = await import('electron-updater');
  const { AppImageUpdater, MacUpdater, NsisUpdater } = given;
  /** Replaces the AppImage atomically under its own name. The library's own updater would remove the file first, and start the new one. */
  class WholeAppImageUpdater extends AppImageUpdater {
    // System packages can check for updates, although they cannot install them.
    override isUpdaterActive(): boolean {
      return true;
    }

    protected override doInstall(): boolean {
      const { installerPath } = this;
      if (installerPath === null || APPIMAGE === undefined) return false;
      replaceFile(APPIMAGE, installerPath);
      return true;
    }
  }
  const updater =
    process.platform === 'win32'
      ? new NsisUpdater()
      : process.platform === 'darwin'
        ? new MacUpdater()
        : new WholeAppImageUpdater();
  updater.autoDownload = false;
  updater.autoInstallOnAppQuit = false;
  updater.disableWebInstaller = true;
  // Differential downloads use block maps, which are not signed.
  updater.disableDifferentialDownload = true;
  updater.isUserWithinRollout = () => true;
  const debug = (message?: unknown): void => log.debug({}, String(message));
  updater.logger = { info: debug, warn: debug, error: debug, debug: debug };
  // The same errors are also thrown, so ignore them here.
  updater.on('error', () => undefined);
  const feed = JSON.parse(readFileSync(feedFile(), 'utf8')) as Feed;
  return { updater, feed: createSignedFeed(updater, given, feed) };
}

function downloadProblem(version: string, error: unknown): string {
  const isOther = error instanceof Error && 'code' in error && error.code === OTHER_FILE;
  return isOther
    ? `The download of version ${version} is not what the makers of this program signed, and was removed. Nothing was changed.`
    : `Version ${version} could not be downloaded (${shortReason(error)}). Nothing was changed; try again later.`;
}

/** Returns the first line of an error message, because the library appends whole responses and stack traces. */
function shortReason(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n', 1)[0]?.slice(0, 200) ?? '';
}
