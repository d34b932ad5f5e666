/** What many devices, a long history and many owed callbacks cost: nothing that a worker or the machine notices. */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { DATABASE_FILE } from '../electron/server/db/database.ts';
import { untilQuiet } from './bulks.ts';
import { addHistory } from './crowd.ts';
import { owe } from './deliveries.ts';
import type { Goal } from './goals.ts';
import { measureHolds } from './holds.ts';
import { loadLoop, makeEager } from './loads.ts';
import { startStation, type ServerProcess, type Workplace } from './processes.ts';

const FEW = 10;
const MANY = 10_000;
const HISTORY = 5_000_000;
/** All rows are within the default retention. */
const ROW_EVERY_MS = 4_000;
const OWED = 1_000_000;
/** They are due long after the measurement. */
const DUE_MS = 24 * 3_600_000;
const CONNECTIONS = 8;
const LOOPS_MS = 3_000;
/** Until V8 has compiled hot code. */
const WARM_UP_MS = 8_000;
/** Work before memory is measured, so that caches are filled. */
const WORK_MS = 1_500;
const MB = 1_000_000;

type Grown = { name: string; folder: string; devices: number };

/** Large requests beside presses, and what grows. */
export async function measureGrowth(place: Workplace, rounds: number): Promise<Goal[]> {
  return [...(await measureHolds(place, rounds)), ...(await measureGrown(place, rounds))];
}

/** Stations that each have much of one thing, beside one that has little of everything. */
export async function measureGrown(place: Workplace, rounds: number): Promise<Goal[]> {
  const few: Grown = { name: 'few devices', folder: place.folder(), devices: FEW };
  await (await startStation(few.folder, FEW)).stop();
  const copy = () => {
    const folder = place.folder();
    cpSync(join(few.folder, DATABASE_FILE), join(folder, DATABASE_FILE));
    return folder;
  };
  const grown: Grown[] = [
    { name: `${MANY.toLocaleString('en')} devices`, folder: place.folder(), devices: MANY },
    { name: `${HISTORY.toLocaleString('en')} rows of history`, folder: copy(), devices: FEW },
    { name: `${OWED.toLocaleString('en')} owed callbacks`, folder: copy(), devices: FEW },
  ];
  const [crowd, past, owing] = grown;
  if (crowd !== undefined) await (await startStation(crowd.folder, MANY)).stop();
  if (past !== undefined)
    addHistory(past.folder, { rows: HISTORY, everyMs: ROW_EVERY_MS, devices: FEW, isTold: false });
  // Owed to the broker, which is not set: a receiver that answers would get them all now.
  if (owing !== undefined) owe(owing.folder, { many: OWED, url: 'http://127.0.0.1:1/', dueMs: DUE_MS, receiver: 1 });
  const starts = await measureStarts(few, grown, rounds);
  return [...starts, ...(await measureLoops(few, grown, rounds))];
}

async function measureStarts(few: Grown, grown: readonly Grown[], rounds: number): Promise<Goal[]> {
  const goals = grown.map(({ name }) => ({
    seconds: { name: `start with ${name}`, unit: 's', values: [], atMost: 1.5 } as Goal,
    ratio: { name: `start with ${name} / without`, unit: 'x', values: [] } as Goal,
    memory: { name: `memory with ${name}`, unit: 'MB', values: [], atMost: 250 } as Goal,
  }));
  const bareMemory: Goal = { name: 'memory without', unit: 'MB', values: [] };
  for (let round = 0; round < rounds; round += 1) {
    const bare = await startStation(few.folder, few.devices);
    bareMemory.values.push(await memoryAfterWork(bare));
    await bare.stop();
    for (const [index, { folder, devices }] of grown.entries()) {
      const station = await startStation(folder, devices);
      goals[index]?.memory.values.push(await memoryAfterWork(station));
      await station.stop();
      goals[index]?.seconds.values.push(station.readyMs / 1_000);
      goals[index]?.ratio.values.push(station.readyMs / bare.readyMs);
    }
  }
  return [...goals.flatMap(({ seconds, ratio, memory }) => [seconds, ratio, memory]), bareMemory];
}

/** Processor time of a loop, round by round with the station that has little. */
async function measureLoops(few: Grown, grown: readonly Grown[], rounds: number): Promise<Goal[]> {
  const open = async ({ folder, devices }: Grown): Promise<ServerProcess> => {
    const station = await startStation(folder, devices);
    await makeEager(station, devices);
    await untilQuiet(station);
    await loadLoop(station, { connections: CONNECTIONS, durationMs: WARM_UP_MS, readers: 0, devices });
    return station;
  };
  const baseline = await open(few);
  const stations: ServerProcess[] = [];
  for (const each of grown) stations.push(await open(each));
  const costs = grown.map(({ name }): Goal => ({
    name: `processor time of a loop with ${name} / without`,
    unit: 'x',
    values: [],
    atMost: 1.1,
  }));
  const bare: Goal = { name: 'processor time of a loop', unit: 'ms', values: [] };
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, station] of stations.entries()) {
      const devices = grown[index]?.devices ?? FEW;
      // Before and after, so that what slows the machine down for a while slows both.
      const before = await cpuOfLoop(baseline, few.devices);
      const cost = await cpuOfLoop(station, devices);
      const after = await cpuOfLoop(baseline, few.devices);
      bare.values.push((before + after) / 2);
      costs[index]?.values.push((2 * cost) / (before + after));
    }
  }
  for (const station of [baseline, ...stations]) await station.stop();
  return [...costs, bare];
}

async function memoryAfterWork(station: ServerProcess): Promise<number> {
  await makeEager(station, FEW);
  await loadLoop(station, { connections: CONNECTIONS, durationMs: WORK_MS, readers: 0, devices: FEW });
  return station.residentBytes() / MB;
}

/** Milliseconds of the processor for one loop. */
async function cpuOfLoop(station: ServerProcess, devices: number): Promise<number> {
  const before = station.cpuMs();
  const { turns } = await loadLoop(station, { connections: CONNECTIONS, durationMs: LOOPS_MS, readers: 0, devices });
  return (station.cpuMs() - before) / turns;
}
