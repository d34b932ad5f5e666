/** A fleet of stations at one mosquitto, watched by a real station: what it costs, and what a broker that restarts loses. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { FleetStation } from '#shared/api/fleet.ts';
import { startMosquitto } from '../test/brokers/mosquitto.ts';
import { createCrowd, type Crowd } from './fleetCrowd.ts';
import { beHarsh, countWrong, drain, restartBroker } from './fleetFaults.ts';
import { quantile, watchTotals, type BrokerTotals } from './fleetGauges.ts';
import { openFleetReceiver, type FleetVerdict } from './fleetReceiver.ts';
import { LOOK_MS, untilOnline, untilShown, type FleetOnlooker, type FleetPlan, type FleetScene } from './fleetScene.ts';
import { stationId } from './fleetStation.ts';
import { ask, recordTape } from './fleetTape.ts';
import { cpuMs, residentBytes, startStation, type ServerProcess, type Workplace } from './processes.ts';

const PREFIX = 'fleet';
/** Waiting messages are not limited: 1,000, the default, is a second of these callbacks. */
const BROKER = ['allow_anonymous true', 'persistence true', 'max_queued_messages 0', 'sys_interval 1'];
const RAMP_PER_SECOND = 250;
/** Until hot code is compiled. */
const WARM_UP_MS = 5_000;
const AGES = 5;

export type FleetFigures = {
  picksPerSecond: number;
  /** The most that a pick came late. */
  lateMs: number;
  perSecond: Pick<BrokerTotals, 'packetsIn' | 'packetsOut' | 'bytesIn' | 'bytesOut'>;
  /** Messages that the stations publish, a second. */
  published: number;
  dropped: number;
  retained: number;
  /** Processor time in percent of one core. */
  cores: { mosquitto: number; watcher: number; clients: number };
  memory: { mosquitto: number; watcher: number };
  /** Size of what mosquitto saves when it stops. */
  savedBytes: number;
  delayMs: { p50: number; p99: number };
  ageMs: number[];
  answer: { ms: number[]; bytes: number };
  /**
   * `owed`: callbacks that half of the stations owe when they are killed, at least. Then: until the broker runs again; from then
   * until the fleet shows this half as away, until onlookers do; from their start until all are shown.
   */
  restart: { owed: number; brokerMs: number; backMs: number; awayMs: number; returnedMs: number };
  verdict: FleetVerdict;
  repeated: number;
  /** Callbacks a second that the receiver takes after it was away; what a killed broker loses or doubles. */
  harsh: { catchUpPerSecond: number; lost: number; doubled: number } | undefined;
  /** Stations that the fleet does not show as they are, once nothing happens. */
  wrong: number;
};

/** Runs the whole course. `look`: opens what looks at the fleet, once the station that watches is ready. */
export async function runFleet(
  place: Workplace,
  plan: FleetPlan,
  look: (watcher: ServerProcess) => Promise<FleetOnlooker> = () => Promise.resolve({}),
): Promise<FleetFigures> {
  await using broker = await startMosquitto(BROKER, { isQuiet: true });
  const brokerUrl = `mqtt://127.0.0.1:${broker.port}`;
  const tape = await recordTape(place, brokerUrl);
  const watcher = await startStation(place.folder(), 1);
  const settings = { mqtt_url: brokerUrl, mqtt_prefix: PREFIX, mqtt_station: 'office', fleet: true };
  await ask(watcher.url, 'PATCH', '/api/settings/', settings);
  const receiver = await openFleetReceiver(brokerUrl, PREFIX);
  const totals = await watchTotals(brokerUrl);
  const half = Math.ceil(plan.stations / 2);
  const crowdOf = (first: number, many: number, hasQuiet: boolean): Crowd =>
    createCrowd({
      brokerUrl,
      prefix: PREFIX,
      first,
      many,
      ledger: join(place.folder(), 'owed.sqlite'),
      tape,
      everyMs: plan.everyMs,
      hasQuiet,
      rampPerSecond: RAMP_PER_SECOND,
    });
  const crowds = [crowdOf(1, half, true), crowdOf(half + 1, plan.stations - half, false)] as const;
  const scene: FleetScene = { plan, broker, watcher, receiver, totals, crowds };
  try {
    for (const crowd of crowds) crowd.start();
    await untilOnline(scene);
    const onlooker = await look(watcher);
    await onlooker.watchRest?.();
    const steady = await measureSteady(scene, onlooker);
    const restart = await restartBroker(scene, onlooker);
    const verdict = await drain(scene);
    const savedBytes = statSync(join(broker.folder, 'mosquitto.db')).size;
    const repeated = receiver.repeated();
    const wrong = await countWrong(scene);
    const harsh = plan.isHarsh ? await beHarsh(scene, verdict) : undefined;
    return { ...steady, restart, savedBytes, verdict, repeated, wrong, harsh };
  } finally {
    for (const crowd of crowds) await crowd.kill();
    await receiver.close();
    await totals.close();
    await watcher.stop();
  }
}

