import type { Clock, Log } from '../../../electron/server/ports.ts';
import {
  createSimulator,
  SIMULATED_SERIAL,
  type SimulatedHardware,
} from '../../../electron/server/simulator/simulator.ts';
import { createLoopbacks } from '../../../electron/server/turbo/frames/transports/loopback.ts';
import type { Transport } from '../../../electron/server/turbo/frames/transports/transport.ts';
import { seededFraction, seededIds } from '../../helpers/seeded.ts';
import type { WireTap } from './wireTap.ts';

const SILENT: Log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/**
 * Simulated hardware that, unlike the station's own, keeps running and keeps its reports while the station is stopped.
 */
export type Hardware = {
  sim: SimulatedHardware;
  /** Replaces a transport that the station's own simulator opened with one to this hardware. */
  plug(own: Transport): Transport;
  connect(): void;
  disconnect(): void;
  /** Returns whether nothing is pending except timers. */
  idle(): boolean;
};

export function createHardware(parts: { clock: Clock; seed: number; tap: WireTap }): Hardware {
  const { clock, seed, tap } = parts;
  const wires = createLoopbacks({ clock, fraction: seededFraction(seed) });
  /** The station's end of the newest wire, until it is plugged in. */
  let coming: Transport | undefined;
  /** A wire of the station's own simulator. Closing it makes the simulator open another wire, which `plug` replaces. */
  let bell: Transport | undefined;
  const sim = createSimulator({
    clock,
    ids: seededIds(seed),
    log: SILENT,
    connect(faults) {
      const { station, turbo } = wires.connect(faults);
      coming = tap.station(station);
      bell?.close();
      bell = undefined;
      return tap.turbo(turbo);
    },
  });

  /** Returns a wire whose other end is closed. */
  function loose(): Transport {
    const { station, turbo } = wires.connect({ loss: 0, latencyMs: 0 });
    turbo.close();
    return station;
  }

  return {
    sim,
    plug(own) {
      bell = own;
      const next = coming ?? loose();
      coming = undefined;
      return next;
    },
    connect: () => void sim.setTurbo(SIMULATED_SERIAL, { connected: true }),
    disconnect() {
      sim.setTurbo(SIMULATED_SERIAL, { connected: false });
      coming = undefined;
    },
    idle: () => wires.pending() === 0,
  };
}
