import { act, fireEvent, screen, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import type { FoldersStatus } from '#shared/api/folders.ts';
import type { SettingsAnswer } from '#shared/api/settings.ts';
import { askBefore } from '../../renderer/src/features/settings/draft.ts';
import { AccountForm } from '../../renderer/src/features/settings/AccountForm.tsx';
import { ApiError } from '../../renderer/src/words/apiError.ts';
import { SAVED, settingsApi, open, openGroups, group, field, fill, save } from './settingsPageSupport.tsx';

beforeEach(() => window.history.replaceState(null, '', '/settings'));

test('each group saves only its own changes', async () => {
  const { calls, api } = settingsApi();
  await openGroups(api, 'callbacks', 'defaults');
  fill('Callback URL', 'https://erp.example/new');
  fireEvent.click(screen.getByRole('switch', { name: 'Alerts' }));
  fireEvent.change(screen.getByRole('combobox', { name: 'LED color' }), { target: { value: 'blue' } });
  await save('Callbacks');
  expect(calls).toEqual([{ callback_url: 'https://erp.example/new', callback_families: { condition: true } }]);
  expect(screen.getByText('Callbacks: saved.')).toBeTruthy();
  expect(screen.getByRole('combobox', { name: 'LED color' })).toHaveProperty('value', 'blue');
  await save('Defaults');
  expect(calls[1]).toEqual({ default_color: 'blue' });
});

test('reasons for a short are edited as lines of a key and its text', async () => {
  const { calls, api } = settingsApi();
  await openGroups(api, 'orders');
  expect(field('Reasons for a short')).toHaveProperty('value', 'missing\ndamaged\nwrong_item\nother');
  fill('Reasons for a short', 'missing = Not on the shelf\nlost\n damaged=\nother');
  await save('Orders');
  const reasons = [{ key: 'missing', text: 'Not on the shelf' }, { key: 'lost' }, { key: 'damaged' }, { key: 'other' }];
  expect(calls).toEqual([{ short_reasons: reasons }]);
  expect(field('Reasons for a short')).toHaveProperty(
    'value',
    'missing = Not on the shelf\nlost\ndamaged\nother\nwrong_item',
  );
});

test('Retention has the days of customers and notes, and saves them', async () => {
  const { calls, api } = settingsApi();
  await openGroups(api, 'kept');
  fill('Days of customers and notes', '30');
  fireEvent.blur(field('Days of customers and notes'));
  await save('Retention');
  expect(calls).toEqual([{ history_customer_days: 30 }]);
});

test('somebody else changed the same setting: the page shows the refusal and their values, and keeps what was typed', async () => {
  const { calls, api } = settingsApi();
  const theirs = { ...SAVED, callback_url: 'https://theirs.example/', callback_timeout: 20 };
  const based: unknown[] = [];
  let loaded = SAVED;
  await openGroups(
    {
      ...api,
      loadSettings: () => Promise.resolve(loaded),
      changeSettings(change, read) {
        calls.push(change);
        based.push(read);
        if (read === theirs) return Promise.resolve({ ...theirs, ...change } as typeof SAVED);
        loaded = theirs;
        const errors = [{ path: '/callback_url', message: 'It has changed since you read it.' }];
        return Promise.reject(new ApiError('changed', 'Changed since you read it: callback_url.', errors));
      },
    },
    'callbacks',
  );
  fill('Callback URL', 'https://mine.example/');
  await save('Callbacks');
  expect(screen.getByText(/It has changed since you read it/)).toBeTruthy();
  expect(field('Callback URL')).toHaveProperty('value', 'https://mine.example/');
  expect(screen.getByRole('textbox', { name: /^Time limit/ })).toHaveProperty('value', '20');
  const theirChanges = screen.getByRole('group', { name: 'Somebody else changed this meanwhile' });
  expect(within(theirChanges).getByRole('listitem').textContent).toBe(
    `Callback URL is now “${theirs.callback_url}”. You typed “https://mine.example/”.`,
  );
  await save('Callbacks');
  expect(calls).toEqual([{ callback_url: 'https://mine.example/' }, { callback_url: 'https://mine.example/' }]);
  expect(based).toEqual([SAVED, theirs]);
  expect(screen.getByText('Callbacks: saved.')).toBeTruthy();
});

test('a person can use what somebody else saved meanwhile', async () => {
  const theirs = { ...SAVED, callback_url: 'https://theirs.example/' };
  let loaded = SAVED;
  const { api } = settingsApi();
  await openGroups(
    {
      ...api,
      loadSettings: () => Promise.resolve(loaded),
      changeSettings() {
        loaded = theirs;
        return Promise.reject(new ApiError('changed', 'Changed since you read it: callback_url.', []));
      },
    },
    'callbacks',
  );
  fill('Callback URL', 'https://mine.example/');
  await save('Callbacks');
  await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Use theirs' })));
  expect(field('Callback URL')).toHaveProperty('value', 'https://theirs.example/');
  expect(screen.queryByRole('button', { name: 'Save mine' })).toBeNull();
  expect(group('Callbacks').getByRole('button', { name: 'Save' })).toHaveProperty('disabled', true);
});

test('typing the old value again is not a change', async () => {
  const { calls, api } = settingsApi();
  await openGroups(api, 'callbacks');
  fill('Callback URL', 'x');
  expect(group('Callbacks').getByRole('button', { name: 'Save' })).toHaveProperty('disabled', false);
  fill('Callback URL', SAVED.callback_url);
  expect(group('Callbacks').getByRole('button', { name: 'Save' })).toHaveProperty('disabled', true);
  await save('Callbacks');
  expect(calls).toEqual([]);
});

test('converts lines to lists and headers', async () => {
  const { calls, api } = settingsApi();
  await openGroups(api, 'callbacks', 'network');
  fill('More headers', 'X-Site: harbour\n\n X-Shift:  early \n');
  await save('Callbacks');
  fill('More addresses of this station', 'https://one.example/\nhttps://two.example/');
  await save('Network and security');
  expect(calls).toEqual([
    { callback_headers: { 'X-Site': 'harbour', 'X-Shift': 'early' } },
    { public_urls: ['https://one.example/', 'https://two.example/'] },
  ]);
});

test('Basic authentication is off, and turning it on explains the risk', async () => {
  const { calls, api } = settingsApi();
  await openGroups(api, 'network');
  const basic = screen.getByRole('switch', { name: /^User name and password with each request/ });
  expect(basic).toHaveProperty('checked', false);
  expect(screen.queryByText(/stores a person’s password/)).toBeNull();
  fireEvent.click(basic);
  expect(screen.getByText(/stores a person’s password/)).toBeTruthy();
  await save('Network and security');
  expect(calls).toEqual([{ basic_auth: true }]);
});

test('turning off the request log says that the kept requests are cleared', async () => {
  const { calls, api } = settingsApi();
  await openGroups(api, 'requestLog');
  const keep = screen.getByRole('switch', { name: /^Keep the last 1,000 requests/ });
  expect(keep).toHaveProperty('checked', true);
  expect(screen.queryByText(/Saving clears the kept requests/)).toBeNull();
  fireEvent.click(keep);
  expect(screen.getByText(/Saving clears the kept requests/)).toBeTruthy();
  await save('Request log');
  expect(calls).toEqual([{ request_log: false }]);
  expect(screen.queryByText(/Saving clears the kept requests/)).toBeNull();
});

test('an invalid header is reported at once, and nothing is sent', async () => {
  const { calls, api } = settingsApi();
  await openGroups(api, 'callbacks');
  fill('More headers', 'no colon');
  await save('Callbacks');
  expect(calls).toEqual([]);
  expect(field('More headers').getAttribute('aria-invalid')).toBe('true');
  expect(field('More headers')).toHaveProperty('value', 'no colon');
});

test('a refusal of the station is reported at its field, and the input stays', async () => {
  const refusal = new ApiError('invalid', 'The request is not valid', [
    { path: '/public_urls/1', message: 'A URL starts with http:// or https:// and names a host.' },
  ]);
  const { api } = settingsApi(refusal);
  await openGroups(api, 'network');
  fill('More addresses of this station', 'https://one.example/\nnowhere');
  await save('Network and security');
  const addresses = field('More addresses of this station');
  expect(addresses).toHaveProperty('value', 'https://one.example/\nnowhere');
  expect(addresses.getAttribute('aria-invalid')).toBe('true');
  const described = (addresses.getAttribute('aria-describedby') ?? '')
    .split(' ')
    .map((id) => document.getElementById(id)?.textContent);
  expect(described).toContain('Line 2: A URL starts with http:// or https:// and names a host.');
  expect(group('Network and security').getByRole('alert').textContent).toBe('Not saved. Correct the marked fields.');
});

test('without an answer of the station, the group says so and keeps the input', async () => {
  const { api } = settingsApi(new ApiError('unreachable', 'The station does not answer.'));
  await openGroups(api, 'callbacks');
  fill('Callback URL', 'https://typed.example/');
  await save('Callbacks');
  expect(group('Callbacks').getByRole('alert').textContent).toBe('The station does not answer.');
  expect(field('Callback URL')).toHaveProperty('value', 'https://typed.example/');
});

test('never shows a secret, which can be replaced, cleared or kept', async () => {
  const { calls, api } = settingsApi();
  await openGroups(api, 'callbacks');
  const key = () => screen.getByRole('group', { name: 'API key of your system' });
  expect(key().textContent).toContain('Set, and never shown.');
  fireEvent.click(screen.getByRole('button', { name: 'Clear: API key of your system' }));
  expect(key().textContent).toContain('Will be cleared when you save.');
  fireEvent.click(screen.getByRole('button', { name: 'Keep: API key of your system' }));
  await save('Callbacks');
  expect(calls).toEqual([]);
  fireEvent.click(screen.getByRole('button', { name: 'Replace: API key of your system' }));
  await save('Callbacks');
  expect(calls, 'nothing typed replaces nothing').toEqual([]);
  fireEvent.change(screen.getByLabelText('API key of your system'), { target: { value: 'new' } });
  await save('Callbacks');
  fireEvent.click(screen.getByRole('button', { name: 'Clear: API key of your system' }));
  await save('Callbacks');
  expect(calls).toEqual([{ callback_api_key: 'new' }, { callback_api_key: null }]);
  expect(key().textContent).toContain('Not set.');
});

test('leaving with unsaved changes asks first: Stay keeps them, Leave discards them', async () => {
  const { api } = settingsApi();
  await openGroups(api, 'callbacks');
  fill('Callback URL', 'https://typed.example/');
  fireEvent.click(screen.getByText('elsewhere'));
  expect(window.location.pathname).toBe('/settings');
  fireEvent.click(within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Stay' }));
  expect(field('Callback URL')).toHaveProperty('value', 'https://typed.example/');
  fireEvent.click(screen.getByText('elsewhere'));
  await act(async () =>
    fireEvent.click(within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Leave' })),
  );
  expect(window.location.pathname).toBe('/');
});

test('leaving or closing the window without unsaved changes asks nothing', async () => {
  const { api } = settingsApi();
  await openGroups(api, 'callbacks');
  const closing = () => {
    const event = new Event('beforeunload', { cancelable: true });
    window.dispatchEvent(event);
    return event.defaultPrevented;
  };
  expect(closing()).toBe(false);
  fill('Callback URL', 'https://typed.example/');
  expect(closing()).toBe(true);
  await save('Callbacks');
  expect(closing()).toBe(false);
  fireEvent.click(screen.getByText('elsewhere'));
  expect(window.location.pathname).toBe('/');
});

test('a user who is not an admin sees why the settings are missing, and can still change the password', async () => {
  await open({}, 'control');
  expect(screen.getByText(/^Only admins can change/)).toBeTruthy();
  expect(screen.queryByRole('textbox', { name: 'Port' })).toBeNull();
  expect(screen.getByLabelText('Current password')).toBeTruthy();
});

test('settings that could not be loaded can be retried', async () => {
  let tries = 0;
  await openGroups(
    {
      loadSettings: () =>
        ++tries === 1
          ? Promise.reject(new ApiError('unreachable', 'The station does not answer.'))
          : Promise.resolve(SAVED),
    },
    'callbacks',
  );
  expect(screen.getByText('The station does not answer.')).toBeTruthy();
  await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Try again' })));
  expect(field('Callback URL')).toHaveProperty('value', SAVED.callback_url);
});

test('a new password needs the current one and enough characters, and a wrong one is reported at its field', async () => {
  const asked: [string, string][] = [];
  const { api } = settingsApi();
  await open(
    {
      ...api,
      changePassword(before, next) {
        asked.push([before, next]);
        if (before === 'right') return Promise.resolve();
        return Promise.reject(
          new ApiError('invalid', 'No', [{ path: '/old_password', message: 'This is not your password.' }]),
        );
      },
    },
    'admin',
    <AccountForm />,
  );
  const type = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });
  type('New password', 'short');
  await save('Account');
  expect(asked).toEqual([]);
  expect(screen.getByText('Enter your current password.')).toBeTruthy();
  type('Current password', 'wrong');
  await save('Account');
  expect(asked).toEqual([]);
  type('New password', 'long enough');
  await save('Account');
  expect(screen.getByText('This is not your password.')).toBeTruthy();
  type('Current password', 'right');
  await save('Account');
  expect(asked).toEqual([
    ['wrong', 'long enough'],
    ['right', 'long enough'],
  ]);
  expect(screen.getByText('Password changed.')).toBeTruthy();
  expect(screen.getByLabelText('New password')).toHaveProperty('value', '');
});

test('an error is shown once, and stays when its field loses the focus', async () => {
  await open(settingsApi().api, 'admin', <AccountForm />);
  const next = screen.getByLabelText('New password');
  const rule = 'At least 8 characters. A few words are easy to remember.';
  fireEvent.change(screen.getByLabelText('Current password'), { target: { value: 'right' } });
  fireEvent.change(next, { target: { value: 'short' } });
  await save('Account');
  expect(screen.getAllByText(rule)).toHaveLength(1);
  expect(next.getAttribute('aria-invalid')).toBe('true');
  expect(document.activeElement).toBe(next);
  // The event that a browser sends when a changed field loses the focus.
  next.dispatchEvent(new Event('change', { bubbles: true }));
  await act(async () => next.blur());
  expect(next.getAttribute('aria-invalid')).toBe('true');
});

test('sequence and order callbacks can be switched off, and orders have their own nonces', async () => {
  const { calls, api } = settingsApi();
  await openGroups(api, 'callbacks', 'nonces');
  const families = screen.getByRole('group', { name: 'Events to send' });
  expect(within(families).getAllByRole('switch')).toHaveLength(6);
  fireEvent.click(within(families).getByRole('switch', { name: /^Items, and completed/ }));
  await save('Callbacks');
  fill('Nonce of a completed order', 'wms-{order}');
  await save('Callbacks of orders');
  expect(calls).toEqual([{ callback_families: { order: false } }, { ordernonce: 'wms-{order}' }]);
});

test('an unknown color is reported at its field with a suggestion', async () => {
  const { calls, api } = settingsApi();
  await openGroups(api, 'defaults');
  const color = screen.getByRole('combobox', { name: 'LED color' });
  fireEvent.change(color, { target: { value: 'grene' } });
  await save('Defaults');
  expect(screen.getByText('“grene” is not a color. Use green or #rrggbb.')).toBeTruthy();
  expect(document.activeElement).toBe(color);
  expect(calls).toEqual([]);
});

async function choose(field: string, choice: string): Promise<void> {
  await act(async () => fireEvent.click(screen.getByRole('button', { name: new RegExp(`${field}$`) })));
  await act(async () => fireEvent.click(screen.getByRole('option', { name: choice })));
}

test('opening the station to the network asks first, and Cancel saves nothing', async () => {
  const { calls, api } = settingsApi();
  await openGroups(api, 'network');
  await choose('Who can reach the station', 'Every machine on the network');
  await save('Network and security');
  const dialog = () => within(screen.getByRole('alertdialog', { name: 'Open the station to the network?' }));
  expect(dialog().getByText(/Without encryption/)).toBeTruthy();
  await act(async () => fireEvent.click(dialog().getByRole('button', { name: 'Cancel' })));
  expect(calls).toEqual([]);
  await choose('Encryption \\(HTTPS\\)', 'On, with a self-signed certificate');
  await save('Network and security');
  expect(dialog().getByText(/opens when Pickstation restarts/)).toBeTruthy();
  await act(async () => fireEvent.click(dialog().getByRole('button', { name: 'Open' })));
  expect(calls).toEqual([{ listen: 'network', tls: 'generated' }]);
  expect(screen.queryByRole('alertdialog')).toBeNull();
});

test('shows above the settings how the station is reached, with any warnings', async () => {
  const exposure: SettingsAnswer['exposure'] = {
    listens: 'network',
    host_argument: '0.0.0.0',
    port_argument: null,
    addresses: ['https://127.0.0.1:4680/', 'https://192.168.1.7:4680/'],
    certificate: { kind: 'generated', fingerprint: 'AB:CD:EF', ends_at: '2029-02-17T00:00:00.000Z', pem: 'PEM of it' },
    next_start: ['tls'],
    warnings: [{ code: 'basic_auth', message: 'Other machines may try passwords.' }],
  };
  const { calls, api } = settingsApi(undefined, { ...SAVED, exposure });
  await openGroups(api, 'network');
  const network = group('Network and security');
  for (const text of ['https://192.168.1.7:4680/', 'AB:CD:EF', 'Other machines may try passwords.']) {
    expect(network.getByText(text)).toBeTruthy();
  }
  expect(network.getByText(/valid until 17 February 2029/)).toBeTruthy();
  expect(network.getByText('After the next restart, this setting takes effect: encryption.')).toBeTruthy();
  expect(network.getByText(/Started with --host 0\.0\.0\.0/)).toBeTruthy();
  const saved: Blob[] = [];
  vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => {
    saved.push(file as Blob);
    return 'blob:certificate';
  });
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockReturnValue();
  await act(async () => fireEvent.click(network.getByRole('button', { name: 'Save certificate' })));
  vi.restoreAllMocks();
  expect(await saved[0]?.text()).toBe('PEM of it');
  // The choice has no effect while the station is started with --host, so no question is asked.
  await choose('Who can reach the station', 'Every machine on the network');
  await save('Network and security');
  expect(calls).toEqual([{ listen: 'network' }]);
});

