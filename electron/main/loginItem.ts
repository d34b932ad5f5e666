import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { app } from 'electron';
import { autostartEntry } from './login/autostart.ts';
import { launchAgent } from './login/launchAgent.ts';
import type { LoginItem } from './login/types.ts';

/** Returns the login item for this system. `command` is the program with its arguments, and `root` is the folder of the program. */
export function loginItem(command: readonly string[], root: string): LoginItem {
  const template = (name: string): string => readFileSync(join(root, 'resources', 'login', name), 'utf8');
  if (process.platform === 'linux') {
    const given = process.env['XDG_CONFIG_HOME'] ?? '';
    const config = given === '' ? join(homedir(), '.config') : given;
    return autostartEntry(command, config, template('at-login.sh'));
  }
  if (process.platform === 'darwin') {
    const launchctl = (...args: string[]): string => spawnSync('launchctl', args, { encoding: 'utf8' }).stdout ?? '';
    const mac = { home: homedir(), uid: process.getuid?.() ?? -1, launchctl };
    return launchAgent(command, mac, template('org.pickstation.login.plist'));
  }
  const [path = process.execPath, ...args] = command;
  return {
    isOn: () => app.getLoginItemSettings({ path, args }).openAtLogin,
    set: (isOn) => app.setLoginItemSettings({ path, args, openAtLogin: isOn }),
  };
}
