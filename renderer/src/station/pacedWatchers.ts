/** Runs something before the next frame is drawn; answers nothing, as a page out of sight draws none and runs it later. */
export type NextFrame = (run: () => void) => void;

/** So many devices draw again within one frame; what is more waits for the next ones. */
export const DEVICES_PER_FRAME = 30;

export type PacedWatchers = {
  /** Calls `changed` after this device was told; answers what ends it. */
  watch(deviceid: string, changed: () => void): () => void;
  /** Tells who watches these devices: up to `DEVICES_PER_FRAME` in a frame at once, the rest in the next frames, each once. */
  tell(deviceids: Iterable<string>): void;
  /** The devices that somebody watches. */
  watched(): Iterable<string>;
};

/** Who watches which device. Without `nextFrame` all are told at once. */
export function createPacedWatchers(nextFrame?: NextFrame): PacedWatchers {
  const watchers = new Map<string, Set<() => void>>();
  const waiting = new Set<string>();
  let left = DEVICES_PER_FRAME;
  let isAsked = false;

  function callNext(): void {
    for (const deviceid of waiting) {
      if (nextFrame !== undefined && left === 0) break;
      waiting.delete(deviceid);
      left -= 1;
      for (const changed of watchers.get(deviceid) ?? []) changed();
    }
    if (nextFrame === undefined || isAsked || left === DEVICES_PER_FRAME) return;
    isAsked = true;
    nextFrame(() => {
      isAsked = false;
      left = DEVICES_PER_FRAME;
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
