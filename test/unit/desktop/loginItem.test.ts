import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { repeatable } from '../../../electron/main/arguments.ts';
import { autostartEntry } from '../../../electron/main/login/autostart.ts';
import { launchAgent } from '../../../electron/main/login/launchAgent.ts';

const TEMPLATES = join(import.meta.dirname, '..', '..', '..', 'resources', 'login');
const SCRIPT = readFileSync(join(TEMPLATES, 'at-login.sh'), 'utf8');
const PLIST = readFileSync(join(TEMPLATES, 'org.pickstation.login.plist'), 'utf8');
const HARD_ARGUMENT = `dätä 100%h $HOME \${HOME} "two" 'one' <&> \`c\` back\\slash\\`;
const GENERATOR = '/usr/lib/systemd/user-generators/systemd-xdg-autostart-generator';

let folder: string;
let config: string;
let entry: string;
let script: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pickstation-login-'));
  config = join(folder, `settings 'of' "a" 100% %f`);
  entry = join(config, 'autostart', 'pickstation.desktop');
  script = join(config, 'pickstation', 'at-login.sh');
});

afterEach(() => rmSync(folder, { recursive: true }));

/** Writes a program that records its arguments, one per line, and exits with `status`. */
function writeProgram(name: string, status = 0): string {
  const file = join(folder, name);
  writeFileSync(file, `#!/bin/sh\nprintf '%s\\n' "$@" > "$0.ran"\nexit ${status}\n`, { mode: 0o755 });
  return file;
}

function wordsOf(program: string): string[] | undefined {
  if (!existsSync(`${program}.ran`)) return undefined;
  return readFileSync(`${program}.ran`, 'utf8').trimEnd().split('\n');
}

/** Enables the login item for `program`, then runs the resulting autostart entry. */
function signIn(program: string, env: Record<string, string> = {}): void {
  autostartEntry([program, '--data', HARD_ARGUMENT, '--hidden'], config, SCRIPT).set(true);
  const PATH = `${folder}${delimiter}${process.env['PATH']}`;
  expect(spawnSync('sh', [script], { env: { PATH, ...env }, encoding: 'utf8' })).toMatchObject({ status: 0 });
}

test("systemd starts the program with the session's variables, and restarts it only after a crash", () => {
  const systemd = writeProgram('systemd-run');
  const program = writeProgram(`Pick station's $HOME.AppImage`);
  signIn(program, {
    DISPLAY: ':7',
    WAYLAND_DISPLAY: 'wayland-7',
    XAUTHORITY: '/tmp/with space',
    DBUS_SESSION_BUS_ADDRESS: 'unix:path=/x',
    XDG_CURRENT_DESKTOP: 'XFCE',
    INVOCATION_ID: 'of the session',
    // systemd rejects a control character in a variable, and then does not start the program.
    COLOR: '\u001B[1m',
  });
  const words = wordsOf(systemd) ?? [];
  const variables = words.filter((word) => word.startsWith('--setenv=')).map((word) => word.slice('--setenv='.length));
  expect(variables).toEqual(
    expect.arrayContaining(['DISPLAY', 'WAYLAND_DISPLAY', 'XAUTHORITY', 'DBUS_SESSION_BUS_ADDRESS', 'PATH']),
  );
  expect(variables).toContain('XDG_CURRENT_DESKTOP');
  expect(variables).not.toContain('INVOCATION_ID');
  expect(variables).not.toContain('COLOR');
  expect(words).toEqual(expect.arrayContaining(['--user', '--property=Restart=on-abnormal']));
  expect(words).toEqual(
    expect.arrayContaining(['--property=StartLimitIntervalSec=5min', '--property=StartLimitBurst=5']),
  );
  // systemd reads $$ as one $.
  const given = HARD_ARGUMENT.replaceAll('$', '$$$$');
  expect(words.slice(words.indexOf('--') + 1)).toEqual([program, '--data', given, '--hidden']);
  // Only systemd may start it, not the script.
  expect(wordsOf(program)).toBeUndefined();
});

test('without a user systemd, starts the program directly', () => {
  writeProgram('systemd-run', 1);
  const program = writeProgram(`Pick station's $HOME.AppImage`);
  signIn(program);
  expect(wordsOf(program)).toEqual(['--data', HARD_ARGUMENT, '--hidden']);
});

