/** A press. `sinceMs` is the time since the previous press on the device, or null if the device did not measure it. */
type Press = { deviceId: string; epoch: number; sinceMs: number | null };

/**
 * Adds up the times between presses that devices measure, to know how long ago the last counted press on the front was. Neither radio nor a
 * busy station changes these times. They are only in memory: after a restart, times of arrival decide.
 */
export function createPressDistances() {
  const counted = new Map<string, { epoch: number; elapsedMs: number }>();
  return {
    /** Returns the time since the last counted press on the front of this device; null if unknown. */
    sinceCounted({ deviceId, epoch, sinceMs }: Press): number | null {
      const last = counted.get(deviceId);
      return last?.epoch === epoch && sinceMs !== null ? last.elapsedMs + sinceMs : null;
    },
    /** Records a press once it is on disk. `elapsedMs` is what `sinceCounted` returned for it. */
    made({ deviceId, epoch }: Press, { isCounted, elapsedMs }: { isCounted: boolean; elapsedMs: number | null }): void {
      if (isCounted) counted.set(deviceId, { epoch, elapsedMs: 0 });
      else if (elapsedMs === null) counted.delete(deviceId);
      else counted.set(deviceId, { epoch, elapsedMs });
    },
  };
}

export type PressDistances = ReturnType<typeof createPressDistances>;
