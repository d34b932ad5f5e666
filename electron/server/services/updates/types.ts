import type { UpdateState } from '#shared/api/updates.ts';
import type { TablesOf } from '../../core.ts';
import type { Alarm } from '../../scheduling/alarm.ts';
import type { Writer } from '../../db/writer.ts';
import type { Clock, Ids, Log, Updater } from '../../ports.ts';
import type { Audit, Bus } from '../base/index.ts';
import type { SettingsService } from '../settings/index.ts';

export type UpdateParts = {
  updater: Updater | undefined;
  repositories: TablesOf<'updates'>;
  reads: TablesOf<'updates'>;
  settings: Pick<SettingsService, 'current'>;
  audit: Audit;
  writer: Pick<Writer, 'write'>;
  bus: Bus;
  clock: Clock;
  ids: Pick<Ids, 'fraction'>;
  log: Log;
};

/** State shared by the update functions. Times with the suffix `Ms` are monotonic. */
export type UpdateContext = UpdateParts & {
  /** What this installation can do about updates. */
  can: Pick<Updater, 'cannotCheck' | 'cannotInstall' | 'policy' | 'failed'>;
  state: UpdateState;
  /** Newer version, if one was found. */
  found: string | undefined;
  percent: number | undefined;
  /** Time of the last successful check, in epoch milliseconds. */
  checkedAt: number | undefined;
  problem: string | undefined;
  nextCheckMs: number;
  /** Time of the last change to the station's data. */
  changedMs: number;
  checking: Promise<void> | undefined;
  downloading: Promise<void> | undefined;
  /** Timer of the next automatic check. */
  daily: Alarm;
  /** Timer for the next check of whether anybody is working. */
  quiet: Alarm;
};
