import type { AlertKind } from '#shared/api/alert.ts';

/** Hysteresis in percent and dB: without it, a wavering value would raise and end an alert all day. */
export const BATTERY_MARGIN = 5;
export const SIGNAL_MARGIN = 5;

/**
 * Whether an alert on a falling value is open: raised at the threshold, ended above threshold plus margin. 0: no alert.
 */
export function isBelow(isOpen: boolean, value: number, rule: { threshold: number; margin: number }): boolean {
  if (rule.threshold === 0) return false;
  return isOpen ? value < rule.threshold + rule.margin : value <= rule.threshold;
}

export type TurboKind = Extract<AlertKind, `turbo_${string}`>;

/** `isDue`: it has been unhealthy for longer than allowed. */
export type TurboHealth = { isOnline: boolean; problem: string | null; isDue: boolean };

/**
 * The alert for a turbo, at most one. A problem says more than a missing link, and links come and go while it
 * reconnects, so turbo_trouble stays until the turbo is healthy.
 */
export function turboAlert(health: TurboHealth, open: TurboKind | undefined): TurboKind | undefined {
  const { isOnline, problem, isDue } = health;
  if (isOnline && problem === null) return undefined;
  if (open === undefined && !isDue) return undefined;
  return problem !== null || open === 'turbo_trouble' ? 'turbo_trouble' : 'turbo_offline';
}
