import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { settingsAnswerSchema, type SettingsAnswer } from '#shared/api/settings.ts';
import { keepGenerated } from '../../../electron/server/http/port/certificate.ts';
import { API_KEY, startTestStation, type TestStation } from '../../helpers/startTestStation.ts';
import { tlsRequest } from '../../helpers/servers/tlsRequest.ts';

const DAY_MS = 24 * 3_600_000;
const NOW = Date.now();

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pickstation-generated-'));
  file = join(folder, 'certificate.pem');
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const keep = (names: string[], now = NOW, addresses: string[] = []) => keepGenerated({ folder, names, addresses, now });

test('creates the certificate once, for the given names and addresses, and readable only by its owner', async () => {
  const made = await keep(['localhost', 'shop-pc', '::1', '192.168.1.7'], NOW, ['2001:db8::7', '10.1.2.3']);
  const certificate = new X509Certificate(made.cert);
  expect(made.fingerprint).toBe(certificate.fingerprint256);
  expect(certificate.subjectAltName).toBe(
    'DNS:localhost, DNS:shop-pc, IP Address:0:0:0:0:0:0:0:1, IP Address:192.168.1.7, IP Address:2001:DB8:0:0:0:0:0:7, IP Address:10.1.2.3',
  );
  // Trusting the certificate covers only these names, because it cannot sign other certificates.
  expect(certificate.ca).toBe(false);
  expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1']);
  expect(certificate.verify(certificate.publicKey)).toBe(true);
  expect(made.startsAt).toBeLessThan(NOW);
  expect(made.endsAt - NOW).toBeGreaterThan(800 * DAY_MS);
  expect(made.endsAt - made.startsAt).toBeLessThan(825 * DAY_MS);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(await keep(['localhost', 'shop-pc', '::1'])).toEqual(made);
});

test('renews the certificate if it expires soon, lacks a name or is damaged, but not for another address', async () => {
  const first = await keep(['localhost']);
  expect((await keep(['localhost'], NOW + 780 * DAY_MS)).fingerprint).toBe(first.fingerprint);
  expect((await keep(['localhost'], NOW, ['10.9.9.9'])).fingerprint).toBe(first.fingerprint);
  const second = await keep(['localhost'], NOW + 795 * DAY_MS);
  expect(second.fingerprint).not.toBe(first.fingerprint);
  const third = await keep(['localhost', 'lights.shop.example'], NOW + 795 * DAY_MS);
  expect(third.fingerprint).not.toBe(second.fingerprint);
  writeFileSync(file, readFileSync(file, 'utf8').slice(0, -200));
  expect((await keep(['localhost'], NOW + 795 * DAY_MS)).fingerprint).not.toBe(third.fingerprint);
  const whole = readFileSync(file, 'utf8');
  writeFileSync(file, first.key + whole.slice(whole.indexOf('-----BEGIN CERTIFICATE')));
  expect((await keep(['localhost'], NOW + 795 * DAY_MS)).key).not.toBe(first.key);
});

async function start(): Promise<TestStation> {
  const station = await startTestStation({ host: undefined });
  onTestFinished(() => station.stop());
  return station;
}

const KEY = { 'api-key': API_KEY };

async function settings(station: TestStation, change?: object): Promise<SettingsAnswer> {
  const asked = change === undefined ? { headers: KEY } : { headers: KEY, method: 'PATCH', body: change };
  const answer = await tlsRequest(station.url, '/api/settings/', asked);
  return settingsAnswerSchema.parse(answer.body);
}

test('the setting takes effect at the next start, as its answer says, and clients with the certificate trust the station', async () => {
  const station = await start();
  const before = await station.patch<SettingsAnswer>('/api/settings/', { tls: 'generated' });
  expect(before.exposure).toMatchObject({ certificate: null, next_start: ['tls'] });
  expect(station.url).toMatch(/^http:/);
  await station.restart();
  expect(station.url).toMatch(/^https:/);
  const { exposure } = await settings(station);
  expect(exposure).toMatchObject({ certificate: { kind: 'generated' }, next_start: [], warnings: [] });
  const pem = readFileSync(join(station.dataFolder, 'certificate.pem'), 'utf8');
  const ca = exposure.certificate?.pem ?? '';
  expect(pem).toContain(ca);
  expect(ca).toMatch(/^-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----\n$/);
  const { fingerprint } = await tlsRequest(station.url, '/healthz', { ca });
  expect(exposure.certificate?.fingerprint).toBe(fingerprint);
  expect((await settings(station, { tls: 'off' })).exposure.next_start).toEqual(['tls']);
  await station.restart();
  expect(station.url).toMatch(/^http:/);
});

test('a new public address is immediately added to the certificate, and the shell gets the new fingerprint', async () => {
  const station = await start();
  await station.patch('/api/settings/', { tls: 'generated' });
  await station.restart();
  const before = station.started.fingerprint();
  const { exposure } = await settings(station, { public_urls: ['https://lights.shop.example:4680/'] });
  expect(exposure.certificate?.fingerprint).not.toBe(before);
  expect(exposure.certificate?.fingerprint).toBe(station.started.fingerprint());
  expect((await tlsRequest(station.url, '/healthz')).fingerprint).toBe(station.started.fingerprint());
  const told = JSON.parse(readFileSync(join(station.dataFolder, 'address.json'), 'utf8')) as unknown;
  expect(told).toEqual({ url: station.url, fingerprint: station.started.fingerprint() });
});

test('a new public address is still added to the certificate until the start that turns encryption off', async () => {
  const station = await start();
  await station.patch('/api/settings/', { tls: 'generated' });
  await station.restart();
  const before = station.started.fingerprint();
  const { exposure } = await settings(station, { tls: 'off', public_urls: ['https://lights.shop.example:4680/'] });
  expect(exposure.next_start).toEqual(['tls']);
  expect(exposure.certificate?.fingerprint).not.toBe(before);
  expect((await tlsRequest(station.url, '/healthz')).fingerprint).toBe(exposure.certificate?.fingerprint);
});

test('does not send an HSTS header with a generated certificate, because the warning about a new one could not be bypassed', async () => {
  const station = await start();
  await station.patch('/api/settings/', { tls: 'generated', public_urls: ['https://lights.shop.example/'] });
  await station.restart();
  const { headers } = await tlsRequest(station.url, '/healthz', { headers: { host: 'lights.shop.example' } });
  expect(headers['strict-transport-security']).toBeUndefined();
});
