import type { AlertKind } from '#shared/api/alert.ts';

/** Hysteresis in percent and in dB. Without it, a fluctuating value would raise and resolve an alert all day. */
export const BATTERY_MARGIN = 5;
export const SIGNAL_MARGIN = 5;

/**
 * Whether an alert about a falling value should be open. The alert is raised at the threshold and resolved above threshold plus margin. A
 * threshold of 0 turns the alert off.
 */
export function isBelow(isOpen: boolean, value: number, rule: { threshold: number; margin: number }): boolean {
  if (rule.threshold === 0) return false;
  return isOpen ? value < rule.threshold + rule.margin : value <= rule.threshold;
}

export type TurboKind = Extract<AlertKind, `turbo_${string}`>;

/** Health of a turbo. `isDue` tells whether the turbo has been unhealthy for longer than allowed. */
export type TurboHealth = { isOnline: boolean; problem: string | null; isDue: boolean };

/**
 * Returns the alert that should be open for a turbo, or undefined. A reported problem is more specific than a missing link, and the link
 * comes and goes while the turbo reconnects. Therefore `turbo_trouble` stays open until the turbo is healthy.
 */
export function turboAlert(health: TurboHealth, open: TurboKind | undefined): TurboKind | undefined {
  const { isOnline, problem, isDue } = health;
  if (isOnline && problem === null) return undefined;
  if (open === undefined && !isDue) return undefined;
  return problem !== null || open === 'turbo_trouble' ? 'turbo_trouble' : 'turbo_offline';
}
