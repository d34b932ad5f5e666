import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { app, BrowserWindow, dialog, powerMonitor, safeStorage, session, utilityProcess } from 'electron';
import { readConfig, usage, type StationConfig } from '../server/config.ts';
import { DataLost, StationError } from '../server/errors.ts';
import { VERSION, type StationPorts } from '../server/station.ts';
import { readTrial } from '../server/update/trial.ts';
import { openLogFiles, systemLog } from '../server/logs/systemLog.ts';
import { systemClock, systemPorts } from '../server/systemPorts.ts';
import { PROGRAM, readArguments, repeatable } from './arguments.ts';
import { askAboutLoss } from './askAboutLoss.ts';
import { offerBrowser } from './inBrowser.ts';
import { readGuardNote, startGuard, startProgram } from '../server/update/guardNote.ts';
import { guardUpdate } from '../server/update/guardUpdate.ts';
import { findKeychain } from './keychain.ts';
import { loginItem } from './loginItem.ts';
import { createShutdown, type Shutdown } from './shutdown.ts';
import { findFreePort } from './movedPort.ts';
import { putProgramBack, stampOf } from './programFiles.ts';
import { keepRecords } from './records.ts';
import { createShell } from './shell.ts';
import { utilitySideProcesses } from './sideProcesses.ts';
import { isAbout, openStation, type OpenStation } from './openStation.ts';
import { readUpdatePolicy } from '../server/update/updatePolicy.ts';
import { createUpdater, removeKept } from './updater.ts';
import { answerWithoutWindow } from './withoutWindow.ts';
import { keepWindowState, type KeptWindowState } from './windowState.ts';
import { words } from './words.ts';

const root = join(import.meta.dirname, '..', '..');

// The same V8 flags as in electron/headless/start.mjs, for the reasons given there.
for (const flag of ['--heap-growing-percent=40', '--no-maglev', '--no-allocation-site-pretenuring'])
  setFlagsFromString(flag);
app.setName(words.name);
// Deprecation warnings are for developers, not users.
if (app.isPackaged) process.noDeprecation = true;
app.setAppUserModelId('org.pickstation.desktop');
// The sandbox would override `no-sandbox`, which root needs on Linux. The page's sandbox is set in its preferences.
if (!app.commandLine.hasSwitch('no-sandbox')) app.enableSandbox();

let logFiles: ReturnType<typeof keepRecords>;
/** Whether Chromium's profile outlives this run. False for a check, which uses a temporary profile. */
let isProfileKept = false;
const {
  station: args,
  devtools,
  hidden,
  inBrowser,
  guardUpdate: isGuard,
} = readArguments(process.argv, app.getAppPath());
const help = usage(app.isPackaged ? 'pickstation' : 'npm start --', words.options);
const read = readOr(() => readConfig(args, process.env, help));
if (read === 'help') {
  process.stdout.write(`${help}\n`);
  app.exit(0);
} else if (read instanceof StationError) {
  // Do not await: the app becomes ready only after this module has run.
  void app.whenReady().then(() => refuse(read.message));
} else if (isGuard) {
  runGuard(read);
} else if (read.check === true || read.service !== undefined) {
  answerWithoutWindow(read, () => ports(), join(root, 'dist', 'renderer'));
} else {
  const config: StationConfig = {
    ...read,
    dataFolder: resolve(read.dataFolder),
    firstRun: inBrowser === undefined ? 'window' : 'print',
  };
  // Use one profile per data folder. Chromium locks it, so that each data folder has one window.
  const profile = profileFolder(config.dataFolder);
  app.setPath('userData', profile.folder);
  isProfileKept = profile.isKept;
  const kept = keepWindowState(config.dataFolder);
  if (kept.now.withoutGraphicsCard) app.disableHardwareAcceleration();
  if (app.requestSingleInstanceLock()) {
    logFiles = keepRecords(config);
    void app.whenReady().then(() => run(config, kept, createShutdown()));
  } else {
    process.stdout.write(`${words.second}\n`);
    app.exit(0);
  }
}

