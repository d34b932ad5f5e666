import { afterEach, beforeEach, expect, test } from 'vitest';
import { problemSchema } from '#shared/api/problem.ts';
import { inOnePacket, rawConnection, rawRequest } from '../../helpers/servers/rawHttp.ts';
import { API_KEY, startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

const PATH = '/api/device/51D000:000001/';

let station: TestStation;
let head: string;

beforeEach(async () => {
  station = await startTestStation({ simulate: 1, refreshMs: 0 });
  head = `Host: ${new URL(station.url).host}\r\nAPI-KEY: ${API_KEY}\r\nContent-Type: application/json\r\n`;
});

afterEach(() => station.stop());

test('several requests in one packet are answered separately, in order', async () => {
  const answers = await inOnePacket(
    station.url,
    { 'api-key': API_KEY },
    ['a', 'b', 'c'].map((nonce) => ({ method: 'POST', path: PATH, body: { line1: nonce, nonce } })),
  );
  const ids = [...answers.matchAll(/"command_id":"(\d+)"/g)].map((match) => Number(match[1]));
  expect(ids).toHaveLength(3);
  expect(ids).toEqual(ids.toSorted((a, b) => a - b));
  await station.clock.advance(0);
  expect((await station.device('51D000:000001')).commands.map(({ nonce }) => nonce)).toEqual(['a', 'b', 'c']);
});

test('a caller that disconnects in the middle of a body changes nothing', async () => {
  const connection = await rawConnection(station.url);
  connection.write(`POST ${PATH} HTTP/1.1\r\n${head}Content-Length: 100\r\n\r\n{"line1":"half`);
  await rawRequest(station.url, { path: '/healthz' });
  connection.destroy();
  await connection.closed();
  await rawRequest(station.url, { path: '/healthz' });
  expect((await station.device('51D000:000001')).commands).toEqual([]);
  expect(station.logged).toEqual([]);
});

test('a command takes effect even if its caller disconnects after the answer', async () => {
  const connection = await rawConnection(station.url);
  const body = '{"line1":"whole"}';
  connection.write(`POST ${PATH} HTTP/1.1\r\n${head}Content-Length: ${body.length}\r\n\r\n${body}`);
  await connection.until('200 OK');
  connection.destroy();
  await station.clock.advance(0);
  expect((await station.device('51D000:000001')).commands).toHaveLength(1);
  expect(station.logged).toEqual([]);
});

test('a request that takes effect is answered, even if unannounced bytes follow it', async () => {
  await station.post(PATH, { line1: 'x', nonce: 'x' });
  const [command] = (await station.device('51D000:000001')).commands;
  const connection = await rawConnection(station.url);
  connection.write(`DELETE ${PATH}commands/${command?.command_id}/ HTTP/1.1\r\n${head}\r\n{"why":"not"}`);
  await connection.closed();
  expect(connection.received()).toMatch(/^HTTP\/1\.1 204 /);
  expect(connection.received()).not.toContain('400');
  expect((await station.device('51D000:000001')).commands).toEqual([]);
});

test('a body that arrives byte by byte does not delay other callers', async () => {
  const slow = await rawConnection(station.url);
  const body = '{"line1":"slow","nonce":"slow"}';
  slow.write(`POST ${PATH} HTTP/1.1\r\n${head}Connection: close\r\nContent-Length: ${body.length}\r\n\r\n`);
  for (const letter of body.slice(0, -1)) {
    slow.write(letter);
    expect((await rawRequest(station.url, { path: '/healthz' })).status).toBe(200);
  }
  await station.post(PATH, { line1: 'quick', nonce: 'quick' });
  slow.write(body.slice(-1));
  expect(await slow.closed()).toMatch(/^HTTP\/1\.1 200 /);
  await station.clock.advance(0);
  expect((await station.device('51D000:000001')).commands.map(({ nonce }) => nonce)).toEqual(['quick', 'slow']);
});

test('answers Expect: 100-continue before the body is sent', async () => {
  const connection = await rawConnection(station.url);
  const body = '{"line1":"x"}';
  connection.write(
    `POST ${PATH} HTTP/1.1\r\n${head}Connection: close\r\nExpect: 100-continue\r\nContent-Length: ${body.length}\r\n\r\n`,
  );
  await connection.until('100 Continue');
  connection.write(body);
  expect(await connection.closed()).toContain('200 OK');
});

test('ignores an unknown Expect header, and still checks the host', async () => {
  const ask = (lines: string) => rawRequestOf(`GET /api/device/ HTTP/1.1\r\n${lines}Expect: banana\r\n`);
  expect(await ask(head)).toMatch(/^HTTP\/1\.1 200 /);
  expect(await ask('Host: elsewhere.example\r\n')).toMatch(/^HTTP\/1\.1 421 [\s\S]*"foreign_host"/);
});

test('refuses a path that is not percent-encoded, and explains how to encode it', async () => {
  for (const texts of ['M8 x 20', 'grüße', 'tab\there']) {
    const answer = await rawRequestOf(`GET /api/51D000:000001/message/${texts}/ HTTP/1.1\r\n${head}`);
    expect(answer, texts).toMatch(/^HTTP\/1\.1 400 [\s\S]*Percent-encode/);
  }
});

test('while stopping, the station answers new requests with 503 and completes those in progress', async () => {
  const late = await rawConnection(station.url);
  const half = await rawConnection(station.url);
  late.write(`GET /api/device/ HTTP/1.1\r\n`);
  const body = '{"statica":"just in time"}';
  half.write(`POST ${PATH} HTTP/1.1\r\n${head}Content-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`);
  await rawRequest(station.url, { path: '/healthz' });
  const stopped = station.stop();
  late.write(`${head}\r\n`);
  half.write(body.slice(5));
  const [top, text = ''] = (await late.closed()).split('\r\n\r\n');
  expect(top).toMatch(/^HTTP\/1\.1 503 /);
  expect(problemSchema.parse(JSON.parse(text))).toMatchObject({ code: 'stopping' });
  expect(await half.closed()).toMatch(/^HTTP\/1\.1 200 /);
  await stopped;
});

test('stopping does not wait for incomplete requests', async () => {
  const never = await rawConnection(station.url);
  never.write(`POST ${PATH} HTTP/1.1\r\n${head}Content-Length: 100\r\n\r\n{`);
  await rawRequest(station.url, { path: '/healthz' });
  await station.stop();
  expect(await never.closed()).not.toContain('200 OK');
});

async function rawRequestOf(lines: string): Promise<string> {
  const connection = await rawConnection(station.url);
  connection.write(`${lines}Connection: close\r\n\r\n`);
  return connection.closed();
}

test('streamed answers cause no warnings from Node about listeners', async () => {
  const warnings: string[] = [];
  const warned = ({ message }: Error): void => void warnings.push(message);
  process.on('warning', warned);
  for (const path of ['/api/order-export/?format=csv', '/api/article-export/?format=csv'])
    expect((await station.request('GET', path)).status).toBe(200);
  await new Promise((resolve) => setImmediate(resolve));
  process.off('warning', warned);
  expect(warnings).toEqual([]);
});
