import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { BACKUP_FOLDER, openBackup } from '../../../electron/server/db/backupFiles.ts';

test.skipIf(process.platform === 'win32')('opens a backup, but not a link in its place', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pickstation-backups-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, BACKUP_FOLDER));
  writeFileSync(join(folder, 'secret'), 'secret');
  writeFileSync(join(folder, BACKUP_FOLDER, 'a.sqlite'), 'backup');
  const file = await openBackup(folder, 'a.sqlite');
  expect(await file.readFile('utf8')).toBe('backup');
  await file.close();
  symlinkSync(join(folder, 'secret'), join(folder, BACKUP_FOLDER, 'b.sqlite'));
  await expect(openBackup(folder, 'b.sqlite')).rejects.toThrow('ELOOP');
});
