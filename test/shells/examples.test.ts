import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { delimiter, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, type TestContext } from 'vitest';
import type { Device } from '#shared/api/device.ts';
import type { Order } from '#shared/api/order.ts';
import { API_KEY, folderOnDisk, spawnStation, type StationProcess } from './stationProcess.ts';
import { until } from './until.ts';

const EXAMPLES = join(import.meta.dirname, '..', '..', 'docs', 'examples');
const ONE = '51D000:000001';
const TWO = '51D000:000002';
const THREE = '51D000:000003';
const LONG = 'a text that is far too long for a display';

/** The system's PATH without npm's additions, as readers of the examples have it. */
const PATH = (process.env['PATH'] ?? '')
  .split(delimiter)
  .filter((folder) => !folder.includes('node_modules'))
  .join(delimiter);

type Language = { ending: 'sh' | 'py' | 'mjs'; command: string; needs: readonly string[] };
const SHELL: Language = { ending: 'sh', command: 'sh', needs: ['curl'] };
const PYTHON: Language = { ending: 'py', command: 'python3', needs: ['python3'] };
const NODE: Language = { ending: 'mjs', command: 'node', needs: ['node'] };

const LIMIT = { timeout: 600_000 };

type Ended = { code: number | null; stdout: string; stderr: string };
type Example = { ended: Promise<Ended>; stdout(): string; kill(): Promise<unknown> };

/** Programs run by the earlier tests, and file endings that this machine cannot run. */
const tried = new Set<string>();
const untried = new Set<string>();

let folder: string;
let station: StationProcess;
let url: string;

beforeAll(async () => {
  folder = folderOnDisk('examples');
  station = spawnStation({ dataFolder: join(folder, 'station'), simulate: 4, port: 0 });
  url = await station.ready;
  for (const deviceid of [ONE, TWO, THREE]) {
    await ask(url, 'PATCH', `/api/simulator/devices/${deviceid}/`, { refresh_ms: 0 });
  }
}, LIMIT.timeout);

beforeEach(async () => {
  await ask(url, 'PATCH', '/api/settings/', { callback_url: '' });
  await ask(url, 'POST', '/api/devices/', [
    { deviceid: ONE, locationoverride: 'A-1-1', statica: '', quantity: '' },
    { deviceid: TWO, locationoverride: 'A-1-2', statica: '', quantity: '' },
    { deviceid: THREE, locationoverride: 'A-2-1', statica: '', quantity: '' },
  ]);
});

afterAll(async () => {
  await station.stop();
  rmSync(folder, { recursive: true });
});

