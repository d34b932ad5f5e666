import { act, cleanup, fireEvent, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { FoldersStatus } from '#shared/api/folders.ts';
import { DEFAULT_SETTINGS } from '#shared/api/settings.ts';
import { ConnectionSettingsPage } from '../../../renderer/src/features/settings/ConnectionSettingsPage.tsx';
import { changeOf } from '../../../renderer/src/features/settings/draft.ts';
import { SAVED, settingsApi, open, openGroups, fill, save, choose } from './settingsPageSupport.tsx';

test.for([
  { page: 'callbacks', title: 'Callback settings', forms: ['Callbacks', 'Callbacks of orders'] },
  { page: 'mqtt', title: 'MQTT', forms: ['MQTT'] },
  { page: 'folders', title: 'Folders', forms: ['Folders'] },
  { page: 'mail', title: 'E-mail', forms: ['E-mail'] },
] as const)('the page $title shows its settings to admins only', async ({ page, title, forms }) => {
  const waiting = new Promise<never>(() => undefined);
  const api = { ...settingsApi().api, loadMail: () => waiting, loadFolders: () => waiting, loadMqtt: () => waiting };
  await open(api, 'admin', <ConnectionSettingsPage page={page} />);
  expect(screen.getByRole('heading', { level: 1, name: title })).toBeTruthy();
  expect(screen.getAllByRole('form').map((form) => form.getAttribute('aria-label'))).toEqual(forms);
  cleanup();
  await open(api, 'control', <ConnectionSettingsPage page={page} />);
  expect(screen.getByRole('heading', { level: 1, name: title })).toBeTruthy();
  expect(screen.queryByRole('form')).toBeNull();
});

test('reports an empty number field and does not send it', () => {
  const numbers = Object.entries(DEFAULT_SETTINGS).flatMap(([key, value]) => (typeof value === 'number' ? [key] : []));
  expect(numbers.length).toBeGreaterThan(10);
  for (const key of numbers) {
    const { change, problems } = changeOf({ [key]: null }, SAVED);
    expect([Object.keys(change), Object.keys(problems)], key).toEqual([[], [key]]);
  }
});

test('can switch off order callbacks, and saves nonces for orders separately', async () => {
  const { calls, api } = settingsApi();
  await openGroups(api, 'callbacks', 'nonces');
  const families = screen.getByRole('group', { name: 'Events to send' });
  expect(within(families).getAllByRole('switch')).toHaveLength(7);
  fireEvent.click(within(families).getByRole('switch', { name: /^Lines, and completed/ }));
  await save('Callbacks');
  fill('Nonce of a completed order', 'wms-{order}');
  await save('Callbacks of orders');
  expect(calls).toEqual([{ callback_families: { order: false } }, { ordernonce: 'wms-{order}' }]);
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

test('does not offer a test without a saved address', async () => {
  const { api } = settingsApi(undefined, { ...SAVED, callback_url: '' });
  await openGroups(api, 'callbacks');
  expect(screen.queryByRole('button', { name: 'Send a test' })).toBeNull();
});

function fail(): never {
  throw new Error('No further test was expected.');
}

test('the e-mail settings show how many alerts wait and why, show the result of a test, and can be saved', async () => {
  const on = { on: true, waiting: 3, last_sent: null, last_error: 'Connection refused. Check mail_host.' };
  const { api, calls } = settingsApi();
  await openGroups(
    {
      ...api,
      getMail: () => Promise.resolve(on),
      testMail: () => Promise.resolve({ state: 'sent', answer: '250 Queued', error: null, milliseconds: 12 }),
    },
    'mail',
  );
  const form = within(screen.getByRole('form', { name: 'E-mail' }));
  expect(form.getByText('3 alerts are waiting to be e-mailed. Connection refused. Check mail_host.')).toBeTruthy();
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

test('the folder settings describe the state of each folder, and can be saved', async () => {
  const { api, calls } = settingsApi();
  const at = new Date().toISOString();
  const status: FoldersStatus = {
    inbox: {
      state: 'watching',
      problem: null,
      last: { name: 'a.csv', at, outcome: 'failed', kind: 'orders', orders: 0, problem: 'The file is empty.' },
    },
    outbox: { state: 'failing', problem: 'The disk of /out is full. Free some space.', waiting: 2, last: null },
    sheet: { state: 'watching', problem: null, last_read: at, orders: 1, refused: 'Line 4: The quantity is missing.' },
  };
  await openGroups({ ...api, getFolders: () => Promise.resolve(status) }, 'folders');
  const form = within(screen.getByRole('form', { name: 'Folders' }));
  const lines = form.getAllByText(/^(?:Inbox|Outbox|Sheet): /).map(({ textContent }) => textContent);
  expect(lines).toEqual([
    'Inbox: Watching. Last file: a.csv failed just now. The file is empty.',
    'Outbox: 2 files are waiting. The disk of /out is full. Free some space.',
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
    const zone = form.getByRole('textbox', { name: /^Time zone of the shop/ });
    await act(async () => fireEvent.change(zone, { target: { value } }));
    await act(async () => fireEvent.click(form.getByRole('button', { name: 'Save' })));
  }
  expect(calls.slice(3)).toEqual([{ time_zone: 'America/New_York' }, { time_zone: null }]);
});

test('shows “Off” for each folder that is not set', async () => {
  await openGroups(settingsApi().api, 'folders');
  const form = within(screen.getByRole('form', { name: 'Folders' }));
  expect(form.getAllByText(/: Off$/).map(({ textContent }) => textContent)).toEqual([
    'Inbox: Off',
    'Outbox: Off',
    'Sheet: Off',
  ]);
});
