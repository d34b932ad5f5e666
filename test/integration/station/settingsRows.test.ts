import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import type { Alert } from '#shared/api/alert.ts';
import type { Delivery, DeliveryCounts } from '#shared/api/callback.ts';
import { DEFAULT_SETTINGS, type SettingsAnswer } from '#shared/api/settings.ts';
import type { TurboLink } from '#shared/api/turbo.ts';
import { rawRequest } from '../../helpers/servers/rawHttp.ts';
import { startReceiver, type Receiver } from '../../helpers/servers/receiver.ts';
import { openSession } from '../../helpers/session.ts';
import { startRefusing } from '../../helpers/servers/refusingServer.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

const DEVICE = '51D000:000001';
const SECOND = 1_000;
const HOUR = 3_600 * SECOND;

let receiver: Receiver;
let station: TestStation;

beforeEach(async () => {
  receiver = await startReceiver();
  station = await startTestStation({ simulate: 1, refreshMs: 0, host: undefined });
});

afterEach(async () => {
  await station.stop();
  await receiver.stop();
});

/** Changes rows directly in the database, as the restore of a crafted backup would, and restarts the station. */
async function plant(...statements: (readonly [sql: string, ...values: (string | number)[]])[]): Promise<void> {
  await station.halt();
  const db = new Database(join(station.dataFolder, 'pickstation.sqlite'));
  for (const [sql, ...values] of statements) db.prepare(sql).run(...values);
  db.close();
  await station.restart();
  await station.clock.advance(SECOND);
}

const row = (key: string, text: string) =>
  ['INSERT OR REPLACE INTO settings (key, value) VALUES (?, ?)', key, text] as const;
const plantRow = (key: string, value: unknown) => plant(row(key, JSON.stringify(value)));

const settings = () => station.get<SettingsAnswer>('/api/settings/');
const deliveries = () => station.get<Delivery[]>('/api/callbacks/');
const invalid = async (state: 'open' | 'ended' = 'open'): Promise<Alert[]> =>
  (await station.get<Alert[]>(`/api/alerts/?state=${state}`)).filter(({ kind }) => kind === 'setting_invalid');
/** Returns the settings and secrets that the station ignores because a row is invalid or was not encrypted with the folder's key. */
const troubled = async (): Promise<(string | null)[]> =>
  (await station.get<Alert[]>('/api/alerts/?state=open'))
    .filter(({ kind }) => kind === 'setting_invalid' || kind === 'secret_unreadable')
    .map(({ about }) => about);
const named = async (): Promise<(string | null)[]> => (await invalid()).map(({ about }) => about);

/** Causes a callback by pressing the idle device. */
async function press(): Promise<void> {
  await station.press(DEVICE, 'front', 'long');
  await station.clock.advance(SECOND);
}

test('an invalid callback_url has no effect: callbacks wait, and are sent once it is corrected', async () => {
  await station.patch('/api/settings/', { callback_url: receiver.url });
  await press();
  expect(receiver.requests).toHaveLength(1);
  await plantRow('callback_url', 'file:///etc/passwd');
  await press();
  await press();
  // Wait longer than the 72 hours after which a callback fails.
  await station.clock.advance(100 * HOUR);
  expect((await deliveries()).map(({ state, attempts }) => [state, attempts])).toEqual([
    ['pending', 0],
    ['pending', 0],
    ['delivered', 1],
  ]);
  const why = expect.stringMatching(/^callback_url is not valid\..*http:\/\/.*Callbacks wait until then/) as string;
  expect(await station.get<DeliveryCounts>('/api/callbacks/counts/')).toMatchObject({ held: why, pending: 2 });
  expect(await station.request('POST', '/api/callbacks/test/')).toMatchObject({ status: 409, body: { detail: why } });
  expect(await settings()).toMatchObject({ callback_url: '', invalid_settings: ['callback_url'] });
  const [alert] = await invalid();
  expect(alert).toMatchObject({ about: 'callback_url', problem: expect.stringMatching(/stored value.*ignored/i) });

  await station.patch('/api/settings/', { callback_url: receiver.url });
  await station.clock.advance(SECOND);
  expect(receiver.requests).toHaveLength(3);
  expect((await settings()).invalid_settings).toEqual([]);
  expect(await invalid()).toEqual([]);
  expect(await invalid('ended')).toHaveLength(1);
});

test('clearing an invalid callback_url ends the wait, and nothing is sent', async () => {
  await plantRow('callback_url', { url: receiver.url });
  await press();
  await station.patch('/api/settings/', { callback_url: '' });
  await press();
  expect(await named()).toEqual([]);
  expect(await deliveries()).toHaveLength(1);
  expect(receiver.requests).toEqual([]);
});

