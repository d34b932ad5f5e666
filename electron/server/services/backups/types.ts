import type { BackupStatus } from '#shared/api/backup.ts';
import type { BackupKind } from '#shared/lib/station/backupKinds.ts';
import type { TablesOf } from '../../core.ts';
import type { KeyRing } from '../../db/keyRing.ts';
import type { Writer } from '../../db/writer.ts';
import type { Clock, CopyProgress, Copier, Ids, Log } from '../../ports.ts';
import type { AlertRecords } from '../alerts/index.ts';
import type { Audit } from '../base/index.ts';
import type { Lane } from '../../scheduling/index.ts';

/** The running backup. */
export type Running = {
  kind: BackupKind;
  by: string;
  progress: CopyProgress;
  end: AbortController;
  done: Promise<unknown>;
};

/** Dependencies of backups. */
export type BackupParts = {
  dataFolder: string;
  databaseFile: string;
  /** Size of the database in bytes, including its write-ahead log. */
  databaseBytes: () => number;
  copier: Copier;
  writer: Writer;
  clock: Clock;
  ids: Ids;
  log: Log;
  audit: Audit;
  alerts: Pick<AlertRecords, 'isOpen' | 'settle'>;
  reads: TablesOf<'backups'>;
  keyRing: Pick<KeyRing, 'id'>;
  /** Number of backups to keep of each automatic kind. */
  keep: () => number;
  /** Returns when the next scheduled backup is due, in epoch milliseconds, or undefined if the schedule is off. */
  nextAt: () => number | undefined;
};

/** State shared by the functions that manage backups. */
export type BackupContext = BackupParts & {
  running: Running | undefined;
  failure: BackupStatus['failure'];
  /** Runs checks one at a time, because each one reads a whole file in a separate process. */
  checks: Lane;
  stopping: AbortController;
};
