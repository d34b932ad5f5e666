import { ledOf } from '../../shop/device/commandWords.ts';
import { ledStyle } from '../../shop/device/Led.tsx';
import styles from './Pick.module.css';

/** A colored disc with the letter of its color. */
export function Disc({ color }: { color: string }) {
  const led = ledOf('flash', color);
  return (
    <span className={styles.disc} style={ledStyle(led)} aria-hidden="true">
      {led?.letter ?? ''}
    </span>
  );
}

export function capital(word: string): string {
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
}