async function run(config: StationConfig, kept: KeptWindowState, shutdown: Shutdown): Promise<void> {
  const again = (changed: StationConfig): Promise<void> => run(changed, kept, shutdown);
  const { dataFolder } = config;
  let here: OpenStation | undefined;
  try {
    here = await openStation(config, () => ports({ dataFolder, shutdown }), join(root, 'dist', 'renderer'), shutdown);
  } catch (error) {
    if (isGuarded(dataFolder)) return endForGuard(error);
    if (!(error instanceof StationError)) {
      process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
      return refuse(words.bug);
    }
    if (error instanceof DataLost) return refuseLoss(config, error, again);
    if (isAbout(error, '/port')) return refusePort(config, error, again);
    return refuse(isAbout(error, '/data') ? words.hiddenOwner(error.message) : error.message);
  }
  const isMoved = here.kind === 'own' && config.portNow !== undefined;
  const isKept = config.port === undefined;
  if (here.kind === 'own' && isMoved && isKept) await here.started.keepPort();
  if (here.kind === 'own') void removeKept(dataFolder);
  if (here.kind === 'own' && here.started.emptied !== undefined) showEmptied(here.started.emptied);
  process.stdout.write(`${here.kind === 'own' ? words.ready(here.url) : words.opened(here.url)}\n`);
  if (inBrowser !== undefined) return offerBrowser({ here, shutdown, because: inBrowser, hidden });
  await createShell({
    here,
    moved: isMoved ? { isKept } : undefined,
    shutdown,
    dataFolder,
    kept,
    session: session.fromPartition('persist:station'),
    preload: join(root, 'dist', 'preload', 'preload.cjs'),
    iconFolder: join(root, 'resources', 'icons'),
    version: VERSION,
    devtools,
    hidden: hidden || (process.platform === 'darwin' && app.getLoginItemSettings().wasOpenedAtLogin),
    atLogin: loginItem(commandAtLogin(), root),
  }).catch((error: unknown) => {
    // Ignore errors of a start that is being shut down.
    if (!shutdown.began) throw error;
  });
}

/** Returns the command that starts this program again at login, with the same arguments and a hidden window. */
function commandAtLogin(): string[] {
  const program = app.isPackaged ? [PROGRAM] : [PROGRAM, app.getAppPath()];
  return [...program, ...ownArguments(), '--hidden'];
}

function ownArguments(): string[] {
  return [...(app.commandLine.hasSwitch('no-sandbox') ? ['--no-sandbox'] : []), ...repeatable(args)];
}

/** Returns the arguments that restart this program with its window in its current state, shown or hidden. */
function argumentsAgain(): string[] {
  // A window that waits for its first frame counts as shown.
  const isShown = (window: BrowserWindow) => window.isVisible() || window.listenerCount('ready-to-show') > 0;
  const isHidden = !BrowserWindow.getAllWindows().some(isShown);
  const browser = inBrowser === undefined ? [] : [inBrowser === '' ? '--in-browser' : `--in-browser=${inBrowser}`];
  return [...ownArguments(), ...browser, ...(isHidden ? ['--hidden'] : [])];
}

/** Runs this process as the guard of an update. The guard is the previous version, and watches the new version on trial. */
function runGuard(config: StationConfig): void {
  app.disableHardwareAcceleration();
  app.setPath('userData', mkdtempSync(join(tmpdir(), 'pickstation-')));
  const dataFolder = resolve(config.dataFolder);
  const note = readGuardNote(dataFolder);
  if (note === undefined) return app.exit(1);
  const files = openLogFiles(config, systemClock(), process);
  const log = systemLog('warn', files);
  const startAgain = (program: string, given: readonly string[]) => startProgram(program, given, process.env);
  const means = { log, now: Date.now, monotonic: () => performance.now() };
  const wait = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));
  void app
    .whenReady()
    .then(() => guardUpdate(dataFolder, note, { ...means, wait, start: startAgain, stampOf, putProgramBack }))
    .catch((error: unknown) => log.error({ err: error }, 'The update could not be guarded'))
    .then(() => files?.stop())
    .then(() => {
      rmSync(app.getPath('userData'), { recursive: true, force: true });
      app.exit(0);
    });
}

