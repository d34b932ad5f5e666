import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { app } from 'electron';
import { words } from './words.ts';

/** Whether the system starts the program when this person signs in. */
export type LoginItem = { isOn(): boolean; set(isOn: boolean): void };

/** `command`: the program and its arguments. */
export function loginItem([program = process.execPath, ...args]: readonly string[]): LoginItem {
  if (process.platform === 'linux') return autostartFile([program, ...args]);
  const item = { path: program, args };
  return {
    isOn: () => app.getLoginItemSettings(item).openAtLogin,
    set: (isOn) => app.setLoginItemSettings({ ...item, openAtLogin: isOn }),
  };
}

/** As desktops for Linux agree on it: XDG Desktop Application Autostart. */
function autostartFile(command: readonly string[]): LoginItem {
  const folder = process.env['XDG_CONFIG_HOME'] ?? '';
  const file = join(folder === '' ? join(homedir(), '.config') : folder, 'autostart', 'pickstation.desktop');
  return {
    isOn: () => existsSync(file),
    set(isOn) {
      if (!isOn) return rmSync(file, { force: true });
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      const lines = [
        '[Desktop Entry]',
        'Type=Application',
        `Name=${words.name}`,
        `Exec=${command.map(quoted).join(' ')}`,
      ];
      writeFileSync(file, `${lines.join('\n')}\n`);
    },
  };
}

/** Quoted for Exec, then escaped as any text of such a file. */
function quoted(argument: string): string {
  const inQuotes = argument.replaceAll(/["`$\\]/g, '\\$&').replaceAll('%', '%%');
  return `"${inQuotes}"`.replaceAll('\\', '\\\\');
}
