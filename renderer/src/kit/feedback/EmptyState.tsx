import { TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { Button } from '../button/Button.tsx';
import parts from '../parts.module.css';
import styles from './EmptyState.module.css';
import * as texts from '../../words/texts.ts';

type Props = {
  title: string;
  body: ReactNode;
  /** The first step, usually a Button. */
  action?: ReactNode;
  /** A decorative icon or picture. */
  picture?: ReactNode;
  /** Links to a term on the Help page. */
  term?: 'turbo' | 'alias';
};

/** Describes what would be here, and the first step. */
export function EmptyState({ title, body, action, picture, term }: Props) {
  return (
    <section className={`${parts.centered2} ${styles.empty}`}>
      {picture !== undefined && (
        <div className={styles.picture} aria-hidden="true">
          {picture}
        </div>
      )}
      <h2 className={styles.title}>{title}</h2>
      {typeof body === 'string' ? (
        <p className={`${parts.stack2} ${styles.body}`}>{body}</p>
      ) : (
        <div className={`${parts.stack2} ${styles.body}`}>{body}</div>
      )}
      {action !== undefined && <div className={`${parts.row} ${styles.action}`}>{action}</div>}
      {term !== undefined && <TermLink term={term} />}
    </section>
  );
}

/** Links to a term on the Help page. */
export function TermLink({ term }: { term: 'turbo' | 'alias' | 'static' }) {
  return <Link href={`/help#${term}`}>{texts.help[term]}</Link>;
}

type ErrorStateProps = {
  title: string;
  /** What happened and what to do. */
  body: ReactNode;
  /** Shows a "Try again" button that calls this. */
  again?(): void;
  /** An alternative to "Try again". */
  action?: ReactNode;
};

/** A failure, with what to do. */
export function ErrorState({ title, body, again, action }: ErrorStateProps) {
  const way = again === undefined ? action : <Button onPress={again}>{texts.frame.broken.again}</Button>;
  return (
    <section className={`${parts.centered2} ${styles.empty}`} role="alert">
      <div className={styles.errorStatePicture} aria-hidden="true">
        <TriangleAlert size={28} strokeWidth={1.8} />
      </div>
      <h2 className={styles.title}>{title}</h2>
      <div className={`${parts.stack2} ${styles.body}`}>{typeof body === 'string' ? <p>{body}</p> : body}</div>
      {way !== undefined && <div className={`${parts.row} ${styles.action}`}>{way}</div>}
    </section>
  );
}

/** A failure, announced to screen readers. Takes no space without text. */
export function Failure({ children }: { children: ReactNode }) {
  return (
    <p role="alert" className={parts.failure}>
      {children}
    </p>
  );
}

type LoadFailureProps = { className?: string | undefined; reload(): void; children: ReactNode };

/** A loading failure, with a button to try again. */
export function LoadFailure({ className = parts.failure, reload, children }: LoadFailureProps) {
  return (
    <div role="alert" className={className}>
      <p>{children}</p>
      <Button onPress={reload}>{texts.frame.broken.again}</Button>
    </div>
  );
}
