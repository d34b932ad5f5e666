import { TriangleAlert } from 'lucide-react';
import styles from './CharacterCount.module.css';

type Props = { count: number; most: number; isOver: boolean };

/** How much of a field is used: a picture of what the sentences about it say in words. */
export function CharacterCount({ count, most, isOver }: Props) {
  return (
    <span className={styles.used} data-over={isOver || undefined} aria-hidden="true">
      {isOver && <TriangleAlert size={14} />}
      {count}/{most}
    </span>
  );
}
