import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { AuditEntry } from '#shared/api/access.ts';
import type { Alert } from '#shared/api/alert.ts';
import type { Backup, BackupContents, BackupStatus } from '#shared/api/backup.ts';
import type { CallbackReceiverEntry } from '#shared/api/callbackReceiver.ts';
import type { SettingsAnswer } from '#shared/api/settings.ts';
import type { TurboLink } from '#shared/api/turbo.ts';
import { startReceiver, type Receiver } from '../../helpers/servers/receiver.ts';
import { ALL_TEXTS, DISPLAY_KEY, findTexts, HEADER, SECRETS } from '../../helpers/secretBytes.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

const DEVICE = '51D000:000001';
const SECOND = 1_000;
const PASSPHRASE = 'four words of an owner';
const DISPLAY = 'opendisplay://192.0.2.40:2447/';
const EVERY_SECRET = [...Object.keys(SECRETS), 'callback_headers', DISPLAY];

let receiver: Receiver;
let station: TestStation;
let other: TestStation | undefined;

beforeEach(async () => {
  receiver = await startReceiver();
  station = await startTestStation({ simulate: 1, refreshMs: 0 });
  await station.patch('/api/settings/', {
    ...SECRETS,
    callback_url: receiver.url,
    callback_headers: { Authorization: HEADER },
  });
  await station.post('/api/turbo/links/', { kind: 'opendisplay', url: DISPLAY, key: DISPLAY_KEY });
});

afterEach(async () => {
  await station.stop();
  await other?.stop();
  other = undefined;
  await receiver.stop();
});

const settings = (at: TestStation) => at.get<SettingsAnswer>('/api/settings/');
const setPassphrase = (passphrase: string | null, at = station) =>
  at.request('PUT', '/api/secrets/passphrase/', { passphrase });
const openSecrets = (at: TestStation, passphrase: string) => at.request('POST', '/api/secrets/open/', { passphrase });
const contents = (at: TestStation, name: string) => at.get<BackupContents>(`/api/backups/${name}/contents/`);

async function unreadable(at: TestStation): Promise<Set<string | null>> {
  await at.clock.advance(SECOND);
  const alerts = await at.get<Alert[]>('/api/alerts/');
  return new Set(alerts.flatMap(({ kind, about }) => (kind === 'secret_unreadable' ? [about] : [])));
}

async function restore(at: TestStation, name: string): Promise<void> {
  expect(await at.request('POST', `/api/backups/${name}/restore/`)).toMatchObject({ status: 202 });
  await at.clock.advance(0);
}

async function press(at: TestStation): Promise<void> {
  await at.press(DEVICE, 'front', 'long');
  await at.clock.advance(SECOND);
}

/** Creates a backup of the station and uploads it to a station on another machine. */
async function takeElsewhere(): Promise<{ elsewhere: TestStation; name: string }> {
  const { name } = await station.post<Backup>('/api/backups/');
  const bytes = readFileSync(join(station.dataFolder, 'backups', name));
  other = await startTestStation({ simulate: 1, refreshMs: 0, seed: 2 });
  const uploaded = await other.request('POST', '/api/backups/upload/', new Uint8Array(bytes), {
    'api-key': 'test-key-of-the-environment',
    'content-type': 'application/vnd.sqlite3',
  });
  expect(uploaded.status).toBe(201);
  return { elsewhere: other, name: (uploaded.body as Backup).name };
}

test('restoring on the same station needs no passphrase, and all secrets stay readable', async () => {
  const { name } = await station.post<Backup>('/api/backups/');
  expect(await contents(station, name)).toMatchObject({
    secrets: { state: 'sealed', enter_again: [], passphrase: false },
  });
  await station.patch('/api/settings/', { callback_password: 'another one' });
  await restore(station, name);
  expect(await unreadable(station)).toEqual(new Set());
  await press(station);
  expect(receiver.requests.at(-1)?.headers).toMatchObject({
    'x-api-key': SECRETS.callback_api_key,
    authorization: HEADER,
    'webhook-signature': expect.stringMatching(/^v1,/) as string,
  });
});

test('restoring a backup without a passphrase elsewhere leaves its secrets unreadable, and the station names each secret to enter again', async () => {
  const { elsewhere, name } = await takeElsewhere();
  expect(findTexts(elsewhere.dataFolder, ALL_TEXTS)).toEqual([]);
  const { secrets } = await contents(elsewhere, name);
  expect(secrets).toMatchObject({ state: 'sealed', passphrase: false });
  expect(new Set(secrets.enter_again)).toEqual(new Set(EVERY_SECRET));
  await restore(elsewhere, name);
  expect(await unreadable(elsewhere)).toEqual(new Set(EVERY_SECRET));
  await press(elsewhere);
  expect(receiver.requests).toEqual([]);
  expect(await openSecrets(elsewhere, PASSPHRASE)).toMatchObject({ status: 409 });

  await elsewhere.patch('/api/settings/', { ...SECRETS, callback_headers: { Authorization: HEADER } });
  await elsewhere.clock.advance(SECOND);
  expect(receiver.requests.filter(({ headers }) => 'webhook-signature' in headers)).toHaveLength(1);
  expect(await unreadable(elsewhere)).toEqual(new Set([DISPLAY]));
});

