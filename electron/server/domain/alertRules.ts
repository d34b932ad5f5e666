import type { AlertKind } from '#shared/api/alert.ts';

/** How much better it must be before an alert ends, in percent and in dB: else one value would raise and end it all day. */
export const BATTERY_MARGIN = 5;
export const SIGNAL_MARGIN = 5;

/** Whether an alert on a falling value is to be open. Raised at the threshold, over above the margin; 0: no such alert. */
export function isBelow(isOpen: boolean, value: number, rule: { threshold: number; margin: number }): boolean {
  if (rule.threshold === 0) return false;
  return isOpen ? value < rule.threshold + rule.margin : value <= rule.threshold;
}

export type TurboKind = Extract<AlertKind, `turbo_${string}`>;

/** How it stands with a turbo. `isDue`: it has not been well for as long as is allowed. */
export type TurboHealth = { isOnline: boolean; problem: string | null; isDue: boolean };

/**
 * The alert that a turbo is to have: one at a time. Trouble says more than that there is no link, and tries to connect
 * come and go with it: it stays until the turbo is well.
 */
export function turboAlert(health: TurboHealth, open: TurboKind | undefined): TurboKind | undefined {
  const { isOnline, problem, isDue } = health;
  if (isOnline && problem === null) return undefined;
  if (open === undefined && !isDue) return undefined;
  return problem !== null || open === 'turbo_trouble' ? 'turbo_trouble' : 'turbo_offline';
}
