import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createWebSocketStream, WebSocket } from 'ws';
import type { NewApiUser } from '#shared/api/access.ts';
import type { Turbo } from '#shared/api/turbo.ts';
import type { Log } from '../../../electron/server/ports.ts';
import { createSimulator, type SimulatedHardware } from '../../../electron/server/simulator/simulator.ts';
import { isSafeForPasswords } from '../../../electron/server/http/signIn.ts';
import { createTurboSignIn } from '../../../electron/server/services/turbos/turboSignIn.ts';
import { EXAMPLES } from '../../../electron/server/turbo/frames/protocol/examples.ts';
import {
  createFrameWriter,
  encodeFrame,
  LONGEST_HELLO_BYTES,
} from '../../../electron/server/turbo/frames/protocol/frame.ts';
import { MESSAGES } from '../../../electron/server/turbo/frames/protocol/messages.ts';
import { streamTransport } from '../../../electron/server/turbo/frames/transports/stream.ts';
import { rawRequest } from '../../helpers/servers/rawHttp.ts';
import { seededIds } from '../../helpers/seeded.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';
import { ADMIN_PASSWORD } from '../../helpers/screens/template.ts';

const DEVICE = '7C0001:000001';
const SILENT: Log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

let station: TestStation;
const stops: (() => void)[] = [];

beforeEach(async () => {
  station = await startTestStation({ turboPort: 0 });
});

afterEach(async () => {
  for (const stop of stops.splice(0)) stop();
  await station.stop();
});

/** Polls on each turn of the event loop, because sockets do not use the fake clock. */
async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setImmediate(resolve));
}

const turbos = () => station.get<Turbo[]>('/api/turbo/');
const isOnline = async (serial: string) =>
  (await turbos()).some(({ serial_number, status }) => serial_number === serial && status === 'online');

/** Starts a simulated turbo that the station treats as real hardware, over a real socket. */
function turboOver(
  open: () => ReturnType<typeof streamTransport>,
  signIn?: { username: string; secret: string },
): SimulatedHardware {
  const hardware = createSimulator({
    clock: station.clock,
    ids: seededIds(3),
    log: SILENT,
    identity: { serialNumber: 'NET-1', name: 'Hall 2', ...(signIn === undefined ? {} : { signIn }) },
    connect: open,
  });
  stops.push(() => hardware.stop());
  hardware.addDevice({ deviceId: DEVICE, buttons: 1, firmware: 70 });
  hardware.setDevice(DEVICE, { refreshFullMs: 0, refreshPartialMs: 0 });
  return hardware;
}

function byWebSocket(auth: string): SimulatedHardware {
  return turboOver(() => {
    const socket = new WebSocket(`${station.url.replace('http', 'ws')}turbo/`, { auth });
    return streamTransport(createWebSocketStream(socket), { clock: station.clock, kind: 'network', port: 'far' });
  });
}

function byTcp(signIn: { username: string; secret: string }): SimulatedHardware {
  return turboOver(() => {
    const socket = connect(station.started.turboPort() ?? 0, '127.0.0.1');
    return streamTransport(socket, { clock: station.clock, kind: 'network', port: 'far' });
  }, signIn);
}

async function keyOf(scope: string): Promise<{ id: number; api_key: string }> {
  const { id, api_key } = await station.post<NewApiUser & { id: number; api_key: string }>('/api/api-users/', {
    name: `key ${scope}`,
    scope,
  });
  return { id, api_key };
}

/** Requests an upgrade by hand, as a browser or an attacker would. Returns the status and the problem. */
async function ask(
  change: Record<string, string>,
  path = '/turbo/',
): Promise<{ status: number; body: string; challenge: string | undefined; retryAfter: string | undefined }> {
  const answer = await rawRequest(station.url, {
    method: 'GET',
    path,
    headers: {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
      ...change,
    },
  });
  const { 'www-authenticate': challenge, 'retry-after': retryAfter } = answer.headers;
  return { status: answer.status, body: answer.text, challenge, retryAfter };
}

/** Resolves once the station has accepted the connection. */
async function opens(headers: Record<string, string>): Promise<void> {
  const socket = new WebSocket(`${station.url.replace('http', 'ws')}turbo/`, { headers });
  stops.push(() => socket.terminate());
  await new Promise<void>((resolve, reject) => socket.once('open', () => resolve()).once('error', reject));
}

