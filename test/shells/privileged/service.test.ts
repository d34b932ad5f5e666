import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Device } from '#shared/api/device.ts';
import { stateOf } from '../checked.ts';
import { API_KEY, folderOnDisk } from '../stationProcess.ts';
import { until } from '../until.ts';
import { startUserManager, whyNoManager, type UserManager } from './userManager.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const MAIN = join(ROOT, 'electron', 'headless', 'main.ts');
const NAME = 'pickstation-station';
const DEVICE = '51D000:000001';
/** A name with characters that have a special meaning in shells, systemd or unit files. */
const HARD_NAME = `dätä 100%h $HOME \${HOME} "two" 'one' \\x20`;

const without = whyNoManager();
let stops: AsyncDisposableStack;
let home: string;
let data: string;
let manager: UserManager;

beforeEach(async () => {
  stops = new AsyncDisposableStack();
  if (without !== undefined) return;
  home = folderOnDisk('service');
  stops.defer(() => rmSync(home, { recursive: true }));
  chmodSync(home, 0o755);
  data = join(home, HARD_NAME);
  manager = await startUserManager(home);
  stops.defer(() => manager.stop());
});

afterEach(() => stops.disposeAsync());

function service(wish: string, ...args: string[]): { status: number | null; out: string; err: string } {
  return manager.run([
    process.execPath,
    MAIN,
    '--service',
    wish,
    '--data',
    data,
    '--port',
    '0',
    '--simulate',
    '3',
    ...args,
  ]);
}

function systemctl(...args: string[]): string {
  return manager.run(['systemctl', '--user', ...args]).out.trim();
}

const mainPid = () => Number(systemctl('show', '-P', 'MainPID', NAME));
const address = () => (JSON.parse(readFileSync(join(data, 'address.json'), 'utf8')) as { url: string }).url;

function giveKey(): void {
  const file = join(home, '.config', 'pickstation', 'environment');
  mkdirSync(dirname(file));
  writeFileSync(file, `PICKSTATION_API_KEY=${API_KEY}\n`, { mode: 0o644 });
}

async function ask<T>(url: string, method: string, path: string, body?: object): Promise<T> {
  const headers = { 'api-key': API_KEY, 'content-type': 'application/json' };
  const sent = body === undefined ? null : JSON.stringify(body);
  const answer = await fetch(new URL(path, url), { method, headers, body: sent });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as T;
}

const isLit = async (): Promise<boolean> => {
  const { commands, online } = await ask<Device>(address(), 'GET', `/api/device/${DEVICE}/`);
  return online && commands[0]?.state === 'shown' && commands[0].nonce === 'lit';
};
/** Returns whether the device is lit again. A request that fails because the station is offline counts as "not lit". */
const isLitAgain = (): Promise<boolean> => isLit().catch(() => false);

test.skipIf(without !== undefined)(
  `${without === undefined ? '' : `(${without}) `}a killed station restarts with everything lit, until the service is removed`,
  async () => {
    giveKey();
    const installed = service('install');
    expect(installed.err).toBe('');
    expect(installed.out).toMatch(/^The service is installed: \S+pickstation-station\.service\n/);
    expect(installed.out).toContain(`It answers at ${address()}`);
    expect(installed.out).toContain('sudo loginctl enable-linger nobody');
    expect(installed.out).toContain(`Data: ${data}\n`);
    expect(installed.out).toContain(`systemctl --user status ${NAME}`);
    expect(installed.out).toContain('Undo: npm run serve -- --service remove');
    expect(installed.status).toBe(0);
    expect(systemctl('is-enabled', NAME)).toBe('enabled');
    await ask(address(), 'POST', `/api/device/${DEVICE}/`, { line1: 'lit', nonce: 'lit', seconds: 0 });
    await until('the light', isLit);
    for (const signal of ['SIGKILL', 'SIGSEGV'] as const) {
      const pid = mainPid();
      process.kill(pid, signal);
      await until('another process', () => mainPid() !== pid && mainPid() !== 0);
      await until('the light again', isLitAgain);
    }

    const [before, pid] = [stateOf(join(home, '.config')), mainPid()];
    expect(service('install').out).toContain('Nothing was changed.');
    expect([stateOf(join(home, '.config')), mainPid()]).toEqual([before, pid]);
    expect(service('status')).toMatchObject({
      status: 0,
      out: expect.stringContaining(`The service runs, at ${address()}.`) as string,
    });

    const removed = service('remove');
    expect(removed.out).toContain('The service was stopped and removed: ');
    expect(removed.out).toContain(`The data stay where they are: ${data}`);
    expect(existsSync(`/proc/${pid}`)).toBe(false);
    expect(readdirSync(data)).toContain('pickstation.sqlite');
    expect(systemctl('list-units', '--all', '--plain', '--no-legend', `${NAME}*`)).toBe('');
    expect(Object.keys(stateOf(join(home, '.config')))).toEqual(['pickstation/environment']);
    expect(service('remove')).toMatchObject({
      status: 0,
      out: expect.stringContaining('No service is installed') as string,
    });
    expect(service('status')).toMatchObject({
      status: 1,
      out: expect.stringContaining('No service is installed') as string,
    });
  },
);

test.skipIf(without !== undefined)(
  `${without === undefined ? '' : `(${without}) `}new options change the service; a different folder, a taken port and a foreign unit are refused`,
  async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    stops.defer(() => void server.close());
    const { port } = server.address() as AddressInfo;
    expect(service('install', '--port', String(port)).err).toContain(`Port ${port} is taken by another program`);
    expect(service('install', '--accept-loss').err).toContain('A service would repeat --restore and --accept-loss');
    expect(stateOf(join(home, '.config'))).toEqual({});

    expect(service('install').status).toBe(0);
    const before = stateOf(join(home, '.config'));
    const pid = mainPid();
    expect(service('install', '--data', join(home, 'other')).err).toContain('for another data folder already');
    expect([stateOf(join(home, '.config')), mainPid()]).toEqual([before, pid]);
    expect(service('install', '--simulate', '5').out).toContain('The service was changed, and started again');
    expect(mainPid()).not.toBe(pid);
    systemctl('stop', NAME);
    expect(service('status')).toMatchObject({ status: 1, out: expect.stringContaining('does not run') as string });
    expect(systemctl('is-active', NAME)).toBe('inactive');

    const [file = ''] = Object.keys(before).filter((name) => name.endsWith(`/${NAME}.service`));
    writeFileSync(join(home, '.config', file), '[Service]\nExecStart=/bin/true\n');
    expect(service('install').err).toContain('was not made by Pickstation');
    expect(service('remove').err).toContain('was not made by Pickstation');
  },
);

test.skipIf(without !== undefined)(
  `${without === undefined ? '' : `(${without}) `}if a step of the installation fails, nothing is left behind`,
  async () => {
    chownSync(join(home, '.config'), 0, 0);
    chmodSync(join(home, '.config'), 0o755);
    expect(service('install')).toMatchObject({
      status: 1,
      err: expect.stringMatching(/^The service was not installed, and nothing is left of it\. EACCES/) as string,
    });
    chownSync(join(home, '.config'), 65_534, 65_534);
    const wants = join(home, '.config', 'systemd', 'user', 'default.target.wants');
    mkdirSync(dirname(wants), { recursive: true });
    writeFileSync(wants, 'in the way');
    chownSync(dirname(wants), 65_534, 65_534);
    expect(service('install').err).toMatch(/nothing is left of it\. systemctl --user enable .* failed/);
    expect(Object.keys(stateOf(join(home, '.config')))).toEqual(['systemd/user/default.target.wants']);
  },
);
