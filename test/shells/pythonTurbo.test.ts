import { spawn, spawnSync, type ChildProcessByStdio } from 'node:child_process';
import { rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { plugCable, type Cable } from './cable.ts';
import { API_KEY, folderOnDisk, watch, type StationProcess } from './stationProcess.ts';
import { until } from './until.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const PROGRAM = join(ROOT, 'docs', 'examples', 'turbo.py');
const LIMIT = { timeout: 240_000 };
const ROUNDS = 3;

type Taken = { kind: string; deviceid: string; nonce: string; qty: number };

let folder: string;
let port: number;
let turboPort: number;
let url: string;
let station: StationProcess;
let key: string;
let cable: Cable;

beforeAll(async () => {
  folder = folderOnDisk('python-turbo');
  [port, turboPort] = [await freePort(), await freePort()];
  await startStation();
  const user = await ask<{ api_key: string }>('POST', '/api/api-users/', { name: 'turbo-1', scope: 'turbo' });
  key = user.api_key;
  cable = await plugCable([join(folder, 'end-of-turbo'), join(folder, 'end-of-station')]);
  await ask('POST', '/api/turbo/links/', { path: cable.ends[1] });
}, LIMIT.timeout);

afterAll(async () => {
  await station.stop();
  await cable.pull();
  rmSync(folder, { recursive: true });
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port: free } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return free;
}

async function startStation(): Promise<void> {
  const main = join(ROOT, 'electron', 'headless', 'main.ts');
  const ports = ['--port', String(port), '--turbo-port', String(turboPort)];
  station = watch([process.execPath, main, ...ports, '--data', join(folder, 'station')]);
  url = await station.ready;
}

async function ask<T>(method: string, path: string, body?: unknown): Promise<T> {
  const answer = await fetch(new URL(path, url), {
    method,
    headers: { 'api-key': API_KEY, 'content-type': 'application/json' },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const value = (await answer.json()) as T;
  expect(answer.status, JSON.stringify(value)).toBeLessThan(300);
  return value;
}

/** The program, which a power cut may end and `start` begin again on the same devices. */
class PythonTurbo {
  private child: ChildProcessByStdio<Writable, Readable, Readable> | undefined;
  private output = '';
  private readonly args: readonly string[];

  constructor(args: readonly string[]) {
    this.args = args;
  }

  start(): void {
    this.output = '';
    const env = { ...process.env, PICKSTATION_TURBO_SECRET: key };
    const child = spawn('python3', [PROGRAM, ...this.args, '--refresh-ms', '50'], {
      env,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    child.stdin.on('error', () => undefined); // killed with a line on its way
    child.stdout.setEncoding('utf8').on('data', (text: string) => (this.output += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (this.output += text));
    this.child = child;
  }

  async kill(): Promise<void> {
    const child = this.child;
    if (child === undefined) return;
    this.child = undefined;
    const gone = new Promise((resolve) => child.once('close', resolve));
    child.kill('SIGKILL');
    await gone;
  }

  /** Rejects with all that the program said where it does not say this. */
  async says(what: string): Promise<void> {
    await until(`"${what}"`, () => this.output.includes(what)).catch((error: unknown) => {
      throw new Error(`The turbo said: ${this.output}`, { cause: error });
    });
  }

  /** Since the last thing that a worker did. */
  said(): string {
    return this.output;
  }

  /** A worker does something, and the device has taken it. */
  async do(line: string, said: string): Promise<void> {
    this.output = '';
    this.child?.stdin.write(`${line}\n`);
    await this.says(said);
  }

  press(device: string): Promise<void> {
    return this.do(`press ${device}`, `${device} front of`);
  }

  /** Lights the device; resolves when the worker sees it. */
  async light(device: string, nonce: string): Promise<void> {
    this.output = '';
    await ask('POST', `/api/device/${device}/`, { line1: nonce, quantity: 3, nonce, seconds: 0 });
    await this.says(`blink #ff0000 '${nonce}'`);
  }
}

/** What the station took of these devices, as nonce and count; each once. */
async function taken(prefix: string): Promise<(readonly [string, number])[]> {
  const history = await ask<Taken[]>('GET', '/api/history/?limit=1000');
  const mine = history.filter(({ kind, nonce }) => kind === 'acknowledged' && nonce.startsWith(prefix));
  return mine.map(({ nonce, qty }) => [nonce, qty] as const).toSorted(([one], [other]) => one.localeCompare(other));
}

async function restartStation(meanwhile: () => Promise<void>): Promise<void> {
  await station.kill();
  await meanwhile();
  await startStation();
}

describe.each([
  { way: 'tcp', devices: '7C0000' },
  { way: 'serial', devices: '7D0000' },
])('over $way', ({ way, devices }) => {
  const ONE = `${devices}:000001`;
  const TWO = `${devices}:000002`;
  let turbo: PythonTurbo;

  beforeAll(async () => {
    const link = way === 'tcp' ? ['--tcp', `127.0.0.1:${turboPort}`, '--user', 'turbo-1'] : ['--serial', cable.ends[0]];
    const names = ['--serial-number', `PY-${way}`, '--first', ONE, '--devices', '2'];
    turbo = new PythonTurbo([...link, ...names, '--state', join(folder, `${way}.json`)]);
    turbo.start();
    await turbo.says(`${TWO} shows 0`);
  });

  afterAll(() => turbo.kill());

  afterEach(async () => {
    // Nothing doubled by what came late: whoever is pressed once more is known by name.
    const stale = (await ask<Taken[]>('GET', '/api/history/?limit=1000')).filter(({ kind }) => kind === 'acknowledged');
    expect(new Set(stale.map(({ nonce }) => nonce)).size).toBe(stale.length);
  });

  async function arrived(prefix: string, count: number): Promise<void> {
    await until(`the ${count} presses of ${prefix}`, async () => (await taken(prefix)).length >= count);
  }

  test('a press comes back once, with what plus and minus counted', LIMIT, async () => {
    await turbo.light(ONE, `${way}-count`);
    await turbo.do(`plus ${ONE}`, 'plus of');
    await turbo.do(`plus ${ONE}`, 'plus of');
    await turbo.do(`minus ${ONE}`, 'minus of');
    await turbo.press(ONE);
    await arrived(`${way}-count`, 1);
    await turbo.light(TWO, `${way}-hold`);
    await turbo.do(`hold ${TWO}`, 'front of');
    await arrived(`${way}-hold`, 1);
    expect(await taken(`${way}-`)).toEqual([
      [`${way}-count`, 4],
      [`${way}-hold`, 3],
    ]);
  });

  test('statics that change while a command is lit are what the device goes back to', LIMIT, async () => {
    await ask('POST', `/api/device/${ONE}/`, { statica: `${way} before` });
    await turbo.says(`${ONE} shows 0: off #000000 '${way} before'`);
    await turbo.light(ONE, `${way}-kept`);
    await ask('POST', `/api/device/${ONE}/`, { statica: `${way} after` });
    await turbo.says(`${ONE} keeps '${way} after'`);
    await turbo.press(ONE);
    await turbo.says(`${ONE} shows 0: off #000000 '${way} after'`);
    expect(turbo.said()).not.toContain(`${way} before`);
    await arrived(`${way}-kept`, 1);
  });

  test('a turbo that dies after a press tells it when it is back', LIMIT, async () => {
    const expected = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const nonce = `${way}-died-${round}`;
      await turbo.light(ONE, nonce);
      await turbo.press(ONE);
      await turbo.kill();
      turbo.start();
      await arrived(nonce, 1);
      expected.push([nonce, 3]);
    }
    expect(await taken(`${way}-died`)).toEqual(expected);
  });

  test('a turbo that dies while a device is lit finds it lit', LIMIT, async () => {
    await turbo.light(ONE, `${way}-lit`);
    await turbo.kill();
    turbo.start();
    await turbo.says('Welcome');
    await turbo.press(ONE);
    await arrived(`${way}-lit`, 1);
    expect(await taken(`${way}-lit`)).toEqual([[`${way}-lit`, 3]]);
  });

  test('a station that dies after a press has it once when it is back', LIMIT, async () => {
    const expected = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const nonce = `${way}-station-${round}`;
      await turbo.light(ONE, nonce);
      await turbo.press(ONE);
      await restartStation(async () => undefined);
      await arrived(nonce, 1);
      expected.push([nonce, 3]);
    }
    expect(await taken(`${way}-station`)).toEqual(expected);
  });

  test('a device holds 64 presses while the station is away, refuses more, and all 64 come', LIMIT, async () => {
    await turbo.light(ONE, `${way}-full`);
    await restartStation(async () => {
      for (let count = 0; count < 63; count += 1) await turbo.do(`plus ${ONE}`, 'plus of');
      await turbo.press(ONE);
      await turbo.do(`plus ${ONE}`, 'is full and refuses the press');
    });
    await arrived(`${way}-full`, 1);
    expect(await taken(`${way}-full`)).toEqual([[`${way}-full`, 66]]);
  });

  test('presses while the station is away, and a turbo that dies meanwhile: all of them, in order', LIMIT, async () => {
    await turbo.light(ONE, `${way}-away-1`);
    await turbo.light(TWO, `${way}-away-2`);
    await restartStation(async () => {
      await turbo.do(`minus ${ONE}`, 'minus of');
      await turbo.press(ONE);
      await turbo.kill();
      turbo.start();
      await turbo.press(TWO);
    });
    await arrived(`${way}-away`, 2);
    await turbo.light(ONE, `${way}-away-3`);
    await turbo.press(ONE);
    await arrived(`${way}-away`, 3);
    expect(await taken(`${way}-away`)).toEqual([
      [`${way}-away-1`, 2],
      [`${way}-away-2`, 3],
      [`${way}-away-3`, 3],
    ]);
  });
});

test('every test vector of the page is right', LIMIT, () => {
  const { status, stdout, stderr } = spawnSync('python3', [PROGRAM, '--self-test'], { encoding: 'utf8' });
  expect(stderr).toBe('');
  expect(stdout).toBe('12 vectors are right.\n');
  expect(status).toBe(0);
});
