import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startReceiver, type Receiver } from '../../helpers/servers/receiver.ts';
import { API_KEY, spawnStation, type StationProcess } from '../stationProcess.ts';
import { until } from '../until.ts';
import { mountSmallDisk, type SmallDisk } from './smallDisk.ts';

const [LIT, DARK, BUSY] = ['51D000:000001', '51D000:000002', '51D000:000003'];
/** Number of consecutive refusals after which the disk counts as completely full. */
const REFUSALS = 5;
/** Number of commands sent before the disk is filled. */
const ROOMY = 10;
const HEADERS = { 'api-key': API_KEY, 'content-type': 'application/json' };

let disk: SmallDisk;
let receiver: Receiver;
let station: StationProcess;
let url: string;

let stops: (() => unknown)[];

beforeEach(async () => {
  stops = [];
  disk = mountSmallDisk(8);
  stops.push(() => disk.stop());
  receiver = await startReceiver();
  stops.push(() => receiver.stop());
});

afterEach(async () => {
  for (const stop of stops.toReversed()) await stop();
});

function start(): StationProcess {
  const started = spawnStation({ dataFolder: join(disk.folder, 'data'), simulate: 3, port: 0 });
  stops.push(() => started.kill());
  station = started;
  return started;
}

async function call(method: string, path: string, body?: object): Promise<Response> {
  const text = body === undefined ? {} : { body: JSON.stringify(body) };
  return fetch(new URL(path, url), { method, headers: HEADERS, ...text });
}

async function get<T>(path: string): Promise<T> {
  return (await call('GET', path)).json() as Promise<T>;
}

/** Sends one command with this nonce to a device and returns the status. */
async function send(device: string, nonce: string): Promise<number> {
  const answer = await call('POST', `/api/device/${device}/`, { line1: 'bin', quantity: 1, seconds: 0, nonce });
  await answer.arrayBuffer();
  return answer.status;
}

/** Sends a few commands, fills the disk, and continues until all commands are refused. Returns the nonces of the accepted commands. */
async function sendUntilFull(device: string): Promise<string[]> {
  const taken: string[] = [];
  for (let count = 0, refused = 0; refused < REFUSALS; count++) {
    if (count === ROOMY) disk.fill();
    const status = await send(device, `more-${count}`);
    if (status === 200) taken.push(`more-${count}`);
    else expect([count >= ROOMY, status]).toEqual([true, 507]);
    refused = status === 200 ? 0 : refused + 1;
  }
  return taken;
}

/** Returns the nonces of the commands in a device's queue. */
async function queue(device: string): Promise<string[]> {
  const { commands } = await get<{ commands: { nonce: string }[] }>(`/api/device/${device}/`);
  return commands.map(({ nonce }) => nonce);
}

function rows<T>(sql: string): T[] {
  const db = new Database(join(disk.folder, 'data', 'pickstation.sqlite'), { readonly: true });
  try {
    return db.prepare<[], T>(sql).all();
  } finally {
    db.close();
  }
}

/**
 * Uses up many command ids. Startup advances the ids to four per second of the folder's age, which needs disk space, unless more ids are
 * already in use.
 */
async function spendIds(): Promise<void> {
  await start().ready;
  await station.stop();
  const db = new Database(join(disk.folder, 'data', 'pickstation.sqlite'));
  db.exec(`UPDATE sqlite_sequence SET seq = seq + 10000 WHERE name = 'commands'`);
  db.close();
}

/** Starts a station with one lit device and a receiver for callbacks, and fills its disk. */
async function startAndFill(): Promise<{ taken: string[] }> {
  await spendIds();
  url = await start().ready;
  expect((await call('PATCH', '/api/settings/', { callback_url: receiver.url })).status).toBe(200);
  for (const device of [LIT, DARK, BUSY]) {
    await (await call('PATCH', `/api/simulator/devices/${device}/`, { refresh_ms: 0 })).arrayBuffer();
  }
  expect(await send(LIT, 'held')).toBe(200);
  await until('the device to be lit', async () => {
    const { commands } = await get<{ commands: { state: string }[] }>(`/api/device/${LIT}/`);
    return commands[0]?.state === 'shown';
  });
  return { taken: await sendUntilFull(BUSY) };
}

