import type { CSSProperties } from 'react';
import type { Displayed } from '#shared/api/device.ts';
import styles from './Led.module.css';
import { ledTone } from './ledTone.ts';

type Props = { led: Displayed['led'] | undefined; size: 'tile' | 'panel' };

/** A LED as it shines: its colour with its letter, steady or blinking. A picture only; words go beside it. */
export function Led({ led, size }: Props) {
  const mode = led?.mode ?? 'off';
  return (
    <span className={styles.led} data-mode={mode} data-size={size} style={ledStyle(led)} aria-hidden="true">
      {mode === 'off' ? '' : led?.letter}
    </span>
  );
}

/** The colours of a LED for the style sheets below this element. */
export function ledStyle(led: Displayed['led'] | undefined): CSSProperties {
  if (led === undefined || led.mode === 'off') return {};
  const { tone, ink, smallInk, pale } = ledTone(led.hex);
  // A pale line around a tile would be lost on a pale ground.
  const line = pale ? `var(--led-line-${led.letter}, color-mix(in oklab, ${tone} 65%, var(--led-line-mix)))` : tone;
  return { '--led-tone': tone, '--led-ink': ink, '--led-small-ink': smallInk, '--led-line': line } as CSSProperties;
}
