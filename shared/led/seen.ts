import type { LedMode } from './blink.ts';

/** A requested light, without the brightness of the device. */
export type AskedLed = { mode: LedMode; hex: string; letter: string; fixedBrightness: boolean };

/** A light as people see it. */
export type SeenLed = {
  mode: LedMode;
  /** The color as `#rrggbb`. `intensity` contains the brightness. */
  hex: string;
  /** Letter next to the light. Empty if the light is off. */
  letter: string;
  /** Brightness from 0 to 1: the brightness of the device, or 1 for a hexadecimal color, which includes its brightness. */
  intensity: number;
  /**
   * Why a requested light is not visible: the brightness of the device is 0, or the color is too dark. Undefined if the light is visible,
   * or if off was requested.
   */
  darkBy: 'brightness' | 'color' | undefined;
};

const BLACK = '#000000';

/**
 * Returns the visible light. `brightness` is the brightness of the device in percent, which applies only to named colors (specification,
 * "Display element rules").
 */
export function seenLed(led: AskedLed, brightness: number): SeenLed {
  if (led.mode === 'off') return dark(undefined);
  // The parser turns colors that are too dark into black.
  if (led.hex === BLACK) return dark('color');
  // An unknown brightness counts as full, so that a light for work is always visible.
  const percent = led.fixedBrightness || Number.isNaN(brightness) ? 100 : Math.min(100, brightness);
  if (percent <= 0) return dark('brightness');
  return { mode: led.mode, hex: led.hex, letter: led.letter, intensity: percent / 100, darkBy: undefined };
}

function dark(darkBy: SeenLed['darkBy']): SeenLed {
  return { mode: 'off', hex: BLACK, letter: '', intensity: 0, darkBy };
}
