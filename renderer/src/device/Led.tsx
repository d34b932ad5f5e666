import type { CSSProperties } from 'react';
import type { Displayed } from '#shared/api/device.ts';
import { ledWords } from './deviceWords.ts';
import styles from './Led.module.css';
import { isDark, ledTone, type LedLight } from './ledTone.ts';

/** A LED as it shines: its color with its letter, steady or blinking. A picture only; words go beside it. */
export function Led({ led, size }: { led: LedLight | undefined; size: 'tile' | 'panel' | 'bar' }) {
  const mode = led === undefined || isDark(led) ? 'off' : led.mode;
  return (
    <span
      className={styles.led}
      data-mode={mode}
      data-blinks={mode === 'blink' || undefined}
      data-size={size}
      style={ledStyle(led)}
      aria-hidden="true"
    >
      {mode === 'off' ? '' : led?.letter}
    </span>
  );
}

/** The colors of a LED for the style sheets below this element. */
export function ledStyle(led: LedLight | undefined): CSSProperties {
  if (led === undefined || isDark(led)) return {};
  const { tone, ink, smallInk, pale } = ledTone(led.hex);
  // A pale line around a tile would be lost on a pale ground.
  const line = pale ? `var(--led-line-${led.letter}, color-mix(in oklab, ${tone} 65%, var(--led-line-mix)))` : tone;
  return {
    '--led-tone': tone,
    '--led-ink': ink,
    '--led-small-ink': smallInk,
    '--led-line': line,
    // Dims only the light around the face, so that the letter stays readable.
    '--led-glow': led.intensity ?? 1,
  } as CSSProperties;
}

/** A LED's color with its letter, small: a mark in a list. A question mark where it is no color. */
export function LedDot({ led }: { led: Displayed['led'] | undefined }) {
  return (
    <span className={styles.dot} style={ledStyle(led)} role="img" aria-label={ledWords(led)}>
      {led?.letter ?? '?'}
    </span>
  );
}

/** A LED where only it is seen of a device: its color with its letter. Its colors come from the tile. */
export function MiniLed({ led }: { led: Displayed['led'] | undefined }) {
  const mode = led?.mode ?? 'off';
  return (
    <span className={styles.miniLedLed} data-mode={mode} data-blinks={mode === 'blink' || undefined} aria-hidden="true">
      {mode === 'off' ? '' : led?.letter}
    </span>
  );
}