test("the passphrase opens a backup's secrets elsewhere and stays set there, and held callbacks are then sent", async () => {
  expect((await setPassphrase(PASSPHRASE)).status).toBe(204);
  expect(await station.get<BackupStatus>('/api/backups/status/')).toMatchObject({ passphrase_set: true });
  const { elsewhere, name } = await takeElsewhere();
  expect(findTexts(elsewhere.dataFolder, [...ALL_TEXTS, PASSPHRASE])).toEqual([]);
  expect(findTexts(station.dataFolder, [PASSPHRASE])).toEqual([]);
  expect((await contents(elsewhere, name)).secrets).toMatchObject({ state: 'sealed', passphrase: true });
  await restore(elsewhere, name);
  expect(await unreadable(elsewhere)).toEqual(new Set([...EVERY_SECRET, 'backup_passphrase']));
  expect(await elsewhere.get<BackupStatus>('/api/backups/status/')).toMatchObject({ passphrase_set: false });
  await press(elsewhere);
  expect(receiver.requests).toEqual([]);

  expect(await openSecrets(elsewhere, `${PASSPHRASE}.`)).toMatchObject({
    status: 400,
    body: { detail: 'This is not the passphrase of these data.', errors: [{ path: '/passphrase' }] },
  });
  expect(receiver.requests).toEqual([]);

  expect(await openSecrets(elsewhere, PASSPHRASE)).toMatchObject({ status: 200, body: { opened: 8, unreadable: [] } });
  await elsewhere.clock.advance(SECOND);
  expect(receiver.requests.map(({ headers }) => headers['webhook-signature'])).toEqual([expect.stringMatching(/^v1,/)]);
  expect(await unreadable(elsewhere)).toEqual(new Set());
  expect(await settings(elsewhere)).toMatchObject({ unreadable_secrets: [] });
  expect(await elsewhere.get<BackupStatus>('/api/backups/status/')).toMatchObject({ passphrase_set: true });
  expect(findTexts(elsewhere.dataFolder, [...ALL_TEXTS, PASSPHRASE])).toEqual([]);
  const [entry] = await elsewhere.get<AuditEntry[]>('/api/audit/');
  expect(entry?.action).toBe('secrets.opened');
  await elsewhere.restart();
  await press(elsewhere);
  expect(receiver.requests.filter(({ headers }) => 'webhook-signature' in headers)).toHaveLength(2);
});

test('the passphrase opens a data folder that was copied without its key', async () => {
  await setPassphrase(PASSPHRASE);
  const copy = mkdtempSync(join(tmpdir(), 'pickstation-copied-'));
  await station.halt();
  cpSync(station.dataFolder, copy, { recursive: true, filter: (name) => !name.endsWith('data.key') });
  other = await startTestStation({ simulate: 1, refreshMs: 0, dataFolder: copy });
  await press(other);
  expect(receiver.requests).toEqual([]);
  expect(await openSecrets(other, PASSPHRASE)).toMatchObject({ status: 200, body: { unreadable: [] } });
  await other.clock.advance(SECOND);
  expect(receiver.requests).toHaveLength(1);
  await other.stop();
  other = undefined;
  rmSync(copy, { recursive: true });
});

test('a new or removed passphrase applies to later backups', async () => {
  await setPassphrase(PASSPHRASE);
  await setPassphrase('another four words');
  const { elsewhere, name } = await takeElsewhere();
  await restore(elsewhere, name);
  expect(await openSecrets(elsewhere, PASSPHRASE)).toMatchObject({ status: 400 });
  expect(await openSecrets(elsewhere, 'another four words')).toMatchObject({ status: 200 });
  await other?.stop();
  await setPassphrase(null);
  const without = await takeElsewhere();
  await restore(without.elsewhere, without.name);
  expect(await openSecrets(without.elsewhere, 'another four words')).toMatchObject({ status: 409 });
});

test('a backup contains further receivers, and the passphrase opens their secrets elsewhere', async () => {
  await station.post('/api/callback-receivers/', { name: 'Printer', url: receiver.url, api_key: 'key of the printer' });
  await setPassphrase(PASSPHRASE);
  const { elsewhere, name } = await takeElsewhere();
  expect((await contents(elsewhere, name)).secrets.enter_again).toContain('Printer');
  await restore(elsewhere, name);
  expect(await unreadable(elsewhere)).toContain('Printer');
  expect((await settings(elsewhere)).unreadable_others).toContain('Printer');
  const list = () => elsewhere.get<CallbackReceiverEntry[]>('/api/callback-receivers/');
  expect(await list()).toMatchObject([{ name: 'Printer', api_key_set: true, unreadable_secrets: ['api_key'] }]);
  expect(await openSecrets(elsewhere, PASSPHRASE)).toMatchObject({ status: 200 });
  expect(await list()).toMatchObject([{ name: 'Printer', api_key_set: true, unreadable_secrets: [] }]);
  await press(elsewhere);
  expect(receiver.requests.map(({ headers }) => headers['x-api-key'])).toContain('key of the printer');
  expect(findTexts(elsewhere.dataFolder, ['key of the printer'])).toEqual([]);
});

