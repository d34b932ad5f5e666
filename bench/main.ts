/**
 * Measures the promised figures, each as a ratio to a baseline from the same run. `npm run bench` prints them;
 * `--check` exits 1 if a goal is missed, `--check --noisy` only if a shared machine does not explain it
 * (`isMetDespiteNoise`); `--ratios` does the same with counts and ratios alone. `--record` adds the figures to the history, `--profile` prints where the time of a loop goes.
 */
import { measureAir } from './air.ts';
import { measureBodies } from './bodies.ts';
import { measureCrowd } from './crowd.ts';
import { measureDeliveries, measureReturn } from './deliveries.ts';
import { measureFind } from './find.ts';
import { measureFolders } from './folders.ts';
import { measureFrames } from './frames.ts';
import { isMet, isMetDespiteNoise, isMachineIndependent, type Goal } from './goals.ts';
import { measureGrowth } from './growth.ts';
import { measureHardware } from './hardware.ts';
import { measureLaunch } from './holds.ts';
import { reportRun } from './history.ts';
import { measureImports } from './imports.ts';
import { loadBareRoute, loadLoop, makeEager } from './loads.ts';
import { measureMqtt } from './mqtt.ts';
import { measureOrders } from './orders.ts';
import { measureMillion, measurePeers, measureShown } from './peers.ts';
import { profileLoop } from './profile.ts';
import { measureScan } from './scan.ts';
import { measureScreens } from './screens.ts';
import { measureSteps } from './steps.ts';
import { measureWindow } from './window.ts';
import { openWorkplace, startBareServer, startStation, type Workplace } from './processes.ts';

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5);
/** Each round is slow. */
const CROWD_ROUNDS = 3;
const ROUND_MS = 2_000;
/** Until V8 has compiled hot code: a station runs for long. */
const WARM_UP_MS = 5_000;
/** Work before memory is measured, so that caches are filled. */
const WORK_MS = 1_500;
const READERS = 10;
const MANY = 32;

/** `npm run bench -- returns air` runs only these. */
const MEASURES: Readonly<Record<string, (place: Workplace) => Goal[] | Promise<Goal[]>>> = {
  peers: (place) => measurePeers(place, ROUNDS),
  shown: (place) => measureShown(place, ROUNDS),
  loop: measureLoop,
  scale: measureScale,
  start: measureStart,
  window: (place) => measureWindow(place, ROUNDS),
  crowd: (place) => measureCrowd(place, Math.min(ROUNDS, CROWD_ROUNDS)),
  orders: (place) => measureOrders(place, ROUNDS),
  launch: (place) => measureLaunch(place, Math.min(ROUNDS, CROWD_ROUNDS)),
  steps: (place) => measureSteps(place, ROUNDS),
  deliveries: (place) => measureDeliveries(place, Math.min(ROUNDS, CROWD_ROUNDS)),
  returns: (place) => measureReturn(place, Math.min(ROUNDS, CROWD_ROUNDS)),
  bodies: (place) => measureBodies(place, Math.min(ROUNDS, CROWD_ROUNDS)),
  imports: (place) => measureImports(place, Math.min(ROUNDS, CROWD_ROUNDS)),
  folders: (place) => measureFolders(place, Math.min(ROUNDS, CROWD_ROUNDS)),
  mqtt: (place) => measureMqtt(place, Math.min(ROUNDS, CROWD_ROUNDS)),
  hardware: (place) => measureHardware(place, Math.min(ROUNDS, CROWD_ROUNDS)),
  find: (place) => measureFind(place, Math.min(ROUNDS, CROWD_ROUNDS)),
  scan: (place) => measureScan(place, Math.min(ROUNDS, CROWD_ROUNDS)),
  screens: () => measureScreens(ROUNDS),
  frames: () => measureFrames(ROUNDS),
  air: measureAir,
  million: measureMillion,
  growth: (place) => measureGrowth(place, Math.min(ROUNDS, CROWD_ROUNDS)),
};

/** These take many minutes: left out of `--noisy` unless they are named. */
const LONG: ReadonlySet<string> = new Set(['growth', 'million']);

/** These have a count or a ratio with a goal. */
const RATIOS: ReadonlySet<string> = new Set([
  'peers',
  'loop',
  'scale',
  'start',
  'crowd',
  'orders',
  'returns',
  'mqtt',
  'frames',
  'air',
]);

const named = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const check = process.argv.includes('--check');
const hasOnlyRatios = process.argv.includes('--ratios');
const isNoisy = hasOnlyRatios || process.argv.includes('--noisy');
const workplace = openWorkplace();
try {
  if (process.argv.includes('--profile')) for (const callers of [MANY, 1]) await profileLoop(workplace, callers);
  else await measureAll();
} finally {
  workplace.remove();
}

