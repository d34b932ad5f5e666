import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fill } from '../../headless/service/quoting.ts';
import type { LoginItem } from './types.ts';
import { readOrEmpty } from './readOrEmpty.ts';
import { words } from '../words.ts';

/** Lines that desktops use to record that the user disabled the autostart entry. */
const SWITCHED_OFF = /^(?:Hidden=true|X-GNOME-Autostart-enabled=false)$/m;

/**
 * Returns a login item for Linux desktops (XDG Desktop Application Autostart): an entry in the user's settings folder `config` that starts
 * a script. `template` is the script, and `command` is the program with its arguments. `set` throws file system errors.
 */
export function autostartEntry(command: readonly string[], config: string, template: string): LoginItem {
  const entry = join(config, 'autostart', 'pickstation.desktop');
  const script = join(config, 'pickstation', 'at-login.sh');
  const [program = '', ...args] = command.map(shellWord);
  const plain = [program, ...args].join(' ');
  // Escape `$`, because systemd expands variables in arguments.
  const supervised = [program, ...args.map((argument) => argument.replaceAll('$', '$$$$'))].join(' ');
  return {
    isOn() {
      const [how, what] = [readOrEmpty(entry), readOrEmpty(script)];
      return how !== '' && !SWITCHED_OFF.test(how) && what.includes(` ${program} `);
    },
    set(isOn) {
      if (!isOn) {
        for (const file of [entry, script]) rmSync(file, { force: true });
        return;
      }
      for (const file of [entry, script]) mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      writeFileSync(script, fill(template, { plain, supervised }));
      const exec = `Exec=sh ${quoted(script)}`;
      writeFileSync(entry, `${['[Desktop Entry]', 'Type=Application', `Name=${words.name}`, exec].join('\n')}\n`);
    },
  };
}

function shellWord(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** Quotes an argument for the key Exec, then escapes it like any value in a desktop file. */
function quoted(argument: string): string {
  const inQuotes = argument.replaceAll(/["`$\\]/g, '\\$&').replaceAll('%', '%%');
  return `"${inQuotes}"`.replaceAll('\\', '\\\\');
}