test('after restoring elsewhere, the passphrase cannot be changed or removed while secrets need the previous one', async () => {
  await setPassphrase(PASSPHRASE);
  const { elsewhere, name } = await takeElsewhere();
  await restore(elsewhere, name);
  for (const passphrase of ['another four words', null])
    expect(await setPassphrase(passphrase, elsewhere)).toMatchObject({
      status: 409,
      body: { detail: expect.stringMatching(/Enter that passphrase first, or enter these secrets again/) as string },
    });
  expect(await openSecrets(elsewhere, PASSPHRASE)).toMatchObject({ status: 200, body: { opened: 8, unreadable: [] } });
  expect((await setPassphrase('another four words', elsewhere)).status).toBe(204);
  expect((await setPassphrase(null, elsewhere)).status).toBe(204);
});

test('once all secrets have been entered again, a new passphrase can be set without the previous one', async () => {
  await setPassphrase(PASSPHRASE);
  const { elsewhere, name } = await takeElsewhere();
  await restore(elsewhere, name);
  await elsewhere.patch('/api/settings/', { ...SECRETS, callback_headers: { Authorization: HEADER } });
  expect((await setPassphrase('another four words', elsewhere)).status).toBe(409);
  expect(await settings(elsewhere)).toMatchObject({
    unreadable_secrets: [],
    unreadable_others: [DISPLAY, 'backup_passphrase'],
  });
  const [link] = await elsewhere.get<TurboLink[]>('/api/turbo/links/');
  await elsewhere.patch(`/api/turbo/links/${link?.id}/`, { key: DISPLAY_KEY });
  expect((await settings(elsewhere)).unreadable_others).toEqual(['backup_passphrase']);
  expect((await setPassphrase('another four words', elsewhere)).status).toBe(204);
  expect((await settings(elsewhere)).unreadable_others).toEqual([]);
  expect(await elsewhere.get<BackupStatus>('/api/backups/status/')).toMatchObject({ passphrase_set: true });
  expect(await unreadable(elsewhere)).toEqual(new Set());
});

test('a replaced or removed passphrase leaves no trace in the database or in new backups', async () => {
  const file = (name: string): string => join(station.dataFolder, name);
  const wrapped = (): string => {
    const db = new Database(file('pickstation.sqlite'), { readonly: true });
    const row = db.prepare("SELECT value FROM meta WHERE key = 'wrapped_key'").pluck().get();
    db.close();
    return (JSON.parse(String(row)) as { sealed: string }).sealed;
  };
  const former: string[] = [];
  for (const passphrase of [PASSPHRASE, 'another four words', 'yet another four words']) {
    await setPassphrase(passphrase);
    former.push(wrapped());
  }
  await setPassphrase(null);
  const { name } = await station.post<Backup>('/api/backups/');
  const backup = readFileSync(file(join('backups', name)));
  expect(former.map((sealed) => backup.includes(sealed.slice(-32)))).toEqual([false, false, false]);
  // The write-ahead log is overwritten over time and is removed when the station stops.
  await station.halt();
  expect(
    findTexts(
      station.dataFolder,
      former.map((sealed) => sealed.slice(-32)),
    ),
  ).toEqual([]);
  await station.restart();
});

test('reports a secret stored in plain text, as in a manipulated backup, as unreadable', async () => {
  const db = new Database(join(station.dataFolder, 'pickstation.sqlite'));
  db.prepare("UPDATE settings SET value = ? WHERE key = 'mail_password'").run('"in plain text"');
  db.close();
  const { name } = await station.post<Backup>('/api/backups/');
  expect((await contents(station, name)).secrets).toMatchObject({ state: 'sealed', enter_again: ['mail_password'] });
});

test('refuses a short passphrase', async () => {
  expect(await setPassphrase('short')).toMatchObject({ status: 400 });
  expect(await station.get<BackupStatus>('/api/backups/status/')).toMatchObject({ passphrase_set: false });
});

test('with a new data key, the previous passphrase is reported as unreadable until it is entered', async () => {
  await setPassphrase(PASSPHRASE);
  await station.halt();
  rmSync(join(station.dataFolder, 'data.key'));
  await station.restart();
  await station.patch('/api/settings/', { ...SECRETS, callback_headers: {} });
  expect(await unreadable(station)).toEqual(new Set(['backup_passphrase', DISPLAY]));
  // The previous passphrase still opens secrets sealed with the previous key.
  expect(await openSecrets(station, PASSPHRASE)).toMatchObject({ body: { opened: 1, unreadable: [] } });
  expect(await unreadable(station)).toEqual(new Set());
});
