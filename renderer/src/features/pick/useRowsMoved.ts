import { createContext, useLayoutEffect, useRef } from 'react';
import { useLatest } from '../../kit/useLatest.ts';

/** Tells the page that a row above a button has come or gone, which moves the button. Such a button ignores touches for a moment. */
export const RowsMoved = createContext<(() => void) | undefined>(undefined);

/** Tells when rows have changed since they were opened, before the change is painted. */
export function useRowsMoved(rows: string, moved: (() => void) | undefined): void {
  const latest = useLatest(moved);
  const before = useRef(rows);
  useLayoutEffect(() => {
    if (before.current !== rows) latest.current?.();
    before.current = rows;
  }, [rows, latest]);
}