const basic = (user: string, password: string) => ({
  authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
});

test.each([
  ['a WebSocket', () => byWebSocket(`admin:${ADMIN_PASSWORD}`)],
  ['TCP', () => byTcp({ username: 'admin', secret: ADMIN_PASSWORD })],
])('a turbo that signs in over %s adds its devices, receives commands and reports the press', async (_name, start) => {
  const hardware = start();
  await until(() => isOnline('NET-1'));
  await until(async () => (await station.request('GET', `/api/device/${DEVICE}/`)).status === 200);
  const [turbo] = (await turbos()).filter(({ serial_number }) => serial_number === 'NET-1');
  expect(turbo).toMatchObject({
    transport: 'network',
    name: 'Hall 2',
    port: expect.stringMatching(/^127\.0\.0\.1:\d+$/) as string,
  });
  await station.post(`/api/device/${DEVICE}/`, { line1: 'x', nonce: 'n' });
  await until(() => hardware.look(DEVICE)?.active === true);
  await until(async () => (await station.device(DEVICE)).commands[0]?.state === 'shown');
  hardware.press(DEVICE, 'front', 'short');
  await until(async () => (await station.device(DEVICE)).commands.length === 0);
  const history = await station.get<{ kind: string; nonce: string }[]>(`/api/history/?deviceid=${DEVICE}`);
  expect(history[0]).toMatchObject({ kind: 'acknowledged', nonce: 'n' });
  expect(await station.device(DEVICE)).toMatchObject({ turbo: 'NET-1', can_press: false });
});

test('an API key with the scope turbo or admin connects a turbo, and keys with other scopes do not', async () => {
  const { api_key } = await keyOf('turbo');
  byWebSocket(`anything:${api_key}`);
  await until(() => isOnline('NET-1'));
  for (const scope of ['read', 'control']) {
    const other = await keyOf(scope);
    expect(await ask(basic('x', other.api_key))).toMatchObject({
      status: 403,
      body: expect.stringContaining('scope turbo') as string,
    });
  }
  const admin = await keyOf('admin');
  await opens({ 'api-key': admin.api_key });
});

test('a turbo without a sign-in or with a wrong one is refused, with the reason', async () => {
  expect(await ask({})).toMatchObject({ status: 401, challenge: expect.stringContaining('Basic') as string });
  expect((await ask(basic('admin', 'wrong one'))).status).toBe(401);
  expect((await ask(basic('nobody', ADMIN_PASSWORD))).status).toBe(401);
  expect((await ask({ authorization: 'Basic !!!' })).status).toBe(401);
  expect((await ask({ 'api-key': 'unknown' })).status).toBe(401);
  byTcp({ username: 'admin', secret: 'wrong one' });
  await until(async () =>
    (await turbos()).some(({ problem }) => problem === 'The user name or the password is wrong.'),
  );
  expect(await isOnline('NET-1')).toBe(false);
  expect(JSON.stringify(station.logged)).not.toContain('wrong one');
});

test('too many wrong keys get 429 with the time to wait, and a repeated wrong key counts once', async () => {
  for (let time = 0; time < 40; time += 1) expect((await ask({ 'api-key': 'old key' })).status).toBe(401);
  let answer = await ask({ 'api-key': 'guess' });
  for (let guess = 0; guess < 60 && answer.status === 401; guess += 1)
    answer = await ask({ 'api-key': `guess ${guess}` });
  expect(answer.status).toBe(429);
  expect(answer.retryAfter).toMatch(/^[1-9]\d*$/);
});

