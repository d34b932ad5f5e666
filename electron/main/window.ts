import {
  BrowserWindow,
  type BrowserWindowConstructorOptions,
  dialog,
  nativeTheme,
  screen,
  type Session,
} from 'electron';
import { errorPage } from './errorPage.ts';
import { freeWhileHidden, isFreed } from './hiddenPage.ts';
import { ontoScreen, SMALLEST, type WindowState } from './windowState.ts';
import { words } from './words.ts';
import { addZoom } from './zoom.ts';

const MAX_CRASHES = 3;
const CRASHES_WITHIN_MS = 60_000;
const ABORTED = -3;
/** The window's position is saved after this many milliseconds without movement. */
const REST_MS = 300;

export type StationWindow = {
  readonly browserWindow: BrowserWindow;
  /** Shows the window and brings it to the front. */
  show(): void;
  hide(): void;
  /** Closes the window permanently. */
  close(): void;
  /** Opens a page of the station by its path. */
  open(path: string): void;
  /** Returns the window's position, for the next start. */
  place(): Place;
};

/** IPC channel of the preload script. `electron/preload/preload.ts` uses the same name. */
export const SHOW_WINDOW = 'pickstation:show-window';

type WindowOptions = {
  url: string;
  session: Session;
  state: WindowState;
  preload: string;
  icon: string;
  version: string;
  devtools: boolean;
  hidden: boolean;
  /** Called when the window was moved or resized. */
  moved: () => void;
};

/** Creates the window for the station at `url`. Recovers from failures if possible, and otherwise explains them. */
export function createWindow(options: WindowOptions): StationWindow {
  const { url, state, hidden, moved } = options;
  const window = new BrowserWindow(windowOptions(options));
  const place = followPlace(window, state, moved);
  if (state.maximized) window.maximize();

  const { webContents } = window;
  addZoom(webContents);
  freeWhileHidden(window, hidden);
  function load(address: string): void {
    // `did-fail-load` handles failures.
    webContents.loadURL(address).catch(() => undefined);
  }

  recoverPage(window, url, load);
  askWhenStuck(window);

  function show(): void {
    if (window.isMinimized()) window.restore();
    window.show();
    window.focus();
  }

  if (!hidden) window.once('ready-to-show', show);
  load(url);

  return {
    browserWindow: window,
    show,
    hide() {
      // A window that was hidden before its first frame must not appear with that frame.
      window.removeListener('ready-to-show', show);
      window.hide();
    },
    close: () => window.destroy(),
    open(path) {
      load(new URL(path, url).href);
      show();
    },
    place,
  };
}

function windowOptions({
  session,
  state,
  preload,
  icon,
  version,
  devtools,
}: WindowOptions): BrowserWindowConstructorOptions {
  const screens = [screen.getPrimaryDisplay(), ...screen.getAllDisplays()].map(({ workArea }) => workArea);
  return {
    ...ontoScreen(state.box, screens),
    minWidth: SMALLEST.width,
    minHeight: SMALLEST.height,
    title: words.name,
    icon,
    show: false,
    autoHideMenuBar: true,
    backgroundColor: nativeTheme.shouldUseDarkColors ? '#0e1115' : '#e9ecef',
    webPreferences: {
      session,
      preload,
      additionalArguments: [`--pickstation-version=${version}`],
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      webviewTag: false,
      navigateOnDragDrop: false,
      // Do not let the spell checker download dictionaries.
      spellcheck: false,
      devTools: devtools,
    },
  };
}

/** Reloads a page whose process has ended, and shows an error page if the page cannot be loaded. */
function recoverPage(window: BrowserWindow, url: string, load: (address: string) => void): void {
  const { webContents } = window;
  const crashes: number[] = [];
  webContents.on('render-process-gone', (_event, { reason }) => {
    if (reason === 'clean-exit' || isFreed(webContents) || window.isDestroyed()) return;
    const now = performance.now();
    crashes.push(now);
    while (now - (crashes[0] ?? now) > CRASHES_WITHIN_MS) crashes.shift();
    const again = crashes.length <= MAX_CRASHES;
    if (!again) crashes.length = 0;
    // Wait until the event has been handled, because Electron is still cleaning up the old process.
    setImmediate(() => {
      if (window.isDestroyed()) return;
      if (again) webContents.reload();
      else load(errorPage(words.crashedTitle, words.crashed, url));
    });
  });
  webContents.on('did-fail-load', (_event, code, _description, failed, isMainFrame) => {
    if (!isMainFrame || code === ABORTED || failed.startsWith('data:')) return;
    load(errorPage(words.unreachableTitle, words.unreachable(url), url));
  });
}

/** Asks whether to reload a page that does not respond. */
function askWhenStuck(window: BrowserWindow): void {
  let asking: AbortController | undefined;
  window.on('unresponsive', () => {
    if (asking !== undefined) return;
    asking = new AbortController();
    const { signal } = asking;
    dialog
      .showMessageBox(window, {
        type: 'warning',
        title: words.name,
        message: words.stuckTitle,
        detail: words.stuck,
        buttons: [words.wait, words.reload],
        defaultId: 0,
        cancelId: 0,
        signal,
      })
      .then(({ response }) => {
        if (response === 1 && !signal.aborted) window.webContents.forcefullyCrashRenderer();
      })
      .catch(() => undefined)
      .finally(() => {
        asking = undefined;
      });
  });
  window.on('responsive', () => asking?.abort());
}

type Place = Pick<WindowState, 'box' | 'maximized'>;

/**
 * Tracks the window's position, and calls `moved` once the window comes to rest. Remembers the last position before the window was
 * maximized, because not every window manager reports it.
 */
function followPlace(window: BrowserWindow, { box }: WindowState, moved: () => void): () => Place {
  let normal = box ?? window.getNormalBounds();
  let resting: NodeJS.Timeout | undefined;

  function look(): void {
    // The bounds change before the window reports that it is maximized.
    if (!window.isDestroyed() && !window.isMaximized() && !window.isMinimized() && !window.isFullScreen())
      normal = window.getBounds();
  }

  function watch(): void {
    clearTimeout(resting);
    resting = setTimeout(() => {
      look();
      moved();
    }, REST_MS);
  }

  window.on('move', watch);
  window.on('resize', watch);
  window.on('maximize', watch);
  window.on('unmaximize', watch);
  window.once('closed', () => clearTimeout(resting));
  return () => {
    look();
    return { box: normal, maximized: window.isMaximized() };
  };
}