/**
 * Returns the station's access to the system, Electron's processes and sleep events. The program does not update itself if `updated` is
 * missing.
 */
function ports(updated?: { dataFolder: string; shutdown: Shutdown }): StationPorts {
  const policy = readUpdatePolicy(process.env);
  const system = systemPorts(process.env['PICKSTATION_LOG'] ?? 'warn', process.env, logFiles);
  return {
    ...system,
    startSideProcess: utilitySideProcesses(utilityProcess.fork, process.env),
    ...(updated === undefined
      ? {}
      : { updater: createUpdater({ ...updated, policy, args: argumentsAgain, log: system.log }) }),
    findKeychain: () => findKeychain(safeStorage, { platform: process.platform, isProfileKept }),
    clock: {
      ...system.clock,
      onSleep(listener) {
        const asleep = (): void => listener('suspend');
        const awake = (): void => listener('resume');
        powerMonitor.on('suspend', asleep);
        powerMonitor.on('resume', awake);
        return () => {
          powerMonitor.off('suspend', asleep);
          powerMonitor.off('resume', awake);
        };
      },
    },
  };
}

/**
 * Whether this version is on trial, so that its guard restores the previous version if this one fails. Starts another guard, because the
 * first one may have ended with the machine. If the first guard still runs, the second one ends immediately.
 */
function isGuarded(dataFolder: string): boolean {
  const note = readTrial(dataFolder)?.to === VERSION ? readGuardNote(dataFolder) : undefined;
  if (note !== undefined) startGuard(dataFolder, note, process.env);
  return note !== undefined;
}

function endForGuard(error: unknown): void {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  app.exit(1);
}

/** Shows why the station cannot start, and quits. */
async function refuse(message: string): Promise<void> {
  process.stderr.write(`${message}\n`);
  const buttons = [words.quit];
  await dialog.showMessageBox({ type: 'error', title: words.name, message: words.refused, detail: message, buttons });
  app.exit(1);
}

/** Says that the station is new and empty, although one ran in its folder before. The station continues behind the message. */
function showEmptied(message: string): void {
  process.stderr.write(`${message}\n`);
  const buttons = [words.ok];
  void dialog.showMessageBox({ type: 'warning', title: words.name, message: words.emptied, detail: message, buttons });
}

type RunAgain = (changed: StationConfig) => Promise<void>;

async function refuseLoss(config: StationConfig, error: DataLost, again: RunAgain): Promise<void> {
  process.stderr.write(`${error.message}\n`);
  const changed = await askAboutLoss(config, error, (options) => dialog.showMessageBox(options));
  if (changed === undefined) app.exit(1);
  else await again(changed);
}

async function refusePort(config: StationConfig, error: StationError, again: RunAgain): Promise<void> {
  process.stderr.write(`${error.message}\n`);
  const { response } = await dialog.showMessageBox({
    type: 'error',
    title: words.name,
    message: words.refused,
    detail: words.portTaken(error.message),
    buttons: [words.freePort, words.quit],
    defaultId: 0,
    cancelId: 1,
  });
  if (response === 0) await again({ ...config, portNow: await findFreePort(config.host) });
  else app.exit(1);
}

/** Returns Chromium's profile folder. If the data folder is not writable, which the station reports, this is a temporary folder. */
function profileFolder(dataFolder: string): { folder: string; isKept: boolean } {
  const folder = join(dataFolder, 'window');
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return { folder, isKept: true };
  } catch {
    return { folder: mkdtempSync(join(tmpdir(), 'pickstation-')), isKept: false };
  }
}

function readOr<T>(read: () => T): T | StationError {
  try {
    return read();
  } catch (error) {
    if (error instanceof StationError) return error;
    throw error;
  }
}
