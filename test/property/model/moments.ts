import type { World } from './world.ts';

const HOUR = 3_600_000;

export async function wait(world: World): Promise<string> {
  const ms = world.random.one([5, 40, 150, 350, 900, 2_100, 2_500, 4_000, 7_000, 12_000, 33_000] as const);
  await world.clock.advance(ms);
  return `${ms} ms`;
}

export async function turnsOfTheLoop(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

export async function setClock(world: World): Promise<string> {
  const { random } = world;
  if (world.jump !== undefined) return wait(world);
  const ms = random.one([-1, 1] as const) * random.one([2_000, 7_000, 60_000, HOUR, 5 * HOUR] as const);
  await turnClock(world, ms);
  return `${ms} ms`;
}

/** Sets the wall clock. Calls `settle` first, so that earlier events are checked with the old time. */
export async function turnClock(world: World, ms: number): Promise<void> {
  await world.settle();
  world.clock.jump(ms);
  world.jump = { ms, commits: world.station.started.commits() };
  world.journal.note({ kind: 'jumped', ms });
  if (ms > 0) world.deliveries.disturb();
  await world.settle();
}
