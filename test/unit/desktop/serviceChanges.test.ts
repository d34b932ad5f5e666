import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { serviceCommand, type ServiceAnswer } from '../../../electron/headless/service/service.ts';
import type { Ran, Surroundings } from '../../../electron/headless/service/surroundings.ts';
import { readConfig, type ServiceWish } from '../../../electron/server/config.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const DONE: Ran = { status: 0, out: '', err: '' };
const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };

/** Answers one command. Undefined means success without output. */
type Answerer = (line: string) => Partial<Ran> | undefined;

let folder: string;
let ran: string[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pickstation-service-'));
  for (const name of ['home', 'units', 'booted']) mkdirSync(join(folder, name));
  ran = [];
});

afterEach(() => rmSync(folder, { recursive: true }));

function command(wish: ServiceWish, platform: NodeJS.Platform, answer: Answerer, ...args: string[]) {
  const config = readConfig(['--port', '0', ...args], { HOME: folder });
  if (config === 'help') throw new Error('help');
  const system: Surroundings = {
    platform,
    uid: 1_000,
    userName: 'anna',
    home: join(folder, 'home'),
    environment: {},
    booted: join(folder, 'booted'),
    systemUnits: join(folder, 'units'),
    groups: join(folder, 'group'),
    run(program, given) {
      const line = [program, ...given].join(' ');
      ran.push(line);
      return { ...DONE, ...answer(line) };
    },
  };
  return serviceCommand(wish, config, ROOT, system);
}

/** Creates a fake Windows Task Scheduler. Commands whose beginning is in `fails` fail. */
function taskScheduler() {
  const state = {
    task: undefined as { number: number; given: string } | undefined,
    fails: [] as string[],
    answer(line: string): Partial<Ran> | undefined {
      if (state.fails.some((begin) => line.startsWith(begin))) return { status: 1, err: 'Zugriff verweigert.' };
      const [, verb, file = ''] =
        /^schtasks\.exe (\/\w+) \/tn Pickstation station(?: \/xml (.*) \/f)?/.exec(line) ?? [];
      if (verb === '/create') {
        const [, given = ''] = /<Arguments>(.*)<\/Arguments>/.exec(readFileSync(file, 'utf16le')) ?? [];
        const text = given.replaceAll(/&(\w+);/g, (_whole, name: string) => ENTITIES[name] ?? '');
        state.task = { number: state.task?.number ?? 3, given: text };
        return undefined;
      }
      if (line.startsWith('powershell')) {
        if (state.task === undefined) return undefined;
        return { out: `${state.task.number} ${Buffer.from(state.task.given).toString('base64')}\r\n` };
      }
      if (state.task === undefined) return { status: 1, err: 'Das System kann die Datei nicht finden.' };
      if (verb === '/run') state.task.number = 4;
      if (verb === '/end') state.task.number = 3;
      if (verb === '/delete') state.task = undefined;
      return undefined;
    },
  };
  return state;
}

type Windows = ReturnType<typeof taskScheduler>;

/** Creates a data folder as after a first start, without a running station. */
function withData(name: string): string {
  mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, name, 'pickstation.sqlite'), '');
  return join(folder, name);
}

/** Runs a service command on Windows. The task seems to start, but nothing runs. */
async function onWindows(windows: Windows, wish: ServiceWish, data: string, ...args: string[]): Promise<ServiceAnswer> {
  const answer: Answerer = (line) => {
    const said = windows.answer(line);
    if (line.startsWith('schtasks.exe /run') && windows.task !== undefined) windows.task.number = 3;
    return said;
  };
  return command(wish, 'win32', answer, '--data', data, ...args);
}

test('installing keeps a task for a different data folder, and removing finds the task by its name', async () => {
  const windows = taskScheduler();
  const [first, second] = [withData(`dätä "1" & <b>`), withData('data')];
  await onWindows(windows, 'install', first);
  const before = { ...windows.task };
  expect(before.given).toContain('--data');
  ran = [];
  await expect(onWindows(windows, 'install', second)).rejects.toThrow(
    'There is a service for another data folder already (the task "Pickstation station"), and nothing was changed.',
  );
  expect(windows.task).toEqual(before);
  expect(ran.filter((line) => line.startsWith('schtasks'))).toEqual([]);
  expect(readdirSync(second)).toEqual(['pickstation.sqlite']);
  const changed = await onWindows(windows, 'install', first, '--simulate', '2');
  expect(changed.says).toContain('The service was changed, and started again');
  expect(windows.task?.given).toContain('--simulate 2');
  expect((await onWindows(windows, 'remove', second)).says).toBe(
    'The service was stopped and removed: the task "Pickstation station"\nThe data stay where they are.',
  );
  expect(windows.task).toBeUndefined();
  expect((await onWindows(windows, 'remove', first)).says).toContain('No service is installed');
});

