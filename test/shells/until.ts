import { setTimeout as pause } from 'node:timers/promises';

/** Time limit in milliseconds, longer than any of these waits takes on a busy machine. */
const PATIENCE_MS = 120_000;
const LOOK_EVERY_MS = 20;

/** Waits in real time for a condition in another process. After the time limit, rejects with an error that names `what`. */
export async function until(
  what: string,
  happened: () => boolean | Promise<boolean>,
  patienceMs = PATIENCE_MS,
): Promise<void> {
  const giveUpAt = performance.now() + patienceMs;
  while (!(await happened())) {
    if (performance.now() > giveUpAt) throw new Error(`Waited ${patienceMs / 1_000} s for ${what}, in vain`);
    await pause(LOOK_EVERY_MS);
  }
}
