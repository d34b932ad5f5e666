import { Ban, Check, Circle, CircleAlert, CircleDot, TriangleAlert, type LucideIcon } from 'lucide-react';
import styles from './StateTag.module.css';

/** The kind of a state, which decides its icon and color. */
export type Tone = 'open' | 'lit' | 'done' | 'care' | 'halted' | 'off';

const ICONS: Record<Tone, LucideIcon> = {
  open: Circle,
  lit: CircleDot,
  done: Check,
  care: CircleAlert,
  halted: TriangleAlert,
  off: Ban,
};

/** A state with its icon: color is never the only sign. */
export function StateTag({ tone, words }: { tone: Tone; words: string }) {
  const Icon = ICONS[tone];
  return (
    <span className={styles.tag} data-tone={tone}>
      <Icon size={15} aria-hidden="true" />
      <span className={styles.words}>{words}</span>
    </span>
  );
}