async function ask<T>(base: string, method: string, path: string, body?: unknown): Promise<T> {
  const answer = await fetch(new URL(path, base), {
    method,
    headers: { 'api-key': API_KEY, 'content-type': 'application/json' },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const value = (await answer.json()) as T;
  expect(answer.status, JSON.stringify(value)).toBeLessThan(300);
  return value;
}

function device(base: string, deviceid: string): Promise<Device> {
  return ask<Device>(base, 'GET', `/api/device/${deviceid}/`);
}

/** Programs may be missing on a developer's machine, but not in CI. */
function requirePrograms(context: TestContext, { needs, ending }: Language): void {
  const missing = needs.find((program) => spawnSync(program, ['--version'], { env: { PATH } }).error !== undefined);
  if (missing === undefined) return;
  if (process.env['CI'] === 'true') throw new Error(`There is no ${missing} on this machine.`);
  untried.add(ending);
  context.skip(`There is no ${missing} on this machine.`);
}

function run(language: Language, name: string, args: readonly string[], env: Record<string, string> = {}): Example {
  const program = `${name}.${language.ending}`;
  tried.add(program);
  const file = join(EXAMPLES, program);
  const child = spawn(language.command, [file, ...args], {
    cwd: folder,
    env: { PATH, LANG: 'C.UTF-8', STATION_URL: url, API_KEY, CALLBACK_PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill());
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
  const kill = (): Promise<unknown> => {
    child.kill('SIGKILL');
    return ended;
  };
  return { ended, stdout: () => stdout, kill };
}

/** Waits until the device shows its command and the example says that it is waiting. */
async function lit(example: Example, deviceid: string): Promise<void> {
  await until(`${deviceid} to be lit`, async () => {
    const [command] = (await device(url, deviceid)).commands;
    return command?.state === 'shown' && example.stdout().includes('is lit');
  });
}

describe.each([SHELL, PYTHON, NODE])('light.$ending', (language) => {
  test('lights a place, and ends when its button is pressed', LIMIT, async (context) => {
    requirePrograms(context, language);
    const example = run(language, 'light', ['a-1-2', 'Cable "tie" \\ 200', '5'], { SECONDS_LIT: '0', COLOR: 'g' });
    await lit(example, TWO);
    const [command] = (await device(url, TWO)).commands;
    expect(command).toMatchObject({
      command: 'flash',
      line1: 'Cable "tie" \\ 200',
      quantity: 5,
      color: 'g',
      seconds: 0,
    });
    await ask(url, 'POST', `/api/simulator/devices/${TWO}/press/`);
    const ended = await example.ended;
    expect(ended.stderr).toBe('');
    expect(ended.stdout).toBe(`${TWO} is lit for a-1-2.\nPressed, quantity 5.\n`);
    expect(ended.code).toBe(0);
  });

  test("prints the station's warnings, and exits with 2 if nobody presses", LIMIT, async (context) => {
    requirePrograms(context, language);
    const { code, stderr } = await run(language, 'light', ['A-1-1', LONG], { SECONDS_LIT: '1' }).ended;
    expect(stderr).toMatch(/^Warning: .*26.*\n.*Nobody pressed in time\.\n$/);
    expect(code).toBe(2);
  });

  test("prints the station's reason when it refuses", LIMIT, async (context) => {
    requirePrograms(context, language);
    const nowhere = await run(language, 'light', ['no "where"', 'x']).ended;
    expect(nowhere).toMatchObject({ code: 1, stdout: '' });
    expect(nowhere.stderr).toContain('The station answered 404: No alias, label or DeviceID is "no "where"".');
    const stranger = await run(language, 'light', ['A-1-1', 'x'], { API_KEY: 'of nobody' }).ended;
    expect(stranger).toMatchObject({ code: 1, stdout: '' });
    expect(stranger.stderr).toMatch(/^The station answered 401: [A-Z].*\.\n$/);
    const alone = await run(language, 'light', ['A-1-1', 'x'], { STATION_URL: 'http://127.0.0.1:1/' }).ended;
    expect(alone).toMatchObject({ code: 1, stdout: '' });
    expect(alone.stderr).toContain('cannot be reached');
  });
});

test.each([PYTHON, NODE])('light.$ending does not touch the callbacks of another program', LIMIT, async (language) => {
  await ask(url, 'PATCH', '/api/settings/', { callback_url: 'http://127.0.0.1:1/erp/' });
  const { code, stderr } = await run(language, 'light', ['A-1-1', 'x']).ended;
  expect(stderr).toContain('Callbacks go to http://127.0.0.1:1/erp/ already.');
  expect(code).toBe(1);
  expect(await ask(url, 'GET', '/api/settings/')).toMatchObject({ callback_url: 'http://127.0.0.1:1/erp/' });
  expect((await device(url, ONE)).commands).toEqual([]);
});

describe('order.mjs', () => {
  const ROWS = ['A-1-1=2=Cable tie 200', 'A-1-2=3=Cable tie 300'];

  /** Presses until the example has ended, because a press before the light is ignored. */
  async function pick(example: Example): Promise<Ended> {
    let ended: Ended | undefined;
    void example.ended.then((result) => (ended = result));
    await until('the order to be picked', async () => {
      for (const deviceid of [ONE, TWO]) {
        const [command] = (await device(url, deviceid)).commands;
        if (command?.state === 'shown') await ask(url, 'POST', `/api/simulator/devices/${deviceid}/press/`);
      }
      return ended !== undefined;
    });
    return example.ended;
  }

  test('lights an order, and ends when all of it is picked', LIMIT, async () => {
    const { code, stdout, stderr } = await pick(run(NODE, 'order', ['SO/1 a', ...ROWS]));
    expect(stderr).toBe('');
    expect(stdout).toMatch(/^2 of 2 items are lit\.\n/);
    expect(stdout).toMatch(/\nCable tie 200: 2 of 2\nCable tie 300: 3 of 3\n$/);
    expect(code).toBe(0);
    await ask(url, 'PATCH', '/api/settings/', { callback_url: '' });
    const again = await run(NODE, 'order', ['SO/1 a', ...ROWS]).ended;
    expect(again.stderr).toContain('The station answered 409: Order SO/1 a is fulfilled already.');
  });

  test('continues an interrupted order, and names an item without a device', LIMIT, async () => {
    const items = [
      { name: 'Nut', ordered_quantity: 1, warehouse_location: 'Y-9' },
      { name: 'Bolt', ordered_quantity: 1, deviceid: ONE },
    ];
    await ask(url, 'POST', '/api/orders/', { order_number: 'SO-2', ordernonce: 'x', items });
    const { code, stdout, stderr } = await pick(run(NODE, 'order', ['SO-2', 'Y-9=1=Nut', 'A-1-1=1=Bolt']));
    expect(stderr).toBe('No device was found for Nut.\n');
    expect(stdout).toMatch(/^1 of 2 items are lit\.\n(?:.*\n)*Nut: 0 of 1\nBolt: 1 of 1\n$/);
    expect(code).toBe(2);
  });

  test("prints the station's reason when it refuses", LIMIT, async () => {
    const nowhere = await run(NODE, 'order', ['SO-3', 'Y-9=1=Nut']).ended;
    expect(nowhere).toMatchObject({ code: 1, stdout: '' });
    expect(nowhere.stderr).toContain('The station answered 409: No item of order SO-3 has a device');
    await ask(url, 'PATCH', '/api/settings/', { callback_url: '' });
    const broken = await run(NODE, 'order', ['SO-4', 'A-1-1=2.5=Nut']).ended;
    expect(broken.stderr).toContain('The station answered 400: /items/0/ordered_quantity');
  });
});

test.each(['light', 'stock'])('%s.sh keeps the key out of its command lines', LIMIT, async (name) => {
  const watched = join(folder, 'curl');
  const log = join(folder, 'arguments');
  writeFileSync(watched, `#!/bin/sh\necho "$@" >>'${log}'\nPATH='${PATH}' exec curl "$@"\n`);
  chmodSync(watched, 0o755);
  const env = { PATH: `${folder}${delimiter}${PATH}`, SECONDS_LIT: '1' };
  const args = { light: ['A-1-1', 'x'], stock: [join(EXAMPLES, 'stock.csv')] };
  await run(SHELL, name, args[name as keyof typeof args], env).ended;
  rmSync(watched);
  expect(readFileSync(log, 'utf8')).toContain('/api/devices/');
  expect(readFileSync(log, 'utf8')).not.toContain(API_KEY);
});

describe.each([PYTHON])('round.$ending', (language) => {
  async function pressed(deviceid: string): Promise<void> {
    await until(`${deviceid} to be lit`, async () => (await device(url, deviceid)).commands[0]?.state === 'shown');
    await ask(url, 'POST', `/api/simulator/devices/${deviceid}/press/`);
  }

  test('leads from place to place, group by group', LIMIT, async (context) => {
    requirePrograms(context, language);
    for (const _ of ['the first day', 'the next']) {
      const example = run(language, 'round', ['round / 1', 'A-1-1', 'a-1-2,A-2-1'], { SECONDS_LIT: '0' });
      await pressed(ONE);
      await pressed(TWO);
      await pressed(THREE);
      const { code, stdout, stderr } = await example.ended;
      expect({ code, stderr, last: stdout.split('\n').at(-2) }).toEqual({
        code: 0,
        stderr: '',
        last: 'The round is complete.',
      });
      expect(stdout).toMatch(/^A-1-1: active\nA-1-1: acknowledged\na-1-2: /);
    }
  });

  test('says where it stopped, and how to continue', LIMIT, async (context) => {
    requirePrograms(context, language);
    const halted = await run(language, 'round', ['round 2', 'A-1-1'], { SECONDS_LIT: '1' }).ended;
    expect(halted).toMatchObject({ code: 2, stderr: 'The round has stalled. To continue: python3 round.py round 2\n' });
    expect(halted.stdout).toBe('A-1-1: active\nA-1-1: timed_out\n');
    const nowhere = await run(language, 'round', ['round 3', 'no "where"']).ended;
    expect(nowhere).toMatchObject({ code: 1, stdout: '' });
    expect(nowhere.stderr).toContain('The station answered 409: Nothing was lit. /steps/0/location: ');
    const unknown = await run(language, 'round', ['nobody']).ended;
    expect(unknown.stderr).toBe(
      'The station answered 404: There is no sequence "nobody". GET /api/sequence/ lists them.\n',
    );
  });
});

describe.each([PYTHON])('stocktable.$ending', (language) => {
  test('keeps the stock right while callbacks fail, repeat and overtake each other', LIMIT, async (context) => {
    requirePrograms(context, language);
    const sku = 'stock / 1';
    await ask(url, 'POST', '/api/articles/', { sku, places: [{ location: 'A-1-1', on_hand: 50 }, { location: 'B' }] });
    const env = { CALLBACK_PORT: '0' };
    const first = run(language, 'stocktable', [join(folder, 'stocktable.db')], env);
    await until('the program to wait', () => Promise.resolve(first.stdout().includes('Waiting')));
    const address = (example: Example): string => /http:\S+/.exec(example.stdout())?.[0] ?? '';
    const told: string[] = [];
    let refuses = true;
    const between = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        if (refuses) return response.writeHead(503).end();
        told.push(Buffer.concat(chunks).toString());
        return response.writeHead(200).end();
      });
    });
    await new Promise<void>((resolve) => between.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void between.close());
    const callback_url = `http://127.0.0.1:${(between.address() as AddressInfo).port}/`;
    await ask(url, 'PATCH', '/api/settings/', { callback_url, callback_families: { movement: true } });
    const changes = [{ delta: -3 }, { count: 40 }, { delta: 2 }, { delta: -1 }, { count: 7 }];
    const post = (...movements: object[]) => ask(url, 'POST', '/api/stock/', { movements });
    for (const change of changes) await post({ sku, location: 'A-1-1', ...change });
    await post({ sku, from: 'A-1-1', to: 'B', quantity: 2 });
    refuses = false;
    await until('every callback to arrive', async () => {
      await ask(url, 'POST', '/api/callbacks/send/');
      return new Set(told).size === changes.length + 2;
    });
    const deliver = async (to: string, bodies: readonly string[]): Promise<void> => {
      for (const body of bodies) expect((await fetch(to, { method: 'POST', body })).status).toBe(200);
    };
    const right = [
      { sku, location: 'A-1-1', on_hand: 5 },
      { sku, location: 'B', on_hand: null },
    ];
    const table = async (example: Example): Promise<unknown> => {
      const rows = (await (await fetch(address(example))).json()) as { sku: string }[];
      return rows.filter((row) => row.sku === sku);
    };
    // The last one first, and each several times.
    await deliver(address(first), [...told.toReversed(), ...told, ...told.toReversed()]);
    expect(await table(first)).toEqual(right);
    await first.kill();
    // What it missed while it did not run.
    await post({ sku, location: 'B', count: 9 });
    await ask(url, 'PATCH', '/api/settings/', { callback_families: { movement: false } });
    const second = run(language, 'stocktable', [join(folder, 'stocktable.db')], env);
    await until('the program to wait again', () => Promise.resolve(second.stdout().includes('Waiting')));
    await deliver(address(second), told);
    expect(await table(second)).toEqual([right[0], { sku, location: 'B', on_hand: 9 }]);
  });
});

