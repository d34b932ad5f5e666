import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fill, xmlText } from '../../headless/service/quoting.ts';
import type { LoginItem } from './types.ts';
import { readOrEmpty } from './readOrEmpty.ts';

const LABEL = 'org.pickstation.login';
const DISABLED = new RegExp(`"${LABEL}" => (?:disabled|true)`);

/** What the login item needs from macOS. */
export type MacLogin = {
  home: string;
  uid: number;
  /** Runs launchctl and returns its output, or an empty text if it fails. */
  launchctl(...args: string[]): string;
};

/**
 * Returns a login item for macOS: a launchd agent that takes effect at the next login. Loading it immediately would start the program
 * twice, and unloading it would end the program. `template` is the property list. `set` throws file system errors, and a StationError for a
 * control character.
 */
export function launchAgent(
  command: readonly string[],
  { home, uid, launchctl }: MacLogin,
  template: string,
): LoginItem {
  const file = join(home, 'Library', 'LaunchAgents', `${LABEL}.plist`);
  const argumentOf = (text: string): string => `    <string>${xmlText(text)}</string>`;
  return {
    isOn() {
      if (!readOrEmpty(file).includes(argumentOf(command[0] ?? ''))) return false;
      // The user can also disable the agent in the system settings or with launchctl.
      return !DISABLED.test(launchctl('print-disabled', `gui/${uid}`));
    },
    set(isOn) {
      if (!isOn) return rmSync(file, { force: true });
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, fill(template, { arguments: command.map(argumentOf).join('\n') }));
      launchctl('enable', `gui/${uid}/${LABEL}`);
    },
  };
}
