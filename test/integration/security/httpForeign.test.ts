import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { problemSchema } from '#shared/api/problem.ts';
import { rawConnection, rawRequest } from '../../helpers/servers/rawHttp.ts';
import { API_KEY, startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

const EXTENSION = 'chrome-extension://abcdefghijklmnop';
const SHOP = 'https://shop.example:8443';
const EVIL = 'https://evil.example';

let station: TestStation;
let port: string;

beforeAll(async () => {
  station = await startTestStation({ simulate: 1 });
  ({ port } = new URL(station.url));
  await station.patch('/api/settings/', {
    cors_origins: [EXTENSION, SHOP],
    public_urls: ['https://lights.shop.example', 'http://lights.local:8080/'],
  });
});

afterAll(() => station.stop());

async function ask(headers: Record<string, string>, path = '/api/device/', method = 'GET') {
  const answer = await rawRequest(station.url, { method, path, headers: { 'api-key': API_KEY, ...headers } });
  const code =
    answer.status >= 400 && answer.text !== '' ? problemSchema.parse(JSON.parse(answer.text)).code : undefined;
  return { ...answer, code };
}

describe('Host', () => {
  test('accepts all names of this station', async () => {
    for (const host of [
      `127.0.0.1:${port}`,
      `localhost:${port}`,
      `LOCALHOST:${port}`,
      `[::1]:${port}`,
      'lights.shop.example',
      'lights.local:8080',
    ]) {
      expect(await ask({ host }), host).toMatchObject({ status: 200 });
    }
  });

  test('refuses other names with 421 on every path', async () => {
    for (const host of [
      'evil.example',
      `evil.example:${port}`,
      '127.0.0.1',
      `127.0.0.1:${Number(port) + 1}`,
      `localhost.:${port}`,
      `localhost.evil.example:${port}`,
      `evil.example@127.0.0.1:${port}`,
      `127.0.0.1:${port}, evil.example`,
      'lights.shop.example:8443',
      'lights.local',
      `0x7f.1:${port}`,
    ]) {
      for (const path of ['/api/device/', '/api/nothing/', '/healthz', '/', '/api/openapi.json']) {
        expect(await ask({ host }, path), `${host} ${path}`).toMatchObject({ status: 421, code: 'foreign_host' });
      }
    }
  });

  test('refuses a foreign host before sign-in and before the body arrives', async () => {
    for (const name of ['host: evil.example', `host: 127.0.0.1:${port}\r\norigin: ${EVIL}`]) {
      for (const key of ['', 'api-key: wrong\r\n', `api-key: ${API_KEY}\r\n`]) {
        const connection = await rawConnection(station.url);
        const body = 'content-type: application/json\r\ncontent-length: 900\r\n';
        connection.write(`POST /api/devices/ HTTP/1.1\r\n${name}\r\n${key}${body}\r\n{`);
        await connection.until('}');
        expect(connection.received()).toMatch(/^HTTP\/1\.1 4(21 [^]*"foreign_host"|03 [^]*"foreign_origin")/);
        connection.destroy();
      }
    }
    // The keys were not checked, so none counts as a guess.
    for (let guess = 0; guess < 40; guess += 1) {
      const answer = await ask({ host: 'evil.example', 'api-key': `psk_guess${guess}` });
      expect(answer.code).toBe('foreign_host');
    }
    expect(await ask({ 'api-key': 'psk_other' })).toMatchObject({ status: 401 });
  });

  test('takes the host from an absolute request target instead of the header', async () => {
    const path = '/api/device/';
    expect(await ask({}, `http://evil.example${path}`)).toMatchObject({ status: 421, code: 'foreign_host' });
    expect(await ask({ host: 'evil.example' }, `${station.url}${path.slice(1)}`)).toMatchObject({ status: 200 });
  });

  test('refuses a missing, empty or foreign name, and ignores X-Forwarded-Host', async () => {
    for (const start of [
      'HTTP/1.0',
      'HTTP/1.1',
      'HTTP/1.1\r\nHost:',
      'HTTP/1.1\r\nHost: evil\r\nX-Forwarded-Host: 127.0.0.1',
    ]) {
      const connection = await rawConnection(station.url);
      connection.write(`GET /api/device/ ${start}\r\nAPI-KEY: ${API_KEY}\r\nConnection: close\r\n\r\n`);
      expect(await connection.closed()).toMatch(/^HTTP\/1\.1 421 [\s\S]*"foreign_host"/);
    }
  });
});

describe('Origin', () => {
  test('accepts pages of this station under each of its names', async () => {
    for (const origin of [
      `http://127.0.0.1:${port}`,
      `http://localhost:${port}`,
      'https://lights.shop.example',
      'http://lights.local:8080',
    ]) {
      const answer = await ask({ origin });
      expect(answer, origin).toMatchObject({ status: 200 });
      expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    }
  });

  test('refuses a foreign origin and null with 403 for every method, with and without a valid key', async () => {
    for (const origin of [
      EVIL,
      'null',
      '',
      'file://',
      `http://127.0.0.1:${Number(port) + 1}`,
      'http://127.0.0.1',
      `http://evil.example:${port}`,
      `ftp://127.0.0.1:${port}`,
      'https://shop.example',
      'https://shop.example:8443.evil.example',
      `${SHOP}/`,
      SHOP.toUpperCase(),
      'chrome-extension://other',
    ]) {
      for (const [path, method] of [
        ['/api/device/', 'GET'],
        ['/api/device/51D000:000001/', 'POST'],
        ['/api/user/login/', 'POST'],
        ['/healthz', 'GET'],
        ['/', 'GET'],
      ] as const) {
        for (const key of [API_KEY, 'wrong']) {
          const answer = await ask({ origin, 'api-key': key }, path, method);
          expect(answer, `${origin} ${method} ${path}`).toMatchObject({ status: 403, code: 'foreign_origin' });
          expect(answer.headers['access-control-allow-origin']).toBeUndefined();
        }
      }
    }
    expect((await station.device('51D000:000001')).commands).toEqual([]);
  });

  test('refuses the preflight request of a foreign page', async () => {
    const answer = await ask({ origin: EVIL, 'access-control-request-method': 'POST' }, '/api/devices/', 'OPTIONS');
    expect(answer).toMatchObject({ status: 403, code: 'foreign_origin' });
  });
});

describe('cors_origins', () => {
  const preflight = {
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'api-key, content-type',
  };

  test('answers the preflight request of a listed origin without a sign-in, even for unknown paths', async () => {
    for (const origin of [EXTENSION, SHOP]) {
      for (const path of ['/api/devices/', '/api/device/51D000:000001/', '/api/nothing/', '/api/device']) {
        const answer = await rawRequest(station.url, { method: 'OPTIONS', path, headers: { origin, ...preflight } });
        expect(answer, path).toMatchObject({ status: 204, text: '' });
        expect(answer.headers['access-control-allow-origin']).toBe(origin);
        expect(answer.headers['access-control-allow-headers']?.split(', ')).toEqual(
          expect.arrayContaining(['api-key', 'authorization', 'content-type']),
        );
        expect(answer.headers['access-control-allow-methods']?.split(', ')).toEqual(
          expect.arrayContaining(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
        );
        expect(answer.headers.vary?.toLowerCase()).toContain('origin');
      }
    }
  });

  test('sends the CORS headers with every answer, including errors', async () => {
    for (const [method, path, headers, status] of [
      ['GET', '/api/device/', {}, 200],
      ['GET', '/api/device/FFFFFF:FFFFFF/', {}, 404],
      ['GET', '/api/nothing/', {}, 404],
      ['GET', '/api/device', {}, 404],
      ['GET', '/nothing', {}, 404],
      ['DELETE', '/api/device/', {}, 405],
      ['GET', '/api/device/', { 'api-key': 'wrong' }, 401],
      ['GET', '/api/device/%zz/', {}, 400],
      ['POST', '/api/devices/', { 'content-type': 'application/json' }, 400],
      ['POST', '/api/devices/', { 'content-type': 'text/plain', 'content-length': '0' }, 400],
      ['POST', '/api/devices/', { 'content-type': 'application/json', 'content-length': '99999999' }, 413],
      ['HEAD', '/api/events/', {}, 200],
    ] as const) {
      const answer = await rawRequest(station.url, {
        method,
        path,
        headers: { 'api-key': API_KEY, origin: SHOP, ...headers },
      });
      expect(answer.status, `${method} ${path}`).toBe(status);
      expect(answer.headers['access-control-allow-origin'], `${method} ${path}`).toBe(SHOP);
      expect(answer.headers.vary?.toLowerCase(), `${method} ${path}`).toContain('origin');
      expect(answer.headers['access-control-allow-credentials']).toBeUndefined();
    }
  });

  test('treats OPTIONS without preflight headers like any other method', async () => {
    expect(await ask({ origin: SHOP }, '/api/device/', 'OPTIONS')).toMatchObject({ status: 405 });
  });

  test('applies a changed setting to the next request', async () => {
    const own = await startTestStation();
    try {
      const look = () => rawRequest(own.url, { path: '/api/device/', headers: { 'api-key': API_KEY, origin: EVIL } });
      expect(await look()).toMatchObject({ status: 403 });
      await own.patch('/api/settings/', { cors_origins: [EVIL] });
      expect(await look()).toMatchObject({ status: 200 });
      await own.patch('/api/settings/', { cors_origins: [] });
      expect(await look()).toMatchObject({ status: 403 });
    } finally {
      await own.stop();
    }
  });
});

test('none of these requests logged a warning or error', () => {
  expect(station.logged).toEqual([]);
});