test('asks before an admin closes the network that they use, or turns encryption off on an open station', () => {
  const open: SettingsAnswer = { ...SAVED, listen: 'network', exposure: { ...SAVED.exposure, listens: 'network' } };
  const titleOf = (...asked: Parameters<typeof askBefore>) => askBefore(...asked)?.title;
  expect(titleOf({ listen: 'this_machine' }, open, '192.168.1.7')).toBe('Close the station to the network?');
  for (const host of ['127.0.0.1', 'localhost', '[::1]']) {
    expect(titleOf({ listen: 'this_machine' }, open, host), host).toBeUndefined();
  }
  expect(titleOf({ tls: 'off' }, { ...open, tls: 'generated' }, 'localhost')).toBe('Turn encryption off?');
  expect(titleOf({ tls: 'off' }, { ...SAVED, tls: 'generated' }, 'localhost')).toBeUndefined();
  const certificate = { kind: 'given', fingerprint: 'AB', ends_at: '2029-02-17T00:00:00.000Z', pem: 'PEM' } as const;
  const given = { ...open, exposure: { ...open.exposure, certificate } };
  expect(titleOf({ tls: 'off' }, given, 'localhost')).toBeUndefined();
});

test('a test uses the saved address and shows its result', async () => {
  const { api } = settingsApi();
  const answers = [
    { state: 'delivered' as const, status: 204, error: null },
    { state: 'failed' as const, status: 500, error: 'The receiver answered 500.' },
  ];
  const payload = { acknack: 'ack' as const, deviceid: '000000:000000', location: '', nonce: 'test', qty: 0 };
  const rest = { id: 'msg_test_1', url: SAVED.callback_url, method: 'POST' as const, payload, milliseconds: 12 };
  await openGroups(
    { ...api, testCallback: () => Promise.resolve({ ...rest, ...(answers.shift() ?? fail()) }) },
    'callbacks',
  );
  const send = () => act(async () => fireEvent.click(screen.getByRole('button', { name: 'Send a test' })));
  await send();
  expect(screen.getByText('Delivered: your system answered 204 after 12 ms.')).toBeTruthy();
  await send();
  expect(screen.getByText('Not delivered. The receiver answered 500.')).toBeTruthy();
});

