/** Reasons for creating a backup. The reason is part of the backup's file name. */
export const BACKUP_KINDS = ['manual', 'scheduled', 'update', 'restore', 'uploaded'] as const;
export type BackupKind = (typeof BACKUP_KINDS)[number];
