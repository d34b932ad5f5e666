import { texts } from '../../ui/texts.ts';
import styles from './Pick.module.css';

/** What was typed or scanned so far; it ends with Enter. */
export function Typed({ text }: { text: string }) {
  if (text === '') return null;
  return (
    <p className={styles.typed}>
      <kbd>{text}</kbd> {texts.pick.typed}
    </p>
  );
}
