import { Menu, type MenuItemConstructorOptions } from 'electron';
import { showLogs } from './records.ts';
import { words } from './words.ts';

/** Installs the usual program menu. Developer tools appear only on request. */
export function installMenu(
  act: {
    quit(): void;
    open(path: string): void;
    useGraphics(isWanted: boolean): void;
    askWhenClosing(): void;
    /** Sets the login item. Returns whether it is on afterwards. */
    startAtLogin(isWanted: boolean): boolean;
  },
  { devtools, graphics, atLogin }: { devtools: boolean; graphics: boolean; atLogin: boolean },
): void {
  const quit: MenuItemConstructorOptions = {
    label: words.quitName,
    accelerator: 'CommandOrControl+Q',
    click: act.quit,
  };
  const view: MenuItemConstructorOptions[] = [
    { role: 'reload' },
    { type: 'separator' },
    { role: 'resetZoom' },
    { role: 'zoomIn' },
    { role: 'zoomOut' },
    { type: 'separator' },
    { role: 'togglefullscreen' },
    {
      label: words.useGraphics,
      type: 'checkbox',
      checked: graphics,
      click: ({ checked }) => act.useGraphics(checked),
    },
    { label: words.askAgain, click: act.askWhenClosing },
    ...(devtools ? [{ role: 'toggleDevTools' } as const] : []),
  ];
  const login: MenuItemConstructorOptions = {
    label: words.atLogin,
    type: 'checkbox',
    checked: atLogin,
    click(item) {
      item.checked = act.startAtLogin(item.checked);
    },
  };
  const first: MenuItemConstructorOptions[] =
    process.platform === 'darwin'
      ? [
          { role: 'about' },
          { type: 'separator' },
          login,
          { type: 'separator' },
          { role: 'hide' },
          { role: 'hideOthers' },
          { type: 'separator' },
          quit,
        ]
      : [login, { type: 'separator' }, { role: 'close' }, { type: 'separator' }, quit];
  const help: MenuItemConstructorOptions[] = [
    { label: words.terms, click: () => act.open('/help') },
    { label: words.shortcuts, click: () => act.open('/help#keyboard') },
    { label: words.updates, click: () => act.open('/settings#updates') },
    { label: words.showLogs, click: showLogs },
    { label: words.licences, click: () => act.open('/licences') },
    ...(process.platform === 'darwin'
      ? []
      : [{ type: 'separator' } as const, { label: words.about, role: 'about' } as const]),
  ];
  Menu.setApplicationMenu(
    Menu.buildFromTemplate([
      { label: process.platform === 'darwin' ? words.name : '&File', submenu: first },
      { role: 'editMenu' },
      { label: '&View', submenu: view },
      { role: 'windowMenu' },
      { role: 'help', label: `&${words.help}`, submenu: help },
    ]),
  );
}
