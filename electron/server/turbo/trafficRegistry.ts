import type { Clock, TurboWatch } from '../ports.ts';
import type { Tap } from './protocol/exchange.ts';
import { createTraffic, type Traffic } from './traffic.ts';

/** What passed is kept of so many turbos that are gone: it is long, and anybody may call himself a turbo. */
const MAX_GONE = 50;

/** What passed, of each turbo. */
export type TrafficRegistry = TurboWatch & {
  /** For one link, whose turbo is not known yet. */
  begin(): LinkTraffic;
  forget(serialNumber: string): void;
};

/** What passes over one link, counted for the turbo behind it. */
export type LinkTraffic = Tap & {
  /** The turbo said who it is: what passed goes on where its last link ended. */
  named(serialNumber: string): void;
  /** Something went wrong, in words for people. */
  failed(problem: string): void;
  /** Nothing passes any more. */
  closed(): void;
};

export function createTrafficRegistry(clock: Pick<Clock, 'now'>): TrafficRegistry {
  /** The one that was linked last is the last. */
  const bySerial = new Map<string, Traffic>();
  const open = new Set<Traffic>();

  function keep(serialNumber: string, newest: Traffic): Traffic {
    const known = bySerial.get(serialNumber);
    known?.adopt(newest);
    const kept = known ?? newest;
    bySerial.delete(serialNumber);
    bySerial.set(serialNumber, kept);
    return kept;
  }

  function dropGone(): void {
    let left = bySerial.size - open.size - MAX_GONE;
    for (const [serialNumber, traffic] of bySerial) {
      if (left <= 0) return;
      if (open.has(traffic)) continue;
      bySerial.delete(serialNumber);
      left--;
    }
  }

  return {
    begin() {
      let traffic = createTraffic(clock);
      let name = '';
      return {
        arrived: (byteCount) => traffic.arrived(byteCount),
        frame: (direction, bytes, repeated) => traffic.frame(direction, bytes, repeated),
        broken: () => traffic.broken(),
        answered: (ms) => traffic.answered(ms),
        failed: (problem) => traffic.failed(problem),
        named(serialNumber) {
          if (serialNumber === name) return;
          open.delete(traffic);
          // Under another name it is another turbo: what passed before stays where it was counted.
          traffic = keep(serialNumber, name === '' ? traffic : createTraffic(clock));
          name = serialNumber;
          open.add(traffic);
          dropGone();
        },
        closed: () => void open.delete(traffic),
      };
    },
    countsOf: (serialNumber) => bySerial.get(serialNumber)?.counts(),
    framesOf: (serialNumber, after) => bySerial.get(serialNumber)?.frames.list(after),
    forget: (serialNumber) => void bySerial.delete(serialNumber),
  };
}
