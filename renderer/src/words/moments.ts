import * as texts from './texts.ts';
import { timeText } from './formats.ts';

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
  const date = new Date(at);
  const time = timeText('clock', date);
  if (date.toDateString() === new Date(now).toDateString()) return time;
  return `${timeText('longDay', date)}, ${time}`;
}

/** Formats a day, such as `Today`, `Yesterday` or `Wednesday, 18 November`. The year is added if it is not the current one. */
export function dayTitle(at: number, now: number): string {
  const date = new Date(at);
  const today = new Date(now);
  if (date.toDateString() === today.toDateString()) return words.today;
  const yesterday = new Date(today.getFullYear(), today.getMonth(), today.getDate() - 1);
  if (date.toDateString() === yesterday.toDateString()) return words.yesterday;
  const isThisYear = date.getFullYear() === today.getFullYear();
  const weekday = timeText('longWeekday', date);
  return `${weekday}, ${timeText(isThisYear ? 'longDay' : 'longDayOfYear', date)}`;
}

/** Formats the date and the time to the second, for a tooltip. */
export function exactWords(at: number): string {
  return timeText('exact', at);
}

/** Formats a time with seconds, such as `14:30:05`, or with the date if it is on another day. */
export function timeWords(at: number, now: number): string {
  const date = new Date(at);
  const time = timeText('seconds', date);
  if (date.toDateString() === new Date(now).toDateString()) return time;
  return `${timeText('day', date)}, ${time}`;
}
