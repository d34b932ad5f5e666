/**
 * Devices that nobody hears, the longest silent first. Each may be silent for the same time, so the order in which they fell
 * silent is that of their deadlines, and only the first is ever looked at. Times are monotonic milliseconds.
 */
export type Silences = {
  /** From now on, unless it is silent already. */
  begin(deviceId: string, now: number): void;
  end(deviceId: string): void;
  /** All of them count anew from now. */
  restart(now: number): void;
  /** Since when the first is silent. */
  earliest(): number | undefined;
  /** Takes out those that are silent since `until` or longer. */
  take(until: number): string[];
};

export function createSilences(): Silences {
  // A map keeps the order in which was written.
  const since = new Map<string, number>();

  return {
    begin(deviceId, now) {
      if (!since.has(deviceId)) since.set(deviceId, now);
    },
    end: (deviceId) => void since.delete(deviceId),
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
