import { momentShowing, wallClockOf } from './wallClock.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Calendar of the shop. Times are in epoch milliseconds. */
export type ShopDays = {
  /** IANA name of the time zone. */
  zone: string;
  /** The day in the shop, such as `2026-03-29`. */
  dayOf: (at: number) => string;
  /** When the day began in the shop, or the day that is `days` later. The clock may skip midnight, or show it twice. */
  startOfDay: (at: number, days?: number) => number;
  /** When the hour of the shop's clock ends. */
  endOfHour: (at: number) => number;
  /** What the shop's clock shows, as if that were UTC. */
  clockOf: (at: number) => number;
  /** When the shop's clock first shows this. If it skips it, the moment after the jump. */
  startOf: (clock: number) => number;
  /** When the shop's clock last shows this: the moment that a person who types a time means. */
  momentOf: (clock: number) => number;
  /** The time `ms` later. More than an hour follows the shop's clock, so a day can have 23 or 25 hours. */
  after: (at: number, ms: number) => number;
};

/** Returns the calendar of the shop. `timeZone` is the setting `time_zone`; null means the zone of this computer. */
export function shopDaysIn(timeZone: string | null): ShopDays {
  const zone = timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  const clockOf = wallClockOf(zone);
  const startOf = (clock: number): number => {
    // No zone changes its clock twice in two days.
    const moments = [clock - DAY_MS, clock + DAY_MS].map((near) => clock - (clockOf(near) - near));
    const shown = moments.filter((moment) => clockOf(moment) === clock);
    return shown.length > 0 ? Math.min(...shown) : Math.max(...moments);
  };
  return {
    zone,
    dayOf: (at) => new Date(clockOf(at)).toISOString().slice(0, 'YYYY-MM-DD'.length),
    startOfDay: (at, days = 0) => startOf((Math.floor(clockOf(at) / DAY_MS) + days) * DAY_MS),
    endOfHour: (at) => Math.floor(at / 1_000) * 1_000 + HOUR_MS - (clockOf(at) % HOUR_MS),
    clockOf,
    startOf,
    momentOf: (clock) => momentShowing(clock, clockOf),
    after: (at, ms) => (ms <= HOUR_MS ? at + ms : startOf(clockOf(at) + ms)),
  };
}
