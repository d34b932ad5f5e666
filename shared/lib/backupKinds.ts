/** Why a backup was made. Its name says so too. */
export const BACKUP_KINDS = ['manual', 'scheduled', 'update', 'restore', 'uploaded'] as const;
export type BackupKind = (typeof BACKUP_KINDS)[number];
