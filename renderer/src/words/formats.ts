import { shopClock } from './shopClock.ts';

/**
 * Options for date and time formats (`shared/lib/text/locale.ts` formats numbers). Formats are cached, because creating
 * one takes longer than drawing a row of a list.
 */

const CLOCK = { hour: '2-digit', minute: '2-digit' } as const;

const TIMES = {
  /** `14:30` */
  clock: CLOCK,
  /** `14:30:05` */
  seconds: { ...CLOCK, second: '2-digit' },
  /** `Wed` */
  weekday: { weekday: 'short' },
  /** `20 Nov` */
  day: { day: 'numeric', month: 'short' },
  /** `Fri, 20 Nov` */
  weekdayAndDay: { weekday: 'short', day: 'numeric', month: 'short' },
  /** `20 Nov 2026` */
  dayOfYear: { day: 'numeric', month: 'short', year: 'numeric' },
  /** `Wednesday` */
  longWeekday: { weekday: 'long' },
  /** `20 November` */
  longDay: { day: 'numeric', month: 'long' },
  /** `Friday 20 November` */
  longWeekdayAndDay: { weekday: 'long', day: 'numeric', month: 'long' },
  /** `20 November 2026` */
  longDayOfYear: { day: 'numeric', month: 'long', year: 'numeric' },
  /** `20 November 2026 at 08:00` */
  moment: { day: 'numeric', month: 'long', year: 'numeric', ...CLOCK },
  /** `Friday 20 November 2026 at 14:30:05` */
  exact: { dateStyle: 'full', timeStyle: 'medium' },
  /** `Fri, 20 Nov`, for a day that is stored as midnight UTC. */
  dayInUtc: { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

const formats = new Map<string, Intl.DateTimeFormat>();

/** Formats a time in the shop's time zone. `at` is a number of epoch milliseconds, an ISO text, or a date. */
export function timeText(form: keyof typeof TIMES, at: number | string | Date): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return 'an unknown time';
  const { zone } = shopClock();
  const key = `${zone} ${form}`;
  const format = formats.get(key) ?? new Intl.DateTimeFormat('en-GB', { timeZone: zone, ...TIMES[form] });
  formats.set(key, format);
  return format.format(date);
}