test.for([
  ['callback_headers', { host: 'elsewhere.example' }],
  ['callback_headers', { 'x-shop': 'a\r\nb: c' }],
  ['callback_verify', 'no'],
  ['callback_ca', 7],
  ['callback_username', null],
  ['callback_families', 'all'],
  ['callback_signing_secret', 'whsec_!'],
  ['callback_api_key', 'a\nb'],
  ['callback_password', 5],
] as const)('callbacks wait while %s is invalid', async ([key, value]) => {
  await station.patch('/api/settings/', { callback_url: receiver.url });
  await plantRow(key, value);
  await press();
  expect(await troubled()).toEqual([key]);
  expect((await deliveries()).map(({ state, attempts }) => [state, attempts])).toEqual([['pending', 0]]);
  await plant(['DELETE FROM settings WHERE key = ?', key]);
  expect(await troubled()).toEqual([]);
  expect(receiver.requests).toHaveLength(1);
});

test('while mqtt_url or another MQTT setting is invalid, MQTT is off and its callbacks wait', async () => {
  const { port, connections } = await startRefusing();
  await plantRow('mqtt_url', `ws://127.0.0.1:${port}`);
  await press();
  const problem = expect.stringMatching(/^mqtt_url is not valid\..*MQTT is off until then/) as string;
  expect(await station.get('/api/mqtt/')).toMatchObject({ state: 'off', problem, waiting: 1 });
  expect(await station.request('POST', '/api/mqtt/test/')).toMatchObject({ status: 409, body: { detail: problem } });
  await plant(row('mqtt_url', `"mqtt://127.0.0.1:${port}"`), row('mqtt_prefix', '"#"'));
  await press();
  expect(await named()).toEqual(['mqtt_prefix']);
  expect(await station.get('/api/mqtt/')).toMatchObject({ state: 'off', waiting: 2 });
  expect(connections()).toBe(0);
});

test('while a mail setting is invalid, e-mails wait', async () => {
  await station.patch('/api/settings/', {
    mail_host: '127.0.0.1',
    mail_from: 'station@shop.example',
    mail_to: ['owner@shop.example'],
  });
  await plantRow('mail_security', 'whatever');
  expect(await named()).toEqual(['mail_security']);
  const mail = expect.stringMatching(/^mail_security is not valid\..*E-mails wait until then/) as string;
  expect(await station.get('/api/mail/')).toMatchObject({ on: true, last_error: mail });
});

test('with an invalid listen row, the station listens only on this machine', async () => {
  const elsewhere = () =>
    rawRequest(station.url.replace('127.0.0.1', '127.0.0.2'), { path: '/healthz' }).then(
      ({ status }) => status,
      (error: NodeJS.ErrnoException) => error.code,
    );
  await station.patch('/api/settings/', { listen: 'network' });
  expect(await elsewhere()).toBe(200);
  for (const value of ['everywhere', ['network'], true]) {
    await plantRow('listen', value);
    expect(await elsewhere()).toBe('ECONNREFUSED');
    expect(await named()).toEqual(['listen']);
  }
});

test('with an invalid accept_devices row, new devices wait', async () => {
  await plantRow('accept_devices', 'everybody');
  expect(await settings()).toMatchObject({ accept_devices: 'ask' });
  expect(await named()).toEqual(['accept_devices']);
});

test('a row that is not JSON does not prevent startup, and is named', async () => {
  await plant(row('default_color', 'green'), row('mail_password', '{'), row('callback_headers', ''));
  expect(await settings()).toMatchObject({ default_color: 'red' });
  expect(new Set(await named())).toEqual(new Set(['default_color', 'mail_password', 'callback_headers']));
  expect((await invalid())[0]?.problem).toMatch(/not JSON/);
  const { name } = await station.post<{ name: string }>('/api/backups/');
  expect(await station.request('GET', `/api/backups/${name}/`)).toMatchObject({ status: 200 });
  await station.patch('/api/settings/', { default_color: 'blue', mail_password: null, callback_headers: {} });
  await station.clock.advance(SECOND);
  expect(await named()).toEqual([]);
});

test('an invalid tls row enables encryption', async () => {
  const other = await startTestStation();
  onTestFinished(() => other.stop());
  await other.halt();
  const db = new Database(join(other.dataFolder, 'pickstation.sqlite'));
  db.prepare('INSERT INTO settings (key, value) VALUES (?, ?)').run('tls', '"maybe"');
  db.close();
  await other.restart();
  expect(other.url).toMatch(/^https:/);
});

test('public_urls stored as text does not break requests, and people can sign in', async () => {
  for (const value of ['https://lights.shop.example/', [7], null]) {
    await plantRow('public_urls', value);
    expect(await named()).toEqual(['public_urls']);
    expect((await openSession(station)).token).toBeTruthy();
  }
});

