import { Check, Pointer } from 'lucide-react';
import { texts } from '../../ui/texts.ts';
import styles from './PressToFind.module.css';

/** Asks for a press on a device, and says whose it was. */
export function PressToFind({ pressed }: { pressed: string | undefined }) {
  const words = texts.replace;
  const Icon = pressed === undefined ? Pointer : Check;
  return (
    <div className={styles.place} data-pressed={pressed !== undefined || undefined} role="status">
      <Icon size={22} aria-hidden="true" />
      <div>
        <p className={styles.title}>{pressed === undefined ? words.press : words.pressed(pressed)}</p>
        <p className={styles.hint}>{pressed === undefined ? words.pressHint : words.pressedHint}</p>
      </div>
    </div>
  );
}
