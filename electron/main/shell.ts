import { join } from 'node:path';
import { app, dialog, ipcMain, Notification, shell, type Session } from 'electron';
import { PROGRAM, repeatable } from './arguments.ts';
import type { Shutdown } from './shutdown.ts';
import { guardContents, guardSession, trustStation } from './guards.ts';
import { isInFleet } from './fleetLinks.ts';
import { watchGraphics } from './graphics.ts';
import { followLit } from './litDevices.ts';
import { readRest } from './leaving.ts';
import type { LoginItem } from './login/types.ts';
import { installMenu } from './menu.ts';
import { showMovedPort } from './movedPort.ts';
import { printWithoutDialog } from './printing.ts';
import { isSessionCookie, sessionHeader, signWindowIn, type SignedIn } from './signedIn.ts';
import { chooseScannersInPage, rememberedPorts, scannerPermissions } from './scanners.ts';
import { createStationFetch, type StationFetch } from './stationFetch.ts';
import type { OpenStation } from './openStation.ts';
import { createTray, followTrayHost, type TrayHost } from './tray.ts';
import { createWindow, SHOW_WINDOW, type StationWindow } from './window.ts';
import type { KeptWindowState, WindowState } from './windowState.ts';
import { words } from './words.ts';

const SIGN_OUT_WITHIN_MS = 500;

const NO_TRAY: TrayHost = { isThere: () => Promise.resolve(false), stop: () => undefined };
/** Answers in the order of the dialog's buttons. */
const ANSWERS: readonly WindowState['whenClosing'][] = ['keep', 'quit'];

type ShellOptions = {
  here: OpenStation;
  /** Set if the user has chosen a different port. `isKept` tells whether it also applies to later starts. */
  moved: { isKept: boolean } | undefined;
  shutdown: Shutdown;
  dataFolder: string;
  kept: KeptWindowState;
  session: Session;
  preload: string;
  iconFolder: string;
  version: string;
  devtools: boolean;
  /** Whether to start without showing the window. */
  hidden: boolean;
  atLogin: LoginItem;
};

/** What the parts of a running shell share. */
type ShellContext = {
  options: ShellOptions;
  /** Sends requests to the station. Accepts only the station's own certificate. */
  ask: StationFetch;
  window: StationWindow;
  /** The window's sign-in, or undefined if another process owns the station. */
  signedIn: SignedIn | undefined;
};

/** Creates window, tray and menu for a running station. */
export async function createShell(options: ShellOptions): Promise<void> {
  const { here, moved, shutdown, dataFolder, kept, session, hidden } = options;
  const { url } = here;
  const { origin } = new URL(url);
  const ask = createStationFetch(here.fingerprint);

  app.on('web-contents-created', (_event, contents) =>
    guardContents(contents, origin, (wanted) => openOutside(options, ask, wanted)),
  );
  trustStation(session, here.fingerprint);
  const ports = rememberedPorts(dataFolder);
  chooseScannersInPage(session, ipcMain, origin, ports);
  await guardSession(session, origin, scannerPermissions(ports));
  const signedIn = here.kind === 'own' ? await signIn(options, ask, here.started.signIn) : undefined;
  if (shutdown.began) return;
  const window = createShellWindow(options, origin);
  const context: ShellContext = { options, ask, window, signedIn };
  installShellMenu(context);
  watchGraphics(() => restartWithoutGraphics(options));
  if (kept.now.withoutGraphicsCard && !kept.now.toldGraphics) {
    kept.change({ toldGraphics: true });
    notify(window, words.noGraphicsTitle, words.noGraphics);
  }
  app.on('second-instance', window.show);
  app.on('activate', window.show);
  window.browserWindow.on('session-end', () => shutdown.end());
  const host: TrayHost = signedIn === undefined ? NO_TRAY : followLitInTray(context, signedIn.cookie);
  shutdown.add(host.stop);
  watchClosing(context, host);
  if (moved !== undefined && signedIn !== undefined)
    void showMovedPort({ url, ...moved }, { ask, cookie: signedIn.cookie, open: window.open });
  // Without a tray icon, minimize the window so that it can be opened from the task bar.
  if (hidden && !(await host.isThere()) && !shutdown.began) window.browserWindow.minimize();
}

