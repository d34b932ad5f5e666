/** Calls `run` before the next frame, with the frame's time in milliseconds. Hidden pages draw frames late. */
export type NextFrame = (run: (atMs: number) => void) => void;

/** Maximum number of devices that are redrawn per frame. Further devices wait for the next frame. */
export const DEVICES_PER_FRAME = 30;

/** Maximum waiting time in milliseconds. If frames are rare, a frame redraws more devices to keep this limit. */
const MAX_WAIT_MS = 2_000;

/**
 * Returns the number of `waiting` devices to redraw in a frame that comes `sinceMs` after the previous frame. The
 * result is at least `usual`.
 */
export function shareOfFrame(usual: number, waiting: number, sinceMs: number): number {
  return Math.max(usual, Math.ceil((waiting * sinceMs) / MAX_WAIT_MS));
}

export type PacedWatchers = {
  /** Calls `changed` whenever this device has changed. Returns a function that stops watching. */
  watch(deviceid: string, changed: () => void): () => void;
  /** Calls the watchers of these devices once, for up to `DEVICES_PER_FRAME` devices now, and for all others in the next frames. */
  notify(deviceids: Iterable<string>): void;
  /** Returns the devices that have watchers. */
  watched(): Iterable<string>;
};

/** Spreads the calls of watchers over several frames. Without `nextFrame`, calls all of them immediately. */
export function createPacedWatchers(nextFrame?: NextFrame): PacedWatchers {
  const watchers = new Map<string, Set<() => void>>();
  const waiting = new Set<string>();
  let left = DEVICES_PER_FRAME;
  let isAsked = false;
  /** Time of the previous frame, or undefined at the start of a series of frames. */
  let frameAt: number | undefined;

  function callNext(): void {
    for (const deviceid of waiting) {
      if (nextFrame !== undefined && left === 0) break;
      waiting.delete(deviceid);
      left -= 1;
      for (const changed of watchers.get(deviceid) ?? []) changed();
    }
    if (nextFrame === undefined || isAsked) return;
    if (left === DEVICES_PER_FRAME) {
      frameAt = undefined;
      return;
    }
    isAsked = true;
    nextFrame((atMs) => {
      isAsked = false;
      left = shareOfFrame(DEVICES_PER_FRAME, waiting.size, atMs - (frameAt ?? atMs));
      frameAt = atMs;
      callNext();
    });
  }

  return {
    watch(deviceid, changed) {
      const those = watchers.get(deviceid) ?? new Set();
      watchers.set(deviceid, those.add(changed));
      return () => {
        those.delete(changed);
        if (those.size === 0 && watchers.get(deviceid) === those) watchers.delete(deviceid);
      };
    },
    notify(deviceids) {
      for (const deviceid of deviceids) if (watchers.has(deviceid)) waiting.add(deviceid);
      if (waiting.size > 0) callNext();
    },
    watched: () => watchers.keys(),
  };
}
