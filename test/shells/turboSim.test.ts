import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { HistoryEntry } from '#shared/api/history.ts';
import type { TurboNetwork } from '#shared/api/turbo.ts';
import { noTerminals } from '../helpers/devices/turboWires.ts';
import { plugCable, type Cable } from './cable.ts';
import { STATION_PROGRAM } from '../helpers/spawnStation.ts';
import { ADMIN_PASSWORD, API_KEY, folderOnDisk, watch, type StationProcess } from './stationProcess.ts';
import { until } from './until.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const PROGRAM = join(ROOT, 'electron', 'turboSim', 'main.ts');
const FAULTS = ['--devices', '3', '--radio-loss', '0.1', '--latency', '50', '--press-after', '100'];

let folder: string;
let station: StationProcess;
let url: string;
let cable: Cable | undefined;

beforeAll(async () => {
  folder = folderOnDisk('turbo-sim');
  station = watch([
    process.execPath,
    STATION_PROGRAM,
    '--port',
    '0',
    '--turbo-port',
    '0',
    '--data',
    join(folder, 'station'),
  ]);
  url = await station.ready;
  if (noTerminals !== undefined) return;
  cable = await plugCable([join(folder, 'end-of-turbo'), join(folder, 'end-of-station')]);
  await ask('POST', '/api/turbo/links/', { path: cable.ends[1] });
});

afterAll(async () => {
  await station.stop();
  await cable?.pull();
  rmSync(folder, { recursive: true });
});

async function ask<T>(method: string, path: string, body?: object): Promise<T> {
  const headers = { 'api-key': API_KEY, 'content-type': 'application/json' };
  const sent = body === undefined ? null : JSON.stringify(body);
  const answer = await fetch(new URL(path, url), { method, headers, body: sent });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as T;
}

function start(...args: string[]): { child: ChildProcess; said(): string } {
  const env = { ...process.env, PICKSTATION_TURBO_SECRET: ADMIN_PASSWORD };
  const child = spawn(process.execPath, [PROGRAM, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  }
  return { child, said: () => text };
}

const PSEUDO_TERMINAL = 'a pseudo-terminal';

/** Connection arguments for each kind of connection. */
const WAYS: Record<string, () => Promise<string[]>> = {
  'a WebSocket': async () => ['--connect', (await network()).websocket[0] ?? '', '--user', 'admin'],
  TCP: async () => ['--connect', `tcp://${(await network()).tcp[0] ?? ''}`, '--user', 'admin'],
  [PSEUDO_TERMINAL]: () => Promise.resolve(['--serial', cable?.ends[0] ?? '']),
};
const network = () => ask<TurboNetwork>('GET', '/api/turbo/network/');

test.for(Object.keys(WAYS).map((name, place) => [name, place] as const))(
  'over %s, with a lossy and slow radio, every device is lit, pressed and acknowledged, and SIGTERM exits with 0',
  async ([name, place], { skip }) => {
    skip(name === PSEUDO_TERMINAL && noTerminals !== undefined, noTerminals);
    const target = (await WAYS[name]?.()) ?? [];
    const ids = [1, 2, 3].map((number) => `7C000${place}:00000${number}`);
    const identity = ['--serial-number', `HALL-${place}`, '--first-id', ids[0] ?? ''];
    const { child, said } = start(...target, ...FAULTS, ...identity);
    try {
      await until(`the devices, and it said: ${said()}`, async () => {
        const known = await ask<string[]>('GET', '/api/device/');
        return ids.every((id) => known.includes(id));
      });
      await ask('POST', '/api/devices/', ids.map((deviceid) => ({ deviceid, line1: 'x', nonce: deviceid })) as object);
      const acknowledged = async () =>
        (await ask<HistoryEntry[]>('GET', '/api/history/?kind=acknowledged&limit=100'))
          .map(({ nonce }) => nonce)
          .filter((nonce) => ids.includes(nonce))
          .toSorted();
      await until('the presses', async () => (await acknowledged()).length >= 3);
      expect(await acknowledged()).toEqual(ids);
    } finally {
      child.kill('SIGTERM');
    }
    expect(await once(child, 'exit')).toEqual([0, null]);
    expect(said()).toContain(`HALL-${place} with 3 devices`);
    expect(said()).not.toContain(ADMIN_PASSWORD);
  },
);

test('invalid arguments exit with 1 and print the usage, and --help exits with 0', async () => {
  const wrong = start('--devices', '3');
  expect(await once(wrong.child, 'close')).toEqual([1, null]);
  expect(wrong.said()).toMatch(/^Give either --serial or --connect\.\n\nUsage: npm run turbo-sim/);
  const help = start('--help');
  expect(await once(help.child, 'close')).toEqual([0, null]);
  expect(help.said()).toMatch(/^Usage: npm run turbo-sim/);
});
