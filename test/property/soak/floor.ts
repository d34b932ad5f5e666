import type { Button, Clock, Hold, Log } from '../../../electron/server/ports.ts';
import { createSimulator, type SimulatedHardware } from '../../../electron/server/simulator/simulator.ts';
import { seededFraction, seededIds } from '../../helpers/seeded.ts';
import type { Random } from '../model/random.ts';
import type { Wires } from './wires.ts';

const SILENT: Log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/** Fraction of transmissions lost on the cable and over the air, in both directions. */
const LOSS = 0.1;
const AIR_LATENCY_MS = 20;
const LINK_LATENCY_MS = 15;

/** A press that a worker actually made. */
export type Press = {
  button: Button;
  hold: Hold;
  /** The token on the screen, or 0 for the background. */
  token: number;
  /** Whether the device was lit, so that the worker pressed because of the light. */
  isActive: boolean;
  /** The number on the screen at the time of the press. */
  count: number | undefined;
  atMs: number;
  /** Latest time that the report may have if the power failed before the press was reported. */
  latestMs?: number;
};

/** Turbos, devices and workers, independent of stations. */
export type Floor = {
  deviceIds: readonly [string, ...string[]];
  turbos: readonly { serial: string; sim: SimulatedHardware }[];
  presses: ReadonlyMap<string, readonly Press[]>;
  /** Returns the number of presses that a device visibly refused because its memory was full. */
  refused(): number;
  /** Sends a worker to the device after `delayMs`, and again later if it is not lit yet. */
  sendWorker(deviceId: string, delayMs: number): void;
  press(deviceId: string, button: Button, hold: Hold): void;
  setLoss(isLossy: boolean): void;
  /** Lists devices that are lit or hold reports. */
  restless(): string[];
  stop(): void;
};

const MAX_VISITS = 4;
const NEXT_VISIT_MS = 40_000;

export function createFloor(parts: {
  clock: Clock;
  random: Random;
  seed: number;
  wires: Wires;
  devices: number;
}): Floor {
  const { clock, random, seed, wires, devices } = parts;
  const radio = { loss: 0, latencyMs: AIR_LATENCY_MS, frameMs: 0, fraction: seededFraction(seed + 3) };
  const turbos = [1, 2].map((number) => ({
    serial: `T-${number}`,
    sim: createSimulator({
      clock,
      ids: seededIds(seed * 10 + number),
      log: SILENT,
      identity: { serialNumber: `T-${number}`, name: `Hall ${number}` },
      connect: (faults) => wires.connect(faults),
      radio,
    }),
  }));
  const homes = new Map<string, SimulatedHardware>();
  const presses = new Map<string, Press[]>();
  for (let number = 1; number <= devices; number += 1) {
    const { sim } = turbos[number % turbos.length] ?? { sim: undefined };
    if (sim === undefined) throw new Error('unreachable');
    const deviceId = `51D000:${String(number).padStart(6, '0')}`;
    // Every tenth device draws bitmaps.
    sim.addDevice({ deviceId, buttons: number % 2 === 1 ? 1 : 3, firmware: number % 10 === 0 ? 40 : 70 });
    homes.set(deviceId, sim);
    presses.set(deviceId, []);
  }

  function press(deviceId: string, button: Button, hold: Hold): void {
    const sim = homes.get(deviceId);
    const before = sim?.look(deviceId);
    if (sim === undefined || before === undefined || !sim.press(deviceId, button, hold)) return;
    if (sim.look(deviceId)?.refusedPresses !== before.refusedPresses) return;
    const { token, active: isActive, count } = before;
    presses.get(deviceId)?.push({ button, hold, token, isActive, count, atMs: clock.now() });
  }

  function visit(deviceId: string, visits: number): void {
    const seen = homes.get(deviceId)?.look(deviceId);
    if (seen?.active !== true) {
      if (visits < MAX_VISITS) clock.setTimer(NEXT_VISIT_MS, () => visit(deviceId, visits + 1));
      return;
    }
    if (seen.count !== undefined) {
      for (let more = random.below(3); more > 0; more -= 1) press(deviceId, random.one(['plus', 'minus']), 'short');
    }
    press(deviceId, 'front', random.chance(0.1) ? 'long' : 'short');
    // Some workers press twice to be sure.
    if (random.chance(0.05)) press(deviceId, 'front', 'short');
  }

  return {
    deviceIds: [...homes.keys()] as [string, ...string[]],
    turbos,
    presses,
    refused: () => [...homes].reduce((sum, [id, sim]) => sum + (sim.look(id)?.refusedPresses ?? 0), 0),
    sendWorker: (deviceId, delayMs) => void clock.setTimer(delayMs, () => visit(deviceId, 1)),
    press,
    setLoss(isLossy) {
      radio.loss = isLossy ? LOSS : 0;
      for (const { serial, sim } of turbos)
        sim.setTurbo(serial, { loss: radio.loss, latencyMs: isLossy ? LINK_LATENCY_MS : 0 });
    },
    restless: () =>
      [...homes].flatMap(([id, sim]) => {
        const seen = sim.look(id);
        return seen?.heldReports === 0 && !seen.active ? [] : [`${id} ${JSON.stringify(seen)}`];
      }),
    stop() {
      for (const { sim } of turbos) sim.stop();
    },
  };
}