test('refuses pages of other sites, other host names and other paths', async () => {
  const good = basic('admin', ADMIN_PASSWORD);
  const { port } = new URL(station.url);
  expect((await ask({ ...good, origin: 'https://evil.example' })).status).toBe(403);
  for (const origin of [
    'null',
    '',
    `http://localhost.evil.test:${port}`,
    `http://localhost.:${port}`,
    `https://127.0.0.1:${port}`,
  ]) {
    expect((await ask({ ...good, origin })).status, origin).toBe(403);
  }
  for (const name of ['', '.', '.evil.example', ':0', `:${port}.`]) {
    expect((await ask({ ...good, host: `localhost${name}` })).status, name).toBe(421);
  }
  for (const host of [
    'evil.example',
    `localhost.evil.test:${port}`,
    `LOCALHOST.:${port}`,
    `127.1:${port}`,
    `[::]:${port}`,
  ]) {
    expect((await ask({ ...good, host })).status, host).toBe(421);
    expect((await ask({ ...good, host, 'x-forwarded-host': `127.0.0.1:${port}` })).status, host).toBe(421);
  }
  expect(await ask(good, '/turbo')).toMatchObject({
    status: 404,
    body: expect.stringContaining('missing_trailing_slash') as string,
  });
  expect((await ask(good, '/api/station/')).status).toBe(404);
  await opens(good);
});

test('accepts a secret from another machine only over encryption, unless a setting allows it', async () => {
  // The headers of a trusted proxy count as the turbo's own address and protocol.
  await station.patch('/api/settings/', { trusted_proxies: ['127.0.0.1'] });
  const { api_key } = await keyOf('turbo');
  const far = { 'x-forwarded-for': '192.168.1.9' };
  const ways = [basic('admin', ADMIN_PASSWORD), basic('x', api_key), { 'api-key': api_key }];
  for (const way of ways) {
    expect(await ask({ ...way, ...far, 'x-forwarded-proto': 'http' })).toMatchObject({
      status: 403,
      body: expect.stringContaining('turbo_plain_passwords') as string,
    });
    await opens({ ...way, ...far, 'x-forwarded-proto': 'https' });
    await opens({ ...way, 'x-forwarded-for': '127.0.0.1', 'x-forwarded-proto': 'http' });
  }
  await station.patch('/api/settings/', { turbo_plain_passwords: true });
  for (const way of ways) await opens({ ...way, ...far, 'x-forwarded-proto': 'http' });
});

test('accepts a password over /turbo/ in the same cases as over HTTP', async () => {
  await station.patch('/api/settings/', { basic_auth: true });
  const secret = basic('admin', ADMIN_PASSWORD);
  const over = async (headers: Record<string, string>) => {
    const http = await rawRequest(station.url, { path: '/api/device/', headers: { ...secret, ...headers } });
    const turbo = await ask({ ...secret, ...headers, 'sec-websocket-version': '12' });
    return [http.status === 403, turbo.status === 403];
  };
  // An untrusted proxy on this machine could forward anyone's requests.
  for (const name of ['x-forwarded-for', 'forwarded'])
    expect(await over({ [name]: 'for=127.0.0.1' })).toEqual([true, true]);
  expect(await over({ 'x-forwarded-proto': 'https', 'x-forwarded-for': '127.0.0.1' })).toEqual([true, true]);
  expect(await over({})).toEqual([false, false]);
  await station.patch('/api/settings/', { trusted_proxies: ['127.0.0.1', '10.0.0.2'] });
  for (const [from, proto, isRefused] of [
    ['192.168.1.9, 10.0.0.2', 'http', true],
    ['192.168.1.9, 10.0.0.2', 'https', false],
    ['127.0.0.1, 10.0.0.2', 'http', false],
    ['127.0.0.1, 192.168.1.9', 'http', true],
    ['unknown', 'http', true],
    ['unknown', 'https', false],
  ] as const) {
    const both = await over({ 'x-forwarded-for': from, 'x-forwarded-proto': proto });
    expect(both, `${from} ${proto}`).toEqual([isRefused, isRefused]);
  }
});

test.each([
  ['192.168.1.9', false, false, false],
  ['fd00::2', false, false, false],
  ['1270.0.1', false, false, false],
  ['192.168.1.9', true, false, true],
  ['192.168.1.9', false, true, true],
  ['127.0.0.1', false, false, true],
  ['::1', false, false, true],
])(
  'a sign-in over TCP from %s, encrypted %s, with the setting %s: accepted %s',
  async (address, isEncrypted, isAllowed, isTaken) => {
    const known = { name: 'T', scope: 'turbo', credential: { kind: 'none' } } as const;
    const signIn = createTurboSignIn({
      access: {
        byKey: () => known,
        byKeyOrPassword: () => Promise.resolve(known),
        isTurboLive: () => true,
        listTurboHashes: () => [],
        findBoundTurbo: () => undefined,
      },
      clock: station.clock,
      ids: seededIds(1),
      takesPlainPasswords: () => isAllowed,
    });
    for (const username of ['', 'admin']) {
      const caller = { address, isSafeForPasswords: isSafeForPasswords(isEncrypted, address) };
      const refusal = await signIn.admission(caller).admit({ username, secret: 'right' });
      if (isTaken) expect(refusal).toBeUndefined();
      else expect(refusal).toContain('does not accept a password over the network without encryption');
    }
  },
);

