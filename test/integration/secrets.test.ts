import { chmodSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { HttpRequest } from '../../electron/server/ports.ts';
import { systemPorts } from '../../electron/server/systemPorts.ts';
import { settingsTarget } from '../../electron/server/services/callbacks/httpReceiver.ts';
import { createCallbackSender } from '../../electron/server/services/callbacks/sender.ts';
import type { SettingsService } from '../../electron/server/services/settings/index.ts';
import type { Alert } from '#shared/api/alert.ts';
import type { Delivery } from '#shared/api/callback.ts';
import type { MailStatus } from '#shared/api/mail.ts';
import type { SettingsAnswer } from '#shared/api/settings.ts';
import type { TurboLink } from '#shared/api/turbo.ts';
import { startReceiver, type Receiver } from '../helpers/receiver.ts';
import { ALL_TEXTS, DISPLAY_KEY, findTexts, HEADER, SECRETS } from '../helpers/secretBytes.ts';
import { startRefusing } from '../helpers/refusingServer.ts';
import { startTestStation, type TestStation, type TestStationOptions } from '../helpers/startTestStation.ts';

const DEVICE = '51D000:000001';
const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const OTHER_KEY = Buffer.alloc(32, 7).toString('base64');

let receiver: Receiver;
let station: TestStation;

beforeEach(async () => void (receiver = await startReceiver()));

afterEach(async () => {
  await station.stop();
  await receiver.stop();
});

async function start(options: TestStationOptions = {}): Promise<void> {
  station = await startTestStation({ simulate: 1, refreshMs: 0, ...options });
}

const keyFile = (): string => join(station.dataFolder, 'data.key');
const settings = () => station.get<SettingsAnswer>('/api/settings/');
const alerts = (state: 'open' | 'ended' = 'open') => station.get<Alert[]>(`/api/alerts/?state=${state}`);
const deliveries = () => station.get<Delivery[]>('/api/callbacks/');

async function setReceiver(more: object = {}): Promise<void> {
  await station.patch('/api/settings/', {
    callback_url: receiver.url,
    callback_signing_secret: SECRETS.callback_signing_secret,
    ...more,
  });
}

/** Causes callbacks. */
async function press(count = 1): Promise<void> {
  for (let done = 0; done < count; done += 1) {
    await station.press(DEVICE, 'front', 'long');
    await station.clock.advance(SECOND);
  }
}

const ids = () => receiver.requests.map(({ headers }) => headers['webhook-id']);
const signed = () => receiver.requests.filter(({ headers }) => headers['webhook-signature'] !== undefined);

async function setAll(): Promise<void> {
  await station.patch('/api/settings/', {
    ...SECRETS,
    callback_headers: { Authorization: HEADER, 'X-Shop': 'Bern' },
  });
  await station.post('/api/turbo/links/', {
    kind: 'opendisplay',
    url: 'opendisplay://192.0.2.40',
    key: DISPLAY_KEY,
  });
}

test('writes no secret in plain text to the data folder: not to the database, its log, a backup or a log file', async () => {
  await start({ logFiles: true });
  await setAll();
  expect(findTexts(station.dataFolder, ALL_TEXTS)).toEqual([]);
  await station.post('/api/backups/');
  await station.patch('/api/settings/', { callback_password: 'another-password' });
  expect(findTexts(station.dataFolder, [...ALL_TEXTS, 'another-password'])).toEqual([]);
  await station.restart();
  expect(findTexts(station.dataFolder, [...ALL_TEXTS, 'another-password'])).toEqual([]);
  expect((await settings()).unreadable_secrets).toEqual([]);
  expect(await alerts()).toEqual([]);
});

test('a folder without secrets has no key, and one with a secret has a key that only its owner can read', async () => {
  await start();
  expect(existsSync(keyFile())).toBe(false);
  await setReceiver();
  expect(statSync(keyFile()).mode & 0o777).toBe(0o600);
  expect(readFileSync(keyFile(), 'utf8')).toMatch(/^[A-Za-z0-9+/]{43}=\n$/);
});

test('holds callbacks, and never sends them unsigned, while the key is missing, and sends them in order once it is back', async () => {
  await start();
  await setReceiver();
  await press();
  expect(signed()).toHaveLength(1);
  await station.halt();
  renameSync(keyFile(), `${keyFile()}.away`);
  await station.restart();

  await press(3);
  // Longer than the 72 hours after which a callback fails.
  await station.clock.advance(100 * HOUR);
  expect(receiver.requests).toHaveLength(1);
  expect((await deliveries()).map(({ state, attempts }) => [state, attempts])).toEqual([
    ['pending', 0],
    ['pending', 0],
    ['pending', 0],
    ['delivered', 1],
  ]);
  const [alert] = await alerts();
  expect(alert).toMatchObject({ kind: 'secret_unreadable', about: 'callback_signing_secret' });
  expect(alert?.problem).toMatch(/data key of this folder is missing.*wait until you enter it again/);
  expect(await settings()).toMatchObject({
    callback_signing_secret_set: true,
    unreadable_secrets: ['callback_signing_secret'],
  });
  const tried = await station.request('POST', '/api/callbacks/test/');
  expect(tried).toMatchObject({
    status: 409,
    body: { detail: expect.stringMatching(/cannot be read.*Callbacks wait/) },
  });
  expect(await station.get('/api/callbacks/counts/')).toMatchObject({
    pending: 3,
    held: expect.stringMatching(/^callback_signing_secret cannot be read\..*Callbacks wait until then/) as string,
  });
  await station.post('/api/callbacks/send/');
  const waiting = (await deliveries())
    .map(({ webhook_id }) => webhook_id)
    .toReversed()
    .slice(1);
  for (const id of waiting) await station.request('POST', `/api/callbacks/${id}/replay/`);
  await station.clock.advance(HOUR);
  expect(receiver.requests).toHaveLength(1);

  await station.halt();
  renameSync(`${keyFile()}.away`, keyFile());
  await station.restart();
  await station.clock.advance(SECOND);
  expect(signed()).toHaveLength(4);
  expect(await station.get('/api/callbacks/counts/')).toMatchObject({ pending: 0, held: null });
  expect(receiver.requests).toHaveLength(4);
  expect(ids().slice(1)).toEqual(waiting);
  expect((await alerts()).map(({ kind }) => kind)).not.toContain('secret_unreadable');
});

test('once the secret is entered again, sends held callbacks in order, signed with it, under a new key', async () => {
  /** The order in which they leave: at the receiver, connections may overtake each other. */
  const left: unknown[] = [];
  const { http } = systemPorts('silent', {});
  await start({
    http: {
      ...http,
      send(request) {
        left.push(new Headers(request.headers).get('webhook-id'));
        return http.send(request);
      },
    },
  });
  await setReceiver();
  const before = readFileSync(keyFile(), 'utf8');
  await station.halt();
  rmSync(keyFile());
  await station.restart();
  await press(80);
  expect(receiver.requests).toEqual([]);
  // Changing another setting has no effect on that.
  await station.patch('/api/settings/', { default_seconds: 30 });
  await station.clock.advance(HOUR);
  expect(receiver.requests).toEqual([]);
  await setReceiver();
  await station.clock.advance(SECOND);
  expect(signed()).toHaveLength(80);
  const waiting = (await station.get<Delivery[]>('/api/callbacks/?limit=100')).map(({ webhook_id }) => webhook_id);
  expect(left).toEqual(waiting.toReversed());
  expect(ids().map(String).toSorted()).toEqual(waiting.toSorted());
  expect(await alerts()).toEqual([]);
  expect(readFileSync(keyFile(), 'utf8')).not.toBe(before);
  await station.restart();
  await press();
  expect(signed()).toHaveLength(81);
});

test('sends held callbacks once an admin clears the unreadable secret', async () => {
  await start();
  await setReceiver();
  await station.halt();
  rmSync(keyFile());
  await station.restart();
  await press();
  await station.patch('/api/settings/', { callback_signing_secret: null });
  await station.clock.advance(SECOND);
  expect(receiver.requests).toHaveLength(1);
  expect(await settings()).toMatchObject({ callback_signing_secret_set: false, unreadable_secrets: [] });
});

test.runIf(process.platform !== 'win32')(
  'does not use a key file that others can open, and says what to do',
  async () => {
    await start();
    await setReceiver();
    await station.halt();
    chmodSync(keyFile(), 0o644);
    await station.restart();
    await press();
    expect(receiver.requests).toEqual([]);
    const [alert] = await alerts();
    expect(alert?.problem).toMatch(/Others than its owner can open data\.key\. Run chmod 600 \S+data\.key/);
    await station.halt();
    chmodSync(keyFile(), 0o600);
    await station.restart();
    expect(signed()).toHaveLength(1);
  },
);

test.for([
  ['', 'holds no key'],
  ['bm90IGEga2V5\n', 'holds no key'],
  [`${OTHER_KEY}\n`, 'sealed with another data key'],
] as const)('detects a wrong key file: %s', async ([content, problem]) => {
  await start();
  await setReceiver();
  await station.halt();
  writeFileSync(keyFile(), content, { mode: 0o600 });
  await station.restart();
  await press();
  expect(receiver.requests).toEqual([]);
  expect((await alerts())[0]?.problem).toContain(problem);
});

test('keeps a key from the environment out of all files, and detects a different or missing one', async () => {
  const given = Buffer.alloc(32, 42).toString('base64');
  let dataKey: string | undefined = given;
  await start({ dataKey: () => dataKey });
  await setReceiver();
  expect(readdirSync(station.dataFolder).filter((name) => name.startsWith('data.key'))).toEqual([]);
  expect(findTexts(station.dataFolder, [given])).toEqual([]);
  await station.restart();
  await press();
  expect(signed()).toHaveLength(1);
  for (dataKey of [OTHER_KEY, undefined]) {
    await station.restart();
    await press();
    expect(receiver.requests).toHaveLength(1);
    expect(await settings()).toMatchObject({ unreadable_secrets: ['callback_signing_secret'] });
  }
  dataKey = given;
  await station.restart();
  expect(signed()).toHaveLength(3);
});

test('with a keychain, the folder holds the key only as the keychain encrypted it', async () => {
  const chain = fakeKeychain();
  await start({ findKeychain: () => chain });
  await setReceiver();
  expect(readdirSync(station.dataFolder).filter((name) => name.startsWith('data.key'))).toEqual(['data.key.keychain']);
  await station.restart();
  await press();
  expect(signed()).toHaveLength(1);

  chain.lock();
  await station.restart();
  await press();
  expect(receiver.requests).toHaveLength(1);
  expect((await alerts())[0]?.problem).toMatch(
    /keychain of this system does not open data\.key\.keychain \(It is locked\)/,
  );
  chain.unlock();
  await station.restart();
  expect(signed()).toHaveLength(2);
});

test('after a keychain reset, accepts the secret again and keeps the former key beside the new one', async () => {
  const first = fakeKeychain();
  let chain = first;
  await start({ findKeychain: () => chain });
  await setReceiver();
  chain = fakeKeychain();
  await station.restart();
  await press();
  expect(receiver.requests).toEqual([]);
  await setReceiver();
  await station.clock.advance(SECOND);
  expect(signed()).toHaveLength(1);
  expect(readdirSync(station.dataFolder).filter((name) => name.startsWith('data.key'))).toEqual([
    'data.key.keychain',
    'data.key.keychain.old-1',
  ]);
});

test('a former key opens what it sealed once it is back, and afterwards the new key alone is enough', async () => {
  const chain = fakeKeychain();
  let hasKeychain = true;
  await start({ findKeychain: () => (hasKeychain ? chain : undefined) });
  await setReceiver({ mail_password: SECRETS.mail_password });
  hasKeychain = false;
  await station.restart();
  // Without the keychain, a person enters one of the two secrets again, which creates a new key.
  await setReceiver();
  expect(await settings()).toMatchObject({ unreadable_secrets: ['mail_password'] });
  hasKeychain = true;
  await station.restart();
  expect(await settings()).toMatchObject({ unreadable_secrets: [] });
  expect(await alerts()).toEqual([]);
  hasKeychain = false;
  rmSync(join(station.dataFolder, 'data.key.keychain.old-1'));
  await station.restart();
  expect(await settings()).toMatchObject({ unreadable_secrets: [] });
  await press();
  expect(signed()).toHaveLength(1);
});

test('stores the key in a file if the keychain does not return what it was given', async () => {
  const chain = { seal: () => Buffer.from('something'), open: () => 'something else' };
  await start({ findKeychain: () => chain });
  await setReceiver();
  expect(readdirSync(station.dataFolder).filter((name) => name.startsWith('data.key'))).toEqual(['data.key']);
  await station.restart();
  await press();
  expect(signed()).toHaveLength(1);
});

test('a desktop folder starts without its keychain, says how to get the key, and reads the file that --key-file wrote', async () => {
  const chain = fakeKeychain();
  let hasKeychain = true;
  let keyFile = false;
  await start({ findKeychain: () => (hasKeychain ? chain : undefined), keyFile: () => keyFile });
  await setReceiver();
  hasKeychain = false;
  await station.restart();
  await press();
  expect(receiver.requests).toEqual([]);
  expect((await alerts())[0]?.problem).toMatch(/Start the desktop on this folder once with --key-file/);
  hasKeychain = true;
  keyFile = true;
  await station.restart();
  expect(signed()).toHaveLength(1);
  hasKeychain = false;
  keyFile = false;
  await station.restart();
  await press();
  expect(signed()).toHaveLength(2);
});

test('--key-file replaces a different key in the file, and keeps that key beside it', async () => {
  const chain = fakeKeychain();
  let hasKeychain = true;
  let writesFile = false;
  await start({ findKeychain: () => (hasKeychain ? chain : undefined), keyFile: () => writesFile });
  await setReceiver();
  await station.halt();
  writeFileSync(keyFile(), `${OTHER_KEY}\n`, { mode: 0o600 });
  writesFile = true;
  await station.restart();
  expect(readFileSync(`${keyFile()}.old-1`, 'utf8')).toBe(`${OTHER_KEY}\n`);
  hasKeychain = false;
  writesFile = false;
  await station.restart();
  await press();
  expect(signed()).toHaveLength(1);
  writesFile = true;
  await station.restart();
  expect(readdirSync(station.dataFolder).filter((name) => name.startsWith('data.key.old'))).toEqual(['data.key.old-1']);
});

test('the callback sender itself refuses to send while callbacks are held', async () => {
  await start();
  const sent: HttpRequest[] = [];
  const sender = createCallbackSender({
    http: {
      send(request) {
        sent.push(request);
        throw new Error('Nothing is to be sent.');
      },
      stop: () => undefined,
    },
    testReceiver: {
      isFor: () => false,
      take: () => {
        throw new Error('Nothing is to be sent.');
      },
    },
    clock: station.clock,
    version: '0',
  });
  const target = settingsTarget({
    held: () => 'It has no signing secret.',
    current: () => ({ callback_url: receiver.url, callback_timeout: 1, callback_headers: {} }),
  } as unknown as SettingsService);
  const NO_EVENT = { revision: 1, event_at: 0, picked: 0 };
  const { failure } = await sender.send({ id: 'msg_1', payload: '{}', event: NO_EVENT }, target).sent;
  expect([failure, sent]).toEqual(['It has no signing secret.', []]);
});

test('MQTT and e-mail also wait for an unreadable secret, and say why', async () => {
  await start();
  const { port, connections } = await startRefusing();
  await station.patch('/api/settings/', {
    mqtt_url: `mqtt://127.0.0.1:${port}`,
    mqtt_password: SECRETS.mqtt_password,
    mail_host: '127.0.0.1',
    mail_port: port,
    mail_from: 'station@shop.example',
    mail_to: ['owner@shop.example'],
    mail_password: SECRETS.mail_password,
  });
  await station.halt();
  rmSync(keyFile());
  const before = connections();
  await station.restart();
  const problem = expect.stringMatching(/^mqtt_password cannot be read\..*MQTT is off until then/) as string;
  expect(await station.get('/api/mqtt/')).toMatchObject({ state: 'off', problem });
  expect(await station.request('POST', '/api/mqtt/test/')).toMatchObject({ status: 409, body: { detail: problem } });
  const mail = expect.stringMatching(/^mail_password cannot be read\..*E-mails wait until then/) as string;
  expect(await station.get('/api/mail/')).toMatchObject({ on: true, last_error: mail });
  expect(await station.request('POST', '/api/mail/test/')).toMatchObject({ status: 409, body: { detail: mail } });
  await press();
  expect((await deliveries()).map(({ receiver: to, state, attempts }) => [to, state, attempts])).toEqual([
    ['mqtt', 'pending', 0],
  ]);
  await station.clock.advance(HOUR);
  expect(connections()).toBe(before);
  // The alerts about them wait to be e-mailed.
  expect((await station.get<MailStatus>('/api/mail/')).waiting).toBeGreaterThanOrEqual(2);
  const named = (await alerts()).flatMap(({ kind, about }) => (kind === 'secret_unreadable' ? [about] : []));
  expect(new Set(named)).toEqual(new Set(['mail_password', 'mqtt_password']));
});

test('never connects unencrypted to a display whose key cannot be read, and says on its link what to do', async () => {
  await start();
  await setAll();
  await station.halt();
  rmSync(keyFile());
  await station.restart();
  const [link] = await station.get<TurboLink[]>('/api/turbo/links/');
  expect(link).toMatchObject({ key_set: true, step: 'absent', attempts: 0 });
  expect(link?.problem).toMatch(/The key of this display cannot be read.*Enter the key/);
  expect((await alerts()).map(({ about }) => about)).toContain(link?.url);
  await station.patch(`/api/turbo/links/${link?.id}/`, { key: DISPLAY_KEY });
  await station.clock.advance(SECOND);
  expect((await alerts()).map(({ about }) => about)).not.toContain(link?.url);
  const [again] = await station.get<TurboLink[]>('/api/turbo/links/');
  expect(again?.step).not.toBe('absent');
});

test.each([
  ['plain text', '"hunter22hunter22"', 'is not encrypted, so another program wrote it'],
  ['a form of a newer version', '"sealed:2:0123456789abcdef:AAAA"', 'was changed, or a newer version wrote it'],
])('says of a secret that is stored as %s what happened, with and without a data key', async (_, json, reason) => {
  await start();
  const change = (sql: string, value: string): void => {
    const db = new Database(join(station.dataFolder, 'pickstation.sqlite'));
    expect(db.prepare(sql).run(value).changes).toBe(1);
    db.close();
  };
  const text = JSON.parse(json) as string;
  const says = async (): Promise<void> => {
    expect((await station.get<MailStatus>('/api/mail/')).last_error).toContain(
      `mail_password cannot be read. Its stored value ${reason}. Enter it again`,
    );
    const said = (await alerts()).filter(({ kind }) => kind === 'secret_unreadable');
    expect(new Set(said.map(({ about }) => about))).toEqual(
      new Set(['Printer', 'mail_password', 'opendisplay://192.0.2.40:2447/']),
    );
    for (const { problem } of said) expect(problem).toContain(`Its stored value ${reason}. Functions`);
    expect((await station.get<TurboLink[]>('/api/turbo/links/'))[0]?.problem).toContain(
      `cannot be read. Its stored value ${reason}. Enter`,
    );
  };
  await station.patch('/api/settings/', {
    mail_host: '127.0.0.1',
    mail_from: 'a@shop.example',
    mail_to: ['b@shop.example'],
  });
  await station.post('/api/turbo/links/', { kind: 'opendisplay', url: 'opendisplay://192.0.2.40', key: DISPLAY_KEY });
  await station.post('/api/callback-receivers/', { name: 'Printer', url: receiver.url, api_key: 'abcdefgh' });
  await station.halt();
  change("INSERT INTO settings (key, value) VALUES ('mail_password', ?)", json);
  change('UPDATE turbo_links SET key = ?', text);
  change('UPDATE callback_receivers SET api_key = ?', text);
  await station.restart();
  await says();
  await station.halt();
  rmSync(keyFile());
  await station.restart();
  await says();
});

test('headers keep their names, *** is refused for an unreadable value, and a new value ends the hold', async () => {
  await start();
  await setReceiver({ callback_signing_secret: null, callback_headers: { Authorization: HEADER, 'X-Shop': 'Bern' } });
  await station.halt();
  rmSync(keyFile());
  await station.restart();
  await press();
  expect(receiver.requests).toEqual([]);
  expect(await settings()).toMatchObject({
    unreadable_secrets: ['callback_headers'],
    callback_headers: { Authorization: '***', 'X-Shop': '***' },
  });
  const kept = await station.request('PATCH', '/api/settings/', { callback_headers: { Authorization: '***' } });
  expect(kept.status).toBe(400);
  await station.patch('/api/settings/', { callback_headers: { Authorization: HEADER } });
  await station.clock.advance(SECOND);
  expect(receiver.requests.map(({ headers }) => headers['authorization'])).toEqual([HEADER]);
});

test('a sealed value copied to another setting is unreadable', async () => {
  await start();
  await station.patch('/api/settings/', {
    callback_password: SECRETS.callback_password,
    mail_password: SECRETS.mail_password,
  });
  await station.halt();
  const db = new Database(join(station.dataFolder, 'pickstation.sqlite'));
  db.exec(
    `UPDATE settings SET value = (SELECT value FROM settings WHERE key = 'callback_password') WHERE key = 'mail_password'`,
  );
  db.close();
  await station.restart();
  expect(await settings()).toMatchObject({ unreadable_secrets: ['mail_password'] });
  expect((await alerts())[0]?.problem).toMatch(/sealed with another data key, or was changed/);
});

test.for([
  ['a changed byte', (sealed: string) => `${sealed.slice(0, -5)}!${sealed.slice(-4)}`],
  ['a changed version', (sealed: string) => sealed.replace(':1:', ':!:')],
  ['a cut', (sealed: string) => sealed.slice(0, 12)],
] as const)('%s in the database makes a secret unreadable instead of changing it', async ([, damage]) => {
  await start();
  await setReceiver();
  await station.halt();
  const file = join(station.dataFolder, 'pickstation.sqlite');
  const stored = (): string => {
    const db = new Database(file);
    const value = db.prepare("SELECT value FROM settings WHERE key = 'callback_signing_secret'").pluck().get();
    db.close();
    return JSON.parse(String(value)) as string;
  };
  const damaged = damage(stored());
  const db = new Database(file);
  db.prepare("UPDATE settings SET value = ? WHERE key = 'callback_signing_secret'").run(JSON.stringify(damaged));
  db.close();
  await station.restart();
  await press();
  expect(receiver.requests).toEqual([]);
  expect(await settings()).toMatchObject({ unreadable_secrets: ['callback_signing_secret'] });
  expect((await alerts())[0]?.problem).toMatch(/was changed/);
  await station.halt();
  expect(stored()).toBe(damaged);
  await station.restart();
  await setReceiver();
  await station.clock.advance(SECOND);
  expect(signed()).toHaveLength(1);
});

test('stores and sends a secret that begins like a sealed one', async () => {
  await start();
  await setReceiver({ callback_api_key: 'sealed:1:typed-by-a-person' });
  await station.restart();
  await press();
  expect(receiver.requests.map(({ headers }) => headers['x-api-key'])).toEqual(['sealed:1:typed-by-a-person']);
});

/** Like the keychain of a system: only the keychain that encrypted a text can decrypt it. */
function fakeKeychain() {
  const kept = new Map<string, string>();
  let isLocked = false;
  return {
    seal(text: string): Uint8Array {
      const name = `sealed ${Math.random()}`;
      kept.set(name, text);
      return Buffer.from(name);
    },
    open(sealed: Uint8Array): string {
      const text = kept.get(Buffer.from(sealed).toString());
      if (isLocked) throw new Error('It is locked');
      if (text === undefined) throw new Error('It is not mine');
      return text;
    },
    lock: () => void (isLocked = true),
    unlock: () => void (isLocked = false),
  };
}
