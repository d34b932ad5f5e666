import { BACKUP_TYPE } from '#shared/api/routes.ts';
import type { Backup } from '#shared/api/backup.ts';
import { pathOf, type ApiCall, done } from './call.ts';

/** A large backup on a slow disk takes long; its progress is shown. */
const LONG = { timeoutMs: 30 * 60_000 };

/** For admins: backups and diagnostics. */
export function backupApi(call: ApiCall) {
  return {
    loadBackups: (): Promise<readonly Backup[]> => call('listBackups'),
    loadBackupStatus: () => call('getBackupStatus'),
    /** Resolves when the backup is complete. Rejects with `conflict` if another one is running or this one was cancelled. */
    makeBackup: () => call('makeBackup', {}, LONG),
    cancelBackup: () => call('cancelBackup'),
    /** Rejects with `invalid` if it cannot be restored; it is not kept then. */
    uploadBackup: (file: Blob) => call('uploadBackup', { body: file.slice(0, file.size, BACKUP_TYPE) }, LONG),
    /** Reads the whole backup. Rejects with `invalid` if it cannot be restored. */
    loadBackupContents: (name: string) => call('getBackupContents', { path: { name } }, LONG),
    /** Restarts the station with this backup. */
    restoreBackup: (name: string) => done(call('restoreBackup', { path: { name } }, LONG)),
    removeBackup: (name: string) => call('removeBackup', { path: { name } }),
    loadDiagnostics: () => call('getDiagnostics'),
  };
}

/** The address that downloads a backup. */
export function backupPath(name: string): string {
  return pathOf('downloadBackup', { path: { name } });
}

/** The address that downloads the diagnostics. */
export function diagnosticsPath(): string {
  return pathOf('getDiagnostics', {});
}
