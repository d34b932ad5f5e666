import { Ban, Check, Circle, CircleAlert, CircleDot, TriangleAlert, type LucideIcon } from 'lucide-react';
import styles from './StateTag.module.css';

/** The kind of a state, which determines its icon and color. */
export type Tone = 'open' | 'lit' | 'done' | 'care' | 'halted' | 'alarm' | 'off';

const ICONS: Record<Tone, LucideIcon> = {
  open: Circle,
  lit: CircleDot,
  done: Check,
  care: CircleAlert,
  halted: TriangleAlert,
  alarm: TriangleAlert,
  off: Ban,
};

/** A state with its icon, so that color is never the only sign. Long text is cut off or, with `wraps`, continues on more lines. */
export function StateTag({ tone, words, wraps = false }: { tone: Tone; words: string; wraps?: boolean }) {
  const Icon = ICONS[tone];
  return (
    <span className={styles.tag} data-tone={tone} data-wraps={wraps || undefined}>
      <Icon size={15} aria-hidden="true" />
      <span className={styles.words}>{words}</span>
    </span>
  );
}
