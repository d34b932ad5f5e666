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
import { tellMoved } from './movedPort.ts';
import { printWithoutDialog } from './printing.ts';
import { isSessionCookie, sessionHeader, signWindowIn, type SignedIn } from './signedIn.ts';
import { chooseScannersInPage, rememberedPorts, scannerPermissions } from './scanners.ts';
import { createStationFetch } from './stationFetch.ts';
import type { OpenStation } from './openStation.ts';
import { createTray, followTrayHost, type TrayHost } from './tray.ts';
import { createWindow, SHOW_WINDOW, type StationWindow } from './window.ts';
import type { KeptWindowState, WindowState } from './windowState.ts';
import { words } from './words.ts';

const SIGN_OUT_WITHIN_MS = 500;

const NO_TRAY: TrayHost = { isThere: () => Promise.resolve(false), stop: () => undefined };
/** Answers by index of the button. */
const ANSWERS: readonly WindowState['whenClosing'][] = ['keep', 'quit'];

/** Creates window, tray and menu for a running station. */
export async function createShell(options: {
  here: OpenStation;
  /** Set if the user chose another port. `isKept`: also for later starts. */
  moved: { isKept: boolean } | undefined;
  shutdown: Shutdown;
  dataFolder: string;
  kept: KeptWindowState;
  session: Session;
  preload: string;
  iconFolder: string;
  version: string;
  devtools: boolean;
  /** Starts without showing the window. */
  hidden: boolean;
  atLogin: LoginItem;
}): Promise<void> {
  const { here, moved, shutdown, dataFolder, kept, session, preload, iconFolder, version, devtools, hidden, atLogin } =
    options;
  const { url } = here;
  const { origin } = new URL(url);
  const ask = createStationFetch(here.fingerprint);

  app.on('web-contents-created', (_event, contents) => guardContents(contents, origin, openOutside));
  trustStation(session, here.fingerprint);
  const ports = rememberedPorts(dataFolder);
  chooseScannersInPage(session, ipcMain, origin, ports);
  await guardSession(session, origin, scannerPermissions(ports));
  const signedIn = here.kind === 'own' ? await signIn(here.started.signIn) : undefined;
  if (shutdown.began) return;
  const window = createWindow({
    url,
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
  app.setAboutPanelOptions({ applicationName: words.name, applicationVersion: version });
  installMenu(
    {
      quit,
      open: window.open,
      useGraphics,
      askWhenClosing: () => kept.change({ whenClosing: undefined }),
      startAtLogin,
    },
    { devtools, graphics: !kept.now.withoutGraphicsCard, atLogin: atLogin.isOn() },
  );
  watchGraphics(() => {
    // Without hardware acceleration, crashes have other causes, which Chromium handles.
    if (kept.now.withoutGraphicsCard || shutdown.began) return;
    kept.change({ withoutGraphicsCard: true, toldGraphics: false });
    app.relaunch({ execPath: PROGRAM, args: repeatable(process.argv.slice(1)) });
    shutdown.end();
  });
  if (kept.now.withoutGraphicsCard && !kept.now.toldGraphics) {
    kept.change({ toldGraphics: true });
    tell(words.noGraphicsTitle, words.noGraphics);
  }
  app.on('second-instance', window.show);
  app.on('activate', window.show);
  window.browserWindow.on('session-end', () => shutdown.end());
  const host: TrayHost = signedIn === undefined ? NO_TRAY : followLitInTray(signedIn);
  shutdown.add(host.stop);
  watchClosing(window, host);
  if (moved !== undefined && signedIn !== undefined)
    void tellMoved({ url, ...moved }, { ask, cookie: signedIn.cookie, open: window.open });
  // Without a tray icon to show it again, keep the window in the task bar.
  if (hidden && !(await host.isThere()) && !shutdown.began) window.browserWindow.minimize();

  /** Shows a notification, without waiting for the user. */
  function tell(title: string, body: string): void {
    if (!Notification.isSupported()) {
      void dialog.showMessageBox({ type: 'info', title: words.name, message: title, detail: body });
      return;
    }
    const told = new Notification({ title, body });
    told.on('click', window.show);
    told.show();
  }

  /** Sentences about work that the ending station leaves unfinished. */
  async function leftUndone(): Promise<string[]> {
    return signedIn === undefined ? [] : words.rest(await readRest(url, ask, signedIn.cookie));
  }

  function useGraphics(isWanted: boolean): void {
    kept.change({ withoutGraphicsCard: !isWanted, toldGraphics: !isWanted });
    tell(words.useGraphics, words.nextStart);
  }

  function startAtLogin(isWanted: boolean): boolean {
    try {
      atLogin.set(isWanted);
    } catch (error) {
      tell(words.atLoginFailed, (error as Error).message);
    }
    return atLogin.isOn();
  }

  function quit(): void {
    void confirmQuit();
  }

  async function confirmQuit(): Promise<void> {
    const left = await leftUndone();
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

  /** Opens an address in the system's browser only if it is a station of the fleet. */
  function openOutside(wanted: string): void {
    const cookie = async () => sessionHeader(await session.cookies.get({ url }));
    isInFleet(wanted, { url, ask, cookie })
      .then((isKnown) => (isKnown ? shell.openExternal(wanted) : undefined))
      .catch((error: unknown) => process.stderr.write(`A link could not be opened: ${String(error)}\n`));
  }

  async function signIn(open: Parameters<typeof signWindowIn>[3]): Promise<SignedIn> {
    const signed = await signWindowIn(session.cookies, url, ask, open, (error) =>
      process.stderr.write(`The window's session could not be renewed: ${String(error)}\n`),
    );
    shutdown.add(() => signed.signOut(AbortSignal.timeout(SIGN_OUT_WITHIN_MS)).catch(() => undefined));
    return signed;
  }

  /** Creates the tray icon while the desktop can show it, and removes it otherwise. */
  function followLitInTray({ cookie }: SignedIn): TrayHost {
    let remove: () => void = () => undefined;
    shutdown.add(() => remove());
    return followTrayHost((isThere) => {
      remove();
      remove = isThere && !shutdown.began ? showLit(cookie) : () => undefined;
    });
  }

  function showLit(cookie: SignedIn['cookie']): () => void {
    const tray = createTray(iconFolder, { show: window.show, quit });
    const lit = followLit({ url, ask, cookie, tell: tray.show });
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

  function watchClosing({ browserWindow, hide, place }: StationWindow, tray: TrayHost): void {
    const keep = (): void => kept.change(place());
    shutdown.add(keep);
    browserWindow.on('close', (event) => {
      if (shutdown.began) return;
      event.preventDefault();
      keep();
      // The station belongs to another process and keeps running, so closing the window quits.
      if (here.kind === 'other') shutdown.end();
      else void hideOrAsk();
    });

    async function hideOrAsk(): Promise<void> {
      const hasTray = await tray.isThere();
      if (shutdown.began) return;
      if (!hasTray) return askToHide();
      hide();
      sayOnce();
    }

    function sayOnce(): void {
      if (kept.now.toldHiding) return;
      kept.change({ toldHiding: true });
      tell(words.hidden, words.hiddenInTray);
    }

    async function askToHide(): Promise<void> {
      const { whenClosing } = kept.now;
      if (whenClosing === 'keep') return hide();
      if (whenClosing === 'quit') return quit();
      const { response, checkboxChecked } = await dialog.showMessageBox(browserWindow, {
        type: 'question',
        title: words.name,
        message: words.askTitle,
        detail: [words.ask, ...(await leftUndone())].join('\n\n'),
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
  }
}