test('a request to upgrade to another protocol is answered in HTTP/1.1', async () => {
  const answer = await rawRequest(station.url, {
    method: 'GET',
    path: '/healthz',
    headers: { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': 'AAMAAABkAAQAoAAAAAIAAAAA' },
  });
  expect(answer.status).toBe(200);
});

test('heartbeats keep a link open, and the next one after its key is removed ends the link', async () => {
  const { id, api_key } = await keyOf('turbo');
  byTcp({ username: '', secret: api_key });
  await until(() => isOnline('NET-1'));
  const uptime = async () => (await turbos()).find(({ serial_number }) => serial_number === 'NET-1')?.uptime ?? 0;
  const before = await uptime();
  await station.clock.advance(6_000);
  await until(async () => (await uptime()) > before);
  expect(await isOnline('NET-1')).toBe(true);
  expect((await station.request('DELETE', `/api/api-users/${id}/`)).status).toBe(204);
  await station.clock.advance(6_000);
  await until(async () => !(await isOnline('NET-1')));
});

/** Returns a frame whose checksum is wrong. */
function damagedFrame(seq: number): Buffer {
  const bytes = encodeFrame(createFrameWriter(), { name: 'heartbeat', body: { uptimeS: 1 } }, seq, false);
  bytes[bytes.length - 1] = (bytes[bytes.length - 1] ?? 0) ^ 0xff;
  return bytes;
}

test('a connection that sends more than eight damaged frames before its sign-in is closed at once', async () => {
  const socket = connect(station.started.turboPort() ?? 0, '127.0.0.1');
  stops.push(() => socket.destroy());
  socket.write(Buffer.concat(Array.from({ length: 9 }, (_, seq) => damagedFrame(seq))));
  await once(socket.resume(), 'close');
  expect(socket.bytesRead).toBe(0);
});

test('a turbo whose line begins with damaged frames signs in with the longest hello', async () => {
  const text = '"'.repeat(255);
  const nonce = Buffer.alloc(16, 1);
  const { secret: _secret, ...hello } = EXAMPLES.hello;
  const body = { ...hello, serialNumber: text, name: text, username: text, software: text, nonce, updateNonce: nonce };
  const longest = encodeFrame(
    createFrameWriter(),
    { name: 'hello', body: { ...body, secret: text, answer: Buffer.alloc(255, 2) } },
    9,
    false,
  );
  expect(longest.length).toBeLessThan(LONGEST_HELLO_BYTES);
  const socket = connect(station.started.turboPort() ?? 0, '127.0.0.1');
  stops.push(() => socket.destroy());
  socket.write(Buffer.concat([...Array.from({ length: 8 }, (_, seq) => damagedFrame(seq)), longest]));
  const [answer] = (await once(socket, 'data')) as [Buffer];
  expect(answer[2]).toBe(MESSAGES.welcome.id);
});

test('connections that send invalid data instead of a hello are closed and do not affect others', async () => {
  const sockets: Socket[] = Array.from({ length: 20 }, () => connect(station.started.turboPort() ?? 0, '127.0.0.1'));
  stops.push(() => sockets.forEach((socket) => socket.destroy()));
  for (const socket of sockets) socket.write(Buffer.alloc(10_000, 0x5a)).valueOf();
  byTcp({ username: 'admin', secret: ADMIN_PASSWORD });
  await until(() => isOnline('NET-1'));
  await station.clock.advance(46_000);
  await until(() => sockets.every(({ closed }) => closed));
  expect(station.logged.filter(({ level }) => level === 'error')).toEqual([]);
});
