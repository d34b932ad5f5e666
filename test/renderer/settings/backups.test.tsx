import { act, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Backup, BackupContents, BackupStatus } from '#shared/api/backup.ts';
import { sizeWords } from '../../../renderer/src/features/settings/backups/BackupRow.tsx';
import { Backups } from '../../../renderer/src/features/settings/backups/Backups.tsx';
import { ApiError } from '../../../renderer/src/words/apiError.ts';
import { show, station, testContext, type Stubs } from '../support.tsx';

const BACKUP: Backup = {
  name: 'pickstation-20261120-080000Z-manual.sqlite',
  kind: 'manual',
  size: 1_234_567,
  created: '2026-11-20T08:00:00.000Z',
  revision: 12,
  by: 'Ann',
};
const STATUS: BackupStatus = {
  running: null,
  next: null,
  failure: null,
  passphrase_set: false,
  folder: '/data/backups',
  free_bytes: 82e9,
  database_bytes: 453_000,
};
const CONTENTS: BackupContents = {
  name: BACKUP.name,
  made: '2026-11-20T08:00:00.000Z',
  version: '0.1.0',
  schema: 1,
  revision: 12,
  holds: {
    devices: 16,
    location_aliases: 3,
    open_commands: 2,
    history: 100,
    users: 1,
    api_users: 2,
    pending_callbacks: 4,
  },
  secrets: { state: 'none', enter_again: [], passphrase: false },
  returning: [
    { kind: 'person', name: 'Paula' },
    { kind: 'key', name: 'ERP' },
  ],
  opens: [],
};

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

async function open(calls: Partial<Stubs> & { backups?: Backup[]; status?: () => BackupStatus } = {}): Promise<void> {
  const { backups = [BACKUP], status = () => STATUS, ...api } = calls;
  const context = testContext(
    { station: station() },
    { listBackups: () => Promise.resolve(backups), getBackupStatus: () => Promise.resolve(status()), ...api },
  );
  await act(async () => show(context, <Backups />));
}

const press = (name: string | RegExp) => act(async () => fireEvent.click(screen.getByRole('button', { name })));
const rows = () =>
  within(screen.getByRole('list', { name: 'Backups, newest first' }))
    .getAllByRole('listitem')
    .map((row) => row.textContent);

test('each backup shows its date, its size and who created it', async () => {
  await open({
    backups: [
      BACKUP,
      { ...BACKUP, name: 'b', kind: 'scheduled', by: '' },
      { ...BACKUP, name: 'c', kind: 'restore', by: '', revision: null },
    ],
  });
  const [first, second, third] = rows();
  expect(first).toMatch(/20 November 2026.*1\.2 MB.*Created by Ann/);
  expect(second).toMatch(/Created automatically/);
  expect(third).toMatch(/Data before a restore.*Not checked yet/);
  expect(screen.getByText(/453 KB to copy, 82 GB free/)).toBeDefined();
});

test('an empty list suggests creating the first backup', async () => {
  await open({ backups: [] });
  expect(screen.getByText(/Create one now/)).toBeDefined();
});

test('shows the progress of a backup immediately, and can cancel it', async () => {
  const made = Promise.withResolvers<Backup>();
  const cancelBackup = vi.fn(() => Promise.resolve());
  const running = { kind: 'manual', step: 'copying', done_bytes: 5e6, total_bytes: 20e6, by: 'Ann' } as const;
  let isRunning = false;
  await open({
    makeBackup: () => {
      isRunning = true;
      return made.promise;
    },
    cancelBackup,
    status: () => ({ ...STATUS, running: isRunning ? running : null }),
  });
  await press('Create a backup');
  expect(screen.getByRole('progressbar')).toBeDefined();
  await act(() => vi.advanceTimersByTimeAsync(400));
  expect(screen.getByRole('progressbar').textContent).toMatch(/5\.0 MB of 20 MB/);
  expect(screen.getByRole('button', { name: 'Create a backup' }).hasAttribute('disabled')).toBe(true);
  await press('Cancel');
  expect(cancelBackup).toHaveBeenCalledOnce();
  isRunning = false;
  await act(async () => made.reject(new ApiError('conflict', 'The backup was canceled.')));
  expect(screen.getByRole('alert').textContent).toBe('The backup was canceled.');
  expect(screen.queryByRole('progressbar')).toBeNull();
});

test('shows the progress of a backup that was started elsewhere, until it ends', async () => {
  let running: BackupStatus['running'] = {
    kind: 'scheduled',
    step: 'checking',
    done_bytes: 0,
    total_bytes: 0,
    by: '',
  };
  await open({ status: () => ({ ...STATUS, running }) });
  expect(screen.getByText('Checking the copy')).toBeDefined();
  running = null;
  await act(() => vi.advanceTimersByTimeAsync(400));
  expect(screen.queryByRole('progressbar')).toBeNull();
});

test('shows why an automatic backup failed', async () => {
  await open({ status: () => ({ ...STATUS, failure: { at: BACKUP.created, message: 'The disk is full.' } }) });
  expect(screen.getByRole('alert').textContent).toBe('The disk is full.');
});

test('shows the contents of a backup and asks before restoring it', async () => {
  const restoreBackup = vi.fn(() => Promise.resolve());
  await open({ getBackupContents: () => Promise.resolve(CONTENTS), restoreBackup });
  await press(/^Restore:/);
  const dialog = screen.getByRole('alertdialog');
  for (const words of ['16', '2, lit again', '1 person, 2 programs', '4 pending, sent again']) {
    expect(within(dialog).getByText(words)).toBeDefined();
  }
  expect(restoreBackup).not.toHaveBeenCalled();
  expect(within(dialog).getByRole('switch', { name: 'ERP, a program’s key' })).toBeDefined();
  await act(async () => fireEvent.click(within(dialog).getByRole('switch', { name: 'Paula, a person' })));
  await press('Restore');
  expect(restoreBackup).toHaveBeenCalledWith({
    path: { name: BACKUP.name },
    body: { bring_back: [{ kind: 'person', name: 'Paula' }] },
  });
  expect(screen.getByText(/The station restarts\.$/)).toBeDefined();
});

test('a backup that cannot be restored says why and offers no Restore button', async () => {
  await open({
    getBackupContents: () => Promise.reject(new ApiError('invalid', 'This cannot be restored. It is damaged.')),
  });
  await press(/^Restore:/);
  expect(within(screen.getByRole('dialog')).getByRole('alert').textContent).toMatch(/It is damaged/);
  expect(screen.queryByRole('button', { name: 'Restore' })).toBeNull();
});

test('removing a backup asks for confirmation once', async () => {
  const removeBackup = vi.fn(() => Promise.resolve());
  await open({ removeBackup });
  await press(/^Remove:/);
  expect(removeBackup).not.toHaveBeenCalled();
  await press('Remove');
  expect(removeBackup).toHaveBeenCalledWith({ path: { name: BACKUP.name } });
});

test('formats sizes with readable units', () => {
  expect([0, 812, 224_000, 1_234_567, 45e6, 3.2e9, 82e9].map(sizeWords)).toEqual([
    '0 bytes',
    '812 bytes',
    '224 KB',
    '1.2 MB',
    '45 MB',
    '3.2 GB',
    '82 GB',
  ]);
});