describe('orders.mjs', () => {
  test('previews a file, creates its orders, says what it left out, and undoes the import', LIMIT, async (context) => {
    requirePrograms(context, NODE);
    const file = join(EXAMPLES, 'orders.csv');
    const dry = await run(NODE, 'orders', ['--dry-run', file]).ended;
    expect(dry).toEqual({ code: 0, stdout: '2 orders would be created.\n', stderr: '' });
    expect((await run(NODE, 'orders', [file]).ended).stdout).toBe('2 orders created.\n');
    const again = await run(NODE, 'orders', [file]).ended;
    expect(again).toMatchObject({ code: 1, stdout: '0 orders created.\n' });
    expect(again.stderr).toContain('Line 2 left out: Order SO-3001 already exists');
    await ask(url, 'POST', '/api/orders/SO-3002/abort/');
    const undone = await run(NODE, 'orders', ['--undo']).ended;
    expect(undone.stdout).toBe('SO-3002 is kept: It was aborted since.\n1 orders removed.\n');
  });
});

describe.each([SHELL, PYTHON, NODE])('stock.$ending', (language) => {
  function csv(text: string): string {
    const file = join(folder, `stock-${language.ending}.csv`);
    writeFileSync(file, text);
    return file;
  }

  test('writes the example file to the devices', LIMIT, async (context) => {
    requirePrograms(context, language);
    const { code, stderr } = await run(language, 'stock', [join(EXAMPLES, 'stock.csv')]).ended;
    expect(stderr).toBe('');
    expect(code).toBe(0);
    expect(await device(url, ONE)).toMatchObject({ statica: 'Cable tie 200', quantity: 40, commands: [] });
    expect(await device(url, TWO)).toMatchObject({ statica: 'Screw M8 x 20, zinc', quantity: 35 });
    expect(await device(url, THREE)).toMatchObject({ statica: 'Washer 8', quantity: 0 });
  });

  test('names refused and cut rows, and writes all others of a long file', LIMIT, async (context) => {
    requirePrograms(context, language);
    const rows = Array.from({ length: 1_200 }, (_, index) => `A-1-1,"No ""${index}"" \\ of many",${index % 90}`);
    rows[499] = 'A-2-1,the last of five hundred,';
    rows[700] = 'nowhere,"x, y",1';
    rows[1_100] = `A-1-2,${LONG},`;
    await ask(url, 'POST', `/api/device/${TWO}/`, { quantity: 7 });
    const file = csv(`\uFEFFlocation,statica,quantity\r\n${rows.join('\r\n')}\r\n`);
    const { code, stderr } = await run(language, 'stock', [file]).ended;
    const told = stderr.split('\n');
    expect(told[0]).toMatch(/^Line 702 was refused: No alias, label or DeviceID is "nowhere"\. .*\.$/);
    expect(told[1]).toMatch(/^Line 1102: warning: .*26/);
    expect(code).toBe(1);
    expect(await device(url, ONE)).toMatchObject({ statica: 'No "1199" \\ of many', quantity: 29 });
    expect(await device(url, TWO)).toMatchObject({ statica: LONG.slice(0, 26), quantity: 7 });
    expect((await device(url, THREE)).statica).toBe('the last of five hundred');
  });

  test('reports a problem with the file or the key', LIMIT, async (context) => {
    requirePrograms(context, language);
    const away = await run(language, 'stock', [join(folder, 'not-there.csv')]).ended;
    expect(away).toMatchObject({ code: 1, stdout: '' });
    expect(away.stderr).toContain('not-there.csv cannot be read');
    const ragged = await run(language, 'stock', [csv('location,statica\nA-1-1,x\nA-1-2,y,z\n')]).ended;
    expect(ragged).toMatchObject({ code: 1, stdout: '' });
    expect(ragged.stderr).toMatch(/^Line 3 has .*Nothing was sent\.\n$/);
    expect((await device(url, ONE)).statica).toBe('');
    const stranger = await run(language, 'stock', [csv('location,statica\nA-1-1,x\n')], { API_KEY: 'of nobody' }).ended;
    expect(stranger).toMatchObject({ code: 1, stdout: '' });
    expect(stranger.stderr).toMatch(/^The station answered 401: [A-Z]/);
  });
});

