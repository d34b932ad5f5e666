import { cpSync } from 'node:fs';
import { basename } from 'node:path';
import type { HttpClient, SerialPorts } from '../../../electron/server/ports.ts';
import type { FakeClock } from '../../helpers/fakeClock.ts';
import { startTestStation, type Answer, type TestStation } from '../../helpers/startTestStation.ts';
import type { ShopHardware } from './hardware.ts';
import type { SoakReceiver } from './receiver.ts';
import type { Wires } from './wires.ts';

/** The moment at which a station is killed: after it has sent (`says`) or received (`heard`) this many more chunks. */
export type Fate = { when: 'says' | 'heard'; pieces: number };

/** One run of the station, from its start until it is killed. */
export type StationLife = {
  isDead(): boolean;
  /** Sends a request. Returns undefined if the station was killed before it answered, so that the outcome is unknown. */
  request(method: string, path: string, body: unknown): Promise<Answer | undefined>;
  meet(fate: Fate): void;
  /**
   * Kills the station at this moment, like kill -9: everything not on disk is lost, and nothing more is sent. Copies its
   * files to `nextFolder`.
   */
  kill(): void;
  /** Releases the files and ports of the killed station. */
  bury(): Promise<void>;
  errors(): string[];
};

/** Files that do not outlive a process: locks and shared memory. */
const NOT_LEFT = /(-shm|^lock\.sqlite.*)$/;

export async function startLife(parts: {
  clock: FakeClock;
  seed: number;
  dataFolder: string;
  nextFolder: string;
  wires: Wires;
  receiver: SoakReceiver;
  hardware: readonly ShopHardware[];
  serial: SerialPorts;
  /** Wraps the client so that hardware with HTTP answers its own requests. Other requests go to the receiver. */
  http: (receiver: HttpClient) => HttpClient;
  /** Makes the clock wait until the probe returns true. */
  whileBusy: (idle: () => boolean) => void;
}): Promise<StationLife> {
  const { clock, seed, dataFolder, nextFolder, wires, receiver, hardware, serial } = parts;
  let dead = false;
  let fate: Fate | undefined;

  function kill(): void {
    if (dead) return;
    dead = true;
    cpSync(dataFolder, nextFolder, { recursive: true, filter: (file) => !NOT_LEFT.test(basename(file)) });
    wires.cut();
    for (const each of hardware) each.connect(false);
  }

  function pass(what: Fate['when']): void {
    if (fate?.when !== what) return;
    fate.pieces -= 1;
    if (fate.pieces <= 0) kill();
  }

  for (const each of hardware) each.connect(true);
  const station: TestStation = await startTestStation({
    clock: { ...clock, whenIdle: parts.whileBusy },
    seed,
    dataFolder,
    http: parts.http(receiver.client(() => dead)),
    serial,
    watchTransport(own) {
      // A killed station opens no wires, and off-the-shelf hardware uses real connections.
      if (dead || own.kind !== 'simulated') return own;
      return wires.take(own, { says: () => pass('says'), heard: () => pass('heard') });
    },
  });
  return {
    isDead: () => dead,
    async request(method, path, body) {
      const answer = await station.request(method, path, body);
      return dead ? undefined : answer;
    },
    meet: (next) => void (fate = next),
    kill,
    bury: () => station.stop(),
    errors: () => station.logged.filter(({ level }) => level === 'error').map(({ message }) => message),
  };
}
