import type { Clock } from '../ports.ts';

/** Schedules the transmissions of one turbo. */
export type Airtime = {
  /**
   * Transmits when the air is free: first to devices with work, then to devices with backgrounds only. Frames of one device keep their
   * order.
   */
  add(deviceId: string, isWork: boolean, transmit: () => void): void;
  /** Drops all waiting frames. */
  clear(): void;
};

/** Creates a schedule that sends one frame at a time. `frameMs` is the duration of each frame, or 0 to send frames immediately. */
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
        // Treat earlier backgrounds of the device as work, too, so that its frames keep their order.
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