describe.each([PYTHON, NODE])('movein.$ending', (language) => {
  const MOVED = [
    { deviceid: ONE, locationoverride: 'A-1-1', statica: 'Größe 8', quantity: 12, icon: 'hazardd', brightness: 60 },
    { deviceid: TWO, locationoverride: 'A-1-2', statica: 'as before', arrow: '', unsolicitedNonce: 'bell' },
    { deviceid: THREE, locationoverride: 'A-2-1', barcode: '4006381333931' },
  ];
  const ALIASES = [
    { name: 'Top shelf', deviceid: ONE, deviceIs: 'Below' },
    { name: 'Left bin', deviceid: THREE, deviceIs: 'to the Right of' },
  ];

  beforeEach(async () => {
    for (const { id } of await ask<{ id: number }[]>(url, 'GET', '/api/location-aliases/')) {
      const headers = { 'api-key': API_KEY };
      await fetch(new URL(`/api/location-aliases/${id}/`, url), { method: 'DELETE', headers });
    }
    await ask(url, 'POST', '/api/devices/', MOVED);
    for (const alias of ALIASES) await ask(url, 'POST', '/api/location-aliases/', alias);
  });

  test('moves everything once, and changes nothing in a dry run', LIMIT, async (context) => {
    requirePrograms(context, language);
    const there = spawnStation({ dataFolder: join(folder, `new-${language.ending}`), simulate: 2, port: 0 });
    onTestFinished(() => there.kill());
    const base = await there.ready;
    await ask(base, 'POST', '/api/devices/', { deviceid: TWO, statica: 'as before', arrow: 'left' });
    await ask(base, 'POST', '/api/location-aliases/', { name: 'TOP SHELF', deviceid: TWO, deviceIs: 'Above' });
    const settings = async () => {
      const { devices, aliases } = await ask<{ devices: Device[]; aliases: unknown[] }>(base, 'GET', '/api/station/');
      return {
        aliases,
        devices: devices.map((each) => [each.deviceid, each.statica, each.locationoverride, each.arrow]),
      };
    };
    const env = { OLD_URL: url, OLD_API_KEY: API_KEY, STATION_URL: base };

    const before = await settings();
    const look = await run(language, 'movein', ['--dry-run'], env).ended;
    expect(look.stderr).toBe('');
    expect(look.stdout).toMatch(
      /Dry run, nothing was written\. It would be: .*2 aliases written\nBefore you launch orders: .*whole/,
    );
    expect(look.code).toBe(0);
    expect(await settings()).toEqual(before);

    const first = await run(language, 'movein', [], env).ended;
    expect(first.stderr).toBe('');
    expect(first.stdout).toMatch(/2 devices registered.*2 aliases written\n$/);
    expect(first.code).toBe(0);
    for (const { deviceid, arrow: _, ...fields } of MOVED) expect(await device(base, deviceid)).toMatchObject(fields);
    expect((await device(base, TWO)).arrow).toBeNull();
    const aliases = await ask<object[]>(base, 'GET', '/api/location-aliases/');
    expect(aliases).toMatchObject(ALIASES);
    expect(aliases).toHaveLength(2);

    const after = await settings();
    const again = await run(language, 'movein', [], env).ended;
    expect(again.stdout).toBe('4 devices unchanged, 2 aliases unchanged\n');
    expect(again.code).toBe(0);
    expect(await settings()).toEqual(after);

    const stranger = await run(language, 'movein', [], { ...env, OLD_API_KEY: 'of nobody' }).ended;
    expect(stranger.stderr).toMatch(/answered 401: [A-Z]/);
    expect(stranger.code).toBe(1);
  });

  test('names what it could not move, and moves the rest', LIMIT, async (context) => {
    requirePrograms(context, language);
    const there = spawnStation({ dataFolder: join(folder, `other-${language.ending}`), simulate: 1, port: 0 });
    onTestFinished(() => there.kill());
    const base = await there.ready;
    // The key may write on displays, but not register devices.
    const user = { name: 'mover', scope: 'control' };
    const { api_key: key } = await ask<{ api_key: string }>(base, 'POST', '/api/api-users/', user);
    await ask(url, 'POST', `/api/device/${ONE}/`, { statica: LONG });
    const env = { OLD_URL: url, OLD_API_KEY: API_KEY, STATION_URL: base, API_KEY: key };
    const look = await run(language, 'movein', ['--dry-run'], env).ended;
    expect(look.stderr).toContain(`failed: ${TWO}: API_KEY may not register devices here. Use a key of scope admin.`);
    expect(look.code).toBe(1);
    const { code, stdout, stderr } = await run(language, 'movein', [], env).ended;
    expect(stderr).toMatch(
      new RegExp(
        `failed: ${TWO}: .* answered 403: mover is control and is not allowed to [^:]*: the right manage_devices is missing\\.`,
      ),
    );
    expect(stderr).toMatch(/failed: Left bin: .* answered 400: There is no device 51D000:000003\./);
    expect(stdout).toMatch(/4 failed, 1 device written, 1 alias written\n$/);
    expect(code).toBe(1);
    expect(await device(base, ONE)).toMatchObject({ statica: LONG.slice(0, 26), locationoverride: 'A-1-1' });
    expect(await ask(base, 'GET', '/api/location-aliases/')).toMatchObject([{ name: 'Top shelf', deviceid: ONE }]);
  });
});

