import { X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { settingsAnswerSchema } from '#shared/api/settings.ts';
import { StationError } from '../../../electron/server/errors.ts';
import { rawConnection } from '../../helpers/servers/rawHttp.ts';
import { selfSigned } from '../../helpers/servers/selfSigned.ts';
import { spawnStation } from '../../helpers/spawnStation.ts';
import { ADMIN_PASSWORD, API_KEY, startTestStation, type TestStation } from '../../helpers/startTestStation.ts';
import { handshake, tlsRequest } from '../../helpers/servers/tlsRequest.ts';

const KEY = { 'api-key': API_KEY };

let folder: string;
let given: { cert: string; key: string };
let tls: { cert: string; key: string };

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pickstation-tls-'));
  given = selfSigned('station');
  tls = write(given);
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(made: { cert: string; key: string }): { cert: string; key: string } {
  const files = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') };
  writeFileSync(files.cert, made.cert);
  writeFileSync(files.key, made.key);
  return files;
}

async function start(): Promise<TestStation> {
  const station = await startTestStation({ simulate: 1, tls });
  onTestFinished(() => station.stop());
  return station;
}

const fingerprintOf = (pem: string) => new X509Certificate(pem).fingerprint256;

test('a station with a certificate serves HTTPS, and reports the certificate and its address', async () => {
  const station = await start();
  expect(station.url).toMatch(/^https:\/\/127\.0\.0\.1:\d+\/$/);
  const answer = await tlsRequest(station.url, '/api/settings/', { headers: KEY, ca: given.cert });
  expect(answer).toMatchObject({ status: 200, fingerprint: fingerprintOf(given.cert) });
  expect(settingsAnswerSchema.parse(answer.body).exposure).toEqual({
    listens: 'this_machine',
    host_argument: '127.0.0.1',
    port_argument: 0,
    addresses: [station.url],
    certificate: {
      kind: 'given',
      fingerprint: fingerprintOf(given.cert),
      ends_at: '2049-12-31T23:59:59.000Z',
      pem: new X509Certificate(given.cert).toString(),
    },
    next_start: [],
    warnings: [],
  });
  expect(station.started.fingerprint()).toBe(fingerprintOf(given.cert));
});

test('marks session cookies as secure, and accepts only its HTTPS address as the origin', async () => {
  const station = await start();
  const signedIn = await tlsRequest(station.url, '/api/user/login/', {
    method: 'POST',
    body: { username: 'admin', password: ADMIN_PASSWORD },
  });
  const cookies = signedIn.headers['set-cookie'] ?? [];
  expect(cookies).toHaveLength(2);
  for (const cookie of cookies) expect(cookie).toMatch(/; Secure/);
  const { token } = signedIn.body as { token: string };
  const write = (referer: string) =>
    tlsRequest(station.url, '/api/settings/', {
      method: 'PATCH',
      body: { default_seconds: 5 },
      headers: { cookie: cookies.map((line) => line.split(';')[0]).join('; '), 'x-csrf-token': token, referer },
    });
  expect(await write(station.url)).toMatchObject({ status: 200 });
  expect(await write(station.url.replace('https', 'http'))).toMatchObject({ status: 403, body: { code: 'csrf' } });
  const foreign = await tlsRequest(station.url, '/api/device/', {
    headers: { ...KEY, origin: station.url.replace('https', 'http').slice(0, -1) },
  });
  expect(foreign).toMatchObject({ status: 403, body: { code: 'foreign_origin' } });
});

test('a plain HTTP request to the port is answered with the HTTPS address to use', async () => {
  const station = await start();
  const connection = await rawConnection(station.url);
  connection.write('GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
  expect(await connection.closed()).toMatch(/^HTTP\/1\.1 400 [\s\S]*Write https:\/\/ instead of http:\/\//);
  const other = await rawConnection(station.url);
  other.write('what is that\r\n\r\n');
  await other.closed();
  expect(await tlsRequest(station.url, '/healthz')).toMatchObject({ status: 200 });
});

test('does not accept TLS versions below 1.2', async () => {
  const station = await start();
  // Old protocol versions need old ciphers, which the client must enable.
  const old = { minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;
  expect(await handshake(station.url, old)).toMatch(/ALERT_PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL/);
  expect(await handshake(station.url, { maxVersion: 'TLSv1.2' })).toBe('TLSv1.2');
  expect(await handshake(station.url, {})).toBe('TLSv1.3');
});

test('sends the HSTS header only under its public name', async () => {
  const station = await start();
  const { port } = new URL(station.url);
  const public_urls = ['https://Lights.shop.example/', `https://shop-pc:${port}/`];
  await tlsRequest(station.url, '/api/settings/', { method: 'PATCH', headers: KEY, body: { public_urls } });
  const told = async (host: string) =>
    (await tlsRequest(station.url, '/healthz', { headers: { host } })).headers['strict-transport-security'];
  expect(await told('lights.shop.example')).toBe('max-age=2592000');
  expect(await told('lights.shop.example:443')).toBe('max-age=2592000');
  // Other programs may use other ports under that name.
  expect(await told(`shop-pc:${port}`)).toBeUndefined();
  expect(await told(`127.0.0.1:${port}`)).toBeUndefined();
});

test('sends the event stream over the encrypted connection', async () => {
  const station = await start();
  const { request } = await import('node:https');
  const received = await new Promise<string>((resolve, reject) => {
    const call = request(
      new URL('/api/events/', station.url),
      { headers: KEY, rejectUnauthorized: false, agent: false },
      (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => {
          text += chunk.toString('utf8');
          if (!text.includes('event: facts')) return;
          call.destroy();
          resolve(text);
        });
        void tlsRequest(station.url, '/api/settings/', {
          method: 'PATCH',
          headers: KEY,
          body: { default_seconds: 7 },
        }).then(() => station.clock.advance(16));
      },
    );
    call.on('error', reject);
    call.end();
  });
  expect(received).toContain('settings.changed');
});

test('serves a certificate that was replaced in its file within an hour, but not a damaged one', async () => {
  const station = await start();
  const shown = async () => (await tlsRequest(station.url, '/healthz')).fingerprint;
  const next = selfSigned('station');
  write(next);
  await station.clock.advance(3_600_000);
  await expect.poll(shown).toBe(fingerprintOf(next.cert));
  expect(station.started.fingerprint()).toBe(fingerprintOf(next.cert));
  writeFileSync(tls.key, given.key);
  await station.clock.advance(3_600_000);
  await expect.poll(() => station.logged.length).toBe(1);
  expect(await shown()).toBe(fingerprintOf(next.cert));
  expect(station.logged).toMatchObject([{ level: 'warn', message: expect.stringContaining('could not be renewed') }]);
});

test('an expired certificate is used, with a warning', async () => {
  const { createFakeClock } = await import('../../helpers/fakeClock.ts');
  const station = await startTestStation({ tls, clock: createFakeClock(Date.UTC(2050, 0, 2)) });
  onTestFinished(() => station.stop());
  const answer = await tlsRequest(station.url, '/api/settings/', { headers: KEY });
  expect(settingsAnswerSchema.parse(answer.body).exposure.warnings).toMatchObject([{ code: 'certificate_ended' }]);
  expect(station.logged).toMatchObject([{ level: 'warn', message: expect.stringContaining('has expired') }]);
});

test('refuses unusable certificate files with a message that names them', async () => {
  const refusal = async (files: { cert: string; key: string }): Promise<string> => {
    const started = startTestStation({ tls: files }).then(
      (station) => station.stop().then(() => undefined),
      (error: unknown) => error,
    );
    const error = await started;
    if (!(error instanceof StationError)) throw new Error(`It was taken: ${String(error)}`);
    expect(error.errors).toMatchObject([{ path: '/tls' }]);
    return error.message;
  };
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  expect(await refusal({ ...tls, cert: join(folder, 'none.pem') })).toMatch(/none\.pem cannot be read \(ENOENT\)/);
  expect(await refusal({ ...tls, key: join(folder, 'none.key') })).toMatch(/none\.key cannot be read \(ENOENT\)/);
  expect(await refusal({ ...tls, cert: file('text.pem', 'text') })).toMatch(/text\.pem contains no certificate in PEM/);
  expect(await refusal({ ...tls, key: file('text.key', 'text') })).toMatch(/text\.key contains no private key in PEM/);
  expect(await refusal({ ...tls, key: file('other.key', selfSigned('x').key) })).toMatch(
    /other\.key does not belong to the certificate in .*cert\.pem/,
  );
  const { createPrivateKey } = await import('node:crypto');
  const locked = createPrivateKey(given.key)
    .export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'secret' })
    .toString();
  expect(await refusal({ ...tls, key: file('locked.key', locked) })).toMatch(/locked\.key has a passphrase/);
});

test('the headless station prints its HTTPS address and the fingerprint when it is ready', async () => {
  const args = ['--host', '0.0.0.0', '--port', '0', '--data', join(folder, 'data'), '--tls-cert', tls.cert];
  const station = spawnStation(args, {
    PICKSTATION_TLS_KEY: tls.key,
    PICKSTATION_ADMIN_PASSWORD: ADMIN_PASSWORD,
    PICKSTATION_API_KEY: API_KEY,
  });
  const url = (await station.ready()) ?? '';
  const { port } = new URL(url);
  expect(url).toBe(`https://0.0.0.0:${port}/`);
  expect(await tlsRequest(url, '/healthz')).toMatchObject({ status: 200 });
  station.process.kill('SIGTERM');
  const { code, stdout } = await station.exit();
  expect(code).toBe(0);
  expect(stdout).toContain(fingerprintOf(given.cert));
  expect(stdout).toContain(`Reached at https://127.0.0.1:${port}/`);
});
