import type { RequestListener } from 'node:http';
import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { closeServer, listen, type Listening } from '../../../electron/server/http/port/server.ts';
import { rawConnection, rawRequest, type RawConnection } from '../../helpers/servers/rawHttp.ts';
import { API_KEY, startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

const PATH = '/api/device/51D000:000001/';
const MIB = 1024 * 1024;
const JSON_TYPE = { 'api-key': API_KEY, 'content-type': 'application/json' };

describe('slow clients', () => {
  const soon = {
    keepAliveTimeout: 50,
    headersTimeout: 50,
    requestTimeout: 100,
    connectionsCheckingInterval: 10,
    maxConnections: 20,
  };
  const say = () => undefined;

  async function serve(app: RequestListener, limits = soon): Promise<{ listening: Listening; url: string }> {
    const log = { debug: say, info: say, warn: say, error: say };
    const listening = await listen(app, { host: '127.0.0.1', port: 0, key: undefined }, log, limits);
    return { listening, url: `http://127.0.0.1:${listening.port}/` };
  }

  test('get an error and are disconnected if they send nothing, half of the headers or half of the body', async () => {
    const { listening, url } = await serve((req, res) => {
      req.resume();
      req.on('end', () => res.end('whole'));
    });
    try {
      const starts = [
        '',
        'G',
        'GET / HTTP/1.1\r\n',
        'GET / HTTP/1.1\r\nhost: x\r\nx-a: b\r\n',
        'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\n{',
        'POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n5\r\nab',
      ];
      for (const start of starts) {
        const connection = await rawConnection(url);
        connection.write(start);
        expect(await connection.closed(), start).toMatch(/^HTTP\/1\.1 400 [\s\S]*did not arrive whole in time/);
      }
      const kept = await rawConnection(url);
      kept.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
      expect(await kept.closed()).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*whole/);
    } finally {
      await closeServer(listening);
    }
  });

  test('do not lock others out: connections above the limit are closed, and slow ones time out', async () => {
    // A busy machine takes some time to open all connections.
    const limits = { ...soon, headersTimeout: 2_000, requestTimeout: 2_000, maxConnections: 3 };
    const { listening, url } = await serve((_req, res) => void res.end('answered'), limits);
    try {
      const slow: RawConnection[] = [];
      for (let count = 0; count < limits.maxConnections; count += 1) {
        const connection = await rawConnection(url);
        connection.write('GET / HTTP/1.1\r\nx-a: b\r\n');
        slow.push(connection);
      }
      const beyond = await rawConnection(url);
      beyond.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
      expect(await beyond.closed()).toBe('');
      await Promise.all(slow.map((connection) => connection.closed()));
      expect(await rawRequest(url, { path: '/' })).toMatchObject({ status: 200, text: 'answered' });
    } finally {
      await closeServer(listening);
    }
  });
});

