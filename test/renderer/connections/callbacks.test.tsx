import { userOf } from '../../helpers/snapshots.ts';
import { act, fireEvent, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Delivery, DeliveryExchange, ReceivedCallback, ReceiverTrouble } from '#shared/api/callback.ts';
import { DEFAULT_SETTINGS, type SettingsAnswer, type SettingsChange } from '#shared/api/settings.ts';
import { CallbacksPage } from '../../../renderer/src/features/callbacks/CallbacksPage.tsx';
import { ApiError } from '../../../renderer/src/words/apiError.ts';
import { countStuck } from '../../../renderer/src/station/alerts.ts';
import { applyMessages } from '../../../renderer/src/station/live/store.ts';
import { show, station, testContext, type Stubs } from '../support.tsx';

const DEAD: Delivery = {
  id: 'msg_run_7',
  receiver: 'http',
  receiver_name: null,
  webhook_id: 'msg_run_7',
  state: 'dead',
  family: 'device',
  payload: { acknack: 'ack', deviceid: '51D000:000001', location: 'A-3-2', nonce: 'pick-1', qty: 5 },
  url: 'http://wms.local/hook',
  attempts: 24,
  next_attempt: null,
  last_attempt: '2026-11-20T10:00:00.000Z',
  last_status: 500,
  last_error: 'The receiver answered 500.',
  created: '2026-11-17T10:00:00.000Z',
  command_id: null,
};

const EXCHANGE: DeliveryExchange = {
  ...DEAD,
  request: {
    method: 'POST',
    url: 'http://wms.local/hook?token=***',
    headers: [
      { name: 'x-api-key', value: '***' },
      { name: 'webhook-id', value: 'msg_run_7' },
    ],
    body: JSON.stringify(DEAD.payload),
  },
  answer: { headers: [{ name: 'server', value: 'wms' }], body: 'no such table', whole: false },
  milliseconds: 12,
};

const TAKEN: ReceivedCallback = {
  id: '1',
  at: '2026-11-20T10:00:00.000Z',
  webhook_id: 'msg_run_8',
  times: 2,
  method: 'POST',
  url: 'http://receiver.invalid/',
  headers: [],
  body: '{"acknack":"ack"}',
  signature: 'wrong',
};

function settingsOf({
  callback_url = '',
  mqtt_url = '',
}: Pick<SettingsChange, 'callback_url' | 'mqtt_url'>): SettingsAnswer {
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
    exposure: {
      listens: 'this_machine',
      host_argument: '',
      port_argument: null,
      addresses: [],
      certificate: null,
      next_start: [],
      warnings: [],
    },
    callback_url,
    mqtt_url,
  };
}

async function open(path: string, calls: Partial<Stubs> = {}, scope: 'admin' | 'control' = 'admin') {
  window.history.replaceState(null, '', path);
  const asked: object[] = [];
  const context = testContext(
    { station: { ...station(), user: userOf('Ann', scope) } },
    {
      listCallbacks({ query }) {
        asked.push(query);
        return Promise.resolve([DEAD]);
      },
      getCallback: () => Promise.resolve(EXCHANGE),
      countCallbacks: () => Promise.resolve({ pending: 2, dead: 1, oldest_pending: null, held: null }),
      getSettings: () => Promise.resolve(settingsOf({ callback_url: 'http://wms.local/hook' })),
      ...calls,
    },
  );
  await act(async () => show(context, <CallbacksPage />));
  return { asked, context };
}

const press = (name: string | RegExp) => act(async () => fireEvent.click(screen.getByRole('button', { name })));

test('lists each delivery with its event, state and last response, and counts pending and failed deliveries', async () => {
  await open('/connections/callbacks');
  const row = within(screen.getByRole('list', { name: 'Callbacks, newest first' })).getByRole('link');
  expect(row.textContent).toMatch(/^Pressed A-3-2 · pick-1.*Failed24 attemptsHTTP 500$/);
  expect(screen.getByText('2 pending, 1 failed')).toBeTruthy();
});

test('shows why callbacks are held back', async () => {
  const held = 'callback_signing_secret cannot be read. Callbacks wait until then.';
  await open('/connections/callbacks', {
    countCallbacks: () => Promise.resolve({ pending: 2, dead: 0, oldest_pending: null, held }),
  });
  expect(screen.getByText(held).closest('[role=status]')).toBeTruthy();
});

