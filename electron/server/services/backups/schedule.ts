import { listBackups } from '../../db/backupFiles.ts';
import { createAlarm } from '../../scheduling/alarm.ts';
import { StationError } from '../../errors.ts';
import type { Clock, Log } from '../../ports.ts';
import type { Backups } from './backups.ts';
import { type Bus, STATION } from '../base/index.ts';
import type { SettingsService } from '../settings/index.ts';

const HOUR_MS = 3_600_000;
/** Delay of the first backup after startup, because more important work comes first. */
const AFTER_START_MS = 60_000;
const AGAIN_AFTER_MS = HOUR_MS;

type ScheduledBackups = Pick<Backups, 'make' | 'thin' | 'setFailure'>;

/** Creates backups at the interval in the setting `backup_every`. */
export function createBackupSchedule(parts: {
  dataFolder: string;
  /** When the data folder was created, in epoch milliseconds. */
  createdAt: number;
  settings: Pick<SettingsService, 'current'>;
  bus: Bus;
  clock: Clock;
  log: Log;
}) {
  const { dataFolder, createdAt, clock, log } = parts;
  let backups: ScheduledBackups | undefined;
  const alarm = createAlarm(clock, () => void run());
  let notBefore = clock.now() + AFTER_START_MS;
  let isMaking = false;
  let unsubscribe: (() => void) | undefined;

  /** Returns when the next backup is due, in epoch milliseconds, or undefined if the schedule is off. */
  function nextAt(): number | undefined {
    const everyMs = parts.settings.current().backup_every * HOUR_MS;
    if (everyMs === 0) return undefined;
    const now = clock.now();
    const made = listBackups(dataFolder).filter(({ kind }) => kind === 'scheduled');
    // Ignore times in the future, which were written while the clock was wrong.
    const past = [createdAt, ...made.map((file) => file.createdAt)].filter((at) => at <= now);
    return Math.max(Math.max(0, ...past) + everyMs, Math.min(notBefore, now + AGAIN_AFTER_MS));
  }

  function begin(): void {
    backups?.thin();
    look();
  }

  function look(): void {
    // The running backup schedules the next one when it ends.
    if (isMaking) return alarm.cancel();
    alarm.in((nextAt() ?? Number.POSITIVE_INFINITY) - clock.now());
  }

  async function run(): Promise<void> {
    const at = nextAt();
    if (at !== undefined && at <= clock.now()) {
      isMaking = true;
      try {
        await backups?.make('scheduled', STATION);
        backups?.thin();
      } catch (error) {
        notBefore = clock.now() + AGAIN_AFTER_MS;
        // Do not report if another backup is running, if this one was canceled, or if the station is stopping.
        const isWanted = error instanceof StationError && (error.code === 'conflict' || error.code === 'stopping');
        if (!isWanted) {
          backups?.setFailure(error instanceof Error ? error.message : String(error));
          log.warn({ err: error }, 'could not make the daily backup; will retry within the hour');
        }
      }
      isMaking = false;
    }
    look();
  }

  return {
    nextAt,
    start(scheduled: ScheduledBackups): void {
      backups = scheduled;
      unsubscribe = parts.bus.subscribe({
        commit({ facts }) {
          if (facts.some(({ type }) => type === 'settings.changed')) begin();
        },
      });
      begin();
    },
    stop(): void {
      unsubscribe?.();
      alarm.stop();
    },
  };
}