describe('oversized and malformed requests', () => {
  let station: TestStation;
  let head: string;

  beforeAll(async () => {
    station = await startTestStation({ simulate: 1, refreshMs: 0 });
    const { host } = new URL(station.url);
    head = `host: ${host}\r\napi-key: ${API_KEY}\r\ncontent-type: application/json\r\n`;
  });

  afterAll(() => station.stop());

  const send = (body: string | Buffer, headers: Record<string, string> = {}, path = PATH) =>
    rawRequest(station.url, { method: 'POST', path, headers: { ...JSON_TYPE, ...headers }, body });

  test('a hundred incomplete requests do not delay other callers', async () => {
    const half: RawConnection[] = [];
    for (let count = 0; count < 100; count += 1) {
      const connection = await rawConnection(station.url);
      connection.write(
        count % 2 === 0 ? `POST ${PATH} HTTP/1.1\r\n` : `POST ${PATH} HTTP/1.1\r\n${head}content-length: 99\r\n\r\n{`,
      );
      half.push(connection);
    }
    for (let count = 0; count < 10; count += 1) expect((await send('{"statica":"quick"}')).status).toBe(200);
    for (const connection of half) connection.destroy();
  });

  test('refuses an invalid, contradictory or repeated content length', async () => {
    const body = '{"line1":"x"}';
    for (const lines of [
      'content-length: -1',
      `content-length: +${body.length}`,
      'content-length: 0xd',
      'content-length: 1e1',
      'content-length: 13.0',
      'content-length: ',
      `content-length: ${body.length}, ${body.length}`,
      `content-length: ${body.length}\r\ncontent-length: 3`,
      'content-length: 99999999999999999999999',
      'content-length: 4\r\ntransfer-encoding: chunked',
      'transfer-encoding: chunked, identity',
      'transfer-encoding: xchunked',
      'transfer-encoding : chunked',
      'transfer-encoding:\u000bchunked',
    ]) {
      const connection = await rawConnection(station.url);
      connection.write(`POST ${PATH} HTTP/1.1\r\n${head}${lines}\r\n\r\n${body}`);
      expect(await connection.closed(), lines).toMatch(/^HTTP\/1\.1 400 [\s\S]*"malformed"/);
    }
    const short = await rawConnection(station.url);
    short.write(`POST ${PATH} HTTP/1.1\r\n${head}content-length: 5\r\n\r\n${body}`);
    expect(await short.closed()).not.toContain('200 OK');
    expect((await station.device('51D000:000001')).commands).toEqual([]);
  });

  test('refuses invalid chunks, too many chunks and chunks that are too large', async () => {
    const chunked = `POST ${PATH} HTTP/1.1\r\n${head}transfer-encoding: chunked\r\n\r\n`;
    for (const chunks of ['-1\r\n', 'x\r\n', 'FFFFFFFFFFFFFFFFF\r\n', `1;${'a'.repeat(20_000)}\r\n`, '1\r\nab\r\n']) {
      const connection = await rawConnection(station.url);
      connection.write(chunked + chunks);
      expect(await connection.closed(), chunks.slice(0, 20)).toMatch(/^HTTP\/1\.1 4(00|13) /);
    }
    const tiny = await rawConnection(station.url);
    tiny.write(`${chunked}${`10\r\n${' '.repeat(16)}\r\n`.repeat(MIB / 16 + 1)}0\r\n\r\n`);
    await tiny.until('too_large');
    expect(await tiny.closed()).toMatch(/^HTTP\/1\.1 413 /);
    const announced = await rawConnection(station.url);
    announced.write(`${chunked}${(MIB + 1).toString(16)}\r\n${' '.repeat(MIB + 1)}\r\n0\r\n\r\n`);
    await announced.until('too_large');
    expect(await announced.closed()).toMatch(/^HTTP\/1\.1 413 /);
    const trailer = await rawConnection(station.url);
    trailer.write(
      `POST ${PATH} HTTP/1.1\r\n${head.replace(API_KEY, 'wrong')}connection: close\r\ntransfer-encoding: chunked\r\n\r\n0\r\napi-key: ${API_KEY}\r\n\r\n`,
    );
    expect(await trailer.closed()).toMatch(/^HTTP\/1\.1 401 /);
  });

  test('refuses a compressed body that exceeds the limit when decompressed, in every encoding', async () => {
    const large = Buffer.alloc(17 * MIB, ' ');
    for (const [encoding, packed] of [
      ['gzip', gzipSync(large)],
      ['deflate', deflateSync(large)],
      ['br', brotliCompressSync(large, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })],
      ['GZIP', gzipSync(large)],
    ] as const) {
      expect(packed.length).toBeLessThan(MIB);
      const answer = await send(packed, { 'content-encoding': encoding });
      expect(answer.status, encoding).toBe(413);
      const bulk = await send(packed, { 'content-encoding': encoding }, '/api/devices/');
      expect(bulk.status, encoding).toBe(413);
      const xml = await send(packed, { 'content-encoding': encoding, 'content-type': 'application/xml' });
      expect(xml.status, encoding).toBe(413);
    }
    const twice = gzipSync(gzipSync('{"statica":"x"}'));
    expect((await send(twice, { 'content-encoding': 'gzip, gzip' })).status).toBe(415);
    expect((await send(twice, { 'content-encoding': 'gzip' })).status).toBe(400);
    expect((await send(gzipSync('{"statica":"x"}').subarray(0, 20), { 'content-encoding': 'gzip' })).status).toBe(400);
  });

  test('limits the body of an unauthenticated caller to the size needed to sign in', async () => {
    for (const [path, type] of [
      ['/api/user/login/', 'application/json'],
      ['/api/oauth/token/', 'application/x-www-form-urlencoded'],
    ] as const) {
      const answer = await send(' '.repeat(16 * 1024 + 1), { 'api-key': '', 'content-type': type }, path);
      expect(answer, path).toMatchObject({
        status: 413,
        text: expect.stringContaining('larger than 16 KiB."') as string,
      });
    }
    // Send the longest valid values in their longest JSON form.
    const password = '\\u0041'.repeat(1_000);
    const longest = `{"username":"${'\\u0042'.repeat(200)}","password":"${password}"}`;
    expect((await send(longest, {}, '/api/user/login/')).status).toBe(401);
  });

  test('refuses numbers out of range, regardless of their length', async () => {
    const long = '1'.repeat(500_000);
    for (const number of [
      long,
      `"${long}"`,
      `-${long}`,
      `0.${long}`,
      `1e${long}`,
      `"${long}.0"`,
      '1e400',
      '"1e3"',
      '"0x10"',
    ]) {
      const answer = await send(`{"line1":"x","seconds":${number}}`);
      expect(answer.status, number.slice(0, 20)).toBe(400);
    }
    expect((await station.device('51D000:000001')).commands).toEqual([]);
  });

  test('refuses a list of millions of elements with a short answer', async () => {
    const answer = await send(`[${'[],'.repeat(1_000_000)}[]]`, {}, '/api/devices/');
    expect(answer).toMatchObject({ status: 400, text: expect.stringContaining('at most 10000 elements') as string });
    expect(answer.text.length).toBeLessThan(1_000);
    const lines = JSON.stringify({ csv: `name;device;deviceIs\n${'\n'.repeat(1_500_000)}`, dry_run: true });
    expect(await send(lines, {}, '/api/location-aliases/import/')).toMatchObject({
      status: 400,
      text: expect.stringContaining('no locations') as string,
    });
    for (const [count, sentence] of [
      [500_000, 'more than 100,000 rows'],
      [50_000, 'more than 5,000 rows'],
    ] as const) {
      const rows = JSON.stringify({ csv: `name;device;deviceIs\n${'x;y\n'.repeat(count)}`, dry_run: true });
      expect(await send(rows, {}, '/api/location-aliases/import/')).toMatchObject({
        status: 400,
        text: expect.stringContaining(sentence) as string,
      });
    }
  });

  test('refuses 300,000 fields with one message in JSON and XML, and accepts a long list of objects with many fields', async () => {
    const names = Array.from({ length: 300_000 }, (_, index) => `k${index}`);
    const sentence = { status: 400, text: expect.stringContaining('at most 512 fields') as string };
    const json = `{${names.map((name) => `"${name}":0`).join(',')}}`;
    expect(json.length).toBeGreaterThan(3_000_000);
    expect(await send(json, {}, '/api/devices/')).toMatchObject(sentence);
    expect(await send(`[{},${json}]`, {}, '/api/devices/')).toMatchObject({
      status: 400,
      text: expect.stringContaining('"path":"/1"') as string,
    });
    const xml = `<r>${names.map((name) => `<${name}/>`).join('')}</r>`;
    expect(await send(xml, { 'content-type': 'application/xml' }, '/api/imports/')).toMatchObject(sentence);
    const fields = names.slice(0, 45).map((name) => `"${name}":"${'x'.repeat(20)}"`);
    const element = `{"deviceid":"51D000:000001","statica":"of many",${fields.join(',')}}`;
    const bulk = await send(`[${Array.from({ length: 1_000 }, () => element).join(',')}]`, {}, '/api/devices/');
    expect(bulk.status).toBe(200);
    expect(JSON.parse(bulk.text)).toHaveLength(1_000);
  });

  test('none of these requests logged a warning or error', () => {
    expect(station.logged).toEqual([]);
  });
});
