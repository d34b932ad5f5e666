import { act, fireEvent, screen, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import type { Delivery, DeliveryQuery } from '#shared/api/callback.ts';
import type { CallbackReceiverChange, CallbackReceiverEntry } from '#shared/api/callbackReceiver.ts';
import { DEFAULT_SETTINGS, type SettingsAnswer } from '#shared/api/settings.ts';
import { CallbacksPage } from '../../../renderer/src/features/callbacks/CallbacksPage.tsx';
import { ApiError } from '../../../renderer/src/words/apiError.ts';
import { applyMessages } from '../../../renderer/src/station/live/store.ts';
import { userOf } from '../../helpers/snapshots.ts';
import { show, station, testContext, type Stubs } from '../support.tsx';

const FAMILIES = {
  device: true,
  sequence: false,
  order: true,
  order_state: false,
  condition: false,
  movement: false,
  task: false,
};
const PRINTER: CallbackReceiverEntry = {
  id: '2',
  name: 'Label printer',
  url: 'http://10.0.0.7/hook',
  families: FAMILIES,
  paused: false,
  api_key_set: true,
  signing_secret_set: false,
  unreadable_secrets: [],
  waiting: 0,
  failed: 0,
  last: { at: '2026-11-20T10:00:00.000Z', status: 200, error: null },
  trouble: null,
};
const DELIVERY: Delivery = {
  id: 'msg_run_7.2',
  receiver: '2',
  receiver_name: 'Label printer',
  webhook_id: 'msg_run_7',
  state: 'delivered',
  family: 'device',
  payload: { acknack: 'ack', deviceid: '51D000:000001', location: 'A-3-2', nonce: 'pick-1', qty: 5 },
  url: PRINTER.url,
  attempts: 1,
  next_attempt: null,
  last_attempt: '2026-11-20T10:00:00.000Z',
  last_status: 200,
  last_error: null,
  created: '2026-11-20T10:00:00.000Z',
  command_id: null,
};

let receivers: CallbackReceiverEntry[];
let asked: Omit<DeliveryQuery, 'limit'>[];
let sent: unknown[];

beforeEach(() => {
  receivers = [PRINTER];
  asked = [];
  sent = [];
});

async function open(deliveries: readonly Delivery[] = [DELIVERY], calls: Partial<Stubs> = {}) {
  window.history.replaceState(null, '', '/connections/callbacks/to');
  const settings = { ...DEFAULT_SETTINGS, callback_url: 'http://erp.shop.example/' } as unknown as SettingsAnswer;
  const context = testContext(
    { station: { ...station(), user: userOf('Ann', 'admin') } },
    {
      listCallbacks: ({ query }) => {
        asked.push(query);
        return Promise.resolve(deliveries);
      },
      countCallbacks: () => Promise.resolve({ pending: 0, dead: 0, oldest_pending: null, held: null }),
      getSettings: () => Promise.resolve(settings),
      listCallbackReceivers: () => Promise.resolve(receivers),
      addCallbackReceiver: ({ body: receiver }) => {
        sent.push(receiver);
        return Promise.resolve(PRINTER);
      },
      changeCallbackReceiver: ({ id, change }: { id: string; change: CallbackReceiverChange }) => {
        sent.push([id, change]);
        receivers = receivers.map((one) => (one.id === id ? { ...one, paused: change.paused ?? one.paused } : one));
        return Promise.resolve(PRINTER);
      },
      removeCallbackReceiver: (id: string) => {
        sent.push(id);
        receivers = [];
        return Promise.resolve(undefined);
      },
      testCallback: ({ body: { receiver } }) => {
        sent.push(['test', receiver]);
        return Promise.reject(new Error('The station is busy.'));
      },
      replayDeadCallbacks: ({ body: { receiver } }) => {
        sent.push(['replay', receiver]);
        return Promise.resolve({ replayed: 3 });
      },
      ...calls,
    },
  );
  await act(async () => show(context, <CallbacksPage />));
  return context;
}

const section = () => within(screen.getByRole('region', { name: 'Further receivers' }));
const press = (name: string) => act(async () => fireEvent.click(screen.getByRole('button', { name })));
const choose = (name: string) => act(async () => fireEvent.click(screen.getByRole('menuitem', { name })));
const row = () => section().getByRole('listitem').textContent ?? '';
const type = (label: string, value: string) =>
  act(async () => fireEvent.change(screen.getByLabelText(label), { target: { value } }));

test('a receiver shows its events, its last result and its waiting callbacks', async () => {
  receivers = [{ ...PRINTER, waiting: 3, failed: 2 }];
  await open();
  for (const part of [
    'Label printer',
    PRINTER.url,
    'Devices, Orders',
    '3 callbacks are waiting',
    '2 failed',
    'Delivered',
  ])
    expect(row()).toContain(part);
  expect(row()).toMatch(/Last result .*: 200/);
});

const STATES: [why: string, change: Partial<CallbackReceiverEntry>, says: RegExp][] = [
  ['has never received a callback', { last: null }, /Nothing sent yet/],
  ['is paused', { paused: true, trouble: null }, /Paused/],
  ['has an unreadable signing secret', { unreadable_secrets: ['signing_secret'] }, /A secret cannot be read/],
  [
    'refused once',
    { last: { at: '2026-11-20T10:00:00.000Z', status: 500, error: 'The receiver answered 500.' } },
    /Retrying.*The receiver answered 500\./,
  ],
  [
    'keeps refusing',
    { trouble: { failing_since: '2026-11-20T10:00:00.000Z', status: 503, waiting: 4 } },
    /Refusing since .* \(status 503\)/,
  ],
  [
    'does not respond',
    { trouble: { failing_since: '2026-11-20T10:00:00.000Z', status: null, waiting: 4 } },
    /No answer since/,
  ],
];

for (const [why, change, says] of STATES) {
  test(`describes the state of a receiver that ${why}`, async () => {
    receivers = [{ ...PRINTER, ...change }];
    await open();
    expect(row()).toMatch(says);
  });
}

test('without additional receivers, explains what they are for', async () => {
  receivers = [];
  await open();
  expect(section().getByText(/Add one to send callbacks to another program too/)).toBeTruthy();
});

test('sends a new receiver with its events and secrets, and rejects an empty form before sending', async () => {
  await open();
  await press('Add receiver');
  const dialog = within(screen.getByRole('dialog'));
  const submit = () => act(async () => fireEvent.click(dialog.getByRole('button', { name: 'Add receiver' })));
  await submit();
  expect(dialog.getByText('Enter a name.')).toBeTruthy();
  expect(sent).toEqual([]);
  await type('Name', ' Booking ');
  await type('URL', 'http://127.0.0.1:4681/');
  await act(async () => fireEvent.click(dialog.getByRole('switch', { name: /Steps and completed sequences/ })));
  await press('Set: Signing secret');
  await type('Signing secret', 'whsec_c2VjcmV0');
  await submit();
  expect(sent).toEqual([
    {
      name: 'Booking',
      url: 'http://127.0.0.1:4681/',
      families: {
        device: true,
        sequence: false,
        order: true,
        order_state: false,
        condition: false,
        movement: false,
        task: false,
      },
      signing_secret: 'whsec_c2VjcmV0',
      paused: false,
    },
  ]);
});

test('an edit keeps an untouched secret, and sends null for a cleared one', async () => {
  await open();
  await press('Edit Label printer');
  await type('URL', 'http://10.0.0.8/hook');
  await press('Clear: API key');
  await press('Save');
  expect(sent).toEqual([['2', { url: 'http://10.0.0.8/hook', api_key: null }]]);
});

const touch = (name: 'Sending' | 'Paused') => act(async () => fireEvent.click(section().getByRole('radio', { name })));
const isChosen = (name: string) => section().getByRole('radio', { name }).getAttribute('aria-checked');

test('pauses and resumes a receiver by choosing the state', async () => {
  await open();
  expect([isChosen('Sending'), isChosen('Paused')]).toEqual(['true', 'false']);
  await touch('Paused');
  expect(isChosen('Paused')).toBe('true');
  await touch('Sending');
  expect(sent).toEqual([
    ['2', { paused: true }],
    ['2', { paused: false }],
  ]);
});

test('choosing “Paused” does not resume a receiver that somebody else has just paused', async () => {
  const { store } = await open();
  receivers = [{ ...PRINTER, paused: true }];
  const control = section().getByRole('radio', { name: 'Paused' });
  await act(async () =>
    applyMessages(store, [{ kind: 'ephemera', ephemera: { devices: [], turbos: [], deliveries: true } }]),
  );
  expect(isChosen('Paused')).toBe('true');
  await act(async () => fireEvent.click(control));
  expect(sent).toEqual([]);
  expect(isChosen('Paused')).toBe('true');
});

test('sends a second change of the state only after the response to the first', async () => {
  const [first, changes]: [PromiseWithResolvers<void>, unknown[]] = [Promise.withResolvers<void>(), []];
  await open([DELIVERY], {
    changeCallbackReceiver: ({ change: { paused }, seen }) => {
      changes.push([seen?.paused, paused]);
      return first.promise.then(() => ({ ...PRINTER, paused: paused === true }));
    },
  });
  await touch('Paused');
  await touch('Sending');
  expect([isChosen('Sending'), changes]).toEqual(['true', [[false, true]]]);
  await act(async () => first.resolve());
  expect(changes).toEqual([
    [false, true],
    [true, false],
  ]);
});

test('after a refused pause, shows the actual state of the receiver', async () => {
  const refuse = () => Promise.reject(new ApiError('changed', 'Somebody has changed this.'));
  await open([DELIVERY], { changeCallbackReceiver: refuse });
  receivers = [{ ...PRINTER, paused: true }];
  await touch('Paused');
  expect(screen.getByText(/The receiver was not changed\. Somebody has changed this\./)).toBeTruthy();
  expect(isChosen('Paused')).toBe('true');
});

test('asks before deleting a receiver, and warns about its waiting callbacks', async () => {
  receivers = [{ ...PRINTER, waiting: 3 }];
  await open();
  await press('More for Label printer');
  await choose('Delete');
  expect(screen.getByText(/3 callbacks are waiting for it and will never be sent/)).toBeTruthy();
  expect(sent).toEqual([]);
  await press('Delete');
  expect(sent).toEqual(['2']);
  expect(section().queryByRole('listitem')).toBeNull();
});

test("a test or replay from a receiver's menu goes only to that receiver", async () => {
  receivers = [{ ...PRINTER, failed: 3 }];
  await open();
  await press('More for Label printer');
  await choose('Send a test');
  await press('More for Label printer');
  await choose('Send 3 failed again');
  expect(sent).toEqual([
    ['test', '2'],
    ['replay', '2'],
  ]);
});

test('the list shows the receiver of each callback, and can be filtered by receiver', async () => {
  await open([DELIVERY, { ...DELIVERY, id: 'msg_run_6.9', receiver: '9', receiver_name: null }]);
  const list = within(screen.getByRole('list', { name: 'Callbacks, newest first' }));
  expect(
    list.getAllByRole('link').map(({ textContent }) => /Label printer|Deleted receiver/.exec(textContent ?? '')?.[0]),
  ).toEqual(['Label printer', 'Deleted receiver']);
  await press('By receiver: All receivers');
  await act(async () => fireEvent.click(screen.getByRole('menuitemradio', { name: 'Label printer' })));
  expect(asked.at(-1)).toMatchObject({ receiver: '2' });
  expect(screen.getByRole('button', { name: 'By receiver: Label printer' })).toBeTruthy();
});

test('shows warnings about a saved receiver', async () => {
  const warned = { ...PRINTER, warnings: ['It gets no callbacks, because no family is on.'] };
  await open([DELIVERY], {
    addCallbackReceiver: () => Promise.resolve(warned),
    changeCallbackReceiver: () => Promise.resolve(warned),
  });
  await press('Add receiver');
  await type('Name', 'Booking');
  await type('URL', 'http://127.0.0.1:4681/');
  const dialog = within(screen.getByRole('dialog'));
  await act(async () => fireEvent.click(dialog.getByRole('button', { name: 'Add receiver' })));
  expect(screen.getByText(/It gets no callbacks, because no family is on\.$/)).toBeTruthy();
});