test('shows no notice if no callbacks are held back', async () => {
  await open('/connections/callbacks');
  const notices = screen.getAllByRole('status');
  expect(notices.map(({ textContent }) => textContent).filter((words) => words !== '')).toEqual([
    '2 pending, 1 failed',
  ]);
  expect(notices.filter((notice) => notice.querySelector('svg') !== null)).toEqual([]);
});

test('does not offer a replay if no delivery has failed', async () => {
  await open('/connections/callbacks', {
    countCallbacks: () => Promise.resolve({ pending: 2, dead: 0, oldest_pending: null, held: null }),
  });
  expect(screen.queryByRole('button', { name: /again/ })).toBeNull();
});

test('requests only deliveries of the chosen state or kind', async () => {
  const { asked } = await open('/connections/callbacks');
  await act(async () => fireEvent.click(screen.getByRole('radio', { name: 'Failed' })));
  expect(asked.at(-1)).toEqual({ limit: 100, state: 'dead' });
  await act(async () => fireEvent.click(screen.getByRole('radio', { name: 'All' })));
  expect(asked.at(-1)).toEqual({ limit: 100 });
  await press('By kind: All kinds');
  await act(async () => fireEvent.click(screen.getByRole('menuitemradio', { name: 'Alerts' })));
  expect(asked.at(-1)).toEqual({ limit: 100, family: 'condition' });
});

test('reloads the list when the station reports new deliveries, and only then', async () => {
  const { asked, context } = await open('/connections/callbacks');
  const before = asked.length;
  await act(async () => {
    applyMessages(context.store, [{ kind: 'ephemera', ephemera: { devices: [], turbos: [], deliveries: true } }]);
  });
  expect(asked.length).toBe(before + 1);
  await act(async () => {
    applyMessages(context.store, [{ kind: 'ephemera', ephemera: { devices: [], turbos: [] } }]);
  });
  expect(asked.length).toBe(before + 1);
});

/** Returns deliveries with these numbers in the station's order, newest first. */
const numbered = (first: number, last = 1): Delivery[] =>
  Array.from({ length: first - last + 1 }, (_, place) => ({
    ...DEAD,
    id: `msg_${first - place}`,
    payload: { ...DEAD.payload, nonce: `pick-${first - place}.` },
  }));

/** Fakes a station that returns these deliveries page by page. */
function pagesOf(known: () => readonly Delivery[]): Pick<Stubs, 'listCallbacks'> {
  return {
    listCallbacks({ query: { after, limit = 50 } }) {
      const all = known();
      const from = after === undefined ? 0 : all.findIndex(({ id }) => id === after) + 1;
      return Promise.resolve(all.slice(from, from + limit));
    },
  };
}

const goneOn = (context: Awaited<ReturnType<typeof open>>['context']) =>
  act(async () => {
    applyMessages(context.store, [{ kind: 'ephemera', ephemera: { devices: [], turbos: [], deliveries: true } }]);
  });
const drawn = () =>
  within(screen.getByRole('list', { name: 'Callbacks, newest first' }))
    .getAllByRole('listitem')
    .map((line) => /(pick-\d+)\./.exec(line.textContent ?? '')?.[1]);

/** Scrolls to the row with this index. */
async function scrollTo(place: number): Promise<HTMLElement> {
  const box = screen.getByRole('list', { name: 'Callbacks, newest first' }).parentElement;
  if (box === null) throw new Error('The list stands nowhere.');
  await act(async () => {
    box.scrollTop = place * 64;
    fireEvent.scroll(box);
  });
  return box;
}

test('draws only the visible rows of a long list, loads older callbacks on scrolling, and supports arrow keys', async () => {
  await open(
    '/connections/callbacks',
    pagesOf(() => numbered(3_000)),
  );
  expect(drawn().length).toBeLessThan(40);
  expect(drawn()[0]).toBe('pick-3000');
  for (const place of [90, 480, 880]) await scrollTo(place);
  expect(drawn()).toContain('pick-2120');
  await scrollTo(0);
  const [first] = screen.getAllByRole('link', { name: /pick-3000/ });
  act(() => first?.focus());
  await act(async () => fireEvent.keyDown(document.activeElement ?? document, { key: 'ArrowDown' }));
  expect(document.activeElement?.textContent).toContain('pick-2999');
  expect(screen.getAllByRole('link', { name: /pick-/ }).filter((link) => link.tabIndex === 0)).toHaveLength(1);
});