test('on a full disk a command is refused entirely and the turbo keeps a press, and both succeed once there is space', async () => {
  const { taken } = await startAndFill();
  process.stdout.write(`full disk: ${disk.kind}\n`);

  // The refusal explains the problem and leaves nothing on disk.
  const before = await get<{ revision: number }>('/healthz');
  const refused = await call('POST', `/api/device/${DARK}/`, { line1: 'bin', nonce: 'refused' });
  expect(refused.status).toBe(507);
  expect(refused.headers.get('content-type')).toMatch('application/problem+json');
  expect(await refused.json()).toMatchObject({
    status: 507,
    code: 'storage',
    detail: expect.stringMatching(/^The disk .* full.*\.$/),
  });
  expect(await get('/healthz')).toEqual(before);
  expect(rows('SELECT max(revision) AS revision FROM commits')).toEqual([{ revision: before.revision }]);
  expect(
    rows("SELECT 1 FROM commands WHERE nonce = 'refused' UNION SELECT 1 FROM history WHERE nonce = 'refused'"),
  ).toEqual([]);
  expect(await get(`/api/device/${DARK}/`)).toMatchObject({
    state: 'static',
    commands: [],
    displayed: { command_id: null },
  });

  // Without an acknowledgement, the turbo sends the press again.
  expect((await call('POST', `/api/simulator/devices/${LIT}/press/`)).status).toBe(202);
  const refusals = (): number => station.stderr().split('button report could not be stored').length - 1;
  await until('the turbo to repeat the press', () => refusals() >= 2);
  expect(rows("SELECT 1 FROM history WHERE nonce = 'held'")).toEqual([]);
  expect(receiver.requests).toEqual([]);

  disk.makeRoom();
  await until('the press to count', () => receiver.requests.length > 0);
  expect(receiver.payloads()).toMatchObject([{ acknack: 'ack', deviceid: LIT, nonce: 'held' }]);
  expect(await send(DARK, 'accepted')).toBe(200);
  await until('the refused device to be lit', async () => {
    const { displayed } = await get<{ displayed: { command_id: string | null } }>(`/api/device/${DARK}/`);
    return displayed.command_id !== null;
  });
  expect(rows<{ kind: string }>("SELECT kind FROM history WHERE nonce = 'held'")).toEqual([{ kind: 'acknowledged' }]);
  const known = new Set(rows<{ nonce: string }>('SELECT nonce FROM commands').map(({ nonce }) => nonce));
  expect(
    taken.filter((nonce) => !known.has(nonce)),
    'answered with 200 and lost',
  ).toEqual([]);
  expect(rows('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
  await until(
    'the callback to be recorded',
    () => rows("SELECT 1 FROM outbox WHERE state <> 'delivered'").length === 0,
  );
  expect(receiver.requests).toHaveLength(1);
  expect(await station.stop()).toBe(0);
});

test('a station on a full disk stops cleanly, and a start with free space has every accepted command', async () => {
  const { taken } = await startAndFill();
  expect(await station.stop()).toBe(0);
  disk.makeRoom();
  url = await start().ready;
  expect(await queue(BUSY)).toEqual(taken);
});

test('a first start on a full disk exits with 1 and a one-line message', async () => {
  disk.fill();
  expect(await start().ended).toBe(1);
  expect(station.stdout()).toBe('');
  expect(station.stderr()).toMatch(/^[A-Z][^\n]*disk[^\n]*\.\n$/);
});

test('exits with 1 and a one-line message when started on a full disk, and has every command when started with free space', async () => {
  const { taken } = await startAndFill();
  disk.makeRoom();
  expect(await station.stop()).toBe(0);
  disk.fill();
  expect(await start().ended).toBe(1);
  expect(station.stderr()).toMatch(/^[A-Z][^\n]*disk[^\n]*\.\n$/);
  disk.makeRoom();
  url = await start().ready;
  expect(await queue(BUSY)).toEqual(taken);
});

test('after a crash on a full disk, the station has every accepted command, and accepts more once there is space', async () => {
  const { taken } = await startAndFill();
  await station.kill();
  // Another program takes what the killed station freed.
  disk.fill();
  url = await start().ready;
  expect(await queue(BUSY)).toEqual(taken);
  expect(await send(DARK, 'refused')).toBe(507);
  disk.makeRoom();
  expect(await send(DARK, 'accepted')).toBe(200);
  expect(await queue(DARK)).toEqual(['accepted']);
});
