import { useEffect, useRef, useState } from 'react';
import { isDeaf, LISTENING, nextDeaf } from './deafTimes.ts';

/** How long a refused touch shows. */
const SHAKE_MS = 300;

/** Guards the confirmation of the current line: `item` is its id. */
export function useDeaf(item: number | null | undefined) {
  const state = useRef(LISTENING);
  const confirmed = useRef<number | null>(undefined);
  const [drawn, setDrawn] = useState(item);
  const [isQuiet, setQuiet] = useState(true);
  const [isRefused, setRefused] = useState(false);
  if (drawn !== item) {
    setDrawn(item);
    setQuiet(true);
  }

  useEffect(() => {
    if (item === undefined) return;
    const isOwn = confirmed.current !== undefined && confirmed.current !== item;
    confirmed.current = undefined;
    state.current = nextDeaf(state.current, { kind: 'drawn', at: performance.now(), isOwn });
  }, [item]);

  useEffect(() => {
    if (!isQuiet) return undefined;
    let timer: ReturnType<typeof setTimeout>;
    const wait = (): void => {
      const leftMs = state.current.until - performance.now();
      if (leftMs <= 0) setQuiet(false);
      else timer = setTimeout(wait, leftMs);
    };
    timer = setTimeout(wait);
    return () => clearTimeout(timer);
  }, [isQuiet]);

  useEffect(() => {
    if (!isRefused) return undefined;
    const timer = setTimeout(() => setRefused(false), SHAKE_MS);
    return () => clearTimeout(timer);
  }, [isRefused]);

  /** Shows that something was not taken. */
  const refuse = (): void => setRefused(true);

  return {
    /** A touch would be refused now. */
    isDeaf: isQuiet,
    isRefused,
    refuse,
    /** Whether a touch or an Enter counts now. */
    accept(): boolean {
      const at = performance.now();
      if (isDeaf(state.current, at)) {
        refuse();
        return false;
      }
      confirmed.current = item ?? undefined;
      state.current = nextDeaf(state.current, { kind: 'confirmed', at });
      setQuiet(true);
      return true;
    },
  };
}

export type Deaf = ReturnType<typeof useDeaf>;
