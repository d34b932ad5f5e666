import { X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { ApiUser } from '#shared/api/access.ts';
import type { Alert } from '#shared/api/alert.ts';
import type { Turbo as TurboEntry, TurboNetwork } from '#shared/api/turbo.ts';
import { trustIn } from '../../../electron/server/services/boards/stationTrust.ts';
import { EXAMPLES } from '../../../electron/server/turbo/frames/protocol/examples.ts';
import { selfSigned } from '../../helpers/servers/selfSigned.ts';
import type { TestStationOptions } from '../../helpers/startTestStation.ts';
import { DEVICE, SERIAL, startBoardRig, type BoardRig } from './boardRig.ts';
import { challengePeer, type ChallengedTurbo } from '../access/challengePeer.ts';

const WIFI = { ssid: 'Shop', password: 'a very secret Wi-Fi' };
const OTHER = '51D000:000077';
const OPEN: TestStationOptions = { host: '0.0.0.0' };

const configOf = ({ board }: BoardRig) =>
  JSON.parse(Buffer.from(board.read('config.json') ?? []).toString()) as Record<string, string>;
const entry = async ({ station }: BoardRig, serial = SERIAL) =>
  (await station.get<TurboEntry[]>('/api/turbo/')).find(({ serial_number }) => serial_number === serial);

test("a board set up for Wi-Fi gets its own key and the station's address, and the station does not store the Wi-Fi password", async () => {
  expect(await (await startBoardRig()).ask({ wifi: WIFI })).toMatchObject({
    status: 409,
    body: { detail: expect.stringContaining('not open to the network') as string },
  });
  const rig = await startBoardRig({}, OPEN);
  const { station, job } = rig;
  const network = await station.get<TurboNetwork>('/api/turbo/network/');
  expect(network.plain_passwords).toBe(false);
  expect(await job({ wifi: WIFI })).toMatchObject({
    state: 'failed',
    problem: expect.stringContaining('did not connect') as string,
  });
  const config = configOf(rig);
  expect(config).toMatchObject({ transport: 'wifi', ...WIFI, station: new URL(network.websocket[0] ?? '').host });
  expect(config).not.toHaveProperty('ca');
  const kept = [...station.rows('SELECT * FROM api_users'), ...station.rows('SELECT * FROM audit'), ...station.logged];
  expect(JSON.stringify(kept)).not.toContain(WIFI.password);
  expect(JSON.stringify(kept)).not.toContain(config['key']);
  const requests = await station.get<{ id: string; path: string }[]>('/api/requests/?limit=200');
  expect(requests.map(({ path }) => path)).toContain('/api/boards/');
  for (const { id } of requests) {
    expect(JSON.stringify(await station.get(`/api/requests/${id}/`))).not.toContain(WIFI.password);
  }
  const users = await station.get<ApiUser[]>('/api/api-users/');
  expect(users).toContainEqual(expect.objectContaining({ name: config['user'], scope: 'turbo' }));
});

/** Writes the files for --tls-cert and --tls-key and returns their paths. */
function certificateFiles(cert: string, key: string): { cert: string; key: string } {
  const folder = mkdtempSync(join(tmpdir(), 'pickstation-tls-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const files = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') };
  writeFileSync(files.cert, cert);
  writeFileSync(files.key, key, { mode: 0o600 });
  return files;
}

test('a station with HTTPS writes its certificate to an ESP32 board', async () => {
  const { cert, key } = selfSigned('pick.shop', 'pick.shop');
  const rig = await startBoardRig({ platform: 'esp32' }, { ...OPEN, tls: certificateFiles(cert, key) });
  expect(await rig.job({ wifi: WIFI, profile: 'esp32s3' })).toMatchObject({ step: 'waiting' });
  const config = configOf(rig);
  expect(config).toMatchObject({ transport: 'wifi', ca: 'station.der', ca_name: 'pick.shop' });
  expect(config['station']).toMatch(/^[\d.]+:\d+$/);
  const written = new X509Certificate(Buffer.from(rig.board.read('station.der') ?? []));
  expect(written.fingerprint256).toBe(new X509Certificate(cert).fingerprint256);
});

test('refuses a chip without enough memory for TLS, according to its profile or its own report', async () => {
  const { cert, key } = selfSigned('pick.shop', 'pick.shop');
  const rig = await startBoardRig({ platform: 'rp2' }, { ...OPEN, tls: certificateFiles(cert, key) });
  const sentence = expect.stringContaining('for which this board has too little memory') as string;
  expect(await rig.ask({ wifi: WIFI, profile: 'badger2040w' })).toMatchObject({
    status: 409,
    body: { detail: sentence },
  });
  expect(await rig.job({ wifi: WIFI })).toMatchObject({ state: 'failed', problem: sentence });
  expect(rig.board.read('config.json')).toBeUndefined();
  // Over the cable, no certificate is needed.
  expect(await rig.job()).toMatchObject({ state: 'done' });
});

/** A leaf certificate for 10.0.0.5, *.pick.shop and b.shop, and the root that signed it. Their private keys do not exist. */
const LEAF = pem(
  'MIIBhTCCASqgAwIBAgIUNS9BIE3Hyy3rB5kTlonHEmrxbukwCgYIKoZIzj0EAwIwDDEKMAgGA1UEAwwBcjAgFw0yNjExMjMwOTM5MjdaGA8yMDgxMDgyNjA5MzkyN1owDDEKMAgGA1UEAwwBbDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABCdSqC0WMYDEIfEOaRrM+nvAc2LOHPaxf1yyMzF7gEssK/ZBgz650nwnhPlNRGEAi6+AlS0Qp/mUUoJFqxXW1RqjaDBmMCQGA1UdEQQdMBuHBAoAAAWCCyoucGljay5zaG9wggZiLnNob3AwHQYDVR0OBBYEFF1/0dpPNQEwsYOmU6jao5VJttdoMB8GA1UdIwQYMBaAFJEtsRTYdP5AMk+Q4ptg50zKLGqjMAoGCCqGSM49BAMCA0kAMEYCIQCmHUWzgNqRYebamjlCvLcNaLcbDjjcOAMWqvr2LWm/HwIhAM/aABD3k4Ms9OraGW8Q+/V3d1qUuWKrZBrMz8FvjQ0D',
);
const ROOT = pem(
  'MIIBbzCCARWgAwIBAgIUSSfq1SSa5khN+AAQuhGUme9AieowCgYIKoZIzj0EAwIwDDEKMAgGA1UEAwwBcjAgFw0yNjExMjMwOTM5MjdaGA8yMDgxMDgyNjA5MzkyN1owDDEKMAgGA1UEAwwBcjBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABHTc/P5tFtYebSZkHe7Yh/GKNyot2UozYiQJSalyvvvxQ9ltAEcl9RTvcO4eaR6tohrBGMxDB2tJkwTDBqBIdsSjUzBRMB0GA1UdDgQWBBSRLbEU2HT+QDJPkOKbYOdMyixqozAfBgNVHSMEGDAWgBSRLbEU2HT+QDJPkOKbYOdMyixqozAPBgNVHRMBAf8EBTADAQH/MAoGCCqGSM49BAMCA0gAMEUCIC6sCVSH37q5QZLGrLrXkvJeIUyrClpJy3cDILiHUFRxAiEAn6DdmkK05a2koClUhRPrAGSrTfOsNLrg4NMehi3TB5c=',
);

function pem(base64: string): string {
  return `-----BEGIN CERTIFICATE-----\n${base64.replaceAll(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`;
}

test('a board gets the root of a certificate chain, or nothing if the root is missing', () => {
  const trust = trustIn(LEAF + ROOT);
  expect(trust?.name).toBe('station.pick.shop');
  expect(Buffer.from(trust?.der ?? [])).toEqual(new X509Certificate(ROOT).raw);
  expect(trustIn(LEAF)).toBeUndefined();
  const { cert } = selfSigned('pick.shop');
  expect(trustIn(cert)).toEqual({ der: new X509Certificate(cert).raw, name: undefined });
});

/** Installs a board and returns the credentials in its configuration. */
async function installed(): Promise<{ rig: BoardRig; own: ChallengedTurbo }> {
  const rig = await startBoardRig({}, OPEN);
  await rig.job({ wifi: WIFI });
  const { user = '', key = '' } = configOf(rig);
  return { rig, own: { serialNumber: SERIAL, username: user, key } };
}

test('reinstalling a board revokes its previous key', async () => {
  const { rig, own } = await installed();
  const thief = challengePeer(rig.station);
  expect(await thief.signIn(own)).toBe('accepted');
  expect(rig.station.rows(`SELECT turbo FROM api_users WHERE turbo IS NOT NULL`)).toEqual([{ turbo: SERIAL }]);
  // The station mistakes the thief for the board until the thief's next heartbeat.
  expect(await rig.job({ wifi: WIFI })).toMatchObject({ state: 'done' });
  expect(rig.station.rows(`SELECT turbo FROM api_users WHERE turbo IS NOT NULL`)).toEqual([{ turbo: SERIAL }]);
  await thief.ask({ name: 'heartbeat', body: { uptimeS: 1 } }).catch(() => undefined);
  expect(thief.isClosed()).toBe(true);
  expect(await challengePeer(rig.station).signIn(own)).toBe('notSignedIn');
  const { user = '', key = '' } = configOf(rig);
  expect(await challengePeer(rig.station).signIn({ ...own, username: user, key })).toBe('accepted');
});

const statusOf = (device: string) =>
  ({ name: 'deviceStatus', body: { ...EXAMPLES.deviceStatus, device, shownToken: 0, rssiDbm: -10 } }) as const;
const pressOf = (device: string) =>
  ({ name: 'button', body: { ...EXAMPLES.button, device, token: 0, button: 'plus', quantity: undefined } }) as const;

test("a board's key signs in only that board, even in clear text; the real owner of a claimed serial number stays connected", async () => {
  const { rig, own } = await installed();
  const { station } = rig;
  const { api_key: key } = await station.post<{ api_key: string }>('/api/api-users/', {
    name: 'other',
    scope: 'turbo',
  });
  const truth = challengePeer(station);
  expect(await truth.signIn({ serialNumber: `board-${OTHER}`, username: 'other', key })).toBe('accepted');

  const liar = challengePeer(station);
  expect(await liar.signIn({ ...own, serialNumber: `board-${OTHER}` })).toBe('refused');
  const problem = `A turbo that calls itself board-${OTHER} has the key of ${SERIAL}, which is for that board only. Set up the board again, and check who has its key.`;
  expect(await entry(rig)).toMatchObject({ status: 'connecting', problem });
  const { username, key: secret } = own;
  const clear = await liar.hello({ serialNumber: `board-${OTHER}`, username, secret });
  expect(clear.status).toBe('refused');
  expect(truth.isClosed()).toBe(false);
  expect(await entry(rig, `board-${OTHER}`)).toMatchObject({ status: 'online', problem: null });
  expect(station.logged).toContainEqual(
    expect.objectContaining({ message: 'Turbo refused', fields: expect.objectContaining({ problem }) as object }),
  );
  expect(await liar.signIn(own)).toBe('accepted');
  expect(await entry(rig)).toMatchObject({ status: 'online', problem: null });
  // The board is known now, so its next false serial number is also listed.
  liar.stop();
  expect(await challengePeer(station).signIn({ ...own, serialNumber: `board-${OTHER}` })).toBe('refused');
  await station.clock.advance(0);
  expect(await entry(rig)).toMatchObject({ status: 'connecting', problem });
  expect(await entry(rig, `board-${OTHER}`)).toMatchObject({ status: 'online', problem: null });
});

test("a board cannot report about another board's device: nothing changes, and an alert is raised", async () => {
  const { rig, own } = await installed();
  const { station } = rig;
  const { api_key: key } = await station.post<{ api_key: string }>('/api/api-users/', {
    name: 'other',
    scope: 'turbo',
  });
  const truth = challengePeer(station);
  await truth.signIn({ serialNumber: `board-${OTHER}`, username: 'other', key });
  await truth.ask({ ...statusOf(OTHER), body: { ...statusOf(OTHER).body, rssiDbm: -90 } });
  const before = await station.device(OTHER);
  expect(before).toMatchObject({ turbo: `board-${OTHER}`, online: true });
  const presses = station.rows('SELECT count(*) AS n FROM history');

  const liar = challengePeer(station);
  expect(await liar.signIn(own)).toBe('accepted');
  const ignored = { name: 'ack', body: { status: 'unknownDevice' } };
  expect(await liar.ask(statusOf(OTHER))).toEqual(ignored);
  expect(await liar.ask(pressOf(OTHER))).toEqual(ignored);
  expect(await liar.ask(statusOf(DEVICE))).toEqual({ name: 'ack', body: { status: 'ok' } });
  expect(await station.device(OTHER)).toMatchObject({ turbo: `board-${OTHER}`, online: true });
  expect(station.rows('SELECT count(*) AS n FROM history')).toEqual(presses);
  const problem = `${SERIAL} speaks for the device ${OTHER}, which is not its own. The station ignores that. Set up the board again, and check who has its key.`;
  expect(await entry(rig)).toMatchObject({ status: 'online', problem, device_count: 1 });
  expect(station.logged.filter(({ message }) => message === 'A turbo with a problem')).toHaveLength(1);

  // The real board keeps working: its command is shown, and its press counts.
  await station.post(`/api/device/${OTHER}/`, { line1: 'x', nonce: 'n', seconds: 0 });
  expect(await truth.ask(pressOf(OTHER))).toEqual({ name: 'ack', body: { status: 'ok' } });
  for (let beat = 0; beat < 30; beat += 1) {
    await liar.ask({ name: 'heartbeat', body: { uptimeS: beat } });
    await truth.ask({ name: 'heartbeat', body: { uptimeS: beat } });
    await station.clock.advance(5_000);
  }
  const alerts = await station.get<Alert[]>('/api/alerts/');
  expect(alerts).toContainEqual(expect.objectContaining({ kind: 'turbo_trouble', turbo: SERIAL, problem }));
});