async function measureSteady(
  scene: FleetScene,
  onlooker: FleetOnlooker,
): Promise<Omit<FleetFigures, 'restart' | 'savedBytes' | 'verdict' | 'repeated' | 'wrong' | 'harsh'>> {
  const { plan, broker, watcher, receiver, totals, crowds } = scene;
  for (const crowd of crowds) crowd.tell('pick');
  await pause(Math.min(WARM_UP_MS, plan.seconds * 1_000));
  const pid = broker.pid();
  const sample = () => ({
    at: performance.now(),
    totals: totals.read(),
    received: receiver.received.size,
    published: crowds.reduce((sum, crowd) => sum + crowd.counts().published, 0),
    mosquitto: cpuMs({ pid }),
    watcher: watcher.cpuMs(),
    clients: crowds.reduce((sum, crowd) => sum + crowd.cpuMs(), 0),
  });
  receiver.takeDelays();
  for (const crowd of crowds) crowd.takeLateMs();
  const before = sample();
  await Promise.all([onlooker.watch?.(plan.seconds * 1_000), pause(plan.seconds * 1_000)]);
  const after = sample();
  const ms = after.at - before.at;
  const rate = (name: keyof BrokerTotals): number => ((after.totals[name] - before.totals[name]) / ms) * 1_000;
  const delays = receiver.takeDelays();
  const lateMs = Math.max(...crowds.map((crowd) => crowd.takeLateMs()));
  const cores = (name: 'mosquitto' | 'watcher' | 'clients'): number => ((after[name] - before[name]) / ms) * 100;
  const memory = { mosquitto: residentBytes({ pid }), watcher: watcher.residentBytes() };
  return {
    picksPerSecond: ((after.received - before.received) / ms) * 1_000,
    published: ((after.published - before.published) / ms) * 1_000,
    lateMs,
    perSecond: {
      packetsIn: rate('packetsIn'),
      packetsOut: rate('packetsOut'),
      bytesIn: rate('bytesIn'),
      bytesOut: rate('bytesOut'),
    },
    dropped: after.totals.dropped - before.totals.dropped,
    retained: after.totals.retained,
    cores: { mosquitto: cores('mosquitto'), watcher: cores('watcher'), clients: cores('clients') },
    memory,
    delayMs: { p50: quantile(delays, 0.5), p99: quantile(delays, 0.99) },
    ageMs: await measureAges(scene, onlooker),
    answer: await measureAnswer(watcher),
  };
}

/** Milliseconds from the light at the first station until the fleet shows it: also the time for which changes are collected. */
async function measureAges(scene: FleetScene, onlooker: FleetOnlooker): Promise<number[]> {
  const [crowd] = scene.crowds;
  const isLit = (stations: FleetStation[]): boolean =>
    stations.some(({ station, devices }) => station === stationId(1) && devices.lit > 0);
  const ages: number[] = [];
  for (let count = 0; count < AGES; count += 1) {
    const startedAt = performance.now();
    crowd.tell('light');
    ages.push(await untilShown(scene, 'the light', isLit));
    await onlooker.seesLight?.(startedAt);
    crowd.tell('putOut');
    await untilShown(scene, 'no light', (stations) => !isLit(stations));
  }
  return ages;
}

async function measureAnswer({ url }: ServerProcess): Promise<FleetFigures['answer']> {
  const ms: number[] = [];
  let bytes = 0;
  for (let count = 0; count < AGES; count += 1) {
    const startedAt = performance.now();
    bytes = JSON.stringify(await ask(url, 'GET', '/api/fleet/')).length;
    ms.push(performance.now() - startedAt);
    await pause(LOOK_MS);
  }
  return { ms, bytes };
}
