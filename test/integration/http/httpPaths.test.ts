import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { problemSchema } from '#shared/api/problem.ts';
import { rawConnection, rawRequest } from '../../helpers/servers/rawHttp.ts';
import { API_KEY, startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

const DEVICE = '51D000:000001';

let station: TestStation;

beforeAll(async () => {
  station = await startTestStation({ simulate: 1, refreshMs: 0 });
});

afterAll(() => station.stop());

async function ask(method: string, path: string, headers: Record<string, string> = {}) {
  const answer = await rawRequest(station.url, { method, path, headers: { 'api-key': API_KEY, ...headers } });
  const isProblem = answer.headers['content-type']?.startsWith('application/problem+json') === true;
  return {
    ...answer,
    problem: isProblem && answer.text !== '' ? problemSchema.parse(JSON.parse(answer.text)) : undefined,
  };
}

describe('a path without its trailing slash', () => {
  test('gets 404 with the correct path', async () => {
    for (const path of [
      '/api/device',
      `/api/device/${DEVICE}`,
      `/api/device/${DEVICE}/screen`,
      '/api/devices',
      '/api/turbo',
      '/api/turbo/SIM-1',
      '/api/user/login',
      '/api/settings',
      '/api/station',
      '/api/events',
      '/api/callbacks/replay',
      '/api/simulator/devices',
    ]) {
      for (const method of ['GET', 'POST']) {
        const { status, problem } = await ask(method, path);
        expect(status, `${method} ${path}`).toBe(404);
        expect(problem).toMatchObject({
          code: 'missing_trailing_slash',
          detail: expect.stringContaining(`${path}/`) as string,
        });
      }
    }
  });

  test('has no effect', async () => {
    await rawRequest(station.url, {
      method: 'POST',
      path: `/api/device/${DEVICE}`,
      headers: { 'api-key': API_KEY, 'content-type': 'application/json' },
      body: '{"line1":"x"}',
    });
    expect((await station.device(DEVICE)).commands).toEqual([]);
  });
});

describe('an unknown path', () => {
  test('below /api is a 404 problem for every method, with or without a valid key', async () => {
    for (const path of [
      '/api',
      '/api/',
      '/api/nothing/',
      '/api/nothing',
      '/api/device/a/b/c/',
      '/api//device/',
      '/api/Device/',
    ]) {
      for (const method of ['GET', 'POST', 'DELETE', 'PATCH', 'OPTIONS']) {
        for (const key of [API_KEY, 'wrong', '']) {
          const { status, problem } = await ask(method, path, { 'api-key': key });
          expect(status, `${method} ${path}`).toBe(404);
          expect(problem?.code).toMatch(/^(?:not_found|missing_trailing_slash)$/);
        }
      }
    }
  });

  test('elsewhere is a plain-text 404, neither a page nor a problem document', async () => {
    const { status, headers } = await ask('GET', '/nothing/');
    expect(status).toBe(404);
    expect(headers['content-type']).toMatch(/^text\/plain/);
  });

  test('reveals nothing about the machine', async () => {
    for (const path of [
      '/../../../etc/passwd',
      '/%2e%2e/%2e%2e/etc/passwd',
      '/..%2f..%2fetc%2fpasswd',
      '/.env',
      '/%5c..%5c',
    ]) {
      const { status, text } = await ask('GET', path);
      expect([400, 403, 404], path).toContain(status);
      expect(text).not.toMatch(/root:|no-page|pickstation-/);
    }
  });
});

describe('an unusual path', () => {
  test('with dots or slashes treats them as part of the DeviceID', async () => {
    for (const id of [
      '%2e%2e',
      '..',
      '%2E%2e%2fsettings',
      'a%2Fb',
      '51D000:000001%2Fscreen',
      '%00',
      '%0d%0aX-A:b',
      ' '.replace(' ', '%20'),
      '%F0%9F%94%A9',
      '*',
      "'%20OR%201=1--",
    ]) {
      const { status, headers, problem } = await ask('GET', `/api/device/${id}/`);
      expect(status, id).toBe(404);
      expect(problem?.code).toBe('not_found');
      expect(headers['x-a']).toBeUndefined();
    }
  });

  test('with invalid percent-encoding gets 400', async () => {
    for (const [path = '', code] of [
      ['/api/device/%/', 'malformed'],
      ['/api/device/%zz/', 'malformed'],
      ['/api/device/%E0%A4/', 'encoding'],
      ['/api/turbo/%ff/', 'encoding'],
      ['/api/%zz/', 'malformed'],
      ['/api/%c0%ae/', 'encoding'],
    ]) {
      const { status, problem } = await ask('GET', path);
      expect([path, status, problem?.code]).toEqual([path, 400, code]);
    }
    expect((await ask('GET', '/%zz')).status).toBeLessThan(500);
    expect((await ask('GET', `/api/device/${DEVICE}/?scale=%zz`)).status).toBeLessThan(500);
  });

  test('is answered even if very long', async () => {
    expect((await ask('GET', `/api/device/${'a'.repeat(8_000)}/`)).problem?.code).toBe('not_found');
    expect((await ask('GET', `/api/${'a/'.repeat(4_000)}`)).problem?.code).toBe('not_found');
    expect((await ask('GET', `/api/device/${'a'.repeat(20_000)}/`)).problem).toMatchObject({
      status: 413,
      code: 'too_large',
    });
    expect((await ask('GET', '/healthz')).status).toBe(200);
  });

  test('in absolute form is accepted only for this station', async () => {
    const connection = await rawConnection(station.url);
    const { host } = new URL(station.url);
    connection.write(`GET http://${host}/api/nothing/ HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    expect(await connection.closed()).toMatch(/^HTTP\/1\.1 404 [\s\S]*"not_found"/);
    const foreign = await rawConnection(station.url);
    foreign.write(`GET http://evil.example/api/nothing/ HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    expect(await foreign.closed()).toMatch(/^HTTP\/1\.1 421 [\s\S]*"foreign_host"/);
  });

  test('in invalid HTTP gets 400 and ends only its connection', async () => {
    for (const bytes of [
      'NONSENSE\r\n\r\n',
      'GET / HTTP/9.9\r\n\r\n',
      '\u0016\u0003\u0001\u0002\u0000',
      'GET /a b HTTP/1.1\r\n\r\n',
    ]) {
      const connection = await rawConnection(station.url);
      connection.write(`${bytes}\r\n\r\n`);
      const [head, body = ''] = (await connection.closed()).split('\r\n\r\n');
      expect(head).toMatch(/^HTTP\/1\.1 400 [\s\S]*application\/problem\+json/);
      expect(problemSchema.parse(JSON.parse(body))).toMatchObject({ code: 'malformed' });
    }
    const smuggled = await rawConnection(station.url);
    smuggled.write(
      `POST /api/device/ HTTP/1.1\r\nHost: ${new URL(station.url).host}\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /healthz HTTP/1.1\r\n\r\n`,
    );
    expect(await smuggled.closed()).not.toContain('200 OK');
    expect((await ask('GET', '/healthz')).status).toBe(200);
  });
});

describe('methods', () => {
  test('an unsupported method gets 405 with the supported methods', async () => {
    for (const [method, path, allow] of [
      ['DELETE', '/api/device/', 'GET, POST, HEAD'],
      ['PATCH', `/api/device/${DEVICE}/`, 'GET, POST, PUT, DELETE, HEAD'],
      ['GET', '/api/devices/', 'POST, PUT'],
      ['HEAD', '/api/devices/', 'POST, PUT'],
      ['GET', '/api/user/login/', 'POST'],
      ['PUT', '/api/settings/', 'GET, PATCH, HEAD'],
      ['POST', '/healthz', 'GET, HEAD'],
      ['POST', '/api/openapi.json', 'GET, HEAD'],
      ['OPTIONS', '/api/turbo/', 'GET, HEAD'],
      ['TRACE', '/api/turbo/', 'GET, HEAD'],
      ['PROPFIND', '/api/turbo/SIM-1/', 'GET, PATCH, DELETE, HEAD'],
    ] as const) {
      const { status, headers, problem } = await ask(method, path, { 'api-key': 'wrong' });
      expect(status, `${method} ${path}`).toBe(405);
      expect(headers.allow?.split(', ').toSorted()).toEqual(allow.split(', ').toSorted());
      if (method !== 'HEAD') expect(problem?.code).toBe('method_not_allowed');
    }
  });

  test('HEAD is answered like GET without the body, including the length', async () => {
    const get = await ask('GET', '/api/device/');
    const head = await ask('HEAD', '/api/device/');
    expect(head).toMatchObject({ status: 200, text: '' });
    expect(head.headers['content-length']).toBe(get.headers['content-length']);
    expect(head.headers['content-type']).toBe(get.headers['content-type']);
    expect(await ask('HEAD', '/api/device/FFFFFF:FFFFFF/')).toMatchObject({ status: 404, text: '' });
  });

  test('HEAD of the event stream returns its content type and ends', async () => {
    const { status, headers } = await ask('HEAD', '/api/events/');
    expect(status).toBe(200);
    expect(headers['content-type']).toMatch(/^text\/event-stream/);
  });
});

test('none of these requests logged a warning or error', () => {
  expect(station.logged).toEqual([]);
});

describe('an unknown path', () => {
  const BY_ID = "send id: and the order's id instead of its number.";
  test.each([
    ['/api/orders/SO/1/', 'write each slash in it as %2F: /api/orders/SO%2F1/.'],
    ['/api/orders/SO/1', 'write each slash in it as %2F: /api/orders/SO%2F1/.'],
    [
      '/api/orders/a/b/c/launch/',
      'If "a/b/c" is one id, write each slash in it as %2F: /api/orders/a%2Fb%2Fc/launch/.',
    ],
    ['/api/orders/SO/1/', BY_ID],
    ['/api/orders/SO/1/items/7/confirm/', '/api/orders/SO%2F1/items/7/confirm/'],
    ['/api/sequence/a/b/', 'write each slash in it as %2F: /api/sequence/a%2Fb/ /api/openapi.json'],
    ['/api/orders//launch/', 'A part of the path is empty: is a variable of your program empty?'],
    ['//api/orders/', 'A part of the path is empty'],
    ['/orders/7001/launch/', 'Did you mean /api/orders/7001/launch/?'],
    ['/api/Orders/SO-a/', 'Did you mean /api/orders/SO-a/?'],
    ['/API/device/', 'Did you mean /api/device/?'],
    ['/api/v2/orders/', 'Did you mean /api/orders/?'],
    ['/api/order/7001/', 'Did you mean /api/orders/7001/?'],
    ['/api/openapi.json/', 'Did you mean /api/openapi.json?'],
    ['/api/sequence/round-7/launch/', 'GET /api/launchsequence/round-7/ launches a sequence.'],
    ['/openapi.json', 'Did you mean /api/openapi.json?'],
  ])('gets a hint at the intended path: %s', async (path, hint) => {
    for (const method of ['GET', 'POST']) {
      const { status, problem } = await ask(method, path, { accept: 'application/json' });
      expect(status, method).toBe(404);
      expect(problem?.detail).toContain(hint);
    }
  });

  test('that is not similar to any other gets no hint', async () => {
    for (const path of ['/api/wp-login.php', '/api/a/b/c/d/e/f/', `/api/${'x/'.repeat(100)}`, '/.env']) {
      const { status, problem } = await ask('GET', path, { accept: 'application/json' });
      expect(status).toBe(404);
      expect(problem?.detail, path).toMatch(/^There is nothing at \S+ \/api\/openapi\.json lists every path\.$/);
    }
  });

  test('with a % that does not encode anything is refused', async () => {
    for (const path of ['/api/orders/%zz/', '/api/orders/50%/', '/%zz', '/page%', '/api/%4']) {
      const { status, problem } = await ask('GET', path);
      expect(status, path).toBe(400);
      expect(problem).toMatchObject({
        code: 'malformed',
        detail: expect.stringContaining('Write % as %25.') as string,
      });
    }
  });
});

describe('the OpenAPI documents', () => {
  test('are compressed if the caller accepts compression, and answered 304 until they change', async () => {
    const path = '/api/orders/openapi.json';
    const plain = await ask('GET', path);
    const { host } = new URL(station.url);
    const connection = await rawConnection(station.url);
    connection.write(`GET ${path} HTTP/1.1\r\nhost: ${host}\r\naccept-encoding: gzip, br\r\nconnection: close\r\n\r\n`);
    const head = (await connection.closed()).split('\r\n\r\n', 1)[0] ?? '';
    expect(head).toMatch(/content-encoding: gzip/i);
    expect(head).toMatch(/vary: .*accept-encoding/i);
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1]);
    expect(length).toBeLessThan(plain.text.length / 5);
    expect(await (await fetch(new URL(path, station.url))).json()).toEqual(JSON.parse(plain.text));
    const { etag = '' } = plain.headers;
    expect(head).toContain(etag);
    expect(plain.headers['cache-control']).toBe('no-cache');
    expect(await ask('GET', path, { 'if-none-match': etag })).toMatchObject({ status: 304, text: '' });
    expect(await ask('GET', path, { 'if-none-match': '"other"' })).toMatchObject({ status: 200 });
    expect((await ask('GET', '/api/openapi.json')).headers['etag']).not.toBe(etag);
  });
});
