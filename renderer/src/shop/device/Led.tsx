import type { CSSProperties } from 'react';
import type { Displayed } from '#shared/api/device.ts';
import { ledWords } from './deviceWords.ts';
import styles from './Led.module.css';
import { isDark, ledTone, type LedLight } from './ledTone.ts';

/**
 * Draws an LED with its color and letter, steady or blinking. Screen readers ignore the drawing, so describe the LED
 * in text nearby.
 */
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

/** Returns CSS variables with the colors of an LED. */
export function ledStyle(led: LedLight | undefined): CSSProperties {
  if (led === undefined || isDark(led)) return {};
  const { tone, ink, smallInk, pale } = ledTone(led.hex);
  // A pale line around a tile would be invisible on a pale background.
  const line = pale ? `var(--led-line-${led.letter}, color-mix(in oklab, ${tone} 65%, var(--led-line-mix)))` : tone;
  return {
    '--led-tone': tone,
    '--led-ink': ink,
    '--led-small-ink': smallInk,
    '--led-line': line,
    // Dim only the glow around the face, so that the letter stays readable.
    '--led-glow': led.intensity ?? 1,
  } as CSSProperties;
}

/** A small LED for lists, with its color and letter, or with a question mark if `led` is undefined. */
export function LedDot({ led }: { led: Displayed['led'] | undefined }) {
  return (
    <span className={styles.dot} style={ledStyle(led)} role="img" aria-label={ledWords(led)}>
      {led?.letter ?? '?'}
    </span>
  );
}

/** An LED that represents its whole device. The tile around the LED sets the colors. */
export function MiniLed({ led }: { led: Displayed['led'] | undefined }) {
  const mode = led?.mode ?? 'off';
  return (
    <span className={styles.miniLedLed} data-mode={mode} data-blinks={mode === 'blink' || undefined} aria-hidden="true">
      {mode === 'off' ? '' : led?.letter}
    </span>
  );
}
