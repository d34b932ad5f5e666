import type { CoreOf } from '../../core.ts';
import type { Copier } from '../../ports.ts';
import type { AlertRecords } from '../alerts/index.ts';
import { createBackups } from './backups.ts';
import { createBackupSchedule } from './schedule.ts';

export type { Backups } from './backups.ts';
export { recordLoss } from './recordLoss.ts';
export { recordRestored } from './restored.ts';

export function createBackupGroup(
  core: CoreOf<'backups'>,
  needs: {
    dataFolder: string;
    databaseFile: string;
    databaseBytes: () => number;
    createdAt: number;
    copier: Copier;
    alerts: AlertRecords;
  },
) {
  const schedule = createBackupSchedule({ ...core, ...needs });
  const keep = (): number => core.settings.current().backup_keep;
  const backups = createBackups({ ...core, ...needs, keep, nextAt: schedule.nextAt });
  core.onStart(() => {
    core.onStop(() => backups.stop());
    core.onStop(() => schedule.stop());
    schedule.start(backups);
  });
  return { backups };
}
