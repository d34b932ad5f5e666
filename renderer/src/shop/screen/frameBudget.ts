import type { NextFrame } from '../../station/live/pacedWatchers.ts';

/** Runs a function now or in one of the next frames. Returns a function that cancels it. */
export type FrameBudget = (run: () => void) => () => void;

/** Part of a frame's 16.7 ms that is available for work that can wait. */
const BUDGET_MS = 5;

/**
 * Runs functions immediately until they have taken `BUDGET_MS` within one frame, and all further ones in the next
 * frames, in order. `now` returns milliseconds of a monotonic clock.
 */
export function createFrameBudget(nextFrame: NextFrame, now: () => number): FrameBudget {
  const waiting = new Set<() => void>();
  let spentMs = 0;
  let isAsked = false;

  function drawNext(): void {
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
      if (waiting.size > 0) drawNext();
    });
  }

  return (given) => {
    // Wrap the function, because the same function may be added twice.
    const run = () => given();
    waiting.add(run);
    if (waiting.size === 1) drawNext();
    return () => waiting.delete(run);
  };
}
