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
  /** The term on the Help page to which the empty state links. */
  term?: 'turbo' | 'alias';
};

/** Describes what will be here, and suggests a first step. */
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

/** A link to a term on the Help page. */
export function TermLink({ term }: { term: 'turbo' | 'alias' | 'static' }) {
  return <Link href={`/help#${term}`}>{texts.help[term]}</Link>;
}

type ErrorStateProps = {
  title: string;
  body: ReactNode;
  /** Called when the "Try again" button is pressed. Without this function, there is no such button. */
  again?(): void;
  /** An alternative to the "Try again" button. */
  action?: ReactNode;
};

/** An error message that says what to do. */
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

/** An error message that is announced to screen readers. It takes no space while it is empty. */
export function Failure({ children }: { children: ReactNode }) {
  return (
    <p role="alert" className={parts.failure}>
      {children}
    </p>
  );
}

/** The state of a request to the station, as `useStationQuery` returns it. */
type Read = ({ status: 'waiting' | 'loaded' } | { status: 'failed'; failure: string }) & { reload(): void };

type LoadFailureProps = {
  of: Read;
  /** The first part of the sentence, before the reason. */
  failed?: string;
  className?: string | undefined;
};

/** Shows why a request failed, with a button to try again. Renders nothing otherwise. */
export function LoadFailure({ of, failed, className = parts.failure }: LoadFailureProps) {
  if (of.status !== 'failed') return null;
  return (
    <div role="alert" className={className}>
      <p>{failed === undefined ? of.failure : `${failed} ${of.failure}`}</p>
      <Button onPress={of.reload}>{texts.frame.broken.again}</Button>
    </div>
  );
}

type NotLoadedProps = LoadFailureProps & {
  /** The title of the error message that is shown instead of the page. */
  title?: string;
  /** An alternative to the "Try again" button below the title. */
  action?: ReactNode;
  /** CSS class of the line that is shown while loading. */
  wait?: string | undefined;
};

/** Shown instead of a value that is not loaded: a loading message, or the reason why the request failed. */
export function NotLoaded({ of, title, action, wait = parts.quiet, ...failure }: NotLoadedProps) {
  if (of.status !== 'failed') return <p className={wait}>{texts.frame.loading}</p>;
  if (title === undefined) return <LoadFailure of={of} {...failure} />;
  const way = action === undefined ? { again: of.reload } : { action };
  return <ErrorState title={title} body={of.failure} {...way} />;
}
