export type LedMode = 'off' | 'steady' | 'blink';

/** Milliseconds of one blink, lit for its first half: 1 Hz, well below the 3 Hz where flashing can harm. */
export const BLINK_PERIOD_MS = 1_000;

/**
 * Whether a LED is lit `sinceMs` milliseconds after its mode began. The page, the simulator and screenshots all use
 * this. Lit if the time is not a number: work must not stay dark.
 */
export function isLit(mode: LedMode, sinceMs: number): boolean {
  if (mode !== 'blink') return mode === 'steady';
  if (!Number.isFinite(sinceMs)) return true;
  const phaseMs = ((sinceMs % BLINK_PERIOD_MS) + BLINK_PERIOD_MS) % BLINK_PERIOD_MS;
  return phaseMs < BLINK_PERIOD_MS / 2;
}