test('keeps the scroll position when new callbacks arrive, and updates the visible rows', async () => {
  let known = numbered(1_000);
  const { context } = await open(
    '/connections/callbacks',
    pagesOf(() => known),
  );
  await scrollTo(90);
  const box = await scrollTo(300);
  const before = box.scrollTop;
  expect(drawn()).toContain('pick-700');
  known = [...numbered(1_250, 1_001), ...known].map((each) =>
    each.id === 'msg_698' ? { ...each, state: 'delivered' } : each,
  );
  await goneOn(context);
  expect(box.scrollTop - before).toBe(250 * 64);
  fireEvent.scroll(box);
  expect(drawn()).toContain('pick-700');
  expect(screen.getByRole('link', { name: /pick-698/ }).textContent).toContain('Delivered');
  // If too many are new, the visible rows stay until the user returns to the top.
  known = [...numbered(9_000, 1_251), ...known];
  await goneOn(context);
  expect(drawn()).toContain('pick-700');
  await scrollTo(0);
  await goneOn(context);
  expect(drawn()[0]).toBe('pick-9000');
});

test('an open callback shows its request and response, and can be sent again', async () => {
  const replayed: string[] = [];
  await open('/connections/callbacks/msg_run_7', {
    replayCallback: async ({ path: { id } }) => void replayed.push(String(id)),
  });
  const page = document.body.textContent ?? '';
  expect(page).toContain('POST http://wms.local/hook?token=***\nx-api-key: ***');
  expect(page).toContain('"nonce": "pick-1"');
  expect(page).toContain('500\nserver: wms\n\nno such table');
  expect(page).toContain('Truncated: only the beginning is shown.');
  await press('Send again');
  expect(replayed).toEqual(['msg_run_7']);
  expect(document.body.textContent).toContain('The callback is being sent again.');
});

test('reloads a callback after it is sent again', async () => {
  let read = 0;
  await open('/connections/callbacks/msg_run_7', {
    getCallback() {
      read += 1;
      return Promise.resolve(read === 1 ? EXCHANGE : { ...EXCHANGE, state: 'pending', attempts: 0, answer: null });
    },
    replayCallback: () => Promise.resolve(),
  });
  const article = () => screen.getByRole('article').textContent ?? '';
  expect(article()).toContain('no such table');
  await press('Send again');
  expect(read).toBe(2);
  expect(article()).not.toContain('no such table');
});

test('explains why a callback was not sent again', async () => {
  await open('/connections/callbacks/msg_run_7', {
    replayCallback: () => Promise.reject(new ApiError('unreachable', 'The station is not reached.')),
  });
  await press('Send again');
  expect(document.body.textContent).toContain('The callback was not sent again. The station is not reached.');
});

test('sends all failed callbacks again after one confirmation', async () => {
  let asked = 0;
  await open('/connections/callbacks', {
    replayDeadCallbacks() {
      asked += 1;
      return Promise.resolve({ replayed: 1 });
    },
  });
  await press('Send 1 again');
  expect(asked).toBe(0);
  expect(screen.getByRole('alertdialog').textContent).toContain('http://wms.local/hook');
  await press('Send');
  expect(asked).toBe(1);
  expect(document.body.textContent).toContain('Sending 1 callback again.');
});