test.each([PYTHON, NODE])(
  'events.$ending prints every change of every order, even if the station and the program are killed',
  LIMIT,
  async (language) => {
    const port = await freePort();
    const dataFolder = join(folder, `events-${language.ending}`);
    const start = async (): Promise<StationProcess> => {
      const started = spawnStation({ dataFolder, simulate: 1, port });
      onTestFinished(() => started.kill());
      await started.ready;
      return started;
    };
    const base = `http://127.0.0.1:${port}/`;
    const file = join(folder, `orders-${language.ending}.json`);
    const follow = () => run(language, 'events', [file], { STATION_URL: base });
    // What was printed but not yet saved is printed again after a kill.
    const saved = (orders: Record<string, string>) =>
      until('the program to save what it printed', () => isDeepStrictEqual(stateOf(file).orders, orders));
    let killed = await start();
    const add = async (number: string): Promise<number> => {
      const items = [{ name: 'Bolt', ordered_quantity: 9, deviceid: ONE }];
      const order = await ask<Order>(base, 'POST', '/api/orders/', { order_number: number, items });
      return order.shipments[0]?.items[0]?.id ?? 0;
    };
    const pick = (number: string, id: number, quantity: number) =>
      ask(base, 'PATCH', `/api/orders/${number}/items/${id}/`, { quantity_fulfilled: quantity });

    const first = await add('SO-1');
    let example = follow();
    await until('the first order', () => example.stdout() === 'SO-1: open, 0 of 9\n');
    await pick('SO-1', first, 1);
    await until('the first piece', () => example.stdout().endsWith('SO-1: open, 1 of 9\n'));
    // The program reads each change of a station that is killed right after it.
    const second = await add('SO-2');
    for (const quantity of [2, 3, 4]) await pick('SO-1', first, quantity);
    await killed.kill();
    killed = await start();
    await pick('SO-2', second, 5);
    await until('the changes over the restart', () => example.stdout().endsWith('SO-2: open, 5 of 9\n'));
    expect(example.stdout().split('\n')).toEqual([
      'SO-1: open, 0 of 9',
      'SO-1: open, 1 of 9',
      'SO-2: open, 0 of 9',
      'SO-1: open, 2 of 9',
      'SO-1: open, 3 of 9',
      'SO-1: open, 4 of 9',
      'SO-2: open, 5 of 9',
      '',
    ]);
    await saved({ 'SO-1': 'open, 4 of 9', 'SO-2': 'open, 5 of 9' });
    await example.kill();
    await pick('SO-1', first, 6);
    await pick('SO-1', first, 7);
    await killed.kill();
    await start();
    await fetch(new URL('/api/orders/SO-2/', base), { method: 'DELETE', headers: { 'api-key': API_KEY } });
    example = follow();
    await until('the changes without the program', () => example.stdout().endsWith('SO-2: deleted\n'));
    expect(example.stdout().split('\n')).toEqual(['SO-1: open, 6 of 9', 'SO-1: open, 7 of 9', 'SO-2: deleted', '']);
    await saved({ 'SO-1': 'open, 7 of 9' });
    await example.kill();
    // A station that no longer has these events says so.
    writeFileSync(file, JSON.stringify({ ...stateOf(file), last: '999999999' }));
    await pick('SO-1', first, 8);
    example = follow();
    await until('the state after a reset', () => example.stdout() === 'SO-1: open, 8 of 9\n');
  },
);

