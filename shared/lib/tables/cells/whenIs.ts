import type { DateOrder } from './dateOrders.ts';
import { createMomentReader } from './dates.ts';

/** When a date is: `soon` means within 24 hours, and `unclear` that it can be several days. Undefined if it cannot be read. */
export type WhenIs = (date: string) => 'past' | 'soon' | 'later' | 'unclear' | undefined;

const DAY_MS = 24 * 60 * 60 * 1_000;

/**
 * Creates a function that compares dates with `now`. A date without a time means the end of its day. Without `now`, it finds only unclear
 * dates.
 */
export function createWhenReader(how: { dateOrder: DateOrder | undefined; timeZone: string; now?: number }): WhenIs {
  const readMoment = createMomentReader(how);
  const { now } = how;
  return (date) => {
    const moment = readMoment(date);
    if (!moment.ok) return moment.why === 'unclear' ? 'unclear' : undefined;
    if (now === undefined) return undefined;
    if (moment.value < now) return 'past';
    return moment.value < now + DAY_MS ? 'soon' : 'later';
  };
}
