import { TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../../ui/Button.tsx';
import { texts } from '../../ui/texts.ts';
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

type ListStateProps = { failure: string; reload(): void; failed?: string };

/** Nothing is there yet: it is asked for, or could not be read. */
export function ListState({ failure, reload, failed = texts.work.failed }: ListStateProps) {
  if (failure === '') return <p className={styles.quiet}>{texts.work.loading}</p>;
  return (
    <div role="alert" className={styles.failure}>
      <p>
        {failed} {failure}
      </p>
      <Button onPress={reload}>{texts.work.again}</Button>
    </div>
  );
}
