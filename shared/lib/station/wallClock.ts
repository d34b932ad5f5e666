import { timeFormat } from '../text/locale.ts';

const DAY_MS = 24 * 60 * 60_000;

/** Returns the local time of a zone at a moment, as if it were UTC. */
export type WallClock = (at: number) => number;

/** Returns the latest moment with this local time. If a clock change skips this time, returns the moment after the jump. */
export function momentShowing(wall: number, wallClock: WallClock): number {
  // No zone changes its clock twice in two days.
  const offsets = [wall - DAY_MS, wall + DAY_MS].map((at) => wallClock(at) - at);
  const moments = offsets.map((ahead) => wall - ahead);
  const shown = moments.filter((at) => wallClock(at) === wall);
  return Math.max(...(shown.length > 0 ? shown : moments));
}

/** Returns a function that converts a moment to what clocks in a time zone show, as if that were UTC. */
export function wallClockOf(timeZone: string): WallClock {
  const format = timeFormat(timeZone, {
    calendar: 'iso8601',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  return (at) => {
    const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
    const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
    // `Date.UTC` takes the years 0 to 99 for 1900 to 1999.
    const day = new Date(0).setUTCFullYear(part('year'), part('month') - 1, part('day'));
    return day + Date.UTC(1970, 0, 1, part('hour'), part('minute'), part('second'));
  };
}
