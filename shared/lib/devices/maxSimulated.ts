/**
 * Maximum number of simulated devices per station. No imports in this file, because the process that checks backups loads it for each
 * backup.
 */
export const MAX_SIMULATED = 10_000;
