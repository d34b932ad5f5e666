import { TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import empty from './EmptyState.module.css';
import styles from './ErrorState.module.css';

type Props = {
  title: string;
  /** What happened and what to do. */
  body: ReactNode;
  /** Mostly "Try again". */
  action?: ReactNode;
};

/** What could not be shown, and what to do. */
export function ErrorState({ title, body, action }: Props) {
  return (
    <section className={empty.empty} role="alert">
      <div className={styles.picture} aria-hidden="true">
        <TriangleAlert size={28} strokeWidth={1.8} />
      </div>
      <h2 className={empty.title}>{title}</h2>
      <div className={empty.body}>{typeof body === 'string' ? <p>{body}</p> : body}</div>
      {action !== undefined && <div className={empty.action}>{action}</div>}
    </section>
  );
}