function stateOf(file: string): { orders?: Record<string, string> } {
  return JSON.parse(readFileSync(file, 'utf8')) as { orders?: Record<string, string> };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

test('receiver.mjs prints callbacks that the station has signed, and refuses others', LIMIT, async () => {
  const secret = `whsec_${Buffer.from('a key that nobody guesses').toString('base64')}`;
  const receiver = run(NODE, 'receiver', ['0'], { SIGNING_SECRET: secret });
  await until('the receiver to listen', () => receiver.stdout().endsWith('/\n'));
  const [address = ''] = /http:\S+/.exec(receiver.stdout()) ?? [];
  const payload = '{"acknack":"ack","nonce":"forged"}';
  const stranger = await fetch(address, { method: 'POST', body: payload });
  const forger = await fetch(address, {
    method: 'POST',
    headers: {
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(Math.floor(Date.now() / 1_000)),
      'webhook-signature': `v1,${'A'.repeat(43)}=`,
    },
    body: payload,
  });
  expect([stranger.status, forger.status]).toEqual([401, 401]);
  await ask(url, 'PATCH', '/api/settings/', { callback_url: address, callback_signing_secret: secret });
  await ask(url, 'POST', `/api/device/${TWO}/`, { unsolicitedNonce: 'help' });
  await ask(url, 'POST', `/api/simulator/devices/${TWO}/press/`, { hold: 'long' });
  await until('the call to be printed', () => receiver.stdout().includes('"nonce":"help"'));
  expect(receiver.stdout()).toContain('POST / {"acknack":"call"');
  expect(receiver.stdout()).not.toContain('forged');
  await ask(url, 'PATCH', '/api/settings/', { callback_signing_secret: null });
});

test('every example is in the table of the README and is run here', () => {
  const table = readFileSync(join(EXAMPLES, 'README.md'), 'utf8');
  const programs = readdirSync(EXAMPLES).filter((file) => /\.(?:sh|py|mjs)$/.test(file));
  expect(programs.filter((file) => !table.includes(file))).toEqual([]);
  // Other suites cover these: turboContract.test.ts and test/erp.
  const elsewhere = ['turbo.py', 'tryton.mjs'];
  const expected = programs.filter((file) => !elsewhere.includes(file) && !untried.has(file.replace(/.*\./, '')));
  expect(expected.filter((file) => !tried.has(file))).toEqual([]);
  expect([...tried].filter((file) => !programs.includes(file))).toEqual([]);
});
