export type LedMode = 'off' | 'steady' | 'blink';

/** Milliseconds of one blink, lit for its first half: 1 Hz, well below the 3 Hz where flashing can harm. */
export const BLINK_PERIOD_MS = 1_000;

/**
 * Whether a LED is lit, `sinceMs` milliseconds after its mode began. The one place that decides it, so that the window,
 * the simulator and a picture of the station agree. At a time that is no number it is lit: work must not stay in the dark.
 */
export function isLit(mode: LedMode, sinceMs: number): boolean {
  if (mode !== 'blink') return mode === 'steady';
  if (!Number.isFinite(sinceMs)) return true;
  const phaseMs = ((sinceMs % BLINK_PERIOD_MS) + BLINK_PERIOD_MS) % BLINK_PERIOD_MS;
  return phaseMs < BLINK_PERIOD_MS / 2;
}
