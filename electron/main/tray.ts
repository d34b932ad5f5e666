import { execFile, spawn } from 'node:child_process';
import { join } from 'node:path';
import { Menu, nativeImage, Tray } from 'electron';
import type { LitPlaces } from './litDevices.ts';
import { showLogs } from './records.ts';
import { words } from './words.ts';

const MAX_NAMES = 5;
const ASK_LIMIT_MS = 2_000;

/** The D-Bus service that displays tray icons on Linux. Without it, tray icons are invisible. */
const WATCHER = 'org.kde.StatusNotifierWatcher';
const BUS = 'org.freedesktop.DBus';
const QUESTIONS = [
  ['gdbus', ['call', '--session', '--dest', BUS, '--object-path', '/', '--method', `${BUS}.NameHasOwner`, WATCHER]],
  ['dbus-send', ['--session', '--print-reply', `--dest=${BUS}`, '/', `${BUS}.NameHasOwner`, `string:${WATCHER}`]],
] as const;

/** Programs that report when the owner of the tray service on D-Bus changes. */
const MONITORS = [
  ['gdbus', ['monitor', '--session', '--dest', BUS]],
  ['dbus-monitor', ['--session', `type='signal',sender='${BUS}',member='NameOwnerChanged',arg0='${WATCHER}'`]],
] as const;

export type TrayHost = {
  /** Whether this desktop supports tray icons now. Resolves after the desktop's first response. */
  isThere(): Promise<boolean>;
  stop(): void;
};

/** Calls `changed` when it is known whether this desktop supports tray icons, and whenever that changes, because some panels start late. */
export function followTrayHost(changed: (isThere: boolean) => void): TrayHost {
  let told: boolean | undefined;
  let stopMonitor: () => void = () => undefined;
  let isStopped = false;
  let asking = look();

  async function look(): Promise<boolean> {
    const isThere = await isTrayThere();
    if (!isStopped && isThere !== told) {
      told = isThere;
      changed(isThere);
    }
    return isThere;
  }

  function again(): void {
    asking = asking.then(look);
  }

  if (process.platform === 'linux') {
    stopMonitor = monitorBus(again);
    // Ask again now that the monitor runs, so that no earlier change is missed.
    again();
  }
  return {
    isThere: () => asking,
    stop() {
      isStopped = true;
      stopMonitor();
    },
  };
}

/** Calls `changed` when the owner of the tray service changes, as long as one of the monitor programs runs. */
function monitorBus(changed: () => void): () => void {
  let isStopped = false;
  let stop: () => void = () => undefined;

  function start(index: number): void {
    const [program, args] = MONITORS[index] ?? [undefined, []];
    if (program === undefined || isStopped) return;
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'ignore'] });
    stop = () => void child.kill();
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      if (text.includes(WATCHER)) changed();
    });
    // The monitor is not installed, so try the next one.
    child.once('error', () => start(index + 1));
    child.unref();
  }

  start(0);
  return () => {
    isStopped = true;
    stop();
  };
}

async function isTrayThere(): Promise<boolean> {
  if (process.platform !== 'linux') return true;
  for (const [program, args] of QUESTIONS) {
    const answer = await ask(program, args);
    if (answer !== undefined) return /\btrue\b/.test(answer);
  }
  return false;
}

function ask(program: string, args: readonly string[]): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile(program, args, { timeout: ASK_LIMIT_MS }, (error, stdout) => resolve(error === null ? stdout : undefined));
  });
}

export type StationTray = { show(lit: LitPlaces): void; remove(): void };

/** Creates the tray icon with a list of lit devices. The icon stays until `remove` is called. */
export function createTray(iconFolder: string, act: { show(): void; quit(): void }): StationTray {
  const icon = (isLit: boolean) => {
    if (process.platform === 'darwin') {
      const image = nativeImage.createFromPath(join(iconFolder, 'trayTemplate.png'));
      image.setTemplateImage(true);
      return image;
    }
    return nativeImage.createFromPath(join(iconFolder, isLit ? 'tray-lit.png' : 'tray.png'));
  };
  const tray = new Tray(icon(false));
  const show = (lit: LitPlaces): void => {
    const names = lit?.slice(0, MAX_NAMES) ?? [];
    const more = (lit?.length ?? 0) - names.length;
    const heading = lit === undefined ? words.name : headingOf(lit.length);
    const lines = [heading, ...names.map((name) => `  ${name}`), ...(more > 0 ? [`  ${words.more(more)}`] : [])];
    tray.setImage(icon(names.length > 0));
    // Windows cuts tooltips at 127 characters.
    tray.setToolTip(
      [heading, names.join(', ')]
        .filter((part) => part !== '')
        .join(': ')
        .slice(0, 120),
    );
    tray.setContextMenu(
      Menu.buildFromTemplate([
        // A single ampersand would underline the next letter.
        ...lines.map((label) => ({ label: label.replaceAll('&', '&&'), enabled: false })),
        { type: 'separator' },
        { label: words.show, click: act.show },
        { label: words.showLogs, click: showLogs },
        { label: words.quitName, click: act.quit },
      ]),
    );
  };
  tray.on('click', act.show);
  show(undefined);
  return { show, remove: () => tray.destroy() };
}

function headingOf(count: number): string {
  return count === 0 ? words.noneLit : words.lit(count);
}
