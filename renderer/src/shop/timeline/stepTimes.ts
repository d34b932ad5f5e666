import { timeText } from '../../words/formats.ts';

/** Whether a timeline shows the time of day, or the time since the first step. */
export type TimeMode = 'clock' | 'since';

const two = (value: number) => String(value).padStart(2, '0');
const three = (value: number) => String(value).padStart(3, '0');

/**
 * Formats the times of steps, to the millisecond. In clock mode, a time in the same second as the previous one is
 * shortened to its milliseconds.
 */
export function stepTimes(at: readonly number[], mode: TimeMode): string[] {
  const [first = 0] = at;
  return at.map((time, place) => {
    if (mode === 'since') return sinceWords(time - first);
    const before = at[place - 1];
    const milliseconds = `.${three(new Date(time).getMilliseconds())}`;
    const isSame = before !== undefined && Math.floor(before / 1_000) === Math.floor(time / 1_000);
    return isSame ? milliseconds : `${clockWords(time)}${milliseconds}`;
  });
}

/** Formats the time of day in the shop, such as `14:02:11`. */
export function clockWords(at: number): string {
  return timeText('seconds', at);
}

/** Formats a day, such as `20 Nov 2026`. Returns an empty text for the day of `now`. */
export function dayWords(at: number, now: number): string {
  const day = (time: number) => timeText('dayOfYear', time);
  return day(at) === day(now) ? '' : day(at);
}

function sinceWords(ms: number): string {
  const sign = ms < 0 ? '\u2212' : '+';
  const whole = Math.abs(ms);
  const seconds = Math.floor(whole / 1_000);
  const rest = `.${three(whole % 1_000)}`;
  if (seconds < 60) return `${sign}${seconds}${rest} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${sign}${minutes}:${two(seconds % 60)}${rest}`;
  return `${sign}${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(seconds % 60)}${rest}`;
}
