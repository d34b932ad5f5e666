import { once } from 'node:events';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { problemSchema, type Problem } from '#shared/api/problem.ts';
import { rawConnection, rawRequest, type RawAnswer } from '../../helpers/servers/rawHttp.ts';
import { openSession } from '../../helpers/session.ts';
import { API_KEY, startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

const PATH = '/api/device/51D000:000001/';
const MIB = 1024 * 1024;

let station: TestStation;

beforeAll(async () => {
  station = await startTestStation({ simulate: 1, refreshMs: 0 });
});

afterAll(() => station.stop());

function send(
  body: string | Buffer | undefined,
  headers: Record<string, string> = { 'content-type': 'application/json' },
  path = PATH,
  method = 'POST',
): Promise<RawAnswer> {
  return rawRequest(station.url, {
    method,
    path,
    headers: { 'api-key': API_KEY, ...headers },
    ...(body === undefined ? {} : { body }),
  });
}

/** Checks that the answer is a well-formed problem, and returns the problem. */
function problem(answer: RawAnswer) {
  expect(answer.headers['content-type']).toBe('application/problem+json; charset=utf-8');
  expect(answer.headers['cache-control']).toBe('no-store');
  const parsed = problemSchema.strict().parse(JSON.parse(answer.text));
  expect(parsed.status).toBe(answer.status);
  expect(parsed.type).toBe('about:blank');
  expect(parsed.detail).toMatch(/\S+ \S+/);
  expect(answer.text).not.toMatch(/node_modules|\.ts:|at Object\.|<html/);
  return parsed;
}

describe('the JSON of a body', () => {
  test('is refused with 400 malformed and an explanation if invalid', async () => {
    for (const body of [
      '{',
      '{"line1":"x"',
      'line1=x',
      "{'line1':'x'}",
      '{"line1":"x"}x',
      '\u0000',
      'undefined',
      '{"a":}',
    ]) {
      expect(problem(await send(body)), body).toMatchObject({ status: 400, code: 'malformed' });
    }
  });

  test('is refused with 400 invalid if it is not an object where an object is required', async () => {
    for (const body of ['null', '7', '"x"', 'true', '[]', '[{"line1":"x"}]']) {
      for (const path of [PATH, '/api/user/login/', '/api/callbacks/replay/', '/api/simulator/devices/']) {
        expect(problem(await send(body, undefined, path)), `${path} ${body}`).toMatchObject({
          status: 400,
          code: 'invalid',
          errors: [{ path: '' }],
        });
      }
      expect(problem(await send(body, undefined, '/api/settings/', 'PATCH'))).toMatchObject({ code: 'invalid' });
    }
  });

  test('is refused if nested deeper than 32 levels, without a crash at 250,000 levels', async () => {
    const deep = (open: string, close: string) =>
      `{"x":${open.repeat(250_000)}1${close.repeat(250_000)},"statica":"deep"}`;
    const refused = { status: 400, code: 'invalid', detail: expect.stringContaining('32 levels') as string };
    expect(problem(await send(deep('[', ']')))).toMatchObject({
      ...refused,
      errors: [{ path: `/x${'/0'.repeat(31)}` }],
    });
    expect(problem(await send(deep('[', '')))).toMatchObject(refused);
    const lists = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
    expect(problem(await send(lists, undefined, '/api/devices/'))).toMatchObject(refused);
    expect(problem(await send(`{"line1":${'{"a":'.repeat(150_000)}1${'}'.repeat(150_000)}}`))).toMatchObject(refused);
    expect((await send(`{"x":${'['.repeat(31)}1${']'.repeat(31)},"statica":"deep"}`)).status).toBe(200);
    expect(await station.device('51D000:000001')).toMatchObject({ statica: 'deep' });
  });

  test('can contain property names that every object has, which have no special effect', async () => {
    const answer = await send('{"__proto__":{"line1":"x"},"constructor":{},"hasOwnProperty":1,"statica":"fine"}');
    expect(JSON.parse(answer.text)).toMatchObject({ updated: ['statica'] });
    expect(problem(await send('{"__proto__":1,"username":"a"}', undefined, '/api/user/login/'))).toMatchObject({
      errors: [{ path: '/password' }],
    });
  });

  test('can begin with a byte order mark', async () => {
    expect((await send('\ufeff{"statica":"fine"}')).status).toBe(200);
    const utf16 = Buffer.from('\ufeff{"statica":"fine"}', 'utf16le');
    expect((await send(utf16, { 'content-type': 'application/json; charset=utf-16' })).status).toBe(200);
  });
});

test('the detail of a refusal names the query parameter or the field', async () => {
  expect((await station.request('POST', '/api/users/', { role: 'picker' })).body).toMatchObject({
    detail: '/username: This is missing: it has to be a text.',
  });
  expect((await station.request('GET', '/api/history/?limit=many')).body).toMatchObject({
    detail: expect.stringMatching(/^The query parameter limit: ./),
  });
});

test('an error distinguishes a missing field from a field of the wrong type', async () => {
  const send = async (body: object) => (await station.request('POST', '/api/users/', body)).body as Problem;
  expect((await send({ password: 'long enough', role: 'picker' })).errors).toEqual([
    { path: '/username', message: 'This is missing: it has to be a text.' },
  ]);
  expect((await send({ username: ['x'], password: 'long enough', role: 'picker' })).errors).toEqual([
    { path: '/username', message: 'This has to be a text.' },
  ]);
});

describe('body size', () => {
  const fits = `{"statica":"a","x":"${' '.repeat(MIB - 23)}"}`;

  test('accepts 1 MiB, and refuses one byte more with 413, naming the limit', async () => {
    expect(Buffer.byteLength(fits)).toBe(MIB - 1);
    expect((await send(`${fits} `)).status).toBe(200);
    const answer = await send(`${fits}  `);
    expect(problem(answer)).toMatchObject({
      status: 413,
      code: 'too_large',
      detail: expect.stringContaining('1 MiB') as string,
    });
    expect(answer.headers.connection).toBe('close');
  });

  test('answers 413 even if the client sends its entire oversized body before reading the answer', async () => {
    const { hostname, port, host } = new URL(station.url);
    const socket = connect({ host: hostname, port: Number(port) });
    // Send more than the system buffers while the other side does not read.
    const size = 12 * MIB;
    const head = [`POST ${PATH} HTTP/1.1`, `Host: ${host}`, `API-KEY: ${API_KEY}`, 'Content-Type: application/json'];
    socket.write([...head, `Content-Length: ${size}`, '', ''].join('\r\n'));
    await new Promise<void>((resolve, reject) => {
      socket.once('error', reject);
      socket.write(Buffer.alloc(size, ' '), (error) => (error ? reject(error) : resolve()));
    });
    let answer = '';
    socket.setEncoding('utf8').on('data', (text: string) => {
      answer += text;
    });
    await once(socket, 'close');
    expect(answer).toMatch(/^HTTP\/1\.1 413 [^]*"code":"too_large"/);
  });

  test('counts the size after decompression', async () => {
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    expect((await send(gzipSync('{"statica":"zipped"}'), headers)).status).toBe(200);
    expect(problem(await send(gzipSync(`${fits}  `), headers))).toMatchObject({ status: 413 });
    expect(problem(await send('no gzip', headers))).toMatchObject({ status: 400, code: 'malformed' });
  });

  test('refuses a body that is announced as too large before it is sent', async () => {
    const connection = await rawConnection(station.url);
    connection.write(
      `POST ${PATH} HTTP/1.1\r\nHost: ${new URL(station.url).host}\r\nAPI-KEY: ${API_KEY}\r\nContent-Type: application/json\r\nContent-Length: 99999999\r\n\r\n{`,
    );
    await connection.until('too_large');
    expect(await connection.closed()).toMatch(/^HTTP\/1\.1 413 /);
  });

  test('refuses a chunked body once it exceeds the limit', async () => {
    const connection = await rawConnection(station.url);
    connection.write(
      `POST ${PATH} HTTP/1.1\r\nHost: ${new URL(station.url).host}\r\nAPI-KEY: ${API_KEY}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`,
    );
    const chunk = `${(64 * 1024).toString(16)}\r\n${' '.repeat(64 * 1024)}\r\n`;
    connection.write(chunk.repeat(20));
    connection.write('0\r\n\r\n');
    await connection.until('too_large');
    expect(await connection.closed()).toMatch(/^HTTP\/1\.1 413 /);
  });

  test('answers 401 to an unauthenticated caller without reading the body', async () => {
    const answer = await send(`${fits}  `, { 'content-type': 'application/json', 'api-key': 'wrong' });
    expect(problem(answer)).toMatchObject({ status: 401 });
  });
});

describe('content type', () => {
  test('accepts every JSON media type', async () => {
    for (const type of [
      'application/json',
      'Application/JSON; charset=utf-8',
      'application/json;charset="UTF-8"',
      'application/merge-patch+json',
      'application/vnd.shop.v2+json; charset=utf-8',
    ]) {
      expect((await send('{"statica":"x"}', { 'content-type': type })).status, type).toBe(200);
    }
  });

  test('answers 415 to a body of any other type, and lists the accepted types', async () => {
    for (const type of [
      'text/plain',
      'text/json',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/jsonx',
      'application/',
      ';',
      'json',
    ]) {
      expect(problem(await send('{"statica":"x"}', { 'content-type': type })), type).toMatchObject({
        status: 415,
        code: 'unsupported_media_type',
        detail: expect.stringContaining('application/json') as string,
      });
    }
    expect(problem(await send('{"statica":"x"}', {}))).toMatchObject({ status: 415 });
  });

  test('answers 415 to an unknown encoding or character set', async () => {
    expect(problem(await send('{}', { 'content-type': 'application/json; charset=klingon' }))).toMatchObject({
      status: 415,
    });
    expect(problem(await send('{}', { 'content-type': 'application/json', 'content-encoding': 'rar' }))).toMatchObject({
      status: 415,
    });
  });
});

describe('without a body', () => {
  const json = { 'content-type': 'application/json' };

  test('a request that needs no body is accepted with or without a JSON content type', async () => {
    for (const headers of [json, {}, { ...json, 'content-length': '0' }]) {
      expect((await send(undefined, headers, '/api/simulator/devices/')).status).toBe(201);
      const { apikey } = await openSession(station);
      expect((await send(undefined, { ...headers, 'api-key': apikey }, '/api/user/logout/')).status).toBe(204);
      expect((await send(undefined, headers, '/api/device/', 'GET')).status).toBe(200);
    }
  });

  test('an empty body of any type is accepted where no body is needed, even if sent in chunks', async () => {
    const types = ['application/x-www-form-urlencoded', 'text/plain;charset=UTF-8', 'text/plain; charset=utf-7', 'x'];
    for (const type of types) {
      for (const [name, value] of [
        ['content-length', '0'],
        ['transfer-encoding', 'chunked'],
      ] as const) {
        const headers: Record<string, string> = { 'content-type': type, [name]: value };
        const said = JSON.stringify(headers);
        expect((await send(undefined, headers, '/api/simulator/devices/')).status, said).toBe(201);
        expect((await send(undefined, headers, '/api/callbacks/send/')).status, said).toBe(200);
        expect(problem(await send(undefined, headers, '/api/orders/no/', 'DELETE')).status, said).toBe(404);
      }
      const chunked = { 'content-type': type, 'transfer-encoding': 'chunked' };
      expect(problem(await send('x=1', chunked, '/api/callbacks/send/')).status, type).toBe(415);
    }
  });

  test('a request without a required body is refused with 400, regardless of how an empty body is declared', async () => {
    for (const headers of [json, {}, { ...json, 'content-length': '0' }, { ...json, 'transfer-encoding': 'chunked' }]) {
      for (const [path, method] of [
        [PATH, 'POST'],
        ['/api/devices/', 'POST'],
        ['/api/settings/', 'PATCH'],
        ['/api/user/login/', 'POST'],
      ] as const) {
        const answer = problem(await send(undefined, headers, path, method));
        expect(answer, `${path} ${JSON.stringify(headers)}`).toMatchObject({ status: 400, code: 'malformed' });
      }
    }
  });

  test('a 204 answer has no content type', async () => {
    const { apikey } = await openSession(station);
    const answer = await send(undefined, { ...json, 'api-key': apikey }, '/api/user/logout/');
    expect(answer).toMatchObject({ status: 204, text: '' });
    expect(answer.headers['content-type']).toBeUndefined();
  });
});
