import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useAnswerSounds } from '../../sound/answerSounds.ts';
import { INERT_AFTER_OWN_MS } from './session/inertTimes.ts';
import { SHAKE_MS } from './session/sessionSteps.ts';
import { onPainted } from './useSessionEvents.ts';

/**
 * Tells whether people have seen buttons, because something else may have been in their place. `shown` identifies these buttons. The returned
 * `isSeen` tells whether an input at the time `madeAt` was made at least `ms` after they were painted, and `refuse` makes them shake and tick.
 */
export function useSeen(shown = '') {
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
