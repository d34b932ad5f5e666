import { TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import styles from './Notice.module.css';

type Props = {
  /** What it is about, for who jumps from part to part. */
  label: string;
  title: string;
  body: string;
  /** Where to go. */
  action?: ReactNode;
};

/** Something that waits for somebody: what is wrong, and what to do. */
export function Notice({ label, title, body, action }: Props) {
  return (
    <section className={styles.notice} aria-label={label}>
      <TriangleAlert size={20} aria-hidden="true" />
      <div className={styles.words}>
        <p className={styles.title}>{title}</p>
        <p>{body}</p>
      </div>
      {action}
    </section>
  );
}
