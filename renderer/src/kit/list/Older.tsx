import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import type { Table } from './Grid.tsx';
import { Button } from '../button/Button.tsx';
import { Failure } from '../feedback/EmptyState.tsx';
import * as texts from '../../words/texts.ts';

/** State of a list that is loaded page by page. */
type Further = {
  /** Whether all entries are loaded. */
  isEnd: boolean;
  busy: boolean;
  /** Why older entries could not be loaded; empty if there was no error. */
  failure: string;
  loadOlder(): void;
};

/** Loads older entries when fewer than `ahead` rows remain below the drawn ones. */
export function useOlder(table: Pick<Table<object>, 'count' | 'lastDrawn'>, ahead: number, older: Further): void {
  const { isEnd, busy, failure, loadOlder } = older;
  const isNear = table.count > 0 && table.lastDrawn >= table.count - ahead;
  useEffect(() => {
    if (isNear && !isEnd && !busy && failure === '') loadOlder();
  });
}

type Props = {
  pages: Further;
  /** The first part of the error message, before the reason. */
  failed: string;
};

/** The end of a list that is loaded page by page: a button for older entries, and errors. */
export function Older({ pages: { isEnd, busy, failure, loadOlder }, failed }: Props) {
  return (
    <>
      {!isEnd && <Button words={busy ? texts.frame.loading : texts.frame.older} busy={busy} onPress={loadOlder} />}
      <Failure>{failure === '' ? '' : `${failed} ${failure}`}</Failure>
    </>
  );
}

type Anchored = {
  keys: readonly string[];
  /** Height of a row in pixels. */
  rowHeight: number;
  /** The scrolling element. It must have `overflow-anchor: none`. */
  scroll: RefObject<HTMLElement | null>;
  /** Distance from the top of the scrolled content to the first row, in pixels. */
  above: number;
};

/** Keeps the visible rows in place when rows above them are added or removed. */
export function useScrollAnchor({ keys, rowHeight, scroll, above }: Anchored): void {
  const known = useRef(keys);
  useLayoutEffect(() => {
    const before = known.current;
    known.current = keys;
    const box = scroll.current;
    if (before === keys || box === null || box.scrollTop <= above) return;
    const top = Math.floor((box.scrollTop - above) / rowHeight);
    if (before[top] === keys[top]) return;
    // If the top row itself was removed, use the next remaining row as the anchor.
    const left = new Map(keys.map((key, place) => [key, place]));
    for (let place = top; place < before.length; place += 1) {
      const now = left.get(before[place] ?? '');
      if (now === undefined) continue;
      if (now !== place) box.scrollBy(0, (now - place) * rowHeight);
      return;
    }
  }, [keys, rowHeight, scroll, above]);
}
