/** Red, green, blue, each 0 to 255. */
type Rgb = readonly [red: number, green: number, blue: number];

export type LedColor = {
  /** `#rrggbb`, lower case; `#000000` is off. */
  hex: `#${string}`;
  /** Letter next to the light, for people who cannot tell colors apart: R G B Y C M W O P. Empty if the light is off. */
  letter: string;
  /** Whether the color includes its brightness, as hexadecimal colors do. The brightness of the device applies to all other colors. */
  fixedBrightness: boolean;
};

/** The color of a light that is off. */
export const OFF = '#000000';

/** Hexadecimal colors with at most this lightness (HSL, 0 to 1) count as off (specification, "Display element rules"). */
const DARKEST_LIGHTNESS = 0.03;

// These are the CSS values, except for green, which an LED shows at full strength, like red and blue.
const NAMED = {
  red: [255, 0, 0],
  green: [0, 255, 0],
  blue: [0, 0, 255],
  yellow: [255, 255, 0],
  cyan: [0, 255, 255],
  magenta: [255, 0, 255],
  white: [255, 255, 255],
  orange: [255, 165, 0],
  pink: [255, 192, 203],
  purple: [128, 0, 128],
  lime: [0, 255, 0],
  aqua: [0, 255, 255],
  fuchsia: [255, 0, 255],
  teal: [0, 128, 128],
  navy: [0, 0, 128],
  olive: [128, 128, 0],
  maroon: [128, 0, 0],
  silver: [192, 192, 192],
  gray: [128, 128, 128],
  grey: [128, 128, 128],
  black: [0, 0, 0],
} as const satisfies Record<string, Rgb>;
type ColorName = keyof typeof NAMED;

/** Short names: one of the LED's three colors, or two of them in any order. */
const SHORT = new Map<string, ColorName>([
  ['r', 'red'],
  ['g', 'green'],
  ['b', 'blue'],
  ['rg', 'yellow'],
  ['gr', 'yellow'],
  ['gb', 'cyan'],
  ['bg', 'cyan'],
  ['rb', 'magenta'],
  ['br', 'magenta'],
]);
const MARKS = {
  R: NAMED.red,
  G: NAMED.green,
  B: NAMED.blue,
  Y: NAMED.yellow,
  C: NAMED.cyan,
  M: NAMED.magenta,
  W: NAMED.white,
  O: NAMED.orange,
  P: NAMED.pink,
} satisfies Record<string, Rgb>;

/** Letters of colors that have a meaning on shelves: red for errors, green for complete or unassigned, white for putting away. */
const RESERVED = new Set(['R', 'G', 'W']);

/** Colors that the station assigns to people, in this order. They are easy to tell apart from two meters away. */
export const PICKER_COLORS: readonly string[] = ['blue', 'yellow', 'magenta', 'cyan', 'orange'];

/** Whether this can be a person's color. Excludes colors that look like red, green, white or black. */
export function isPickerColor(text: string): boolean {
  const letter = parseColor(text)?.letter ?? '';
  return letter !== '' && !RESERVED.has(letter);
}

/** Maximum number of characters of a color, including surrounding spaces, because the text is stored with each light. */
const LONGEST_TEXT = 100;

/** All color names, for messages. `#rgb` and `#rrggbb` are also accepted. */
export const COLOR_NAMES: readonly string[] = [...SHORT.keys(), ...Object.keys(NAMED)];

/**
 * Parses an LED color: `r`, `g` or `b`, two of these in any order, a name, or `#rgb`/`#rrggbb` with or without `#`, in any case. Returns
 * undefined if the text is not a color. A hexadecimal color that is too dark to be visible becomes black, which is off.
 */
export function parseColor(text: string): LedColor | undefined {
  if (text.length > LONGEST_TEXT) return undefined;
  const word = text.trim().toLowerCase();
  const name = SHORT.get(word) ?? (isColorName(word) ? word : undefined);
  if (name !== undefined) return NAMED_COLORS[name];
  const rgb = parseHex(word);
  if (rgb === undefined) return undefined;
  const shown = lightnessOf(rgb) <= DARKEST_LIGHTNESS ? NAMED.black : rgb;
  return { hex: toHex(shown), letter: markOf(shown), fixedBrightness: true };
}

// Computed once, because every command parses its color twice.
const NAMED_COLORS = Object.fromEntries(
  Object.entries(NAMED).map(([name, rgb]) => [name, { hex: toHex(rgb), letter: markOf(rgb), fixedBrightness: false }]),
) as Record<ColorName, LedColor>;

function isColorName(word: string): word is ColorName {
  return Object.hasOwn(NAMED, word);
}

function parseHex(word: string): Rgb | undefined {
  const digits = /^#?([0-9a-f]{3}|[0-9a-f]{6})$/.exec(word)?.[1];
  if (digits === undefined) return undefined;
  const full = digits.length === 3 ? digits.replaceAll(/./g, '$&$&') : digits;
  const value = parseInt(full, 16);
  return [value >> 16, (value >> 8) & 0xff, value & 0xff];
}

function toHex([red, green, blue]: Rgb): `#${string}` {
  return `#${((red << 16) | (green << 8) | blue).toString(16).padStart(6, '0')}`;
}

function lightnessOf(rgb: Rgb): number {
  return (Math.max(...rgb) + Math.min(...rgb)) / 2 / 255;
}

/** Returns the letter of the most similar color, regardless of brightness. Returns an empty text for black. */
function markOf(rgb: Rgb): string {
  const brightest = Math.max(...rgb);
  if (brightest === 0) return '';
  const full = rgb.map((part) => (part * 255) / brightest);
  const distance = (other: Rgb) => other.reduce((sum, part, index) => sum + (part - (full[index] ?? 0)) ** 2, 0);
  return Object.entries(MARKS).reduce((best, mark) => (distance(mark[1]) < distance(best[1]) ? mark : best))[0];
}
