import type { Clock } from '../ports.ts';

/** Pause before a turbo repeats an unanswered transmission. */
export const RADIO_RETRY_MS = 120;
/** Limits consecutive losses, so that a device in range is always reached. */
const MAX_RETRIES = 50;

export type RadioFaults = {
  /** Fraction of lost transmissions, from 0 to 1. */
  loss: number;
  latencyMs: number;
  /** Airtime of a frame, during which all other frames wait. */
  frameMs: number;
};

/**
 * One direction of the simulated radio link between a turbo and a device. Calls `arrive` after the delay and any retries, in call order.
 */
export type Air = (arrive: () => void) => void;

/**
 * Creates one direction of the radio link. `fraction` returns random numbers from 0 to 1 that decide which transmissions are lost; it is
 * seeded in tests.
 */
export function createAir({
  clock,
  fraction,
  faults,
}: {
  clock: Clock;
  fraction: () => number;
  faults: Pick<RadioFaults, 'loss' | 'latencyMs'>;
}): Air {
  let lastMs = 0;
  return (arrive) => {
    if (faults.loss === 0 && faults.latencyMs === 0 && lastMs <= clock.monotonic()) return arrive();
    let tries = 0;
    while (tries < MAX_RETRIES && fraction() < faults.loss) tries += 1;
    const nowMs = clock.monotonic();
    lastMs = Math.max(lastMs, nowMs + tries * RADIO_RETRY_MS + faults.latencyMs);
    clock.setTimer(lastMs - nowMs, arrive);
  };
}
