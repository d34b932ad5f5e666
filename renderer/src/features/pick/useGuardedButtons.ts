import { createContext, useContext, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useAnswerSounds } from '../../sound/answerSounds.ts';
import { INERT_AFTER_OWN_MS } from './session/inertTimes.ts';
import { SHAKE_MS } from './session/sessionSteps.ts';
import { onPainted } from './useSessionEvents.ts';

/** What the notices above the page show. A change moves the buttons below. */
export const NoticesAbove = createContext('');

/**
 * Guards buttons for a moment after they appear or move, because something else may have been in their place. `buttons` identifies them. The
 * returned `isSeen` tells whether an input at the time `madeAt` was made at least `ms` after they were painted there, and `refuse` makes them
 * shake and tick.
 */
export function useGuardedButtons(buttons = '') {
  const shown = `${useContext(NoticesAbove)}\n${buttons}`;
  const sounds = useAnswerSounds();
  const paintedAt = useRef(Infinity);
  const [settled, setSettled] = useState<string>();
  const [isRefused, setRefused] = useState(false);
  useLayoutEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    paintedAt.current = Infinity;
    const cancel = onPainted(() => {
      paintedAt.current = performance.now();
      timer = setTimeout(() => setSettled(shown), INERT_AFTER_OWN_MS);
    });
    return () => {
      cancel();
      clearTimeout(timer);
    };
  }, [shown]);
  useEffect(() => {
    if (!isRefused) return undefined;
    const timer = setTimeout(() => setRefused(false), SHAKE_MS);
    return () => clearTimeout(timer);
  }, [isRefused]);
  return {
    isInert: settled !== shown,
    isRefused,
    isSeen: (madeAt: number, ms = INERT_AFTER_OWN_MS): boolean => madeAt - paintedAt.current >= ms,
    refuse(): void {
      setRefused(true);
      sounds.tick();
    },
  };
}
