import type { Alert } from '#shared/api/alert.ts';
import { compareNames } from '#shared/lib/text/locale.ts';
import type { Commit } from '../db/writer.ts';
import { createAlarm } from '../scheduling/alarm.ts';
import type { Clock } from '../ports.ts';

/** Maximum number of alerts in the topic `info`. */
const MAX_ALERTS = 50;
/** Time to collect changes, in milliseconds. */
const SETTLE_MS = 1_000;
const MINUTE_MS = 60_000;
const MINUTES = 60;

/** Facts about this station that other stations show, in addition to its devices and orders. */
export type Vitals = {
  battery_percent: number;
  throughput: { picks_last_hour: number };
  failing_receivers: string[];
  open_alerts: number;
  alerts: { kind: string; about: string; since: string; problem: string }[];
};

/** Creates a counter of picks. Calls `changed` when the topic `info` must be published again. */
export function createVitals(parts: {
  clock: Clock;
  listAlerts: () => Alert[];
  batteryPercent: () => number;
  changed: () => void;
}) {
  const { clock, listAlerts, batteryPercent, changed } = parts;
  /** Number of picks in each minute of the monotonic clock. */
  const picks = new Map<number, number>();
  const settle = createAlarm(clock, changed);
  const minute = createAlarm(clock, () => {
    changed();
    if (countPicks() > 0) minute.within(MINUTE_MS);
  });

  const minuteNow = (): number => Math.floor(clock.monotonic() / MINUTE_MS);

  function countPicks(): number {
    const oldest = minuteNow() - MINUTES;
    let count = 0;
    for (const [at, picked] of picks) {
      if (at <= oldest) picks.delete(at);
      else count += picked;
    }
    return count;
  }

  return {
    current(): Vitals {
      const open = listAlerts();
      const failing = open.filter(({ kind }) => kind === 'receiver_failing');
      return {
        battery_percent: batteryPercent(),
        throughput: { picks_last_hour: countPicks() },
        failing_receivers: failing.map(({ about }) => about ?? ''),
        open_alerts: open.length,
        alerts: open
          .toSorted((one, other) => compareNames(other.since, one.since))
          .slice(0, MAX_ALERTS)
          .map(({ kind, deviceid, turbo, order_number: order, about, since, problem }) => {
            return { kind, about: deviceid ?? turbo ?? order ?? about ?? '', since, problem: problem ?? '' };
          }),
      };
    },
    committed({ facts }: Pick<Commit, 'facts'>): void {
      for (const { type } of facts) {
        if (type === 'command.acknowledged') {
          picks.set(minuteNow(), (picks.get(minuteNow()) ?? 0) + 1);
          minute.within(MINUTE_MS);
        } else if (SAID_AGAIN.has(type)) settle.within(SETTLE_MS);
      }
    },
    stop(): void {
      settle.stop();
      minute.stop();
    },
  };
}

const SAID_AGAIN: ReadonlySet<string> = new Set([
  'alert.raised',
  'alert.ended',
  'device.added',
  'device.removed',
  'settings.changed',
]);
