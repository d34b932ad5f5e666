import { act, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { MqttLogEntry, MqttStatus, TestMqtt } from '#shared/api/mqtt.ts';
import { DEFAULT_SETTINGS, type SettingsAnswer, type SettingsChange } from '#shared/api/settings.ts';
import { StationSettings } from '../../../renderer/src/features/settings/StationSettings.tsx';
import { ApiError } from '../../../renderer/src/words/apiError.ts';
import { userOf } from '../../helpers/snapshots.ts';
import { NO_BROKER, show, station, testContext, type Stubs } from '../support.tsx';

const BROKER = 'mqtts://broker.shop.example';
const no = { listens: 'this_machine', host_argument: '', port_argument: null, certificate: null } as const;
const OFF: SettingsAnswer = {
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
  exposure: { ...no, addresses: [], next_start: [], warnings: [] },
};
const ON: SettingsAnswer = { ...OFF, mqtt_url: BROKER, mqtt_station: 'shop-1' };

const message = (given: Partial<MqttLogEntry>): MqttLogEntry => ({
  at: '2026-11-22T10:42:07.000Z',
  direction: 'out',
  topic: 'pickstation/shop-1/availability',
  payload: 'online',
  bytes: 6,
  retained: true,
  problem: null,
  ...given,
});
const SET = message({
  direction: 'in',
  topic: 'pickstation/shop-1/devices/51D000:000001/set',
  payload: '{"line1":"Cable tie","color":"b"}',
  bytes: 34,
  retained: false,
  problem: 'There is no device 51D000:000001.',
});
const CONNECTED: MqttStatus = { ...NO_BROKER, state: 'connected', protocol: '5', log: [SET, message({})] };

type Opened = { changes: SettingsChange[]; tests: TestMqtt[] };

async function open(saved: SettingsAnswer, status: () => MqttStatus, calls: Partial<Stubs> = {}): Promise<Opened> {
  const opened: Opened = { changes: [], tests: [] };
  const context = testContext(
    { station: { ...station(), user: userOf('Ann', 'admin') } },
    {
      getSettings: () => Promise.resolve(saved),
      getMail: () => Promise.resolve({ on: false, waiting: 0, last_sent: null, last_error: null }),
      getFolders: () => new Promise(() => undefined),
      getMqtt: () => Promise.resolve(status()),
      changeSettings(change) {
        opened.changes.push(change);
        return Promise.resolve(saved);
      },
      ...calls,
    },
  );
  await act(async () => show(context, <StationSettings groups={[{ id: 'mqtt' }]} />));
  return opened;
}

const form = () => within(screen.getByRole('form', { name: 'MQTT' }));
const connection = () => within(screen.getByRole('region', { name: 'Connection' }));
const rows = () =>
  connection()
    .queryAllByRole('listitem')
    .map((row) => row.querySelector('summary')?.textContent ?? '');
const write = (name: RegExp, value: string) =>
  act(async () => fireEvent.change(form().getByRole('textbox', { name }), { target: { value } }));
const press = (name: string | RegExp) => act(async () => fireEvent.click(screen.getByRole('button', { name })));
const save = () => act(async () => fireEvent.submit(screen.getByRole('form', { name: 'MQTT' })));

beforeEach(() => window.history.replaceState(null, '', '/settings'));
afterEach(() => vi.useRealTimers());

test('without a broker, shows that MQTT is off and which setting is missing, and offers no test', async () => {
  await open(OFF, () => NO_BROKER);
  expect(connection().getByText('Off')).toBeTruthy();
  expect(connection().getByText('Set the address of a broker and save.')).toBeTruthy();
  expect(connection().queryByRole('button')).toBeNull();
  expect(connection().queryByText('No callbacks are waiting.')).toBeNull();
  expect(connection().queryByRole('heading', { name: 'Messages' })).toBeNull();
});

const TWIN =
  'Another station with the id "shop-1" is online at this broker. This one stays off: give one of them another mqtt_station.';
test.each([
  [{ state: 'connecting' }, /^Connecting since /, 'No callbacks are waiting.'],
  [{ state: 'connected', protocol: '5' }, /^Connected since .* over MQTT 5$/, 'No callbacks are waiting.'],
  [
    { state: 'connected', protocol: '3.1.1', waiting: 1 },
    /over MQTT 3\.1\.1$/,
    '1 callback is waiting for the broker.',
  ],
  [
    { state: 'error', problem: 'Connection refused. Check the port.', waiting: 12 },
    /^Not connected since /,
    'Connection refused. Check the port. The station keeps trying.12 callbacks are waiting for the broker.',
  ],
  [{ state: 'refused', problem: TWIN }, /^Not connected since /, `${TWIN} The station keeps trying.`],
] satisfies [Partial<MqttStatus>, RegExp, string][])('describes the state %j', async (given, said, also) => {
  await open(ON, () => ({ ...NO_BROKER, ...given }));
  expect(connection().getByText(said)).toBeTruthy();
  expect(screen.getByRole('region', { name: 'Connection' }).textContent).toContain(also);
});

test('if the state cannot be loaded, shows the reason and can retry', async () => {
  let isWell = false;
  await open(ON, () => {
    if (isWell) return CONNECTED;
    throw new ApiError('unreachable', 'The station is not reached.');
  });
  expect(connection().getByRole('alert').textContent).toContain('The station is not reached.');
  isWell = true;
  await act(async () => fireEvent.click(connection().getByRole('button', { name: 'Try again' })));
  expect(connection().getByText(/^Connected since /)).toBeTruthy();
});

test.each([
  [{ state: 'passed', protocol: '5', problem: null, milliseconds: 3 }, 'The broker delivered a message in 3 ms.'],
  [{ state: 'failed', protocol: null, problem: 'Wrong password.', milliseconds: 3 }, 'Wrong password.'],
] satisfies [TestMqtt, string][])('shows the result of a test: %j', async (result, said) => {
  await open(ON, () => CONNECTED, { testMqtt: () => Promise.resolve(result) });
  expect(connection().getByText('The test uses the saved settings.')).toBeTruthy();
  await press('Test the connection to the broker');
  expect(connection().getByText(said)).toBeTruthy();
});

test('each message shows its direction, topic, start of the content and problem', async () => {
  await open(ON, () => CONNECTED);
  expect(connection().getByText(/Topics are below pickstation\/shop-1\/$/)).toBeTruthy();
  expect(rows()).toEqual([
    expect.stringMatching(
      /to the stationdevices\/51D000:000001\/set\{"line1":"Cable tie","color":"b"\}There is no device 51D000:000001\.$/,
    ),
    expect.stringMatching(/to the brokeravailabilityonline$/),
  ]);
});

test('filters messages by topic, content and problem, and copies the filtered ones as lines', async () => {
  const written: string[] = [];
  Object.defineProperty(navigator, 'clipboard', {
    configurable: true,
    value: { writeText: (text: string) => Promise.resolve(written.push(text)) },
  });
  try {
    await open(ON, () => CONNECTED);
    const filter = (value: string) =>
      act(async () =>
        fireEvent.change(connection().getByRole('textbox', { name: 'Filter messages' }), { target: { value } }),
      );
    for (const text of ['SET cable', 'no device']) {
      await filter(text);
      expect(rows()).toHaveLength(1);
      expect(connection().getByText('1 of 2 messages')).toBeTruthy();
    }
    await press('Copy 1 message');
    expect(written).toEqual([[SET.at, 'in', SET.topic, SET.payload, SET.problem].join('\t')]);
    expect(connection().getAllByText('Copied').length).toBeGreaterThan(0);
    await filter('nothing like that');
    expect(connection().getByText('No message contains this text.')).toBeTruthy();
    expect(connection().getByRole('button', { name: 'Copy 0 messages' })).toHaveProperty('disabled', true);
    await filter('');
    expect(rows()).toHaveLength(2);
  } finally {
    Reflect.deleteProperty(navigator, 'clipboard');
  }
});

test('an open message shows its full topic, content and size', async () => {
  const long = message({ payload: 'x'.repeat(500), bytes: 1_234 });
  await open(ON, () => ({ ...CONNECTED, log: [long] }));
  const details = connection().getByRole('listitem').querySelector('details');
  await act(async () => {
    if (details !== null) details.open = true;
    if (details !== null) fireEvent(details, new Event('toggle'));
  });
  expect(details?.textContent).toContain('pickstation/shop-1/availability');
  expect(details?.textContent).toContain(
    'Truncated: the first 500 characters of 1,234 bytes. Retained: the broker stores it.',
  );
});

test('without messages, says so and does not offer filters', async () => {
  await open(ON, () => ({ ...CONNECTED, log: [] }));
  expect(connection().getByText('No messages yet.')).toBeTruthy();
  expect(connection().queryByRole('textbox')).toBeNull();
});

test('shows new messages automatically, and keeps an open message open', async () => {
  vi.useFakeTimers();
  let log = [message({})];
  await open(ON, () => ({ ...CONNECTED, log }));
  const opened = connection().getByRole('listitem').querySelector('details');
  if (opened !== null) opened.open = true;
  log = [SET, ...log];
  await act(() => vi.advanceTimersByTimeAsync(2_100));
  expect(rows()).toHaveLength(2);
  expect(connection().getAllByRole('listitem')[1]?.querySelector('details')).toBe(opened);
});

test('shows a broker set in another window automatically, and can test it', async () => {
  vi.useFakeTimers();
  let status = NO_BROKER;
  await open(OFF, () => status);
  status = CONNECTED;
  await act(() => vi.advanceTimersByTimeAsync(2_100));
  expect(connection().getByText(/^Connected since /)).toBeTruthy();
  expect(connection().getByRole('button', { name: 'Test the connection to the broker' })).toBeTruthy();
});

test('saves settings and secrets, and keeps the line breaks of a key', async () => {
  const { changes } = await open(OFF, () => NO_BROKER);
  await write(/^Broker/, BROKER);
  await write(/^User name/, 'shop');
  await write(/^Prefix/, 'acme/berlin');
  await write(/^Id of this station/, 'shop-1');
  await act(async () => fireEvent.click(form().getByRole('switch', { name: /^Show the devices/ })));
  await press('Set: Password of the broker');
  await act(async () => fireEvent.change(form().getByLabelText(/^Password/), { target: { value: 'secret' } }));
  await press('Set: Key of this certificate');
  await write(/^Key of this/, '-----BEGIN PRIVATE KEY-----\nabc\n-----END PRIVATE KEY-----');
  await save();
  expect(changes).toEqual([
    {
      mqtt_url: BROKER,
      mqtt_username: 'shop',
      mqtt_prefix: 'acme/berlin',
      mqtt_station: 'shop-1',
      mqtt_discovery: true,
      mqtt_password: 'secret',
      mqtt_key: '-----BEGIN PRIVATE KEY-----\nabc\n-----END PRIVATE KEY-----',
    },
  ]);
});

test('reports a refusal at its field, and opens the certificates if one of their fields is affected', async () => {
  const errors = [
    { path: '/mqtt_url', message: 'Write mqtt:// or mqtts://.' },
    { path: '/mqtt_ca', message: 'Paste the whole PEM file.' },
  ];
  await open(OFF, () => NO_BROKER, {
    changeSettings: () => Promise.reject(new ApiError('invalid', 'Refused.', errors)),
  });
  const details = screen.getByText('Certificates').closest('details');
  expect(details?.open).toBe(false);
  await write(/^Broker/, 'broker');
  await write(/^Certificates to trust/, 'x');
  await save();
  expect(form().getByText('Write mqtt:// or mqtts://.')).toBeTruthy();
  expect(form().getByText('Paste the whole PEM file.')).toBeTruthy();
  expect(details?.open).toBe(true);
});

test('warns about an unencrypted broker on the network, but not on this machine', async () => {
  await open(OFF, () => NO_BROKER);
  const warned = () => form().queryByText(/^Without encryption/) !== null;
  const said = [];
  for (const url of ['mqtt://broker', 'mqtt://127.0.0.1:1883', 'mqtts://broker', 'mqtt://localhost']) {
    await write(/^Broker/, url);
    said.push(warned());
  }
  expect(said).toEqual([true, false, false, false]);
});
