import { act, fireEvent, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Delivery, DeliveryExchange } from '#shared/api/callback.ts';
import { DEFAULT_SETTINGS, type SettingsAnswer } from '#shared/api/settings.ts';
import { ALERT_STEPS } from '#shared/lib/alerts/alertWords.ts';
import { CallbacksPage } from '../../../renderer/src/features/callbacks/CallbacksPage.tsx';
import { userOf } from '../../helpers/snapshots.ts';
import { NO_BROKER, show, station, testContext, type Stubs } from '../support.tsx';

const TOPIC = 'pickstation/shop-1/callbacks/device';
const BROKER = 'mqtts://broker.shop.example';

const TAKEN: Delivery = {
  id: 'msg_run_7.mqtt',
  receiver: 'mqtt',
  receiver_name: null,
  webhook_id: 'msg_run_7',
  state: 'delivered',
  family: 'device',
  payload: { acknack: 'ack', deviceid: '51D000:000001', location: 'A-3-2', nonce: 'pick-1', qty: 5 },
  url: TOPIC,
  attempts: 1,
  next_attempt: null,
  last_attempt: '2026-11-20T10:00:00.000Z',
  last_status: null,
  last_error: null,
  created: '2026-11-20T10:00:00.000Z',
  command_id: null,
};
const REFUSED: Delivery = {
  ...TAKEN,
  state: 'dead',
  attempts: 24,
  last_error: 'The broker does not allow this topic.',
};

function settingsOf(urls: { callback_url?: string; mqtt_url?: string }): SettingsAnswer {
  const no = {
    listens: 'this_machine',
    host_argument: '',
    port_argument: null,
    certificate: null,
  } as const;
  return {
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
    ...urls,
  };
}

async function open(path: string, delivery: Delivery, calls: Partial<Stubs> = {}): Promise<void> {
  window.history.replaceState(null, '', path);
  const exchange: DeliveryExchange = { ...delivery, request: null, answer: null, milliseconds: null };
  const context = testContext(
    { station: { ...station(), user: userOf('Ann', 'admin') } },
    {
      listCallbacks: () => Promise.resolve([delivery]),
      getCallback: () => Promise.resolve(exchange),
      getDeliveryTimeline: () => Promise.reject(new Error('none')),
      countCallbacks: () => Promise.resolve({ pending: 0, dead: 1, oldest_pending: null, held: null }),
      getSettings: () => Promise.resolve(settingsOf({ mqtt_url: BROKER })),
      getMqtt: () => Promise.resolve({ ...NO_BROKER, state: 'connected', protocol: '5' }),
      ...calls,
    },
  );
  await act(async () => show(context, <CallbacksPage />));
}

const press = (name: string) => act(async () => fireEvent.click(screen.getByRole('button', { name })));
const row = () => within(screen.getByRole('list', { name: 'Callbacks, newest first' })).getByRole('link');
const article = () => screen.getByRole('article').textContent ?? '';

test('each callback in the list shows that it was sent by MQTT and acknowledged by the broker', async () => {
  await open('/connections/callbacks', TAKEN);
  expect(row().textContent).toMatch(/DeliveredMQTT Acknowledged$/);
});

test('a callback refused by the broker shows the reason', async () => {
  await open('/connections/callbacks', REFUSED);
  expect(row().textContent).toMatch(/Failed24 attempts · The broker does not allow this topic\.MQTT Refused$/);
});

test("an open MQTT callback shows its topic, its message and the broker's acknowledgement", async () => {
  await open('/connections/callbacks/msg_run_7.mqtt', TAKEN);
  expect(article()).toContain(`Topic${TOPIC}`);
  expect(article()).toContain('Webhook idmsg_run_7');
  expect(article()).not.toContain('msg_run_7.mqtt');
  expect(article()).toContain('The broker acknowledged it.');
  expect(screen.getByRole('region', { name: 'Message' }).textContent).toContain('"pick-1"');
  expect(screen.queryByRole('region', { name: 'Request' })).toBeNull();
  expect(article()).not.toContain('No answer');
});

test('an open MQTT callback that was refused shows the reason, and can be sent again by its own ID', async () => {
  const replayed: string[] = [];
  await open('/connections/callbacks/msg_run_7.mqtt', REFUSED, {
    replayCallback({ path: { id } }) {
      replayed.push(String(id));
      return Promise.resolve();
    },
  });
  expect(article()).toContain('The broker refused it. The broker does not allow this topic.');
  await press('Send again');
  expect(replayed).toEqual(['msg_run_7.mqtt']);
});

test('before its first attempt, a callback shows no response', async () => {
  await open('/connections/callbacks/msg_run_7.mqtt', {
    ...TAKEN,
    state: 'pending',
    attempts: 0,
    url: null,
    last_attempt: null,
  });
  expect(screen.getByRole('region', { name: 'Message' }).textContent).toContain('Not sent yet.');
  expect(screen.queryByRole('region', { name: 'Answer' })).toBeNull();
});

test('with only a broker, shows the connection and does not ask for a callback URL', async () => {
  await open('/connections/callbacks', TAKEN, { listCallbacks: () => Promise.resolve([]) });
  expect(screen.getByRole('heading', { name: 'No callbacks yet' })).toBeTruthy();
  expect(screen.queryByText('None: no address is set.')).toBeNull();
  expect(screen.queryByRole('region', { name: 'Receiver' })).toBeNull();
  const receiver = within(screen.getByRole('region', { name: 'MQTT broker' }));
  expect(receiver.getByText(BROKER)).toBeTruthy();
  expect(receiver.getByText(/^Connected since .* over MQTT 5$/)).toBeTruthy();
  expect(receiver.getByRole('link', { name: 'Settings and messages' }).getAttribute('href')).toBe('/connections/mqtt');
});

test('the advice for undelivered callbacks also mentions a broker', () => {
  expect(ALERT_STEPS.receiver_failing).toMatch(/system or broker/);
});

test('names both receivers on the page and in the confirmation to send failed callbacks again', async () => {
  await open('/connections/callbacks', REFUSED, {
    getSettings: () => Promise.resolve(settingsOf({ callback_url: 'http://wms.local/hook', mqtt_url: BROKER })),
  });
  const named = (name: string) => screen.getByRole('region', { name }).textContent;
  expect(named('Receiver')).toContain('http://wms.local/hook');
  expect(named('MQTT broker')).toContain(BROKER);
  await press('Send 1 again');
  expect(screen.getByRole('alertdialog').textContent).toContain(`go to http://wms.local/hook and ${BROKER} with`);
});