/** Creates the window, and shows it when the page requests it. Closes the window at shutdown. */
function createShellWindow(options: ShellOptions, origin: string): StationWindow {
  const { here, shutdown, kept, session, preload, iconFolder, version, devtools, hidden } = options;
  const window = createWindow({
    url: here.url,
    session,
    state: kept.now,
    preload,
    icon: join(iconFolder, '256.png'),
    version,
    devtools,
    hidden,
    moved: () => kept.change(window.place()),
  });
  shutdown.add(() => window.close());
  ipcMain.on(SHOW_WINDOW, (event) => {
    if (event.senderFrame?.origin === origin) window.show();
  });
  printWithoutDialog(ipcMain, origin);
  return window;
}

/** Installs the menu, and sets the contents of the About panel. */
function installShellMenu(context: ShellContext): void {
  const { kept, version, devtools, atLogin } = context.options;
  app.setAboutPanelOptions({ applicationName: words.name, applicationVersion: version });
  installMenu(
    {
      quit: () => quit(context),
      open: context.window.open,
      useGraphics: (isWanted) => useGraphics(context, isWanted),
      askWhenClosing: () => kept.change({ whenClosing: undefined }),
      startAtLogin: (isWanted) => startAtLogin(context, isWanted),
    },
    { devtools, graphics: !kept.now.withoutGraphicsCard, atLogin: atLogin.isOn() },
  );
}

/** Restarts the program without hardware acceleration after the graphics process has crashed. */
function restartWithoutGraphics({ kept, shutdown }: ShellOptions): void {
  // Without hardware acceleration, crashes have other causes, which Chromium handles.
  if (kept.now.withoutGraphicsCard || shutdown.began) return;
  kept.change({ withoutGraphicsCard: true, toldGraphics: false });
  app.relaunch({ execPath: PROGRAM, args: repeatable(process.argv.slice(1)) });
  shutdown.end();
}

/** Shows a notification, or a message box if the system has no notifications. Does not wait for the user. */
function notify(window: StationWindow, title: string, body: string): void {
  if (!Notification.isSupported()) {
    void dialog.showMessageBox({ type: 'info', title: words.name, message: title, detail: body });
    return;
  }
  const notification = new Notification({ title, body });
  notification.on('click', window.show);
  notification.show();
}

/** Describes what would be left unfinished if the station quit now: lit devices and undelivered callbacks. */
async function leftUndone({ options, ask, signedIn }: ShellContext): Promise<string[]> {
  return signedIn === undefined ? [] : words.rest(await readRest(options.here.url, ask, signedIn.cookie));
}

/** Stores whether to use the graphics card, from the next start of the program. */
function useGraphics({ options: { kept }, window }: ShellContext, isWanted: boolean): void {
  kept.change({ withoutGraphicsCard: !isWanted, toldGraphics: !isWanted });
  notify(window, words.useGraphics, words.nextStart);
}

/** Turns the start at login on or off. Returns whether it is on afterwards. */
function startAtLogin({ options: { atLogin }, window }: ShellContext, isWanted: boolean): boolean {
  try {
    atLogin.set(isWanted);
  } catch (error) {
    notify(window, words.atLoginFailed, (error as Error).message);
  }
  return atLogin.isOn();
}

function quit(context: ShellContext): void {
  void confirmQuit(context);
}

/** Ends the program. Asks the user first if work is unfinished. */
async function confirmQuit(context: ShellContext): Promise<void> {
  const { shutdown } = context.options;
  const left = await leftUndone(context);
  if (shutdown.began) return;
  if (left.length === 0) return shutdown.end();
  const { response } = await dialog.showMessageBox({
    type: 'question',
    title: words.name,
    message: words.quitTitle,
    detail: left.join('\n\n'),
    buttons: [words.quitName, words.cancel],
    defaultId: 0,
    cancelId: 1,
  });
  if (response === 0) shutdown.end();
}

