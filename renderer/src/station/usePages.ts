import { useState } from 'react';
import { sentenceOf } from './apiError.ts';
import type { Loaded } from './useStationQuery.ts';

export type Pages<T> = {
  newest: Loaded<readonly T[]>;
  /** Newest first, as far back as was asked for. */
  entries: readonly T[];
  /** There is nothing older. */
  isEnd: boolean;
  busy: boolean;
  /** Why older ones could not be read; empty where they could. */
  failure: string;
  loadOlder(): Promise<void>;
};

/** A list that grows at its beginning, a page at a time. `load` answers the page behind the entry with this id. */
export function usePages<T extends { id: string }>(
  newest: Loaded<readonly T[]>,
  { size, load }: { size: number; load(after: string): Promise<readonly T[]> },
): Pages<T> {
  const [older, setOlder] = useState<readonly T[]>([]);
  const [isEnd, setIsEnd] = useState(false);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState('');
  const first = newest.value ?? [];
  const entries = joined(first, older);
  const isOlderShown = entries.length > first.length;

  async function loadOlder(): Promise<void> {
    const last = entries.at(-1);
    if (last === undefined || busy) return;
    setBusy(true);
    setFailure('');
    try {
      const page = await load(last.id);
      setOlder([...entries, ...page]);
      setIsEnd(page.length < size);
    } catch (error) {
      setFailure(sentenceOf(error));
    } finally {
      setBusy(false);
    }
  }

  return { newest, entries, isEnd: isOlderShown ? isEnd : first.length < size, busy, failure, loadOlder };
}

/** Appends older entries where they meet the newest. Drops them if more than a page was added meanwhile; they are loaded again. */
function joined<T extends { id: string }>(newest: readonly T[], older: readonly T[]): readonly T[] {
  const last = newest.at(-1);
  const meeting = older.findIndex(({ id }) => id === last?.id);
  return meeting < 0 ? newest : [...newest, ...older.slice(meeting + 1)];
}
