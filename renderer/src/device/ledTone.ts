/** A LED's colour as the window paints it, and the ink for a letter on it. */
export type LedTone = { tone: string; ink: string; light: boolean };

/**
 * Full-strength light hurts on a monitor and leaves its letter unreadable: the colours that a LED is usually asked for get
 * a tone of their own.
 */
const TONES: Readonly<Record<string, string>> = {
  '#ff0000': '#dc2626',
  '#00ff00': '#15803d',
  '#0000ff': '#2563eb',
  '#ffff00': '#facc15',
  '#00ffff': '#22c3dd',
  '#ff00ff': '#c026d3',
  '#ffa500': '#f59e0b',
};

const WHITE = '#ffffff';
const BLACK = '#12161c';

/** The tone for a LED colour in `#rrggbb`; the ink reaches 4.5:1 on it. */
export function ledTone(hex: string): LedTone {
  const tone = TONES[hex.toLowerCase()] ?? hex;
  const luminance = luminanceOf(tone);
  const onWhite = 1.05 / (luminance + 0.05);
  const onBlack = (luminance + 0.05) / (luminanceOf(BLACK) + 0.05);
  const light = onBlack > onWhite && onWhite < 4.5;
  return { tone, ink: light ? BLACK : WHITE, light };
}

/** Relative luminance, WCAG 2.2. */
export function luminanceOf(hex: string): number {
  const channel = (from: number) => {
    const value = parseInt(hex.slice(from, from + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5);
}
