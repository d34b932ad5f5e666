/**
 * Maximum number of callback receivers besides the one in the settings and the broker. No imports in this file, because the process that
 * checks backups loads it for each backup.
 */
export const MAX_CALLBACK_RECEIVERS = 8;
