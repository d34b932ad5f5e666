import { wallClockOf } from '../tables/cells/dates.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Calendar of the shop. Times are in epoch milliseconds. */
export type ShopDays = {
  /** The day in the shop, such as `2026-03-29`. */
  dayOf: (at: number) => string;
  /** When the day began in the shop. The clock may skip midnight, or show it twice. */
  startOfDay: (at: number) => number;
  /** When the hour of the shop's clock ends. */
  endOfHour: (at: number) => number;
};

/** Returns the calendar of the shop. `timeZone` is the setting `time_zone`; null means the zone of this computer. */
export function shopDaysIn(timeZone: string | null): ShopDays {
  const clockOf = wallClockOf(timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone);
  return {
    dayOf: (at) => new Date(clockOf(at)).toISOString().slice(0, 'YYYY-MM-DD'.length),
    startOfDay(at) {
      const midnight = Math.floor(clockOf(at) / DAY_MS) * DAY_MS;
      // No zone changes its clock twice in two days.
      const moments = [midnight - DAY_MS, midnight + DAY_MS].map((near) => midnight - (clockOf(near) - near));
      const shown = moments.filter((moment) => clockOf(moment) === midnight);
      return shown.length > 0 ? Math.min(...shown) : Math.max(...moments);
    },
    endOfHour: (at) => Math.floor(at / 1_000) * 1_000 + HOUR_MS - (clockOf(at) % HOUR_MS),
  };
}
