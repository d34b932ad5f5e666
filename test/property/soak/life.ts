import { cpSync } from 'node:fs';
import { basename } from 'node:path';
import type { FakeClock } from '../../helpers/fakeClock.ts';
import { startTestStation, type Answer, type TestStation } from '../../helpers/startTestStation.ts';
import type { SoakReceiver } from './receiver.ts';
import type { Strip } from './strip.ts';
import type { Wires } from './wires.ts';

/** When a station is to die: after so many more pieces that it says or hears. */
export type Fate = { when: 'says' | 'heard'; pieces: number };

/** One run of the station, from its start to its violent end. */
export type StationLife = {
  isDead(): boolean;
  /** Undefined where it died before its answer: nobody knows what became of the request. */
  request(method: string, path: string, body: unknown): Promise<Answer | undefined>;
  meet(fate: Fate): void;
  /**
   * Dies in this very moment, as by kill -9: nothing that was not on disk is there any more, and nothing is said to anybody.
   * What it has on disk is copied to `nextFolder`.
   */
  kill(): void;
  /** Frees what the dead one has open. */
  bury(): Promise<void>;
  errors(): string[];
};

/** What no process leaves to the next: locks, and memory that processes share. */
const NOT_LEFT = /(-shm|^lock\.sqlite.*)$/;

export async function startLife(parts: {
  clock: FakeClock;
  seed: number;
  dataFolder: string;
  nextFolder: string;
  wires: Wires;
  receiver: SoakReceiver;
  strip: Pick<Strip, 'client'>;
  /** Time does not pass until this is true. */
  whileBusy: (idle: () => boolean) => void;
}): Promise<StationLife> {
  const { clock, seed, dataFolder, nextFolder, wires, receiver, strip } = parts;
  let dead = false;
  let fate: Fate | undefined;

  function kill(): void {
    if (dead) return;
    dead = true;
    cpSync(dataFolder, nextFolder, { recursive: true, filter: (file) => !NOT_LEFT.test(basename(file)) });
    wires.cut();
  }

  function pass(what: Fate['when']): void {
    if (fate?.when !== what) return;
    fate.pieces -= 1;
    if (fate.pieces <= 0) kill();
  }

  const station: TestStation = await startTestStation({
    clock: { ...clock, whenIdle: parts.whileBusy },
    seed,
    dataFolder,
    http: strip.client(
      () => dead,
      receiver.client(() => dead),
    ),
    // The dead plug nothing in.
    watchTransport: (own) => (dead ? own : wires.take(own, { says: () => pass('says'), heard: () => pass('heard') })),
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
