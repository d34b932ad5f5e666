import { createContext, useLayoutEffect, useRef } from 'react';
import { useLatest } from '../../kit/useLatest.ts';

/** Notifies the page that a row has appeared or disappeared, which moves buttons. They ignore touches for a moment. */
export const RowsMoved = createContext<(() => void) | undefined>(undefined);

/** Calls `moved` when `rows` changes after the first render, before the change is painted. */
export function useRowsMoved(rows: string, moved: (() => void) | undefined): void {
  const latest = useLatest(moved);
  const before = useRef(rows);
  useLayoutEffect(() => {
    if (before.current !== rows) latest.current?.();
    before.current = rows;
  }, [rows, latest]);
}