async function measureAll(): Promise<void> {
  process.stdout.write(
    `File system: ${workplace.fileSystem}; Node ${process.versions.node}; ${ROUNDS} rounds, median and range\n\n`,
  );
  const goals: Goal[] = [];
  const usual = Object.keys(MEASURES).filter((name) =>
    hasOnlyRatios ? RATIOS.has(name) : !isNoisy || !LONG.has(name),
  );
  for (const name of named.length > 0 ? named : usual) {
    const measure = MEASURES[name];
    if (measure === undefined) throw new Error(`There is no ${name} to measure: ${Object.keys(MEASURES).join(', ')}`);
    const began = performance.now();
    goals.push(...(await measure(workplace)));
    process.stderr.write(`${name}: ${Math.round((performance.now() - began) / 1_000)} s\n`);
  }
  reportRun(goals);
  const judged = hasOnlyRatios ? goals.filter(isMachineIndependent) : goals;
  const missed = judged.filter((goal) => !(isNoisy ? isMetDespiteNoise : isMet)(goal));
  if (missed.length > 0) process.stdout.write(`\nMissed: ${missed.map((goal) => goal.name).join('; ')}\n`);
  if (check && missed.length > 0) process.exitCode = 1;
}

async function measureLoop(place: Workplace): Promise<Goal[]> {
  const bare = await startBareServer(place.folder());
  const station = await startStation(place.folder(), MANY);
  await makeEager(station, MANY);
  const many: Goal = {
    name: `loop at ${MANY} connections / bare route`,
    unit: 'x',
    values: [],
    atLeast: 1,
    isOfDisk: true,
  };
  const one: Goal = { name: 'loop at 1 connection / bare route', unit: 'x', values: [], atLeast: 0.3, isOfDisk: true };
  const p99: Goal = { name: `press → callback p99 at ${MANY} / bare p99`, unit: 'x', values: [], atMost: 3 };
  const commits: Goal = { name: 'commits a loop at 1 connection', unit: '', values: [], atMost: 4 };
  const commitsMany: Goal = { name: `commits a loop at ${MANY} connections`, unit: '', values: [], atMost: 4 };
  const loops: Goal = { name: `loops a second at ${MANY}`, unit: '/s', values: [] };
  const bareRate: Goal = { name: `bare requests a second at ${MANY}`, unit: '/s', values: [] };
  const loop = (connections: number, durationMs: number) =>
    loadLoop(station, { connections, durationMs, readers: READERS, devices: MANY });
  await loadBareRoute(bare, MANY, WARM_UP_MS);
  await loop(MANY, WARM_UP_MS);
  for (let round = 0; round < ROUNDS; round += 1) {
    const bareMany = await loadBareRoute(bare, MANY, ROUND_MS);
    const loopMany = await loop(MANY, ROUND_MS);
    const bareOne = await loadBareRoute(bare, 1, ROUND_MS);
    const loopOne = await loop(1, ROUND_MS);
    many.values.push(loopMany.perSecond / bareMany.perSecond);
    one.values.push(loopOne.perSecond / bareOne.perSecond);
    p99.values.push(loopMany.p99Ms / bareMany.p99Ms);
    commits.values.push(loopOne.commits);
    commitsMany.values.push(loopMany.commits);
    loops.values.push(loopMany.perSecond);
    bareRate.values.push(bareMany.perSecond);
  }
  await station.stop();
  await bare.stop();
  return [many, one, p99, commits, commitsMany, loops, bareRate];
}

async function measureScale(place: Workplace): Promise<Goal[]> {
  const few = await startStation(place.folder(), 10);
  const many = await startStation(place.folder(), 10_000);
  await makeEager(few, 10);
  await makeEager(many, 10_000);
  const cost: Goal = { name: 'command among 10,000 devices / among 10', unit: 'x', values: [], atMost: 1.3 };
  const load = (station: typeof few, devices: number, durationMs: number) =>
    loadLoop(station, { connections: 8, durationMs, readers: 0, devices });
  await load(few, 10, WARM_UP_MS);
  await load(many, 10_000, WARM_UP_MS);
  for (let round = 0; round < ROUNDS; round += 1) {
    const amongFew = await load(few, 10, ROUND_MS);
    const amongMany = await load(many, 10_000, ROUND_MS);
    cost.values.push(amongFew.perSecond / amongMany.perSecond);
  }
  await few.stop();
  await many.stop();
  return [cost];
}

async function measureStart(place: Workplace): Promise<Goal[]> {
  const bareFolder = place.folder();
  const stationFolder = place.folder();
  const ready: Goal = {
    name: 'start to ready with 1,000 devices / empty Express + SQLite',
    unit: 'x',
    values: [],
    atMost: 4,
  };
  const readyMs: Goal = { name: 'start to ready with 1,000 devices', unit: 'ms', values: [] };
  const memory: Goal = { name: 'memory with 1,000 devices', unit: 'MB', values: [], atMost: 200 };
  // Without a goal: V8 leaves garbage lying while there is room. What lives is a tenth of it.
  const loaded: Goal = { name: 'memory under full load', unit: 'MB', values: [] };
  await (await startBareServer(bareFolder)).stop();
  await (await startStation(stationFolder, 1_000)).stop();
  for (let round = 0; round < ROUNDS; round += 1) {
    const bare = await startBareServer(bareFolder);
    await bare.stop();
    const station = await startStation(stationFolder, 1_000);
    await makeEager(station, MANY);
    await loadLoop(station, { connections: MANY, durationMs: WORK_MS, readers: READERS, devices: MANY });
    memory.values.push(station.residentBytes() / 1_000_000);
    await loadLoop(station, { connections: MANY, durationMs: WARM_UP_MS, readers: READERS, devices: MANY });
    loaded.values.push(station.residentBytes() / 1_000_000);
    await station.stop();
    ready.values.push(station.readyMs / bare.readyMs);
    readyMs.values.push(station.readyMs);
  }
  return [ready, readyMs, memory, loaded];
}
