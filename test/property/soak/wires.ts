import type { Clock } from '../../../electron/server/ports.ts';
import { createLoopbacks } from '../../../electron/server/turbo/transports/loopback.ts';
import type { LinkFaults, Transport } from '../../../electron/server/turbo/transports/transport.ts';

/** Called with each piece that a station says, before it is sent, and with each that it hears, after it was read. */
export type Ears = { says(): void; heard(): void };

/** What was said before a death arrives after it: the system has it, or the cable. */
const ON_ITS_WAY_MS = 50;

/** The cables between turbos that live for ever and stations that are killed. */
export type Wires = {
  /** The turbo's end of a new cable. Nobody is at the other end until a station takes it. */
  connect(faults: LinkFaults): Transport;
  /** For a station's `watchTransport`: its own simulated turbo opens wires, and is given one of ours in the place of each. */
  take(own: Transport, ears: Ears): Transport;
  /** The station is dead: from now on it says and hears nothing, and the turbos find their cables loose. */
  cut(): void;
  idle(): boolean;
};

export function createWires(clock: Clock, fraction: () => number): Wires {
  const loopbacks = createLoopbacks({ clock, fraction });
  /** Station's ends that no station has taken. */
  let coming: Transport[] = [];
  /** A wire of the running station's own turbo, which comes back with another one soon after this one is closed. */
  let bell: Transport | undefined;
  let taken: { end: Transport; isCut: boolean }[] = [];

  function ring(): void {
    if (coming.length === 0) return;
    bell?.close();
    bell = undefined;
  }

  return {
    connect(faults) {
      const { station, turbo } = loopbacks.connect(faults);
      coming.push(station);
      ring();
      return turbo;
    },
    take(own, ears) {
      bell = own;
      const end = coming.shift() ?? loose(loopbacks.connect({ loss: 0, latencyMs: 0 }));
      const cable = { end, isCut: false };
      taken.push(cable);
      ring();
      return {
        ...end,
        open(events) {
          end.open({
            bytes(chunk) {
              if (cable.isCut) return;
              events.bytes(chunk);
              ears.heard();
            },
            closed: (reason) => void (cable.isCut || events.closed(reason)),
          });
        },
        write(bytes) {
          if (!cable.isCut) ears.says();
          // It may be dead by now.
          return cable.isCut ? undefined : end.write(bytes);
        },
      };
    },
    cut() {
      for (const cable of taken) {
        cable.isCut = true;
        clock.setTimer(ON_ITS_WAY_MS, () => cable.end.close());
      }
      for (const end of coming) end.close();
      taken = [];
      coming = [];
      bell = undefined;
    },
    idle: () => loopbacks.pending() === 0,
  };
}

/** A cable to nobody. */
function loose({ station, turbo }: { station: Transport; turbo: Transport }): Transport {
  turbo.close();
  return station;
}
