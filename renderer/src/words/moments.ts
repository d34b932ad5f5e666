import * as texts from './texts.ts';
import { timeText } from './formats.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** From then on the day says more than how many there were since. */
const COUNTED_DAYS = 14;

const words = texts.moments;

/** `2 minutes ago`, as somebody would say it; after two weeks the day. */
export function agoWords(at: number, now: number): string {
  const ms = Math.max(0, now - at);
  if (ms < MINUTE_MS) return words.now;
  if (ms < HOUR_MS) return words.minutes(Math.floor(ms / MINUTE_MS));
  if (ms < DAY_MS) return words.hours(Math.floor(ms / HOUR_MS));
  if (ms < COUNTED_DAYS * DAY_MS) return words.days(Math.floor(ms / DAY_MS));
  return words.on(timeText('longDayOfYear', at));
}

/** `14:30`; of another day with that day, `27 November, 14:30`. */
export function untilWords(at: number, now: number): string {
  const date = new Date(at);
  const time = timeText('clock', date);
  if (date.toDateString() === new Date(now).toDateString()) return time;
  return `${timeText('longDay', date)}, ${time}`;
}

/** `Today`, `Yesterday`, `Wednesday, 18 November`; of another year with the year. */
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

/** The date and the time to the second, for a tooltip. */
export function exactWords(at: number): string {
  return timeText('exact', at);
}

/** `14:30:05`; of another day with that day. */
export function timeWords(at: number, now: number): string {
  const date = new Date(at);
  const time = timeText('seconds', date);
  if (date.toDateString() === new Date(now).toDateString()) return time;
  return `${timeText('day', date)}, ${time}`;
}
