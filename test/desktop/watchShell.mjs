// Loaded into the main process before the shell: records what the shell shows a person, and lets the test answer.
import { writeFileSync } from 'node:fs';
import { app, dialog, Notification, shell as system, Tray } from 'electron';

const shell = { dialogs: [], notifications: [], menus: [], opened: [], trays: 0 };
globalThis.shell = shell;

dialog.showMessageBox = (...args) =>
  new Promise((resolve) => {
    const { message, detail, buttons = [] } = args.at(-1);
    shell.dialogs.push({
      text: `${message}\n${detail}`,
      buttons,
      answer: (button, checkboxChecked) => resolve({ response: buttons.indexOf(button), checkboxChecked }),
    });
  });

system.openExternal = (url) => {
  shell.opened.push(url);
  return Promise.resolve();
};

system.openPath = (path) => {
  shell.opened.push(path);
  return Promise.resolve('');
};

Notification.isSupported = () => true;
Notification.prototype.show = function show() {
  shell.notifications.push(`${this.title}\n${this.body}`);
};

const trays = new WeakSet();
const { setContextMenu } = Tray.prototype;
Tray.prototype.setContextMenu = function note(menu) {
  // Each tray icon sets its menu immediately.
  if (!trays.has(this)) shell.trays += 1;
  trays.add(this);
  shell.menus.push(menu);
  setContextMenu.call(this, menu);
};

const { destroy } = Tray.prototype;
Tray.prototype.destroy = function note() {
  shell.trays -= 1;
  destroy.call(this);
};

// Shorten timers of one minute to 100 ms.
if (process.env.MINUTES_PASS === '1') {
  const { setTimeout: usual } = globalThis;
  globalThis.setTimeout = (run, ms, ...rest) => usual(run, ms === 60_000 ? 100 : ms, ...rest);
}

// Close the window before its first frame.
if (process.env.CLOSE_BEFORE_SHOWN === '1') {
  app.once('browser-window-created', (_event, window) => {
    window.once('ready-to-show', () => (shell.isDrawn = true));
    setImmediate(() => window.close());
  });
}

// Playwright kills the program if it notices the end of the debugger first, which can be before the event `exit`.
const keepCode = (code) => writeFileSync(process.env['TEST_EXIT_FILE'], String(code));
const { exit } = app;
app.exit = (code = 0) => {
  keepCode(code);
  exit.call(app, code);
};
process.once('exit', (code) => {
  if (process.type === 'browser') keepCode(code);
});
