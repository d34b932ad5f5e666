import type { NextFrame } from '../../station/pacedWatchers.ts';

/** Runs what is given now, or in one of the next frames; answers what takes it back. */
export type FrameBudget = (run: () => void) => () => void;

/** So much of a frame's 16.7 ms may go into what can wait. */
const BUDGET_MS = 5;

/**
 * Runs what is given at once until that has taken `BUDGET_MS` within one frame, and the rest in the next frames, in the
 * order in which it was given. `now`: milliseconds of a steady clock.
 */
export function createFrameBudget(nextFrame: NextFrame, now: () => number): FrameBudget {
  const waiting = new Set<() => void>();
  let spentMs = 0;
  let isAsked = false;

  function goOn(): void {
    for (const run of waiting) {
      if (spentMs >= BUDGET_MS) break;
      waiting.delete(run);
      const startedAt = now();
      run();
      spentMs += now() - startedAt;
    }
    if (isAsked) return;
    isAsked = true;
    nextFrame(() => {
      isAsked = false;
      spentMs = 0;
      if (waiting.size > 0) goOn();
    });
  }

  return (given) => {
    // The same function may be given twice.
    const run = () => given();
    waiting.add(run);
    if (waiting.size === 1) goOn();
    return () => waiting.delete(run);
  };
}
