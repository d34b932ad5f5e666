import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Device } from '#shared/api/device.ts';
import { autostartEntry } from '../../electron/main/login/autostart.ts';
import { startUserManager, whyNoManager, type UserManager } from '../shells/privileged/userManager.ts';
import { API_KEY, folderOnDisk } from '../shells/stationProcess.ts';
import { until } from '../shells/until.ts';
import { call, ROOT } from './desktop.ts';

const PROGRAM = join(ROOT, 'dist', 'packages', 'linux-unpacked', 'pickstation');
const SCRIPT = readFileSync(join(ROOT, 'resources', 'login', 'at-login.sh'), 'utf8');
const UNIT = 'pickstation-login';
const DEVICE = '51D000:000001';
const NOBODY = 65_534;

const without = whyNoManager();
let stops: AsyncDisposableStack;
let home: string;
let manager: UserManager;

beforeEach(async () => {
  stops = new AsyncDisposableStack();
  if (without !== undefined) return;
  home = folderOnDisk('at login');
  stops.defer(() => rmSync(home, { recursive: true, maxRetries: 5 }));
  chmodSync(home, 0o755);
  manager = await startUserManager(home);
  stops.defer(() => manager.stop());
});

afterEach(() => stops.disposeAsync());

/** Starts the login entry as a desktop does at sign-in. Only the desktop knows the display. */
function signIn(command: readonly string[]): void {
  const config = join(home, '.config');
  autostartEntry(command, config, SCRIPT).set(true);
  for (const name of ['', 'autostart', 'autostart/pickstation.desktop', 'pickstation', 'pickstation/at-login.sh'])
    chownSync(join(config, name), NOBODY, NOBODY);
  const { status, err } = inSession(['gio', 'launch', join(config, 'autostart', 'pickstation.desktop')]);
  expect([status, err]).toEqual([0, '']);
}

function inSession(command: readonly string[]): ReturnType<UserManager['run']> {
  const authority = join(home, 'authority');
  copyFileSync(process.env['XAUTHORITY'] ?? '/dev/null', authority);
  chownSync(authority, NOBODY, NOBODY);
  const session = [
    `DISPLAY=${process.env['DISPLAY']}`,
    `XAUTHORITY=${authority}`,
    `PICKSTATION_API_KEY=${API_KEY}`,
    // An invalid variable, which must not prevent systemd from starting the program.
    'TEXT=two\nLINES=here',
  ];
  return manager.run(['env', ...session, ...command]);
}

const show = (property: string): string =>
  manager.run(['systemctl', '--user', 'show', '-P', property, UNIT]).out.trim();
const mainPid = (): number => Number(show('MainPID'));
/** Returns whether systemd has removed the unit, as it does when the unit has ended and is not restarted. */
const isGone = (): boolean => show('LoadState') === 'not-found';

const address = (): string =>
  (JSON.parse(readFileSync(join(home, 'data of it', 'address.json'), 'utf8')) as { url: string }).url;

async function isLit(): Promise<boolean> {
  try {
    const { commands, online } = (await call(address(), 'GET', `/api/device/${DEVICE}/`)) as Device;
    return online && commands[0]?.state === 'shown' && commands[0].nonce === 'lit';
  } catch {
    return false;
  }
}

async function light(): Promise<void> {
  await until('the device', async () => {
    try {
      return ((await call(address(), 'GET', `/api/device/${DEVICE}/`)) as Device).online;
    } catch {
      return false;
    }
  });
  await call(address(), 'POST', `/api/device/${DEVICE}/`, { nonce: 'lit', line1: 'lit', seconds: 0 });
  await until('the light', isLit);
}

/** Ends the main process, then waits for the next one with every light restored. */
async function crash(signal: 'SIGSEGV' | 'SIGABRT' | 'SIGKILL'): Promise<void> {
  const before = mainPid();
  process.kill(before, signal);
  await until('another process', () => ![0, before].includes(mainPid()));
  await until('the light to be back', isLit);
}

const ARGUMENTS = ['--port', '0', '--simulate', '3', '--hidden'];

test.skipIf(without !== undefined)(
  'a program started at sign-in restarts after each crash with everything lit, until it quits',
  async () => {
    signIn([PROGRAM, ...ARGUMENTS, '--data', join(home, 'data of it')]);
    await light();
    expect(show('ActiveState')).toBe('active');
    await crash('SIGSEGV');
    await crash('SIGABRT');
    await crash('SIGKILL');
    expect(show('NRestarts')).toBe('3');
    process.kill(mainPid(), 'SIGTERM');
    await until('the end of the unit', isGone);
  },
);

/** Returns the id of the graphics process of the program in this home, or 0 if there is none other than `except`. */
function graphicsPid(except: number): number {
  const isOurs = (pid: string): boolean => {
    try {
      const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      return words.includes('--type=gpu-process') && words.includes(home);
    } catch {
      return false;
    }
  };
  return Number(
    readdirSync('/proc').find((name) => /^\d+$/.test(name) && Number(name) !== except && isOurs(name)) ?? 0,
  );
}

test.skipIf(without !== undefined)(
  'a program that restarted itself without the graphics card keeps running with everything lit',
  async () => {
    signIn([PROGRAM, ...ARGUMENTS, '--data', join(home, 'data of it')]);
    await light();
    const [before, at] = [mainPid(), address()];
    let killed = 0;
    for (let times = 0; times < 2; times += 1) {
      await until('a graphics process', () => graphicsPid(killed) > 0);
      killed = graphicsPid(killed);
      process.kill(killed, 'SIGKILL');
    }
    await until('the end of the first', () => !isAlive(before));
    await until('another station', () => existsSync(join(home, 'data of it', 'address.json')) && address() !== at);
    await until('the light to be back', isLit);
    expect(show('ActiveState')).toBe('inactive');
  },
);

test.skipIf(without !== undefined)('a program started manually after a crash remains the only one', async () => {
  const command = [PROGRAM, ...ARGUMENTS, '--data', join(home, 'data of it')];
  signIn(command);
  await light();
  const pid = mainPid();
  // Otherwise systemd could restart the program before the second start.
  const thaw = manager.freeze();
  process.kill(pid, 'SIGKILL');
  const { out } = inSession(['sh', '-c', '"$@" >/dev/null 2>&1 & echo $!', 'sh', ...command]);
  const byHand = Number(out);
  stops.defer(() => until('the end of what was started by hand', () => !isAlive(byHand)));
  stops.defer(() => void process.kill(byHand, 'SIGTERM'));
  await until('the light to be back', isLit);
  thaw();
  let restarts = 0;
  await until('the end of the unit', () => {
    restarts = Math.max(restarts, Number(show('NRestarts')));
    return isGone();
  });
  expect([restarts, isAlive(byHand), await isLit()]).toEqual([1, true, true]);
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test.skipIf(without !== undefined).each([
  ['crashes at each start is started five times in total', 'kill -SEGV $$', 5],
  ['exits with a failure is not started again', 'exit 1', 1],
])('a program that %s', async (_what, end, times) => {
  const program = join(home, 'program');
  const starts = join(home, 'run', 'starts');
  writeFileSync(program, `#!/bin/sh\necho started >> '${starts}'\n${end}\n`, { mode: 0o755 });
  signIn([program]);
  await until('the end of the unit', isGone);
  expect(readFileSync(starts, 'utf8')).toBe('started\n'.repeat(times));
});
