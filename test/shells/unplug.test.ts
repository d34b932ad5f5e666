import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Device } from '#shared/api/device.ts';
import type { HistoryEntry } from '#shared/api/history.ts';
import type { TurboLink } from '#shared/api/turbo.ts';
import { noTerminals } from '../helpers/devices/turboWires.ts';
import { plugCable } from './cable.ts';
import { API_KEY, folderOnDisk, spawnStation } from './stationProcess.ts';
import { until } from './until.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const DEVICE = '7C0000:000001';
/** Time in milliseconds between a press and plugging the cable in. */
const AGE_MS = 1_500;

let stops: AsyncDisposableStack;
let folder: string;
let url: string;

beforeEach(async () => {
  stops = new AsyncDisposableStack();
  folder = folderOnDisk('unplug');
  stops.defer(() => rmSync(folder, { recursive: true }));
  const station = spawnStation({ dataFolder: join(folder, 'station'), simulate: 0, port: 0 });
  stops.defer(() => station.kill());
  url = await station.ready;
});

afterEach(() => stops.disposeAsync());

async function ask<T>(method: string, path: string, body?: object): Promise<T> {
  const headers = { 'api-key': API_KEY, 'content-type': 'application/json' };
  const sent = body === undefined ? null : JSON.stringify(body);
  const answer = await fetch(new URL(path, url), { method, headers, body: sent });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as T;
}

/** Starts the simulated turbo at the other end of the cable. It reopens its port repeatedly. */
function startTurbo(path: string): ChildProcess {
  const program = join(ROOT, 'electron', 'turboSim', 'main.ts');
  const args = ['--serial', path, '--devices', '1', '--hands'];
  const turbo = spawn(process.execPath, [program, ...args], { stdio: ['pipe', 'pipe', 'ignore'] });
  stops.defer(() => void turbo.kill('SIGKILL'));
  return turbo;
}

const link = async () => (await ask<TurboLink[]>('GET', '/api/turbo/links/'))[0];
const isOnline = async () => (await link())?.step === 'online';
const acknowledged = () => ask<HistoryEntry[]>('GET', `/api/history/?deviceid=${DEVICE}&kind=acknowledged`);

async function light(nonce: string): Promise<void> {
  await ask('POST', `/api/device/${DEVICE}/`, { line1: nonce, nonce, seconds: 0 });
  await until(`${nonce} to be shown`, async () => {
    const { commands } = await ask<Device>('GET', `/api/device/${DEVICE}/`);
    return commands.some((command) => command.nonce === nonce && command.state === 'shown');
  });
}

test.skipIf(noTerminals !== undefined)(
  `${noTerminals === undefined ? '' : `(${noTerminals}) `}a terminal is unplugged and plugged in again three times, and each press made in the meantime counts once`,
  async () => {
    // A terminal's number changes each time, so use links as fixed names. Port names must start with /dev.
    const names = mkdtempSync('/dev/shm/pickstation-unplug-');
    stops.defer(() => rmSync(names, { recursive: true }));
    const ends = [join(names, 'turbo'), join(names, 'station')] as const;
    let cable = await plugCable(ends);
    stops.defer(() => cable.pull());
    const turbo = startTurbo(ends[0]);
    let said = '';
    turbo.stdout?.setEncoding('utf8').on('data', (text: string) => (said += text));
    await ask('POST', '/api/turbo/links/', { path: ends[1] });
    await until('the device to be known', () =>
      ask('GET', `/api/device/${DEVICE}/`).then(
        () => true,
        () => false,
      ),
    );
    for (const nonce of ['first', 'second', 'third']) {
      await light(nonce);
      await cable.pull();
      const pulledAt = Date.now();
      await until('the reason', async () => (await link())?.problem?.includes('cannot be opened') === true);
      expect(await link()).toMatchObject({ turbo: null });
      expect(await ask('GET', `/api/device/${DEVICE}/`)).toMatchObject({ online: false, state: 'active' });
      said = '';
      turbo.stdin?.write(`press ${DEVICE}\n`);
      await until('the press', () => said.includes(`${DEVICE} front of `));
      const pressedAt = Date.now();
      await pause(AGE_MS);
      cable = await plugCable(ends);
      const pluggedAt = Date.now();
      await until(`the press of ${nonce}`, async () => (await acknowledged())[0]?.nonce === nonce);
      const [newest] = await acknowledged();
      expect(Date.parse(newest?.at ?? '')).toBeGreaterThan(pulledAt);
      // The age in a report does not include its transmission time.
      const reportMs = Date.now() - pluggedAt;
      expect(Date.parse(newest?.at ?? '')).toBeLessThan(pressedAt + reportMs);
      await until('the turbo to be online', isOnline);
    }
    expect((await acknowledged()).map(({ nonce }) => nonce)).toEqual(['third', 'second', 'first']);
    // The turbo reports its devices a moment after it is online.
    await until('the device to be online', async () => (await ask<Device>('GET', `/api/device/${DEVICE}/`)).online);
    expect(await ask('GET', `/api/device/${DEVICE}/`)).toMatchObject({ commands: [] });
  },
);
