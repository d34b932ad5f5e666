/** Runs something before the next frame is drawn, with its time in milliseconds; later where a page is out of sight. */
export type NextFrame = (run: (atMs: number) => void) => void;

/** So many devices draw again within one frame; what is more waits for the next ones. */
export const DEVICES_PER_FRAME = 30;

/** About so long something waits where frames come seldom: then a frame takes its part, however many that are. */
const MAX_WAIT_MS = 2_000;

/** How many of `waiting` a frame takes that comes `sinceMs` after the one before, and usually takes `usual`. */
export function shareOfFrame(usual: number, waiting: number, sinceMs: number): number {
  return Math.max(usual, Math.ceil((waiting * sinceMs) / MAX_WAIT_MS));
}

export type PacedWatchers = {
  /** Calls `changed` when this device has changed. Returns a function that ends it. */
  watch(deviceid: string, changed: () => void): () => void;
  /** Tells who watches these devices: up to `DEVICES_PER_FRAME` in a frame at once, the rest in the next frames, each once. */
  tell(deviceids: Iterable<string>): void;
  /** The devices that somebody watches. */
  watched(): Iterable<string>;
};

/** Calls the watchers of changed devices, some in each frame. Without `nextFrame`, all of them at once. */
export function createPacedWatchers(nextFrame?: NextFrame): PacedWatchers {
  const watchers = new Map<string, Set<() => void>>();
  const waiting = new Set<string>();
  let left = DEVICES_PER_FRAME;
  let isAsked = false;
  /** Undefined: no frame was asked for before. */
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
    tell(deviceids) {
      for (const deviceid of deviceids) if (watchers.has(deviceid)) waiting.add(deviceid);
      if (waiting.size > 0) callNext();
    },
    watched: () => watchers.keys(),
  };
}
