import type { Settings } from '#shared/api/settings.ts';

const DAY_MS = 86_400_000;

/** Returns how long the station may keep imports and drafts, in milliseconds. They contain copies of customers and notes. */
export const copiesKeptMs = ({ history_customer_days: days }: Pick<Settings, 'history_customer_days'>): number =>
  days === 0 ? Infinity : days * DAY_MS;
