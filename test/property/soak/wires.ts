import type { Clock } from '../../../electron/server/ports.ts';
import { createLoopbacks } from '../../../electron/server/turbo/frames/transports/loopback.ts';
import type { WireFaults, Transport } from '../../../electron/server/turbo/frames/transports/transport.ts';

/** Called before each chunk that a station sends, and after each chunk that it receives. */
export type Ears = { says(): void; heard(): void };

/** Time for which messages sent before a kill still arrive after it, because they are in the system or on the cable. */
const ON_ITS_WAY_MS = 50;

/** The cables between turbos, which keep running, and stations, which are killed. */
export type Wires = {
  /** Returns the turbo's end of a new cable. The other end is free until a station connects to it. */
  connect(faults: WireFaults): Transport;
  /** Replaces each wire of a station's simulated turbo with one of these cables. Use it in the station's `watchTransport`. */
  take(own: Transport, ears: Ears): Transport;
  /**
   * Must be called when the station is killed. The station then sends and receives nothing more, and the turbos find their cables
   * unplugged.
   */
  cut(): void;
  idle(): boolean;
};

export function createWires(clock: Clock, fraction: () => number): Wires {
  const loopbacks = createLoopbacks({ clock, fraction });
  /** Station ends of cables that no station uses yet. */
  let coming: Transport[] = [];
  /**
   * A wire of the running station's own turbo. Closing it makes the turbo open another one, which `take` replaces.
   */
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
          // The station may have been killed in the meantime.
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

/** Returns a cable whose other end is closed. */
function loose({ station, turbo }: { station: Transport; turbo: Transport }): Transport {
  turbo.close();
  return station;
}
