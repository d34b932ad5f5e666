import type { Displayed } from '#shared/api/device.ts';
import type { SeenLed } from '#shared/led/seen.ts';

/**
 * An LED color on the page. Text in the color `ink` is readable on `tone` in large bold type (3:1), text in
 * `smallInk` at any size (4.5:1). `pale` tells whether the tone is too light for a line on a light background.
 */
type LedTone = { tone: string; ink: string; smallInk: string; pale: boolean };

/** Softer tones for common colors, which at full strength glare on a monitor and hide the letter. */
const TONES = new Map(
  Object.entries<string>({
    '#ff0000': '#dc2626',
    '#00ff00': '#16a34a',
    '#0000ff': '#2563eb',
    '#ffff00': '#facc15',
    '#00ffff': '#22c3dd',
    '#ff00ff': '#c026d3',
    '#ffa500': '#f59e0b',
  }),
);

const WHITE = '#ffffff';

const BLACK = '#000000';

/** Returns the tone for an LED color. `hex` has the form `#rrggbb`. */
export function ledTone(hex: string): LedTone {
  const tone = TONES.get(hex.toLowerCase()) ?? hex;
  const onWhite = contrast(tone, WHITE);
  const onBlack = contrast(tone, BLACK);
  return { tone, ink: onWhite >= 3 ? WHITE : BLACK, smallInk: onWhite > onBlack ? WHITE : BLACK, pale: onWhite < 2.5 };
}

/** Returns the contrast of two colors in the form `#rrggbb`, from 1 to 21 (WCAG 2.2). */
export function contrast(a: string, b: string): number {
  const [darker = 0, lighter = 0] = [luminanceOf(a), luminanceOf(b)].toSorted((x, y) => x - y);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminanceOf(hex: string): number {
  const channel = (from: number) => {
    const value = parseInt(hex.slice(from, from + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5);
}

/** An LED to draw, at full brightness unless `intensity` is set. */
export type LedLight = Displayed['led'] & Partial<Pick<SeenLed, 'intensity' | 'darkBy'>>;

/** Whether the light is off. Black counts as off, even if the light blinks. */
export function isDark({ mode, hex }: LedLight): boolean {
  return mode === 'off' || hex === '#000000';
}
