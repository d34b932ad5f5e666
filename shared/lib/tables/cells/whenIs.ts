import type { DateOrder } from './dateOrders.ts';
import { createMomentReader } from './dates.ts';

/** When a date is, relative to now: `soon` is the rest of the day. Undefined if it is not understood or can be several days. */
export type WhenIs = (date: string) => 'past' | 'soon' | 'later' | undefined;

const DAY_MS = 24 * 60 * 60 * 1_000;

/** Creates a function that tells when dates are. A date without a time lasts until the end of its day. */
export function createWhenReader(how: { dateOrder: DateOrder | undefined; timeZone: string; now: number }): WhenIs {
  const readMoment = createMomentReader(how);
  return (date) => {
    const moment = readMoment(date);
    if (!moment.ok) return undefined;
    if (moment.value < how.now) return 'past';
    return moment.value < how.now + DAY_MS ? 'soon' : 'later';
  };
}
