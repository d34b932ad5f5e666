/** What a fleet meets: a broker that restarts or is killed, stations that are killed, a receiver that is away. */
import { setTimeout as pause } from 'node:timers/promises';
import type { FleetStation } from '#shared/api/fleet.ts';
import { until } from '../test/shells/until.ts';
import { readBooked } from './fleetLedger.ts';
import { judge, type FleetVerdict } from './fleetReceiver.ts';
import type { FleetFigures } from './fleetRun.ts';
import {
  isOnline,
  listShown,
  PATIENCE_MS,
  untilOnline,
  untilShown,
  type FleetOnlooker,
  type FleetScene,
} from './fleetScene.ts';
import { FLEET_DEVICES, FLEET_ORDERS } from './fleetStation.ts';

/** The receiver is away, and then has caught up. */
const AWAY_MS = 20_000;
const SETTLED_MS = 5_000;

/** Restarts the broker, and kills half of the clients while they owe it callbacks. */
export async function restartBroker(scene: FleetScene, onlooker: FleetOnlooker): Promise<FleetFigures['restart']> {
  const { broker, crowds } = scene;
  const [living, dying] = crowds;
  const stoppedAt = performance.now();
  await broker.stop();
  await until('a callback that waits', () => dying.counts().owed > 0);
  const { owed } = dying.counts();
  await dying.kill();
  await broker.start();
  const startedAt = performance.now();
  const away = dying.options.many;
  await untilShown(
    scene,
    'half of the stations',
    (stations) =>
      stations.filter(isOnline).length === living.options.many &&
      stations.filter(({ availability }) => availability === 'offline').length === away,
  );
  const backMs = performance.now() - startedAt;
  await onlooker.seesAway?.(away);
  const awayMs = performance.now() - startedAt;
  dying.start();
  dying.tell('pick');
  const returnedMs = await untilOnline(scene);
  await onlooker.seesAway?.(0);
  return { owed, brokerMs: startedAt - stoppedAt, backMs, awayMs, returnedMs };
}

/** The receiver is away for a while, then the broker is killed under load. `before`: the verdict so far. */
export async function beHarsh(scene: FleetScene, before: FleetVerdict): Promise<FleetFigures['harsh']> {
  const { broker, crowds, receiver, plan } = scene;
  await receiver.leave();
  for (const crowd of crowds) crowd.tell('pick');
  await pause(AWAY_MS);
  const waiting = Math.floor(((AWAY_MS / plan.everyMs) * plan.stations) / 2);
  const catchUpPerSecond = await receiver.catchUp(waiting);
  await pause(SETTLED_MS);
  await broker.stop('SIGKILL');
  await broker.start();
  await untilOnline(scene);
  const { lost, doubled } = await drain(scene);
  return { catchUpPerSecond, lost: lost - before.lost, doubled: doubled - before.doubled };
}

/** Stops the picks, waits for what is owed, and compares. */
export async function drain({ crowds, receiver }: FleetScene): Promise<FleetVerdict> {
  for (const crowd of crowds) crowd.tell('rest');
  await until(
    'the last acknowledgement',
    () => crowds.every((crowd) => crowd.counts().underWay === 0 && crowd.counts().owed === 0),
    PATIENCE_MS,
  );
  for (const crowd of crowds) await crowd.settled();
  const booked = new Map(crowds.flatMap((crowd) => [...readBooked(crowd.options.ledger)]));
  // What is lost never comes: it is counted.
  await until('the last callback', () => receiver.received.size >= booked.size, PATIENCE_MS).catch(() => undefined);
  return judge(booked, receiver.received);
}

/** Nothing is lit any more, and nobody is away. */
export async function countWrong(scene: FleetScene): Promise<number> {
  const isRight = (station: FleetStation): boolean =>
    isOnline(station) &&
    station.devices.count === FLEET_DEVICES &&
    station.devices.lit === 0 &&
    station.devices.offline === 0 &&
    station.orders.open === FLEET_ORDERS;
  // The last states are collected for a moment before they are published.
  await untilShown(scene, 'the last state', (stations) => stations.every(isRight)).catch(() => undefined);
  const shown = await listShown(scene);
  return scene.plan.stations - shown.filter(isRight).length;
}
