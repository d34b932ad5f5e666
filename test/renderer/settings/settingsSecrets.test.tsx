import { act, fireEvent, screen, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import type { Backup, BackupContents, BackupStatus } from '#shared/api/backup.ts';
import { DEFAULT_SETTINGS, type SettingsAnswer } from '#shared/api/settings.ts';
import { StationSettings } from '../../../renderer/src/features/settings/StationSettings.tsx';
import { ApiError } from '../../../renderer/src/words/apiError.ts';
import { userOf } from '../../helpers/snapshots.ts';
import { NO_BROKER, show, station, testContext, type Stubs } from '../support.tsx';

const no = { listens: 'this_machine', host_argument: '', port: 4680, port_argument: null, certificate: null } as const;
const SAVED: SettingsAnswer = {
  ...DEFAULT_SETTINGS,
  callback_api_key_set: true,
  callback_password_set: false,
  callback_signing_secret_set: true,
  mail_password_set: true,
  mqtt_password_set: false,
  mqtt_key_set: false,
  unreadable_secrets: [],
  unreadable_others: [],
  invalid_settings: [],
  exposure: { ...no, addresses: [], next_start: [], warnings: [] },
};
const CLOSED: SettingsAnswer = { ...SAVED, unreadable_secrets: ['callback_signing_secret', 'mail_password'] };
const STATUS: BackupStatus = {
  running: null,
  next: null,
  failure: null,
  passphrase_set: false,
  folder: '/data/backups',
  free_bytes: 82e9,
  database_bytes: 453_000,
};
const BACKUP: Backup = {
  name: 'pickstation-20261120-080000Z-manual.sqlite',
  kind: 'manual',
  size: 1_234_567,
  created: '2026-11-20T08:00:00.000Z',
  revision: 12,
  by: 'Ann',
};
const NOTHING = {
  devices: 0,
  location_aliases: 0,
  open_commands: 0,
  history: 0,
  users: 1,
  api_users: 0,
  pending_callbacks: 0,
};

/** Settings groups that contain the tested secrets. */
const GROUPS = [{ id: 'callbacks' }, { id: 'mail' }, { id: 'backups' }] as const;

beforeEach(() => window.history.replaceState(null, '', '/settings'));

async function open(saved: () => SettingsAnswer, calls: Partial<Stubs> = {}, status = STATUS): Promise<void> {
  const context = testContext(
    { station: { ...station(), user: userOf('Ann', 'admin') } },
    {
      getSettings: () => Promise.resolve(saved()),
      getMail: () => Promise.resolve({ on: false, waiting: 0, last_sent: null, last_error: null }),
      getFolders: () => new Promise(() => undefined),
      getMqtt: () => Promise.resolve(NO_BROKER),
      listBackups: () => Promise.resolve([BACKUP]),
      getBackupStatus: () => Promise.resolve(status),
      ...calls,
    },
  );
  await act(async () => show(context, <StationSettings groups={GROUPS} />));
}

const press = (name: string | RegExp) => act(async () => fireEvent.click(screen.getByRole('button', { name })));
const type = (label: string, value: string) =>
  act(async () => fireEvent.change(screen.getByLabelText(label), { target: { value } }));
const state = (form: string, label: string) =>
  within(within(screen.getByRole('form', { name: form })).getByRole('group', { name: label })).getByRole('status');

test('marks only unreadable secrets', async () => {
  await open(() => CLOSED);
  expect(state('Callbacks', 'Signing secret').textContent).toBe('Cannot be read. Enter it again.');
  expect(state('E-mail', 'Password').textContent).toBe('Cannot be read. Enter it again.');
  expect(state('Callbacks', 'API key of your system').textContent).toBe('Set. It is never shown.');
  expect(state('Callbacks', 'Password of your system').textContent).toBe('Not set.');
});

test('lists invalid settings, and can save the displayed values instead', async () => {
  let saved: SettingsAnswer = { ...SAVED, invalid_settings: ['callback_url', 'accept_devices', 'mail_password'] };
  const changeSettings = vi.fn(() => Promise.resolve((saved = { ...saved, invalid_settings: [] })));
  await open(() => saved, { changeSettings });
  const region = within(screen.getByRole('region', { name: 'Invalid settings' }));
  expect(region.getByRole('status').textContent).toMatch(/not used: callback_url, accept_devices, mail_password\./);
  await press('Keep the values shown');
  const { callback_url, accept_devices } = DEFAULT_SETTINGS;
  const kept = { callback_url, accept_devices, mail_password: null };
  expect(changeSettings).toHaveBeenCalledWith(kept, expect.objectContaining({ accept_devices }));
  expect(screen.queryByRole('region', { name: 'Invalid settings' })).toBeNull();
});

test('does not ask for a passphrase while all secrets are readable', async () => {
  await open(() => SAVED);
  expect(screen.queryByRole('region', { name: 'Secrets that cannot be read' })).toBeNull();
});

test('makes the secrets readable with the right passphrase, and asks again after a wrong one', async () => {
  let saved = CLOSED;
  const openSecrets = vi.fn<Stubs['openSecrets']>(({ body: { passphrase } }) => {
    if (passphrase !== 'the right words') return Promise.reject(new ApiError('invalid', 'This is not the passphrase.'));
    saved = SAVED;
    return Promise.resolve({ opened: 2, unreadable: [] });
  });
  await open(() => saved, { openSecrets });
  const region = within(screen.getByRole('region', { name: 'Secrets that cannot be read' }));
  expect(region.getByRole('status').textContent).toMatch(
    /cannot read the callback signing secret and the mail server password/,
  );
  await press('Enter the passphrase');
  await type('Passphrase for this data', 'other words');
  await press('Read the secrets');
  expect(within(screen.getByRole('dialog')).getByRole('alert').textContent).toBe('This is not the passphrase.');
  await type('Passphrase for this data', 'the right words');
  await press('Read the secrets');
  expect(openSecrets).toHaveBeenCalledTimes(2);
  expect(screen.queryByRole('region', { name: 'Secrets that cannot be read' })).toBeNull();
  expect(state('Callbacks', 'Signing secret').textContent).toBe('Set. It is never shown.');
  expect(screen.getByText(/Everything on hold continues/)).toBeTruthy();
});

test('also asks for the passphrase if a display key or the backup passphrase is unreadable', async () => {
  await open(() => ({ ...SAVED, unreadable_others: ['opendisplay://192.0.2.40:2447/', 'backup_passphrase'] }));
  const region = within(screen.getByRole('region', { name: 'Secrets that cannot be read' }));
  expect(region.getByRole('status').textContent).toMatch(
    /cannot read opendisplay:\/\/192\.0\.2\.40:2447\/ and the backup passphrase/,
  );
  expect(region.getByRole('button', { name: 'Enter the passphrase' })).toBeTruthy();
});

test('explains what to do if only the backup passphrase is unreadable', async () => {
  await open(() => ({ ...SAVED, unreadable_others: ['backup_passphrase'] }));
  const region = within(screen.getByRole('region', { name: 'Secrets that cannot be read' }));
  expect(region.getByRole('status').textContent).toMatch(/Enter it here, or set a new one under Backups/);
});

test('sets a backup passphrase without ever showing it', async () => {
  const setBackupPassphrase = vi.fn(() => Promise.resolve());
  await open(() => SAVED, { setBackupPassphrase });
  await press('Set a passphrase');
  await type('New passphrase', 'four words of an owner');
  await press('Save the passphrase');
  expect(setBackupPassphrase).toHaveBeenCalledWith({ body: { passphrase: 'four words of an owner' } });
  expect(screen.getByText(/Passphrase saved/)).toBeTruthy();
  expect(document.body.textContent).not.toContain('four words');
});

test('removes a backup passphrase', async () => {
  const setBackupPassphrase = vi.fn(() => Promise.resolve());
  await open(() => SAVED, { setBackupPassphrase }, { ...STATUS, passphrase_set: true });
  await press('Remove the passphrase');
  expect(setBackupPassphrase).toHaveBeenCalledWith({ body: { passphrase: null } });
});

test('shows why a passphrase cannot be replaced or removed yet', async () => {
  const why = 'Enter that passphrase first, or enter these secrets again.';
  const setBackupPassphrase = () => Promise.reject(new ApiError('conflict', why));
  await open(() => SAVED, { setBackupPassphrase }, { ...STATUS, passphrase_set: true });
  await press('Remove the passphrase');
  expect(within(screen.getByRole('group', { name: 'Passphrase' })).getByRole('alert').textContent).toBe(why);
  await press('Replace the passphrase');
  await type('New passphrase', 'four words of an owner');
  await press('Save the passphrase');
  expect(within(screen.getByRole('dialog')).getByRole('alert').textContent).toBe(why);
});

const PARTS = {
  here: [{ state: 'sealed', enter_again: [], passphrase: false }, /Encrypted, and readable on this station/],
  elsewhere: [
    { state: 'sealed', enter_again: ['mqtt_password', 'opendisplay://192.0.2.40'], passphrase: false },
    /Enter again after the restore: the broker password, opendisplay:\/\/192\.0\.2\.40/,
  ],
  passphrase: [{ state: 'sealed', enter_again: ['mqtt_key'], passphrase: true }, /with the backup’s passphrase/],
} as const;

test.for(Object.values(PARTS))(
  'the confirmation of a restore explains what happens to the secrets: %#',
  async ([of, said]) => {
    const contents: BackupContents = {
      name: BACKUP.name,
      made: BACKUP.created,
      version: '0.1.0',
      schema: 16,
      revision: 12,
      holds: NOTHING,
      returning: [],
      opens: [],
      secrets: { ...of, enter_again: [...of.enter_again] },
    };
    await open(() => SAVED, { getBackupContents: () => Promise.resolve(contents) });
    await press(/^Restore: /);
    expect(screen.getByRole('alertdialog').textContent).toMatch(said);
  },
);