test('without a saved address, there is no test', async () => {
  const { api } = settingsApi(undefined, { ...SAVED, callback_url: '' });
  await openGroups(api, 'callbacks');
  expect(screen.queryByRole('button', { name: 'Send a test' })).toBeNull();
});

function fail(): never {
  throw new Error('No further test was expected.');
}

test('e-mail: shows what waits and why, the answer of a test, and saves the settings', async () => {
  const on = { on: true, waiting: 3, last_sent: null, last_error: 'Connection refused. Check mail_host.' };
  const { api, calls } = settingsApi();
  await openGroups(
    {
      ...api,
      loadMail: () => Promise.resolve(on),
      testMail: () => Promise.resolve({ state: 'sent', answer: '250 Queued', error: null, milliseconds: 12 }),
    },
    'mail',
  );
  const form = within(screen.getByRole('form', { name: 'E-mail' }));
  expect(form.getByText('3 alerts wait for an e-mail. Connection refused. Check mail_host.')).toBeTruthy();
  await act(async () => fireEvent.click(form.getByRole('button', { name: 'Send a test e-mail' })));
  expect(form.getByText('Sent after 12 ms. The mail server answered: 250 Queued')).toBeTruthy();
  const write = (label: RegExp, value: string) =>
    act(async () => fireEvent.change(form.getByRole('textbox', { name: label }), { target: { value } }));
  await write(/^Mail server/, 'smtp.shop.example');
  await write(/^Recipients/, 'a@shop.example\n\nb@shop.example');
  expect(form.getByRole('switch', { name: 'Weak signal' })).toHaveProperty('checked', false);
  await act(async () => fireEvent.click(form.getByRole('switch', { name: 'Weak signal' })));
  await act(async () => fireEvent.click(form.getByRole('button', { name: 'Save' })));
  expect(calls).toMatchObject([{ mail_host: 'smtp.shop.example', mail_to: ['a@shop.example', 'b@shop.example'] }]);
  expect(calls[0]?.mail_kinds).toContain('signal_weak');
});

