/** Why a backup was created. Part of its file name. */
export const BACKUP_KINDS = ['manual', 'scheduled', 'update', 'restore', 'uploaded'] as const;
export type BackupKind = (typeof BACKUP_KINDS)[number];
