/**
 * Offline devices, longest first. All have the same timeout, so they are sorted by deadline, and only the first needs
 * checking. Times are monotonic milliseconds.
 */
export type Silences = {
  /** Starts now, unless already offline. */
  begin(deviceId: string, now: number): void;
  end(deviceId: string): void;
  has(deviceId: string): boolean;
  /** Restarts all timers now. */
  restart(now: number): void;
  /** Since when the first has been offline. */
  earliest(): number | undefined;
  /** Removes and returns those that have been offline since `until` or longer. */
  take(until: number): string[];
};

export function createSilences(): Silences {
  // A map keeps insertion order.
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