/** Opens an address in the system's browser, but only if it is a station of the fleet. */
function openOutside({ here: { url }, session }: ShellOptions, ask: StationFetch, wanted: string): void {
  const cookie = async () => sessionHeader(await session.cookies.get({ url }));
  isInFleet(wanted, { url, ask, cookie })
    .then((isKnown) => (isKnown ? shell.openExternal(wanted) : undefined))
    .catch((error: unknown) => process.stderr.write(`A link could not be opened: ${String(error)}\n`));
}

/** Signs the window in, and signs it out at shutdown. */
async function signIn(
  { here: { url }, session, shutdown }: ShellOptions,
  ask: StationFetch,
  open: Parameters<typeof signWindowIn>[3],
): Promise<SignedIn> {
  const signed = await signWindowIn(session.cookies, url, ask, open, (error) =>
    process.stderr.write(`The window's session could not be renewed: ${String(error)}\n`),
  );
  shutdown.add(() => signed.signOut(AbortSignal.timeout(SIGN_OUT_WITHIN_MS)).catch(() => undefined));
  return signed;
}

/** Shows the tray icon as long as the desktop supports tray icons. */
function followLitInTray(context: ShellContext, cookie: SignedIn['cookie']): TrayHost {
  const { shutdown } = context.options;
  let remove: () => void = () => undefined;
  shutdown.add(() => remove());
  return followTrayHost((isThere) => {
    remove();
    remove = isThere && !shutdown.began ? showLit(context, cookie) : () => undefined;
  });
}

/** Shows the number of lit devices in a tray icon. Returns a function that removes the icon. */
function showLit(context: ShellContext, cookie: SignedIn['cookie']): () => void {
  const { options, ask, window } = context;
  const { here, session, iconFolder } = options;
  const tray = createTray(iconFolder, { show: window.show, quit: () => quit(context) });
  const lit = followLit({ url: here.url, ask, cookie, onChange: tray.show });
  const again = (_event: unknown, { name }: { name: string }): void => {
    if (isSessionCookie(name)) lit.again();
  };
  session.cookies.on('changed', again);
  return () => {
    session.cookies.off('changed', again);
    lit.stop();
    tray.remove();
  };
}

/** Hides the window or ends the program when the window is closed. Also stores the position of the window. */
function watchClosing(context: ShellContext, tray: TrayHost): void {
  const { here, shutdown, kept } = context.options;
  const { browserWindow, place } = context.window;
  const keep = (): void => kept.change(place());
  shutdown.add(keep);
  browserWindow.on('close', (event) => {
    if (shutdown.began) return;
    event.preventDefault();
    keep();
    // The station belongs to another process and keeps running, so closing the window quits.
    if (here.kind === 'other') shutdown.end();
    else void hideOrAsk(context, tray);
  });
}

/** Hides the window if a tray icon can show it again. Otherwise asks the user. */
async function hideOrAsk(context: ShellContext, tray: TrayHost): Promise<void> {
  const hasTray = await tray.isThere();
  if (context.options.shutdown.began) return;
  if (!hasTray) return askToHide(context);
  context.window.hide();
  sayOnce(context);
}

/** Tells the user that the program keeps running in the tray, but only the first time that the window is hidden there. */
function sayOnce({ options: { kept }, window }: ShellContext): void {
  if (kept.now.toldHiding) return;
  kept.change({ toldHiding: true });
  notify(window, words.hidden, words.hiddenInTray);
}

/** Hides the window or quits, according to the user's stored choice. Asks the user if there is none. */
async function askToHide(context: ShellContext): Promise<void> {
  const { kept, shutdown } = context.options;
  const { browserWindow, hide } = context.window;
  const { whenClosing } = kept.now;
  if (whenClosing === 'keep') return hide();
  if (whenClosing === 'quit') return quit(context);
  const { response, checkboxChecked } = await dialog.showMessageBox(browserWindow, {
    type: 'question',
    title: words.name,
    message: words.askTitle,
    detail: [words.ask, ...(await leftUndone(context))].join('\n\n'),
    buttons: [words.keep, words.quitName, words.cancel],
    defaultId: 0,
    cancelId: 2,
    checkboxLabel: words.doNotAsk,
  });
  const answer = ANSWERS[response];
  if (answer !== undefined && checkboxChecked) kept.change({ whenClosing: answer });
  if (answer === 'keep') hide();
  else if (answer === 'quit') shutdown.end();
}
