import * as texts from './texts.ts';
import { timeText } from './formats.ts';
import { isSameDay, shopClock } from './shopClock.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Age in days from which the date is shown instead of the number of days. */
const COUNTED_DAYS = 14;

const words = texts.moments;

/** Formats an age, such as `2 minutes ago`. After two weeks, returns the date instead. */
export function agoWords(at: number, now: number): string {
  const ms = Math.max(0, now - at);
  if (ms < MINUTE_MS) return words.now;
  if (ms < HOUR_MS) return words.minutes(Math.floor(ms / MINUTE_MS));
  if (ms < DAY_MS) return words.hours(Math.floor(ms / HOUR_MS));
  if (ms < COUNTED_DAYS * DAY_MS) return words.days(Math.floor(ms / DAY_MS));
  return words.on(timeText('longDayOfYear', at));
}

/** Formats a time, such as `14:30`, or with the date if it is on another day: `27 November, 14:30`. */
export function untilWords(at: number, now: number): string {
  const time = timeText('clock', at);
  return isSameDay(at, now) ? time : `${timeText('longDay', at)}, ${time}`;
}

/** Formats a day, such as `Today`, `Yesterday` or `Wednesday, 18 November`. The year is added if it is not the current one. */
export function dayTitle(at: number, now: number): string {
  const { dayOf, startOfDay } = shopClock();
  const [day, today] = [dayOf(at), dayOf(now)];
  if (day === today) return words.today;
  if (day === dayOf(startOfDay(now, -1))) return words.yesterday;
  const isThisYear = day.slice(0, 'YYYY'.length) === today.slice(0, 'YYYY'.length);
  return `${timeText('longWeekday', at)}, ${timeText(isThisYear ? 'longDay' : 'longDayOfYear', at)}`;
}

/** Formats the date and the time to the second, for a tooltip. */
export function exactWords(at: number): string {
  return timeText('exact', at);
}

/** Formats a time with seconds, such as `14:30:05`, or with the date if it is on another day. */
export function timeWords(at: number, now: number): string {
  const time = timeText('seconds', at);
  return isSameDay(at, now) ? time : `${timeText('day', at)}, ${time}`;
}
