export { type Backups, createBackups, recordRestored } from './backups.ts';
export { recordLoss } from './recordLoss.ts';
export { createBackupSchedule } from './schedule.ts';
