import type { Alert } from '#shared/api/alert.ts';
import { texts } from '../ui/texts.ts';

const words = texts.alerts;

/** What is wrong, with the value at which it was: `Battery low, 12 %`. */
export function alertWords({ kind, value }: Pick<Alert, 'kind' | 'value'>): string {
  const name = words.kinds[kind];
  if (value === null) return name;
  if (kind === 'battery_low') return `${name}, ${words.percent(value)}`;
  if (kind === 'signal_weak') return `${name}, ${words.dbm(value)}`;
  return name;
}
