export type LedMode = 'off' | 'steady' | 'blink';

/** Duration of one blink in milliseconds, lit during its first half. 1 Hz is well below the 3 Hz at which flashing can harm. */
export const BLINK_PERIOD_MS = 1_000;

/**
 * Whether an LED is lit `sinceMs` milliseconds after its mode began. A blinking LED is lit if the time is invalid, so that a requested
 * light is never off by mistake.
 */
export function isLit(mode: LedMode, sinceMs: number): boolean {
  if (mode !== 'blink') return mode === 'steady';
  if (!Number.isFinite(sinceMs)) return true;
  const phaseMs = ((sinceMs % BLINK_PERIOD_MS) + BLINK_PERIOD_MS) % BLINK_PERIOD_MS;
  return phaseMs < BLINK_PERIOD_MS / 2;
}
