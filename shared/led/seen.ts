import type { LedMode } from './blink.ts';

/** A LED as it was asked for: its colour without the device's brightness. */
export type AskedLed = { mode: LedMode; hex: string; letter: string; fixedBrightness: boolean };

/** A LED as a person sees it. */
export type SeenLed = {
  mode: LedMode;
  /** `#rrggbb`, the colour; how bright it is, is told by `intensity`. */
  hex: string;
  /** The mark that goes with the light; empty where it is off. */
  letter: string;
  /** 0 to 1, by the device's brightness; of a hexadecimal colour 1: it is as bright as it is. */
  intensity: number;
  /** Why it is dark although it was asked to shine. */
  darkBy: 'brightness' | 'color' | undefined;
};

const BLACK = '#000000';

/**
 * The light that is seen, at a device's brightness in percent. The one place that decides it: a named colour obeys the
 * brightness, a hexadecimal one brings its own (specification, "Display element rules").
 */
export function seenLed(led: AskedLed, brightness: number): SeenLed {
  if (led.mode === 'off') return dark(undefined);
  // The parser made what is too dark to shine black.
  if (led.hex === BLACK) return dark('color');
  // What is not known is no reason to be dark.
  const percent = led.fixedBrightness || Number.isNaN(brightness) ? 100 : Math.min(100, brightness);
  if (percent <= 0) return dark('brightness');
  return { mode: led.mode, hex: led.hex, letter: led.letter, intensity: percent / 100, darkBy: undefined };
}

function dark(darkBy: SeenLed['darkBy']): SeenLed {
  return { mode: 'off', hex: BLACK, letter: '', intensity: 0, darkBy };
}