test('distinguishes two folders when the name of one begins with the name of the other', async () => {
  const windows = taskScheduler();
  await onWindows(windows, 'install', withData('data2'));
  await expect(onWindows(windows, 'install', withData('data'))).rejects.toThrow('for another data folder already');
});

test('neither replaces nor removes a task that somebody else created', async () => {
  const windows = taskScheduler();
  windows.task = { number: 3, given: '/c echo' };
  for (const wish of ['install', 'remove', 'status'] as const) {
    await expect(onWindows(windows, wish, withData('data'))).rejects.toThrow('was not made by Pickstation');
  }
  expect(windows.task.given).toBe('/c echo');
});

test('creates no task if the tasks cannot be listed', async () => {
  const windows = taskScheduler();
  windows.fails = ['powershell'];
  await expect(onWindows(windows, 'install', withData('data'))).rejects.toThrow(
    'PowerShell does not show the tasks of this system: Zugriff verweigert.',
  );
  expect(readdirSync(join(folder, 'data'))).toEqual(['pickstation.sqlite']);
});

test('deletes a new task that cannot run, but deletes nothing if the task could not be created', async () => {
  const windows = taskScheduler();
  const data = withData('data');
  windows.fails = ['schtasks.exe /run'];
  await expect(onWindows(windows, 'install', data)).rejects.toThrow(/nothing is left of it\. schtasks \/run failed/);
  expect(windows.task).toBeUndefined();
  windows.fails = ['schtasks.exe /create'];
  ran = [];
  await expect(onWindows(windows, 'install', data)).rejects.toThrow(/nothing is left of it\. schtasks \/create failed/);
  expect(ran.filter((line) => line.includes('/delete'))).toEqual([]);
  expect(readdirSync(data)).toEqual(['pickstation.sqlite']);
});

test('does not delete a task that another installation creates in the meantime', async () => {
  const other = taskScheduler();
  await onWindows(other, 'install', withData('other'));
  const windows = taskScheduler();
  const late: Answerer = (line) => {
    if (!line.startsWith('schtasks.exe /create')) return windows.answer(line);
    windows.task = other.task;
    return failed('Zugriff verweigert.');
  };
  await expect(command('install', 'win32', late, '--data', withData('data'))).rejects.toThrow('nothing is left of it');
  expect(windows.task?.given).toContain('other');
});

test('keeps an existing task if the change to it fails', async () => {
  const windows = taskScheduler();
  const data = withData('data');
  await onWindows(windows, 'install', data);
  const before = windows.task?.given;
  windows.fails = ['schtasks.exe /run'];
  await expect(onWindows(windows, 'install', data, '--simulate', '2')).rejects.toThrow(
    /^The service was not changed: its file is as before, but it does not run.*schtasks \/run failed/,
  );
  expect(windows.task?.given).toBe(before);
  expect(readFileSync(join(data, 'service-task.xml'), 'utf16le')).not.toContain('--simulate');
});

test('detects from its state number whether a task is running, and keeps a task that does not end', async () => {
  const windows = taskScheduler();
  const data = withData('data');
  await onWindows(windows, 'install', data);
  expect((await onWindows(windows, 'status', data)).isDone).toBe(false);
  if (windows.task !== undefined) windows.task.number = 4;
  expect(await onWindows(windows, 'status', data)).toMatchObject({ isDone: true });
  windows.fails = ['schtasks.exe /end'];
  await expect(onWindows(windows, 'remove', data)).rejects.toThrow(
    /^The service was not removed.*schtasks \/end failed/,
  );
  expect(windows.task).toBeDefined();
});

const UNIT = ['home', '.config', 'systemd', 'user', 'pickstation-station.service'];
const AGENT = ['home', 'Library', 'LaunchAgents', 'org.pickstation.station.plist'];

