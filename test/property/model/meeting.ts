import { SIMULATED_SERIAL } from '../../../electron/server/simulator/simulator.ts';
import { SENDER } from './naming.ts';
import { turnsOfTheLoop, wait } from './moments.ts';
import { isOver, itemsOf, type ModelItem } from './orderState.ts';
import { PEOPLE } from './people.ts';
import { again, pick, stopPicking } from './pickingWork.ts';
import { pressNow } from './pressing.ts';
import type { World } from './world.ts';
import { isWork } from './workLines.ts';
import { newOrder, ORDERS, work } from './working.ts';

/** Shows a line on a picker's page, usually one of the picker's own lines. */
export async function showLine(world: World): Promise<string> {
  const { random } = world;
  const picker = random.one(PEOPLE);
  if (random.chance(0.15)) return name(world, picker, undefined);
  const own = allItems(world).filter((item) => isWork(item) && item.picker === picker);
  const among = random.chance(0.9) && own.length > 0 ? own : allItems(world);
  return name(world, picker, among[random.below(among.length)]);
}

/** Counts pieces of a line on a picker's page. */
export async function touchLine(world: World): Promise<string> {
  const { random } = world;
  const picker = random.one(PEOPLE);
  const lit = world.deviceIds.flatMap((deviceid) => world.oracle.device(deviceid).queue.map((c) => ({ deviceid, c })));
  const own = lit.filter(({ c: { owner } }) => owner?.kind === 'item' && owner.item.picker === picker);
  const among = random.chance(0.85) && own.length > 0 ? own : lit;
  const { deviceid, c } = among[random.below(among.length)] ?? {};
  if (deviceid === undefined || c === undefined) return wait(world);
  const key = random.one([undefined, undefined, 't1', 't2'] as const);
  return again(world, { what: 'adjust', deviceid, commandId: c.id, quantity: random.below(4), key }, picker);
}

/** Assigns lines at one device to both people, who arrive there and press, sometimes over a slow radio. */
export async function meetAtDevice(world: World): Promise<string> {
  const { random, hardware, clock, link } = world;
  const deviceid = random.one(world.deviceIds);
  const told = random.chance(0.5) ? [await giveToBoth(world, deviceid)] : [];
  const latencyMs = random.one([link.latencyMs, 0, 60, 400] as const);
  link.latencyMs = latencyMs;
  hardware.sim.setTurbo(SIMULATED_SERIAL, { latencyMs });
  world.noteRadio();
  for (let rounds = 2 + random.below(6); rounds > 0; rounds -= 1) {
    const here = world.oracle
      .device(deviceid)
      .queue.flatMap(({ owner }) => (owner?.kind === 'item' ? [owner.item] : []));
    const item = here[random.below(here.length)];
    if (item === undefined) break;
    told.push(await go(world, deviceid, item));
    if (random.chance(0.6)) told.push(pressNow(world, deviceid, 'front'));
    await clock.advance(random.one([0, 20, 120, 240, 300, 700, 2_500, 8_000, 59_000] as const));
    if (random.chance(0.3)) told.push(pressNow(world, deviceid, 'front'));
    await turnsOfTheLoop(20);
    await world.settle();
  }
  return `latency ${latencyMs} ms; ${told.join('; ')}`;
}

/** Lets the line's picker open the line on the page, count or scan. */
async function go(world: World, deviceid: string, item: ModelItem): Promise<string> {
  const { random } = world;
  const picker = item.picker ?? random.one(PEOPLE);
  const way = random.fraction();
  if (way < 0.35) return name(world, picker, item);
  if (way < 0.4) return name(world, picker, undefined);
  if (way < 0.45) return stopPicking(world);
  const commandId = item.command?.id ?? 0;
  if (way < 0.65) return pick(world, { what: 'adjust', deviceid, commandId, quantity: 1, key: undefined }, picker);
  const how = { close: false, over: false, reason: undefined, key: undefined, picker: undefined };
  const order = random.one([undefined, item.of.of.number] as const);
  // A scan that only reads the place is an arrival, too.
  const act = random.chance(0.3);
  return pick(world, { what: 'scan', code: deviceid, order, act, quantity: act ? 1 : undefined, ...how }, picker);
}

async function giveToBoth(world: World, deviceid: string): Promise<string> {
  const { random } = world;
  const told: string[] = [];
  for (const [index, picker] of PEOPLE.entries()) {
    const number = ORDERS[index] ?? 'O1';
    const items = [1, 2].map(() => ({
      name: random.one(['M8', 'washer'] as const),
      ordered_quantity: 1 + random.below(3),
      deviceid,
    }));
    if (world.oracle.orders.all.has(number)) told.push(await work(world, { what: 'removeOrder', name: number }));
    const seconds = random.one([0, 0, 20] as const);
    told.push(await work(world, { what: 'createOrder', name: number, body: { order_number: number, seconds, items } }));
    told.push(await pick(world, { what: 'launch', name: number, picker, color: undefined }));
  }
  await world.clock.advance(random.one([0, 700, 2_500] as const));
  return told.join('; ');
}

/** Reopens a finished line on a picker's page, because the press was meant for a different line. */
export async function itWasMine(world: World): Promise<string> {
  const { random } = world;
  const done = allItems(world).filter((item) => isOver(item) && item.fulfilled > 0);
  const open = allItems(world).filter(({ state }) => state === 'active' || state === 'open');
  const item = done[random.below(done.length)];
  if (item === undefined) return (await newOrder(world, random.one(ORDERS))).join('; ');
  const instead = open[random.below(open.length)]?.id ?? item.id;
  const quantity = random.one([undefined, undefined, 0, 1] as const);
  // One piece fewer than the press booked.
  const pieces = instead === item.id ? Math.max(0, item.fulfilled - 1) : undefined;
  return again(world, {
    what: 'reopen',
    name: item.of.of.number,
    itemId: item.id,
    quantity,
    instead,
    pieces,
    key: undefined,
  });
}

async function name(world: World, person: string, item: ModelItem | undefined): Promise<string> {
  const { random } = world;
  const isByCommand = item?.command !== undefined && item.command !== null && random.chance(0.3);
  const commandId = isByCommand ? item.command?.id : undefined;
  const itemId = item === undefined || isByCommand ? null : item.id;
  const by = random.one([person, person, SENDER]);
  const picker = by === SENDER || random.chance(0.1) ? random.one([person, person.toLowerCase()]) : undefined;
  return pick(world, { what: 'current', itemId, commandId, picker }, by);
}

function allItems({ oracle }: World): ModelItem[] {
  return [...oracle.orders.all.values()].flatMap(itemsOf);
}
