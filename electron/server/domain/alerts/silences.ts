/**
 * Offline devices, longest offline first. All have the same timeout, so they are sorted by deadline, and only the first one needs checking.
 * Times are in monotonic milliseconds.
 */
export type Silences = {
  /** Starts the device's timer, unless it is already running. */
  begin(deviceId: string, now: number): void;
  end(deviceId: string): void;
  has(deviceId: string): boolean;
  /** Restarts all timers. */
  restart(now: number): void;
  /** Returns when the device that has been offline longest went offline, or undefined if no device is offline. */
  earliest(): number | undefined;
  /** Removes and returns devices that went offline at `until` or earlier. */
  take(until: number): string[];
};

export function createSilences(): Silences {
  // The oldest comes first, because a `Map` keeps its insertion order.
  const since = new Map<string, number>();

  return {
    begin(deviceId, now) {
      if (!since.has(deviceId)) since.set(deviceId, now);
    },
    end: (deviceId) => void since.delete(deviceId),
    has: (deviceId) => since.has(deviceId),
    restart(now) {
      for (const deviceId of since.keys()) since.set(deviceId, now);
    },
    earliest() {
      for (const at of since.values()) return at;
      return undefined;
    },
    take(until) {
      const taken: string[] = [];
      for (const [deviceId, at] of since) {
        if (at > until) break;
        taken.push(deviceId);
        since.delete(deviceId);
      }
      return taken;
    },
  };
}
