import { TriangleAlert } from 'lucide-react';
import { type ReactNode } from 'react';
import { useLocation } from 'wouter';
import { Button } from '../../kit/button/Button.tsx';
import { EmptyState, NotLoaded } from '../../kit/feedback/EmptyState.tsx';
import { BackButton, PageHeader } from '../../kit/page/PageHeader.tsx';
import page from '../../kit/page/TablePage.module.css';
import * as texts from '../../words/texts.ts';
import { useStationState } from '../../station/context.ts';
import type { NamedDevice } from '../../station/places.ts';
import type { Loaded } from '../../station/useStationQuery.ts';
import type { Opened } from '../../station/useWork.ts';
import { useAttempt } from '../toasts.ts';
import styles from './Notice.module.css';

type Props = {
  /** Name of the region for screen readers. */
  label: string;
  title: string;
  body: string;
  /** A link or button with which to continue. */
  action?: ReactNode;
};

/** A notice about a problem and what to do about it. */
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

type ListStateProps = { of: Loaded<unknown>; failed?: string };

/** Shown instead of a list that is loading or could not be loaded. */
export function ListState({ of, failed = texts.work.failed }: ListStateProps) {
  return <NotLoaded of={of} failed={failed} wait={styles.quiet} className={styles.failure} />;
}

type NoSuchWorkProps = {
  id: string;
  words: typeof texts.orders.one | typeof texts.sequences.one;
  title: string;
  /** Address of the list. */
  list: string;
  picture: ReactNode;
  opened: Opened<unknown>;
};

/** Shown instead of an order or sequence that is loading, could not be loaded, or does not exist. */
export function NoSuchWork({ id, words, title, list, picture, opened }: NoSuchWorkProps) {
  const [, navigate] = useLocation();
  return (
    <div className={page.page}>
      <PageHeader title={title}>
        <BackButton words={words.back} to={list} />
      </PageHeader>
      <main className={page.empty}>
        {opened.status === 'missing' ? (
          <EmptyState
            picture={picture}
            title={words.none(id)}
            body={words.noneBody}
            action={<Button words={words.all} look="primary" onPress={() => navigate(list)} />}
          />
        ) : (
          <ListState of={opened} failed={texts.work.failedOne} />
        )}
      </main>
    </div>
  );
}

type NoWorkProps = {
  words: typeof texts.orders.empty | typeof texts.sequences.empty;
  picture: ReactNode;
  /** Creates an example with existing devices. Resolves to the address of its page. */
  make(places: readonly NamedDevice[]): Promise<string>;
  /** A better first step than the example. */
  first?: ReactNode;
  /** Whether this person can create the example. */
  mayMake: boolean;
};

/** Shown if there are no orders or sequences. Explains what belongs here, and offers an example as the first step. */
export function NoWork({ words, picture, make, mayMake, first: firstAction }: NoWorkProps) {
  const [, navigate] = useLocation();
  const places = useStationState((state) => state.places);
  const { busy, run } = useAttempt('', async () => navigate(await make(places)));
  const [first] = places;
  const isPossible = mayMake && first !== undefined;
  return (
    <EmptyState
      picture={picture}
      title={words.title}
      body={
        <>
          <p>{words.body}</p>
          {isPossible && <p>{words.exampleHint(first.name)}</p>}
        </>
      }
      action={
        <>
          {firstAction}
          {isPossible && (
            <Button
              words={words.example}
              look={firstAction === undefined ? 'primary' : 'plain'}
              busy={busy}
              onPress={run}
            />
          )}
        </>
      }
    />
  );
}
