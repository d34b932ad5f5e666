import type { ReactNode } from 'react';
import styles from './EmptyState.module.css';

type Props = {
  title: string;
  body: ReactNode;
  /** The first step, mostly a Button. */
  action?: ReactNode;
  /** An icon or a picture; it says nothing that the words do not. */
  picture?: ReactNode;
};

/** What would be here, and the first step. */
export function EmptyState({ title, body, action, picture }: Props) {
  return (
    <section className={styles.empty}>
      {picture !== undefined && (
        <div className={styles.picture} aria-hidden="true">
          {picture}
        </div>
      )}
      <h2 className={styles.title}>{title}</h2>
      {typeof body === 'string' ? <p className={styles.body}>{body}</p> : <div className={styles.body}>{body}</div>}
      {action !== undefined && <div className={styles.action}>{action}</div>}
    </section>
  );
}
