import type { Displayed } from '#shared/api/device.ts';
import { ledWords } from '../../device/deviceWords.ts';
import { ledStyle } from '../../device/Led.tsx';
import styles from './LedDot.module.css';

/** A LED's colour with its letter, small: a mark in a list. */
export function LedDot({ led }: { led: Displayed['led'] }) {
  return (
    <span className={styles.dot} style={ledStyle(led)} role="img" aria-label={ledWords(led)}>
      {led.letter}
    </span>
  );
}