test('every setting stored with a value of the wrong type falls back to its safe value', async () => {
  const names = Object.keys(DEFAULT_SETTINGS).filter((name) => name !== 'tls');
  await plant(...names.map((key) => row(key, '-7.5')));
  const { invalid_settings: found, ...answer } = await settings();
  expect(found.toSorted()).toEqual(names.toSorted());
  expect(answer).toMatchObject({
    listen: 'this_machine',
    accept_devices: 'ask',
    inbox_folder: '',
    outbox_folder: '',
    orders_sheet_url: '',
    mqtt_url: '',
    callback_url: '',
    basic_auth: false,
    turbo_plain_passwords: false,
    picker_rights: [],
    cors_origins: [],
    trusted_proxies: [],
    updates: 'off',
    // An unreadable row must not cause deletions.
    history_days: 0,
    order_days: 0,
    history_customer_days: 0,
    callback_days: 0,
    backup_keep: 1_000,
    log_days: 365,
  });
  await station.clock.advance(25 * HOUR);
  expect(new Set(await named())).toEqual(new Set(names));
});

test('rows from another version are kept: unknown names are ignored, and missing families have their defaults', async () => {
  await plant(
    row('a_setting_of_tomorrow', '[1]'),
    row('callback_families', '{"device":false,"sequence":true,"order":true}'),
  );
  expect(await named()).toEqual([]);
  expect((await settings()).callback_families).toMatchObject({ device: false, condition: false });
  expect(await settings()).not.toHaveProperty('a_setting_of_tomorrow');
});

test('callbacks for a further receiver wait while its row is invalid', async () => {
  const { id } = await station.post<{ id: string }>('/api/callback-receivers/', { name: 'Printer', url: receiver.url });
  const bad = [
    ['url', 'file:///etc/passwd'],
    ['url', ''],
    ['families', 'all'],
    ['families', '{"device":"yes"}'],
    ['families', '[]'],
    ['api_key', 'a\nb'],
  ] as const;
  for (const [index, [column, value]] of bad.entries()) {
    await plant([`UPDATE callback_receivers SET ${column} = ?`, value]);
    expect(await troubled()).toEqual(['Printer']);
    await press();
    const { held, pending } = await station.get<DeliveryCounts>('/api/callbacks/counts/');
    expect(held).toMatch(/receiver Printer (?:is not valid|cannot be read)\. .*Its callbacks wait until then/);
    expect(pending).toBe(index + 1);
    await plant([
      "UPDATE callback_receivers SET url = 'http://127.0.0.1:9/', families = '{}', api_key = NULL, paused = 1",
    ]);
    expect(await troubled()).toEqual([]);
  }
  expect((await deliveries()).every(({ attempts }) => attempts === 0)).toBe(true);
  await station.patch(`/api/callback-receivers/${id}/`, { url: receiver.url, paused: false });
  await station.clock.advance(SECOND);
  expect(receiver.requests).toHaveLength(bad.length);
});

test('a link with an invalid address is not connected, and reports the reason', async () => {
  const { id } = await station.post<TurboLink>('/api/turbo/links/', { kind: 'wled', url: 'http://192.0.2.1' });
  await plant(['UPDATE turbo_links SET url = ?', 'file:///etc/passwd']);
  expect(await named()).toEqual(['file:///etc/passwd']);
  const [link] = await station.get<TurboLink[]>('/api/turbo/links/');
  expect(link).toMatchObject({ id, step: 'absent', problem: expect.stringMatching(/address.*not valid/) });
  await station.request('DELETE', `/api/turbo/links/${id}/`);
  await station.clock.advance(SECOND);
  expect(await named()).toEqual([]);
});

test('a link of an unknown kind is not connected, and reports it', async () => {
  const { id } = await station.post<TurboLink>('/api/turbo/links/', { kind: 'wled', url: 'http://192.0.2.1' });
  await plant(['UPDATE turbo_links SET kind = ?', 'lamp']);
  expect(await named()).toEqual(['http://192.0.2.1/']);
  const [link] = await station.get<TurboLink[]>('/api/turbo/links/');
  expect(link).toMatchObject({ id, step: 'absent', problem: expect.stringMatching(/not valid/) });
});

test('reasons for a short that an older version stored as texts are converted, and the fixed reasons are added', async () => {
  await plantRow('short_reasons', ['lost', 'other']);
  const rest = [{ key: 'missing' }, { key: 'damaged' }, { key: 'wrong_item' }];
  expect(await settings()).toMatchObject({
    short_reasons: [{ key: 'lost' }, { key: 'other' }, ...rest],
    invalid_settings: [],
  });
  await plantRow('short_reasons', [{ text: 'No key' }]);
  expect(await settings()).toMatchObject({ invalid_settings: ['short_reasons'] });
});
