import { app } from 'electron';

/**
 * The program reacts after this many crashes. Chromium ends the program at the sixth crash of its graphics process within a few minutes.
 */
const MAX_CRASHES = 2;
const CRASHES_WITHIN_MS = 60_000;

/** Calls `failed` once the graphics process has crashed twice within a minute. */
export function watchGraphics(failed: () => void): void {
  const crashes: number[] = [];
  app.on('child-process-gone', (_event, { type, reason }) => {
    if (type !== 'GPU' || reason === 'clean-exit') return;
    const now = performance.now();
    crashes.push(now);
    while (now - (crashes[0] ?? now) > CRASHES_WITHIN_MS) crashes.shift();
    if (crashes.length === MAX_CRASHES) failed();
  });
}
