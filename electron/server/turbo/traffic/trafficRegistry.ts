import type { Clock, TurboWatch } from '../../ports.ts';
import type { Tap } from '../frames/protocol/exchange.ts';
import { createTraffic, type Traffic } from './traffic.ts';

/** Maximum number of disconnected turbos whose traffic is kept. Limited because traffic uses memory and anybody can pose as a turbo. */
const MAX_GONE = 50;

/** Traffic of each turbo. */
export type TrafficRegistry = TurboWatch & {
  /** Starts counting for a new connection, whose turbo is still unknown. */
  begin(): ConnectionTraffic;
  forget(serialNumber: string): void;
};

/** Traffic of one connection, counted for its turbo. */
export type ConnectionTraffic = Tap & {
  /** Called when the turbo has identified itself. Adds the connection's traffic to the turbo's earlier traffic. */
  named(serialNumber: string): void;
  /** Records an error message for the user. */
  failed(problem: string): void;
  closed(): void;
};

export function createTrafficRegistry(clock: Pick<Clock, 'now'>): TrafficRegistry {
  /** Traffic by serial number. The turbo that connected last comes last. */
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
          // A new name belongs to a different turbo. Earlier traffic stays with the old one.
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
