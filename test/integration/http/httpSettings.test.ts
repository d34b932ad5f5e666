import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import type { Problem } from '#shared/api/problem.ts';
import { DEFAULT_SETTINGS, settingsAnswerSchema } from '#shared/api/settings.ts';
import { openStream } from '../../helpers/servers/eventStream.ts';
import { inOnePacket } from '../../helpers/servers/rawHttp.ts';
import { startReceiver } from '../../helpers/servers/receiver.ts';
import { API_KEY, startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

const SECRETS = {
  callback_api_key: 'the-key-7f3a',
  callback_password: 'the-password-7f3a',
  callback_signing_secret: `whsec_${Buffer.from('the-secret-7f3a').toString('base64')}`,
};

let station: TestStation;

beforeEach(async () => {
  station = await startTestStation();
});

afterEach(() => station.stop());

const settings = () => station.get('/api/settings/');

test('a new station has the default for every setting and no secrets', async () => {
  expect(await settings()).toEqual({
    ...DEFAULT_SETTINGS,
    callback_api_key_set: false,
    callback_password_set: false,
    callback_signing_secret_set: false,
    mail_password_set: false,
    mqtt_password_set: false,
    mqtt_key_set: false,
    unreadable_secrets: [],
    unreadable_others: [],
    invalid_settings: [],
    mqtt_station: expect.stringMatching(/^station-[0-9a-f]{8}$/) as string,
    exposure: {
      listens: 'this_machine',
      host_argument: '127.0.0.1',
      port_argument: 0,
      addresses: [station.url],
      certificate: null,
      next_start: [],
      warnings: [],
    },
  });
});

test('PATCH changes the given settings, returns all of them, and survives a restart', async () => {
  const change = {
    callback_url: 'http://wms.local/hook',
    callback_timeout: 5,
    callback_headers: { 'X-Shop': 'one' },
    default_seconds: 0,
    default_color: 'gb',
    cors_origins: ['https://shop.example'],
    unreachable_callback: 'none',
    nonce_alias: 'acme_nonce',
  };
  const answer = await station.patch('/api/settings/', change);
  expect(answer).toMatchObject({ ...change, callback_headers: { 'X-Shop': '***' }, callback_verify: true });
  expect(settingsAnswerSchema.strict().safeParse(answer).success).toBe(true);
  expect(await settings()).toEqual(answer);
  await station.restart();
  // `exposure` depends on the port, which differs after each start.
  expect(await settings()).toEqual({ ...answer, exposure: expect.anything() as unknown });
  await station.patch('/api/settings/', { default_seconds: DEFAULT_SETTINGS.default_seconds });
  expect(station.rows("SELECT key FROM settings WHERE key = 'default_seconds'")).toEqual([]);
});

test('turns off one callback family without changing the others', async () => {
  expect(await station.patch('/api/settings/', { callback_families: { order: false } })).toMatchObject({
    callback_families: { device: true, sequence: true, order: false, condition: false },
  });
});

test('all simultaneous changes are applied, in memory and on disk', async () => {
  const changes = [
    { default_seconds: 30 },
    { default_color: 'blue' },
    { callback_families: { order: false } },
    { callback_families: { device: false } },
  ];
  const answers = await inOnePacket(
    station.url,
    { 'api-key': API_KEY },
    changes.map((body) => ({ method: 'PATCH', path: '/api/settings/', body })),
  );
  expect(answers.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(changes.length);
  const all = {
    default_seconds: 30,
    default_color: 'blue',
    callback_families: { device: false, sequence: true, order: false, condition: false },
  };
  expect(await settings()).toMatchObject(all);
  await station.restart();
  expect(await settings()).toMatchObject(all);
});

test('answers, commits, events and log entries never contain a secret', async () => {
  const stream = await openStream(station.url);
  const answers = [await station.patch('/api/settings/', SECRETS), await settings()];
  for (const answer of answers) {
    expect(answer).toMatchObject({
      callback_api_key_set: true,
      callback_password_set: true,
      callback_signing_secret_set: true,
    });
  }
  answers.push(await station.get('/api/station/'));
  await station.clock.advance(1_000);
  await stream.until(() => stream.text().includes('settings.changed'));
  stream.close();
  const told = JSON.stringify([answers, station.rows('SELECT facts FROM commits'), stream.text(), station.logged]);
  expect(told).not.toMatch(/7f3a/);
  for (const secret of Object.values(SECRETS)) expect(told).not.toContain(secret);
});

test('null clears a secret, and omitted secrets stay', async () => {
  await station.patch('/api/settings/', SECRETS);
  expect(await station.patch('/api/settings/', { callback_password: null })).toMatchObject({
    callback_api_key_set: true,
    callback_password_set: false,
    callback_signing_secret_set: true,
  });
  await station.restart();
  expect(await settings()).toMatchObject({ callback_api_key_set: true, callback_password_set: false });
});

test('an unknown field or an invalid value gets 400 with its path and changes nothing', async () => {
  const before = await settings();
  for (const [body, path] of [
    [{ default_seconds: 5, callback_ulr: 'x' }, '/callback_ulr'],
    [{ default_seconds: 5, callback_api_key_set: true }, '/callback_api_key_set'],
    [{ default_seconds: 'soon' }, '/default_seconds'],
    [{ default_seconds: -1 }, '/default_seconds'],
    [{ default_seconds: 2_592_001 }, '/default_seconds'],
    [{ default_seconds: 5, default_color: 'reddish' }, '/default_color'],
    [{ callback_timeout: 0 }, '/callback_timeout'],
    [{ callback_timeout: 121 }, '/callback_timeout'],
    [{ callback_url: 'ftp://wms.local/' }, '/callback_url'],
    [{ callback_url: 'wms.local/hook' }, '/callback_url'],
    [{ callback_url: 'http://' }, '/callback_url'],
    [{ callback_url: 'http:///wms.local/hook' }, '/callback_url'],
    [{ callback_url: 'http:\\\\wms.local' }, '/callback_url'],
    [{ callback_url: 'http://wms local/{nonce}' }, '/callback_url'],
    [{ callback_url: 'http://wms.local:99999/' }, '/callback_url'],
    [{ callback_url: 'http://user:password@wms.local/' }, '/callback_url'],
    [{ callback_url: null }, '/callback_url'],
    [{ callback_families: { device: 'yes' } }, '/callback_families/device'],
    [{ callback_families: [] }, '/callback_families'],
    [{ unreachable_callback: 'ack' }, '/unreachable_callback'],
    [{ accept_devices: 'some' }, '/accept_devices'],
    [{ cors_origins: 'https://shop.example' }, '/cors_origins'],
    [{ cors_origins: [1] }, '/cors_origins/0'],
    [{ cors_origins: ['null'] }, '/cors_origins/0'],
    [{ cors_origins: ['*'] }, '/cors_origins/0'],
    [{ cors_origins: ['https://shop.example/'] }, '/cors_origins/0'],
    [{ callback_signing_secret: 'secret' }, '/callback_signing_secret'],
    [{ callback_signing_secret: 'whsec_not base64' }, '/callback_signing_secret'],
    [{ callback_signing_secret: 'whsec_A' }, '/callback_signing_secret'],
    [{ callback_signing_secret: 'whsec_c2VjcmV0A' }, '/callback_signing_secret'],
    [{ callback_verify: 'no' }, '/callback_verify'],
    [{ nonce_alias: 'two words' }, '/nonce_alias'],
    [{ nonce_alias: '__proto__' }, '/nonce_alias'],
    [{ nonce_alias: '1st' }, '/nonce_alias'],
    [{ nonce_alias: 'Nonce' }, '/nonce_alias'],
    [{ nonce_alias: 'vendor_nonce' }, '/nonce_alias'],
    [{ nonce_alias: 'SKU' }, '/nonce_alias'],
    [{ nonce_alias: null }, '/nonce_alias'],
    [{ history_days: -1 }, '/history_days'],
    [{ history_days: 36_501 }, '/history_days'],
    [{ callback_days: 1.5 }, '/callback_days'],
  ] as const) {
    const answer = await station.request('PATCH', '/api/settings/', body);
    expect(answer, JSON.stringify(body)).toMatchObject({ status: 400, body: { code: 'invalid', errors: [{ path }] } });
  }
  expect(await settings()).toEqual(before);
});

test('an error names the limit that a value exceeds', async () => {
  const told = async (body: object) => {
    const answer = await station.request('PATCH', '/api/settings/', body);
    return (answer.body as Problem).errors?.map(({ message }) => message);
  };
  expect(await told({ default_seconds: -1 })).toEqual(['The smallest value is 0.']);
  expect(await told({ default_seconds: 2_592_001 })).toEqual(['The largest value is 2592000.']);
  expect(await told({ cors_origins: Array.from({ length: 1_000 }, () => 'https://shop.example') })).toEqual([
    'This is too long: at most 100 elements.',
  ]);
});

test('refuses a header that would inject a line or change how HTTP works', async () => {
  for (const callback_headers of [
    { 'X-A': 'a\r\nX-B: b' },
    { 'X-A': 'a\nX-B: b' },
    { 'X-A': 'a\u0000' },
    { 'X-A': 'ключ' },
    { 'X-A: b\r\nX-B': 'c' },
    { 'X A': 'b' },
    { '': 'b' },
    { 'X-A': {} },
    { 'Content-Length': '5' },
    { 'Transfer-Encoding': 'chunked' },
    { connection: 'close' },
    { Upgrade: 'h2c' },
    { expect: '100-continue' },
  ]) {
    const answer = await station.request('PATCH', '/api/settings/', { callback_headers });
    expect(answer, JSON.stringify(callback_headers)).toMatchObject({ status: 400, body: { code: 'invalid' } });
  }
  expect(await station.request('PATCH', '/api/settings/', { callback_api_key: 'a\r\nX-B: b' })).toMatchObject({
    status: 400,
  });
  expect(await settings()).toMatchObject({ callback_headers: {}, callback_api_key_set: false });
});

test.each<[string, RegExp]>([
  ['X A', /^Not a header name\.$/],
  ['Content-Length', /^HTTP itself writes this header\. Remove it\.$/],
])('explains why the header %s is invalid', async (name, words) => {
  const answer = await station.request('PATCH', '/api/settings/', { callback_headers: { [name]: 'a' } });
  expect(answer.body).toMatchObject({
    errors: [{ path: `/callback_headers/${name}`, message: expect.stringMatching(words) as string }],
  });
});

test('does not accept JavaScript property names as settings', async () => {
  for (const body of ['{"__proto__":{"callback_verify":false}}', '{"constructor":1}', '{"toString":"x"}']) {
    await station.request('PATCH', '/api/settings/', body);
  }
  expect(await settings()).toMatchObject({ callback_verify: true });
  expect(station.rows('SELECT key FROM settings')).toEqual([]);
});

test('a changed default applies to the next command', async () => {
  await station.post('/api/simulator/devices/', {});
  await station.patch('/api/settings/', { default_seconds: 7, default_color: 'blue' });
  await station.post('/api/device/51D000:000001/', { line1: 'x' });
  expect((await station.device('51D000:000001')).commands).toMatchObject([{ seconds: 7, color: 'blue' }]);
});

test('header values are returned as ***, and sending *** back keeps the value', async () => {
  const receiver = await startReceiver();
  onTestFinished(() => receiver.stop());
  const secrets = { Authorization: 'Bearer abcdefgh', 'X-Api-Key': 'hunter2hunter2', 'X-Route': 'via Basic dXNlcjpw' };
  await station.patch('/api/settings/', {
    callback_url: receiver.url,
    callback_headers: { ...secrets, 'X-Shop': 'one' },
  });
  const shown = { Authorization: '***', 'X-Api-Key': '***', 'X-Route': '***', 'X-Shop': '***' };
  expect(await settings()).toMatchObject({ callback_headers: shown });

  const changed = { authorization: '***', 'X-Api-Key': 'another one', 'X-Route': '***', 'X-Shop': 'two' };
  const answer = await station.request('PATCH', '/api/settings/', { callback_headers: changed });
  expect(answer).toMatchObject({
    status: 200,
    body: { callback_headers: { authorization: '***', 'X-Api-Key': '***', 'X-Route': '***', 'X-Shop': '***' } },
  });
  await station.request('POST', '/api/callbacks/test/', {});
  expect(receiver.requests.at(-1)?.headers).toMatchObject({
    authorization: 'Bearer abcdefgh',
    'x-api-key': 'another one',
    'x-route': 'via Basic dXNlcjpw',
    'x-shop': 'two',
  });
});

test('refuses *** for a header that has no value', async () => {
  const name = 'X-Token';
  await station.patch('/api/settings/', { callback_headers: { 'X-Shop': 'one' } });
  const answer = await station.request('PATCH', '/api/settings/', { callback_headers: { [name]: '***' } });
  expect(answer).toMatchObject({ status: 400, body: { errors: [{ path: `/callback_headers/${name}` }] } });
  expect(await settings()).toMatchObject({ callback_headers: { 'X-Shop': '***' } });
});
