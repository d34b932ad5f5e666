import { plural } from './plural.ts';

const of = (count: number, one: string) => plural(count, one, `${one}s`);

/** When something was. */
export const moments = {
  now: 'just now',
  minutes: (count: number) => `${of(count, 'minute')} ago`,
  hours: (count: number) => `${of(count, 'hour')} ago`,
  days: (count: number) => `${of(count, 'day')} ago`,
  on: (day: string) => `on ${day}`,
  today: 'Today',
  yesterday: 'Yesterday',
} as const;
