import { setTimeout as pause } from 'node:timers/promises';
import type { FleetAnswer, FleetStation } from '#shared/api/fleet.ts';
import type { Mosquitto } from '../test/brokers/mosquitto.ts';
import { until } from '../test/shells/until.ts';
import type { Crowd } from './fleetCrowd.ts';
import type { watchTotals } from './fleetGauges.ts';
import type { FleetReceiver } from './fleetReceiver.ts';
import { ask } from './fleetTape.ts';
import type { ServerProcess } from './processes.ts';

/** Between two looks at the fleet: each costs the station work. */
export const LOOK_MS = 100;
export const PATIENCE_MS = 600_000;

/** `isHarsh`: also lets the receiver be away, and kills the broker. */
export type FleetPlan = { stations: number; seconds: number; everyMs: number; isHarsh: boolean };

/** What looks at the fleet while it works, such as a page. */
export type FleetOnlooker = {
  /** All stations are online, and nobody picks yet. */
  watchRest?(): Promise<void>;
  /** During the steady load. */
  watch?(durationMs: number): Promise<void>;
  /** Resolves when it shows a light of the first station, which was lit at `startedAt`. */
  seesLight?(startedAt: number): Promise<void>;
  /** Resolves when it shows so many stations as away. */
  seesAway?(count: number): Promise<void>;
};

export type FleetScene = {
  plan: FleetPlan;
  broker: Mosquitto;
  watcher: ServerProcess;
  receiver: FleetReceiver;
  totals: Awaited<ReturnType<typeof watchTotals>>;
  crowds: readonly [Crowd, Crowd];
};

/** Stations of the clients, without the one that watches. */
export async function listShown({ watcher }: Pick<FleetScene, 'watcher'>): Promise<FleetStation[]> {
  const { stations } = await ask<FleetAnswer>(watcher.url, 'GET', '/api/fleet/');
  return stations.filter(({ own }) => !own);
}

export async function untilShown(
  scene: FleetScene,
  what: string,
  is: (stations: FleetStation[]) => boolean,
): Promise<number> {
  const startedAt = performance.now();
  const happened = async (): Promise<boolean> => {
    await pause(LOOK_MS);
    return is(await listShown(scene));
  };
  await until(what, happened, PATIENCE_MS);
  return performance.now() - startedAt;
}

export const isOnline = ({ availability, problem }: FleetStation): boolean =>
  availability === 'online' && problem === null;

export const untilOnline = (scene: FleetScene): Promise<number> =>
  untilShown(scene, 'all stations', (stations) => stations.filter(isOnline).length === scene.plan.stations);
