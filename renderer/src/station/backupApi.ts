import { BACKUP_TYPE } from '#shared/api/routes.ts';
import { pathOf, type ApiCall } from './call.ts';
import type { Backup } from '#shared/api/backup.ts';

/** A large one on a slow disk takes its time, and says how far it is. */
const LONG = { timeoutMs: 30 * 60_000 };

/** What only admins may ask: copies of everything, and how the station is. */
export function backupApi(call: ApiCall) {
  return {
    loadBackups: (): Promise<readonly Backup[]> => call('listBackups'),
    loadBackupStatus: () => call('getBackupStatus'),
    /** Answers when it is made. `conflict` where another one is being made, or this one was cancelled. */
    makeBackup: () => call('makeBackup', {}, LONG),
    cancelBackup: () => call('cancelBackup'),
    /** Kept only if it can be restored: `invalid` says why not. */
    uploadBackup: (file: Blob) => call('uploadBackup', { body: file.slice(0, file.size, BACKUP_TYPE) }, LONG),
    /** Reads it through. `invalid` if it cannot be restored. */
    loadBackupContents: (name: string) => call('getBackupContents', { path: { name } }, LONG),
    /** The station starts again with it. */
    async restoreBackup(name: string): Promise<void> {
      await call('restoreBackup', { path: { name } }, LONG);
    },
    removeBackup: (name: string) => call('removeBackup', { path: { name } }),
    loadDiagnostics: () => call('getDiagnostics'),
  };
}

/** Where a backup is downloaded. */
export function backupPath(name: string): string {
  return pathOf('downloadBackup', { path: { name } });
}

/** Where what somebody who helps needs to know is downloaded. */
export function diagnosticsPath(): string {
  return pathOf('getDiagnostics', {});
}
