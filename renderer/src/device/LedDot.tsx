import type { Displayed } from '#shared/api/device.ts';
import { ledWords } from './deviceWords.ts';
import { ledStyle } from './Led.tsx';
import styles from './LedDot.module.css';

/** A LED's colour with its letter, small: a mark in a list. A question mark where it is no colour. */
export function LedDot({ led }: { led: Displayed['led'] | undefined }) {
  return (
    <span className={styles.dot} style={ledStyle(led)} role="img" aria-label={ledWords(led)}>
      {led?.letter ?? '?'}
    </span>
  );
}
