import { ledOf } from '../../shop/device/commandWords.ts';
import { ledStyle } from '../../shop/device/Led.tsx';
import styles from './Kiosk.module.css';

/** The initial of a person on a disc in the person's color. The disc is gray if the person has no color. */
export function Initial({ name, color }: { name: string; color: string | null }) {
  return (
    <span
      className={styles.initial}
      style={color === null ? undefined : ledStyle(ledOf('flash', color))}
      aria-hidden="true"
    >
      {String.fromCodePoint(name.codePointAt(0) ?? 0x20).toUpperCase()}
    </span>
  );
}