test('asks before the built-in receiver replaces a callback URL', async () => {
  const changes: SettingsChange[] = [];
  const bases: unknown[] = [];
  const changeSettings: Stubs['changeSettings'] = (change, read) => {
    changes.push(change);
    bases.push(read?.callback_url);
    return Promise.resolve(settingsOf(change));
  };
  await open('/connections/callbacks', { changeSettings });
  await press('Use built-in receiver');
  expect(changes).toEqual([]);
  await act(async () =>
    fireEvent.click(within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Use built-in receiver' })),
  );
  expect(changes).toEqual([{ callback_url: 'http://receiver.invalid/' }]);
  // The change is based on the URL that the user saw, so a newer one is not replaced.
  expect(bases).toEqual(['http://wms.local/hook']);
});

test('without a callback URL, sets the built-in receiver without asking, and shows what it receives', async () => {
  const changes: SettingsChange[] = [];
  let settings = settingsOf({});
  await open('/connections/callbacks/to', {
    getSettings: () => Promise.resolve(settings),
    changeSettings(change) {
      changes.push(change);
      settings = settingsOf(change);
      return Promise.resolve(settings);
    },
    listReceivedCallbacks: () => Promise.resolve([TAKEN]),
  });
  await press('Use built-in receiver');
  expect(changes).toEqual([{ callback_url: 'http://receiver.invalid/' }]);
  expect(screen.queryByRole('alertdialog')).toBeNull();
  expect(screen.getByRole('list', { name: 'Received callbacks, newest first' })).toBeTruthy();
});

test('shows whether the signature of a callback to the built-in receiver is valid, and how often the callback arrived', async () => {
  await open('/connections/callbacks', {
    getSettings: () => Promise.resolve(settingsOf({ callback_url: 'http://receiver.invalid/' })),
    listReceivedCallbacks: () => Promise.resolve([TAKEN]),
  });
  const list = screen.getByRole('list', { name: 'Received callbacks, newest first' });
  expect(list.textContent).toMatch(/received 2 times.*Signature invalid/);
});

test('without a callback URL, explains that there is no receiver and links to the setting', async () => {
  await open('/connections/callbacks', {
    listCallbacks: () => Promise.resolve([]),
    getSettings: () => Promise.resolve(settingsOf({})),
  });
  expect(screen.getByRole('heading', { name: 'No receiver' })).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Set the address' }).getAttribute('href')).toBe(
    '/connections/callback-settings',
  );
});

test('a list that cannot be loaded shows an error, and loading can be retried', async () => {
  let isWell = false;
  await open('/connections/callbacks', {
    listCallbacks: () =>
      isWell ? Promise.resolve([DEAD]) : Promise.reject(new ApiError('unreachable', 'The station is not reached.')),
  });
  expect(screen.getByRole('heading', { name: 'The callbacks could not be loaded' })).toBeTruthy();
  isWell = true;
  await press('Try again');
  expect(screen.getByText('Pressed')).toBeTruthy();
});

test('a user who is not an admin sees “Admins only”, and the page sends no requests', async () => {
  const { asked } = await open('/connections/callbacks', {}, 'control');
  expect(screen.getByRole('heading', { name: 'Admins only' })).toBeTruthy();
  expect(asked).toEqual([]);
});

const failing = (receiver: ReceiverTrouble | null) => [
  { kind: 'ephemera' as const, ephemera: { devices: [], turbos: [], receiver } },
];

test('shows a failing receiver until it works again, and sends its waiting callbacks with one press', async () => {
  let sent = 0;
  const { context } = await open('/connections/callbacks', {
    sendWaitingCallbacks: async () => ({ waiting: (sent += 1) * 12 }),
  });
  expect(screen.queryByRole('button', { name: 'Send all now' })).toBeNull();
  const trouble = { failing_since: '2026-11-20T10:42:00.000Z', status: null, waiting: 12 };
  await act(async () => applyMessages(context.store, failing(trouble)));
  expect(screen.getByText(/^Your system has not answered since /)).toBeTruthy();
  expect(screen.getByText(/: 12 callbacks are waiting\.$/)).toBeTruthy();
  expect(countStuck(context.store.getState())).toBe(12);
  await press('Send all now');
  expect(sent).toBe(1);
  await act(async () => applyMessages(context.store, failing({ ...trouble, status: 503, waiting: 0 })));
  expect(screen.getByText(/^Your system has refused callbacks since .* \(status 503\)$/)).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Send all now' })).toBeNull();
  expect(countStuck(context.store.getState())).toBe(1);
  // A message without the receiver's state changes nothing.
  const other = [{ kind: 'ephemera' as const, ephemera: { devices: [], turbos: [], deliveries: true as const } }];
  await act(async () => applyMessages(context.store, other));
  expect(countStuck(context.store.getState())).toBe(1);
  await act(async () => applyMessages(context.store, failing(null)));
  expect(screen.queryByText(/^Your system has/)).toBeNull();
  expect(countStuck(context.store.getState())).toBe(0);
});
