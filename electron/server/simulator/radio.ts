import type { Clock } from '../ports.ts';

/** Delay until a turbo repeats a transmission that a device did not answer. */
export const RADIO_RETRY_MS = 120;
/** Maximum consecutive losses: the air is bad, but the device is in range. */
const MAX_RETRIES = 50;

export type RadioFaults = {
  /** Share of the transmissions that are lost, 0 to 1. */
  loss: number;
  latencyMs: number;
  /** Airtime of a frame to a device; others wait. */
  frameMs: number;
};

/** The air between a turbo and one device, in one direction: delayed, lossy, and in order. */
export type Air = (arrive: () => void) => void;

/** `fraction` decides what is lost: seeded in tests. */
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
