import type { Backup, BackupContents, BackupStatus } from '#shared/api/backup.ts';
import { pathOf } from '#shared/api/client.ts';
import type { Diagnostics } from '#shared/api/diagnostics.ts';
import type { Client } from '#shared/api/operations.ts';

/** What only admins may ask: copies of everything, and how the station is. */
export type BackupApi = {
  loadBackups(): Promise<readonly Backup[]>;
  loadBackupStatus(): Promise<BackupStatus>;
  /** Answers when it is made. `conflict` where another one is being made, or this one was cancelled. */
  makeBackup(): Promise<Backup>;
  cancelBackup(): Promise<void>;
  /** Kept only if it can be restored: `invalid` says why not. */
  uploadBackup(file: Blob): Promise<Backup>;
  /** Reads it through. `invalid` if it cannot be restored. */
  loadBackupContents(name: string): Promise<BackupContents>;
  /** The station starts again with it. */
  restoreBackup(name: string): Promise<void>;
  removeBackup(name: string): Promise<void>;
  loadDiagnostics(): Promise<Diagnostics>;
};

/** A large one on a slow disk takes its time, and says how far it is. */
const LONG = { timeoutMs: 30 * 60_000 };

/** This part of the station's REST API, as the window uses it. */
export function backupApi(client: Client): BackupApi {
  return {
    loadBackups: () => client.listBackups(),
    loadBackupStatus: () => client.getBackupStatus(),
    makeBackup: () => client.makeBackup(LONG),
    cancelBackup: () => client.cancelBackup(),
    uploadBackup: (file) => client.uploadBackup(file, LONG),
    loadBackupContents: (name) => client.getBackupContents({ name }, LONG),
    async restoreBackup(name) {
      await client.restoreBackup({ name }, LONG);
    },
    removeBackup: (name) => client.removeBackup({ name }),
    loadDiagnostics: () => client.getDiagnostics(),
  };
}

/** Where a backup is downloaded. */
export function backupPath(name: string): string {
  return pathOf('downloadBackup', { name });
}

/** Where what somebody who helps needs to know is downloaded. */
export function diagnosticsPath(): string {
  return pathOf('getDiagnostics');
}
