import { useState } from 'react';
import { useAct } from '../useAct.ts';
import type { Loaded } from './useStationQuery.ts';

export type PagedList<T> = {
  newest: Loaded<readonly T[]>;
  /** Loaded entries, newest first. */
  entries: readonly T[];
  /** Whether all entries are loaded. */
  isEnd: boolean;
} & ReturnType<typeof useOlderPage>;

type Pages<T> = {
  /** Identifies the list, such as its filter. Pages of another list are dropped, also if they arrive late. */
  of: string;
  size: number;
  /** Returns the page after the entry with this id. */
  load(after: string): Promise<readonly T[]>;
};

/** Loads a list page by page. New entries appear at the beginning of the list. */
export function usePagedList<T extends { id: string }>(
  newest: Loaded<readonly T[]>,
  { of, size, load }: Pages<T>,
): PagedList<T> {
  const [pages, setPages] = useState<{ of: string; older: readonly T[]; isEnd: boolean }>();
  const { older, isEnd } = pages?.of === of ? pages : { older: [], isEnd: false };
  const first = newest.value ?? [];
  const entries = joined(first, older);
  const isOlderShown = entries.length > first.length;
  const more = useOlderPage(entries.at(-1)?.id, async (last) => {
    const page = await load(last);
    setPages({ of, older: [...entries, ...page], isEnd: page.length < size });
  });

  return { newest, entries, isEnd: isOlderShown ? isEnd : first.length < size, ...more };
}

/** Returns a function that loads the page after `last`, one page at a time. `last` is the id of the oldest loaded entry, if any. */
export function useOlderPage(last: string | undefined, load: (last: string) => Promise<void>) {
  const more = useAct(load);
  return {
    busy: more.busy,
    /** The reason why the page could not be loaded; empty if there was no error. */
    failure: more.status === 'failed' ? more.failure : '',
    loadOlder(): void {
      if (last !== undefined && !more.busy) more.run(last);
    },
  };
}

/**
 * Joins the newest entries and older ones where they overlap. If they no longer overlap, because more than a page was
 * added, drops the older entries, which are then loaded again.
 */
function joined<T extends { id: string }>(newest: readonly T[], older: readonly T[]): readonly T[] {
  const last = newest.at(-1);
  const meeting = older.findIndex(({ id }) => id === last?.id);
  return meeting < 0 ? newest : [...newest, ...older.slice(meeting + 1)];
}
