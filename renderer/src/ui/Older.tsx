import { useEffect } from 'react';
import type { Pages } from '../station/usePages.ts';
import type { Table } from './Grid.tsx';
import { Button } from './Button.tsx';
import { Failure } from './EmptyState.tsx';
import { texts } from './texts.ts';

type Further = Omit<Pages<unknown>, 'newest' | 'entries'>;

/** Loads older ones when no more than `ahead` rows are left below those in sight. */
export function useOlder(table: Pick<Table<object>, 'count' | 'lastDrawn'>, ahead: number, older: Further): void {
  const { isEnd, busy, failure, loadOlder } = older;
  const isNear = table.count > 0 && table.lastDrawn >= table.count - ahead;
  useEffect(() => {
    if (isNear && !isEnd && !busy && failure === '') void loadOlder();
  });
}

type Props = {
  pages: Further;
  /** What failed, before the reason. */
  failed: string;
};

/** At the end of a list that grows at its beginning: a button for the next page, and why that failed. */
export function Older({ pages: { isEnd, busy, failure, loadOlder }, failed }: Props) {
  return (
    <>
      {!isEnd && (
        <Button words={busy ? texts.frame.loading : texts.frame.older} busy={busy} onPress={() => void loadOlder()} />
      )}
      <Failure>{failure === '' ? '' : `${failed} ${failure}`}</Failure>
    </>
  );
}
