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

/** State shared by the update functions. Times in `Ms` are monotonic. */
export type UpdateContext = UpdateParts & {
  /** Update features of this installation. */
  can: Pick<Updater, 'cannotCheck' | 'cannotInstall' | 'policy' | 'failed'>;
  state: UpdateState;
  /** The newer version, if one was found. */
  found: string | undefined;
  percent: number | undefined;
  /** When the station last checked, in epoch milliseconds. */
  checkedAt: number | undefined;
  problem: string | undefined;
  nextCheckMs: number;
  /** Time of the last change in the station. */
  changedMs: number;
  checking: Promise<void> | undefined;
  downloading: Promise<void> | undefined;
  /** Fires for the next automatic check. */
  daily: Alarm;
  /** Fires to check whether nobody is working. */
  quiet: Alarm;
};
