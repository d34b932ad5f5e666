import type { LedMode } from './blink.ts';

/** A requested light: its color without the device's brightness. */
export type AskedLed = { mode: LedMode; hex: string; letter: string; fixedBrightness: boolean };

/** A light as people see it. */
export type SeenLed = {
  mode: LedMode;
  /** The color as `#rrggbb`; `intensity` has the brightness. */
  hex: string;
  /** Letter beside the light; empty: off. */
  letter: string;
  /** 0 to 1, by the device's brightness; 1 for a hexadecimal color, which includes its brightness. */
  intensity: number;
  /** Why it is dark although it should shine. */
  darkBy: 'brightness' | 'color' | undefined;
};

const BLACK = '#000000';

/**
 * The visible light at a device's brightness in percent. Brightness applies to named colors; a hexadecimal one
 * includes its own (specification, "Display element rules").
 */
export function seenLed(led: AskedLed, brightness: number): SeenLed {
  if (led.mode === 'off') return dark(undefined);
  // The parser turned colors that are too dark into black.
  if (led.hex === BLACK) return dark('color');
  // Unknown brightness: full, never dark.
  const percent = led.fixedBrightness || Number.isNaN(brightness) ? 100 : Math.min(100, brightness);
  if (percent <= 0) return dark('brightness');
  return { mode: led.mode, hex: led.hex, letter: led.letter, intensity: percent / 100, darkBy: undefined };
}

function dark(darkBy: SeenLed['darkBy']): SeenLed {
  return { mode: 'off', hex: BLACK, letter: '', intensity: 0, darkBy };
}