test.skipIf(!existsSync(GENERATOR))('desktops that start entries with systemd understand the entry', () => {
  autostartEntry(['/usr/bin/pickstation', '--hidden'], config, SCRIPT).set(true);
  const units = join(folder, 'units');
  mkdirSync(units);
  const env = { XDG_CONFIG_HOME: config, XDG_CONFIG_DIRS: units, HOME: folder, PATH: process.env['PATH'] };
  expect(spawnSync(GENERATOR, [units, units, units], { env, encoding: 'utf8' })).toMatchObject({ status: 0 });
  const [name = ''] = readdirSync(units).filter((each) => each.endsWith('.service'));
  const unit = readFileSync(join(units, name), 'utf8');
  const command = /^ExecStart=:?"?(?<program>\S+?)"? "(?<script>.*)"$/m.exec(unit)?.groups;
  expect(command?.['program']).toMatch(/\/sh$/);
  const path = command?.['script']?.replaceAll('%%', '%').replaceAll(/\\(["'\\])/g, '$1');
  expect(path).toBe(script);
});

test('the login item is on while its files start this program, unless it was switched off elsewhere', () => {
  const item = autostartEntry(['/a b/pickstation', '--hidden'], config, SCRIPT);
  expect(item.isOn()).toBe(false);
  item.set(true);
  expect(item.isOn()).toBe(true);
  // As if an AppImage had been renamed.
  expect(autostartEntry(['/a b/pickstation-2', '--hidden'], config, SCRIPT).isOn()).toBe(false);
  const text = readFileSync(entry, 'utf8');
  for (const off of ['Hidden=true', 'X-GNOME-Autostart-enabled=false']) {
    writeFileSync(entry, `${text}${off}\n`);
    expect(item.isOn()).toBe(false);
  }
  writeFileSync(entry, text);
  rmSync(script);
  expect(item.isOn()).toBe(false);
  item.set(true);
  item.set(false);
  expect([item.isOn(), existsSync(entry), existsSync(script)]).toEqual([false, false, false]);
});

const python = spawnSync('python3', ['-c', 'import plistlib']).status === 0;

test.skipIf(!python)('launchd starts the program with the session, and restarts it only after a crash', () => {
  const asked: string[] = [];
  const mac = { home: folder, uid: 501, launchctl: (...args: string[]) => String(asked.push(args.join(' '))) };
  launchAgent(['/Applications/P S.app/P', '--data', HARD_ARGUMENT], mac, PLIST).set(true);
  const input = readFileSync(join(folder, 'Library', 'LaunchAgents', 'org.pickstation.login.plist'), 'utf8');
  const read = 'import plistlib, sys, json; print(json.dumps(plistlib.loads(sys.stdin.buffer.read())))';
  const { stdout, stderr } = spawnSync('python3', ['-c', read], { input, encoding: 'utf8' });
  expect(stderr).toBe('');
  expect(JSON.parse(stdout)).toEqual({
    Label: 'org.pickstation.login',
    AssociatedBundleIdentifiers: 'org.pickstation.desktop',
    ProgramArguments: ['/Applications/P S.app/P', '--data', HARD_ARGUMENT],
    RunAtLoad: true,
    KeepAlive: { Crashed: true },
    ThrottleInterval: 60,
    ExitTimeOut: 15,
    AbandonProcessGroup: true,
    LimitLoadToSessionType: 'Aqua',
    ProcessType: 'Interactive',
  });
  expect(asked).toEqual(['enable gui/501/org.pickstation.login']);
});

test('the agent is on while it starts this program, unless the system has disabled it', () => {
  let printed = '';
  const mac = { home: folder, uid: 501, launchctl: () => printed };
  const item = launchAgent(['/P', '--hidden'], mac, PLIST);
  expect(item.isOn()).toBe(false);
  item.set(true);
  expect(item.isOn()).toBe(true);
  expect(launchAgent(['/Q', '--hidden'], mac, PLIST).isOn()).toBe(false);
  for (const state of ['disabled', 'true']) {
    printed = `\tdisabled services = {\n\t\t"org.pickstation.login" => ${state}\n\t}\n`;
    expect(item.isOn()).toBe(false);
  }
  printed = '\tdisabled services = {\n\t\t"org.pickstation.login" => enabled\n\t}\n';
  expect(item.isOn()).toBe(true);
  item.set(false);
  expect(item.isOn()).toBe(false);
});

test('a start at sign-in omits the options that are meant for a single start', () => {
  const args = ['--port', '0', '--restore', '/b.sqlite', '--accept-loss', '--data', '/x', '--restore=/c.sqlite'];
  args.push('--bring-back', 'Ann', '--bring-back=Ben', '--yes');
  expect(repeatable(args)).toEqual(['--port', '0', '--data', '/x']);
});
