import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { rawConnection, rawRequest } from '../../helpers/servers/rawHttp.ts';
import { startReceiver, type Receiver } from '../../helpers/servers/receiver.ts';
import { API_KEY, startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

const DEVICE = '51D000:000001';
/** Texts that would start a new header, body or line, with each kind of line break. */
const EVIL = ['\r\n', '\n', '\r', '\r\n\r\n', '\u2028', '\u0085', '\u0000', '\u001b[2J', '\u560d\u560a'].map(
  (end) => `a${end}x-evil: 1${end}{"level":60}`,
);

let station: TestStation;
let receiver: Receiver;

beforeAll(async () => {
  receiver = await startReceiver();
  station = await startTestStation({ simulate: 1, refreshMs: 0 });
});

afterAll(async () => {
  await station.stop();
  await receiver.stop();
});

/** Returns the callback that a press on a command with this nonce causes. */
async function callbackOf(nonce: string) {
  const count = receiver.requests.length;
  await station.post(`/api/device/${DEVICE}/`, { line1: 'x', nonce });
  await station.clock.advance(5_000);
  await station.press(DEVICE);
  await receiver.received(count + 1);
  await station.clock.advance(1_000);
  return receiver.requests[count];
}

test('a nonce cannot inject a header or a second request into a callback', async () => {
  for (const callback_url of [receiver.url, `${receiver.url}cb/{nonce}/?l={location}&n={nonce}`]) {
    await station.patch('/api/settings/', {
      callback_url,
      callback_signing_secret: `whsec_${Buffer.from('secret').toString('base64')}`,
    });
    for (const evil of EVIL) {
      const before = receiver.requests.length;
      const request = await callbackOf(evil);
      expect(receiver.requests).toHaveLength(before + 1);
      expect(Object.keys(request?.headers ?? {}), JSON.stringify(evil)).not.toContain('x-evil');
      expect(request?.url).toMatch(/^[\u0021-\u007e]+$/);
      if (request?.method === 'POST') expect(JSON.parse(request.body)).toMatchObject({ nonce: evil });
      else expect(new URL(request?.url ?? '', receiver.url).searchParams.get('n')).toBe(evil);
    }
  }
});

test('refuses fields in the host of the callback URL, so that a command cannot choose the receiver', async () => {
  for (const callback_url of [
    'http://{nonce}/',
    'http://{nonce}',
    'http://shop.example{nonce}/',
    'http://shop.example:{qty}/',
    'HTTPS://{location}.shop.example/{nonce}',
  ]) {
    const answer = await station.request('PATCH', '/api/settings/', { callback_url });
    expect(answer, callback_url).toMatchObject({ status: 400, body: { code: 'invalid' } });
  }
});

test('text from a request never appears in a response header', async () => {
  for (const evil of EVIL.slice(0, 4)) {
    const encoded = encodeURIComponent(evil);
    const usual = { 'api-key': API_KEY, 'content-type': 'application/json' };
    for (const [method, path, body] of [
      ['GET', `/api/device/${encoded}/`, ''],
      ['GET', `/api/${encoded}/`, ''],
      ['GET', `/api/${encoded}`, ''],
      ['GET', `/${encoded}`, ''],
      ['GET', `/docs/${encoded}`, ''],
      ['GET', `/docs?${encoded}`, ''],
      ['GET', `/api/sounds/${encoded}/`, ''],
      ['GET', `/api/audit/?after=${encoded}`, ''],
      ['GET', `/api/${DEVICE}/kill/${encoded}/`, ''],
      ['DELETE', `/api/users/${encoded}/`, ''],
      ['POST', '/api/user/login/', JSON.stringify({ username: evil, password: evil })],
      ['POST', '/api/devices/', JSON.stringify([{ location: evil, line1: 'x' }])],
      ['POST', '/api/preview/', JSON.stringify({ line1: evil, label: evil })],
    ] as const) {
      const { headers } = await rawRequest(station.url, { method, path, headers: usual, body });
      expect(Object.keys(headers), path).not.toContain('x-evil');
      expect(JSON.stringify(headers), path).not.toMatch(/x-evil|\\u0000|\\u001b/);
    }
  }
});

test('refuses a malformed header line, and returns no request header', async () => {
  const { host } = new URL(station.url);
  for (const line of ['x: a\rx-evil: 1', 'x: a\u0000b', 'x\u0000: a', 'x y: a', ': a', 'x', '\u00e4: a']) {
    const connection = await rawConnection(station.url);
    connection.write(`GET /healthz HTTP/1.1\r\nhost: ${host}\r\n${line}\r\nconnection: close\r\n\r\n`);
    expect(await connection.closed(), JSON.stringify(line)).toMatch(/^HTTP\/1\.1 400 /);
  }
  for (const [name, value] of [
    ['origin', 'https://evil.example'],
    ['last-event-id', '1\u0085x-evil: 1'],
    ['accept', 'text/html;x-evil=1'],
    ['accept-language', 'x-evil'],
    ['if-none-match', '"x-evil"'],
    ['x-request-id', 'x-evil'],
  ] as const) {
    const answer = await rawRequest(station.url, { path: '/healthz', headers: { [name]: value } });
    expect(JSON.stringify(answer.headers), name).not.toMatch(/evil/);
  }
});

test('a log entry is one line of JSON, even if its text contains line breaks', async () => {
  const program = `
    import { systemPorts } from './electron/server/systemPorts.ts';
    const { log } = systemPorts('debug', {});
    for (const evil of JSON.parse(process.argv[1])) {
      log.warn({ path: evil, [evil]: evil, err: new Error(evil), headers: { 'api-key': 'secret' } }, evil);
    }`;
  const { stderr } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '--eval', program, JSON.stringify(EVIL)],
    { env: { ...process.env, NODE_OPTIONS: '' } },
  );
  const lines = stderr.trimEnd().split(/\r\n|\r|\n/);
  const written = lines.map((line) => JSON.parse(line) as { level: number; msg: string; path: string });
  expect(written).toHaveLength(EVIL.length);
  expect(written.map(({ msg }) => msg)).toEqual(EVIL);
  expect(new Set(written.map(({ level }) => level))).toEqual(new Set([40]));
});

test('none of these requests logged a warning or error', () => {
  expect(station.logged).toEqual([]);
});
