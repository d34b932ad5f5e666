import type { MessageBoxOptions } from 'electron';
import { expect, test } from 'vitest';
import { askAboutLoss } from '../../../electron/main/askAboutLoss.ts';
import type { StationConfig } from '../../../electron/server/config.ts';

const CONFIG: StationConfig = {
  host: undefined,
  port: 0,
  dataFolder: '/data',
  simulate: 0,
  adminPassword: undefined,
  apiKey: undefined,
  firstRun: 'window',
};
const LOSS = { found: 'The database is older.', isEmpty: false };
const BACKUP = { path: '/data/backups/one.sqlite', createdAt: Date.UTC(2026, 10, 20, 8), opens: [] };

async function ask(lost: Parameters<typeof askAboutLoss>[1], press: number | 'cancel') {
  const shown: MessageBoxOptions[] = [];
  const start = await askAboutLoss(CONFIG, lost, (options) => {
    shown.push(options);
    return Promise.resolve({ response: press === 'cancel' ? (options.cancelId ?? -1) : press });
  });
  return { start, dialog: shown[0] };
}

test('offers the newest backup first, with its date, then the remaining data', async () => {
  const { start, dialog } = await ask({ loss: LOSS, backup: BACKUP }, 0);
  expect(dialog?.buttons).toEqual([
    expect.stringMatching(/^Restore the backup of .*2026/),
    'Start with the remaining data',
    'Quit',
  ]);
  expect(dialog?.detail).toContain(LOSS.found);
  expect(start).toEqual({ ...CONFIG, restore: BACKUP.path, yes: true });
});

test('lists what the backup opens before somebody restores it', async () => {
  const opens = [{ name: 'basic_auth', value: 'true' }];
  expect((await ask({ loss: LOSS, backup: { ...BACKUP, opens } }, 0)).dialog?.detail).toContain('basic_auth: true');
  expect((await ask({ loss: LOSS, backup: BACKUP }, 0)).dialog?.detail).not.toContain('opens');
});

test('starts with the remaining data when that button is pressed', async () => {
  expect((await ask({ loss: LOSS, backup: BACKUP }, 1)).start).toEqual({ ...CONFIG, acceptLoss: true });
  expect((await ask({ loss: LOSS, backup: 'none' }, 0)).start).toEqual({ ...CONFIG, acceptLoss: true });
});

test('offers no backup if none exists, and says so', async () => {
  const { dialog } = await ask({ loss: LOSS, backup: 'none' }, 0);
  expect(dialog?.buttons).toEqual(['Start with the remaining data', 'Quit']);
  expect(dialog?.detail).toContain('No backup in the data folder');
});

test('does not start the station when the dialog is closed', async () => {
  expect((await ask({ loss: LOSS, backup: BACKUP }, 'cancel')).start).toBeUndefined();
  expect((await ask({ loss: LOSS, backup: 'none' }, 'cancel')).start).toBeUndefined();
});

test('announces an empty station when no data can be used', async () => {
  const { dialog } = await ask({ loss: { found: 'The database is gone.', isEmpty: true }, backup: 'none' }, 'cancel');
  expect(dialog?.detail).toMatch(/The database is gone\..*an empty station/s);
});
