import type { Clock } from '../ports.ts';

/** What waits for the air of one turbo. */
export type Airtime = {
  /** Transmits this when the air is free: work before backgrounds, and of one device everything in order. */
  add(deviceId: string, isWork: boolean, transmit: () => void): void;
  /** The turbo has forgotten what it was to send. */
  clear(): void;
};

/** One frame after another, each of which takes the air for `frameMs`; 0: at once. */
export function createAirtime(clock: Clock, frameMs: number): Airtime {
  const waiting = new Map<string, (() => void)[]>();
  const work = new Set<string>();
  const backgrounds = new Set<string>();
  let isBusy = false;

  function next(): void {
    isBusy = false;
    const [deviceId] = work.size > 0 ? work : backgrounds;
    const frames = deviceId === undefined ? undefined : waiting.get(deviceId);
    const transmit = frames?.shift();
    if (deviceId === undefined || transmit === undefined) return;
    if (frames?.length === 0) {
      waiting.delete(deviceId);
      work.delete(deviceId);
      backgrounds.delete(deviceId);
    }
    isBusy = true;
    clock.setTimer(frameMs, () => {
      transmit();
      next();
    });
  }

  return {
    add(deviceId, isWork, transmit) {
      if (frameMs <= 0) return transmit();
      const frames = waiting.get(deviceId) ?? [];
      frames.push(transmit);
      waiting.set(deviceId, frames);
      if (isWork) {
        // What its device was to get before goes along: out of order it would take the place of the work.
        work.add(deviceId);
        backgrounds.delete(deviceId);
      } else if (!work.has(deviceId)) backgrounds.add(deviceId);
      if (!isBusy) next();
    },
    clear() {
      waiting.clear();
      work.clear();
      backgrounds.clear();
    },
  };
}