test('folders: describes the state of each folder, and saves the settings', async () => {
  const { api, calls } = settingsApi();
  const at = new Date().toISOString();
  const status: FoldersStatus = {
    inbox: {
      state: 'watching',
      problem: null,
      last: { name: 'a.csv', at, outcome: 'failed', orders: 0, problem: 'The file is empty.' },
    },
    outbox: { state: 'failing', problem: 'The disk of /out is full. Free some space.', waiting: 2, last: null },
    sheet: { state: 'watching', problem: null, last_read: at, orders: 1, refused: 'Line 4: The quantity is missing.' },
  };
  await openGroups({ ...api, loadFolders: () => Promise.resolve(status) }, 'folders');
  const form = within(screen.getByRole('form', { name: 'Folders' }));
  const lines = form.getAllByText(/^(?:Inbox|Outbox|Sheet): /).map(({ textContent }) => textContent);
  expect(lines).toEqual([
    'Inbox: Watching. Last file: a.csv failed just now. The file is empty.',
    'Outbox: 2 files wait. The disk of /out is full. Free some space.',
    'Sheet: Read just now. 1 new order since the station started. Rows not imported: Line 4: The quantity is missing.',
  ]);
  await act(async () =>
    fireEvent.change(form.getByRole('textbox', { name: /^Inbox folder/ }), { target: { value: '/srv/in' } }),
  );
  await act(async () => fireEvent.click(form.getByRole('button', { name: 'Save' })));
  expect(calls).toEqual([{ inbox_folder: '/srv/in' }]);
  await choose('Files that are not Unicode', 'Western Europe (windows-1252)');
  await act(async () => fireEvent.click(form.getByRole('button', { name: 'Save' })));
  await choose('Files that are not Unicode', 'Refuse, or ask on the page');
  await act(async () => fireEvent.click(form.getByRole('button', { name: 'Save' })));
  expect(calls.slice(1)).toEqual([{ file_encoding: 'windows-1252' }, { file_encoding: null }]);
  for (const value of ['America/New_York', '']) {
    const zone = form.getByRole('textbox', { name: /^Time zone of due times/ });
    await act(async () => fireEvent.change(zone, { target: { value } }));
    await act(async () => fireEvent.click(form.getByRole('button', { name: 'Save' })));
  }
  expect(calls.slice(3)).toEqual([{ time_zone: 'America/New_York' }, { time_zone: null }]);
});

test('unset folders are off', async () => {
  await openGroups(settingsApi().api, 'folders');
  const form = within(screen.getByRole('form', { name: 'Folders' }));
  expect(form.getAllByText(/: Off$/).map(({ textContent }) => textContent)).toEqual([
    'Inbox: Off',
    'Outbox: Off',
    'Sheet: Off',
  ]);
});
