import type { Clock } from '../electron/server/ports.ts';
import type { Transport } from '../electron/server/turbo/transports/transport.ts';

export type LineCount = { toTurbo: number; fromTurbo: number };

/** A cable with limited speed per direction: bytes leave one after another, and arrive late. */
export function pacedLine(
  end: Transport,
  {
    clock,
    bytesASecond,
    latencyMs,
    count,
  }: { clock: Clock; bytesASecond: number; latencyMs: number; count: LineCount },
): Transport {
  const there = direction();
  const back = direction();

  /** Calls `left` when the last byte is on the cable, and `arrived` when it is at the other end. */
  function direction() {
    let freeMs = 0;
    return (bytes: number, left: () => void, arrived: () => void): void => {
      const nowMs = clock.monotonic();
      freeMs = Math.max(freeMs, nowMs) + (bytes / bytesASecond) * 1_000;
      // Rows store whole milliseconds.
      clock.setTimer(Math.ceil(freeMs - nowMs), left);
      clock.setTimer(Math.ceil(freeMs - nowMs) + latencyMs, arrived);
    };
  }

  return {
    ...end,
    open(events) {
      end.open({
        ...events,
        bytes(chunk) {
          count.fromTurbo += chunk.length;
          back(
            chunk.length,
            () => undefined,
            () => events.bytes(chunk),
          );
        },
      });
    },
    write(bytes) {
      count.toTurbo += bytes.length;
      return new Promise((resolve) => there(bytes.length, resolve, () => void end.write(bytes)));
    },
  };
}