/** Answers commands as a Linux system on which no service is active, so that an installation does not wait for its station. */
const onLinux =
  (answers: Record<string, Partial<Ran>> = {}): Answerer =>
  (line) => {
    const [, answer] = Object.entries(answers).find(([begin]) => line.startsWith(begin)) ?? [];
    return answer ?? (line.includes('is-active') ? { status: 3 } : undefined);
  };
const failed = (err: string): Partial<Ran> => ({ status: 1, err });

test('keeps the file of a unit that systemd does not stop, and says why', async () => {
  const data = ['--data', join(folder, 'data')];
  await command('install', 'linux', onLinux(), ...data);
  const known = { out: 'LoadState=loaded\nActiveState=active\n' };
  for (const show of [known, failed('no bus')]) {
    const answer = onLinux({
      'systemctl --user disable': failed('Job timed out.'),
      'systemctl --user show --property': show,
    });
    await expect(command('remove', 'linux', answer, ...data)).rejects.toThrow(
      /^The service was not removed, and \S+\.service stays\. systemctl --user disable --now pickstation-station failed: Job timed out\.$/,
    );
    expect(existsSync(join(folder, ...UNIT))).toBe(true);
  }
  const unknown = onLinux({
    'systemctl --user disable': failed('does not exist'),
    'systemctl --user show --property': { out: 'LoadState=not-found\nActiveState=inactive\n' },
  });
  expect((await command('remove', 'linux', unknown, ...data)).says).toContain('The service was stopped and removed');
  expect(existsSync(join(folder, ...UNIT))).toBe(false);
});

test('keeps the file of an agent that launchd does not stop, and says why', async () => {
  const data = ['--data', join(folder, 'data')];
  await command('install', 'darwin', onLinux(), ...data);
  const bootout = { 'launchctl bootout': failed('Operation now in progress') };
  await expect(command('remove', 'darwin', onLinux(bootout), ...data)).rejects.toThrow(
    /^The service was not removed, and \S+\.plist stays\. launchctl bootout \S+ failed: Operation now in progress$/,
  );
  expect(existsSync(join(folder, ...AGENT))).toBe(true);
  const unknown = onLinux({ ...bootout, 'launchctl print': { status: 113 } });
  expect((await command('remove', 'darwin', unknown, ...data)).isDone).toBe(true);
  expect(existsSync(join(folder, ...AGENT))).toBe(false);
});

test('restarts the previous unit if a change fails, and reports the failure', async () => {
  const data = ['--data', join(folder, 'data')];
  await command('install', 'linux', onLinux(), ...data);
  const before = readFileSync(join(folder, ...UNIT), 'utf8');
  ran = [];
  let restarts = 0;
  const once: Answerer = (line) => {
    if (!line.includes('restart')) return onLinux()(line);
    restarts += 1;
    return restarts === 1 ? failed('Bad unit.') : undefined;
  };
  await expect(command('install', 'linux', once, ...data, '--simulate', '2')).rejects.toThrow(
    'The service was not changed: the one from before was started again. systemctl --user restart pickstation-station failed: Bad unit.',
  );
  expect(readFileSync(join(folder, ...UNIT), 'utf8')).toBe(before);
  expect(ran.slice(-3)).toEqual([
    'systemctl --user enable pickstation-station',
    'systemctl --user restart pickstation-station',
    'loginctl enable-linger',
  ]);
  expect(ran.filter((line) => line.includes('daemon-reload'))).toHaveLength(2);
  const never = onLinux({ 'systemctl --user restart': failed('Bad unit.') });
  await expect(command('install', 'linux', never, ...data, '--simulate', '2')).rejects.toThrow(
    'The service was not changed: its file is as before, but it does not run, and could not be started again. systemctl --user restart',
  );
  expect(readFileSync(join(folder, ...UNIT), 'utf8')).toBe(before);
  expect(readdirSync(join(folder, ...UNIT, '..'))).toEqual(['pickstation-station.service']);
});

test('names the unit that a failed installation cannot remove', async () => {
  const stuck = onLinux({
    'systemctl --user restart': failed('Bad unit.'),
    'systemctl --user disable': failed('Job timed out.'),
  });
  await expect(command('install', 'linux', stuck, '--data', join(folder, 'data'))).rejects.toThrow(
    /^The service was installed in part only: \S+\.service is left.*Job timed out\. systemctl --user restart .* failed: Bad unit\.$/,
  );
  expect(existsSync(join(folder, ...UNIT))).toBe(true);
});
