import type { NewItem } from '#shared/api/orderItem.ts';
import { SIMULATED_SERIAL } from '../../../electron/server/simulator/simulator.ts';
import { ask } from './asking.ts';
import { connect, reach } from './faults.ts';
import { setClock, turnsOfTheLoop, wait } from './moments.ts';
import type { PickAsk } from './journal.ts';
import { itemsOf, type ModelItem } from './orderState.ts';
import { PEOPLE } from './people.ts';
import { closeShort, pick, reopen, stopPicking, takeOrder } from './pickingWork.ts';
import { pressNow } from './pressing.ts';
import { correctItem, endOrder, launchOrder, ORDERS, work } from './working.ts';
import type { World } from './world.ts';

/** Latencies of a good radio and of a bad one. */
const LATENCIES_MS = [0, 0, 20, 60, 400] as const;

/** Presses about every 300 ms at a device with many lines. A worn button sometimes bounces. */
export async function pressInHaste(world: World): Promise<string> {
  const { random, hardware, clock, link } = world;
  const told: string[] = [];
  const deviceId = random.one(world.deviceIds);
  if (random.chance(0.8)) {
    await repair(world);
    told.push(await manyLines(world, deviceId));
  }
  const latencyMs = random.one(LATENCIES_MS);
  link.latencyMs = latencyMs;
  hardware.sim.setTurbo(SIMULATED_SERIAL, { latencyMs });
  world.noteRadio();
  const bounces = random.one([0, 0.3, 0.6] as const);
  for (let presses = 2 + random.below(8); presses > 0; presses -= 1) {
    told.push(pressNow(world, deviceId, 'front'));
    const bounceMs = random.chance(bounces) ? 60 + random.below(140) : 0;
    if (bounceMs > 0) {
      await clock.advance(bounceMs);
      told.push(`bounce ${pressNow(world, deviceId, 'front')}`);
    }
    if (random.chance(0.08)) told.push(await change(world, deviceId));
    await clock.advance(270 + random.below(61) - bounceMs);
  }
  await world.settle();
  return `latency ${latencyMs} ms; ${told.join('; ')}`;
}

/** Changes a line while its device or the turbo holds presses that have not reached the station. */
export async function pressBehindTheWall(world: World): Promise<string> {
  const { random, hardware, clock } = world;
  const lines = world.deviceIds.filter((id) => world.oracle.device(id).queue[0]?.owner?.kind === 'item');
  const deviceId = lines[random.below(lines.length)];
  if (deviceId === undefined || !hardware.sim.look(deviceId)?.active) return wait(world);
  const { owner } = world.oracle.device(deviceId).queue[0] ?? {};
  const isWire = random.chance(0.3);
  if (isWire) connect(world, false);
  else reach(world, deviceId, false);
  const told: string[] = [];
  if (random.chance(0.3)) told.push(pressNow(world, deviceId));
  told.push(pressNow(world, deviceId, 'front'));
  for (let changes = random.one([1, 1, 2, 3] as const); changes > 0; changes -= 1)
    told.push(await change(world, deviceId));
  if (owner?.kind === 'item' && random.chance(0.4)) told.push(await lightAgain(world, owner.item));
  await clock.advance(random.one([0, 300, 2_500, 12_000] as const));
  if (random.chance(0.1)) told.push(await setClock(world));
  if (isWire) connect(world, true);
  else reach(world, deviceId, true);
  await clock.advance(random.one([0, 300, 2_500] as const));
  await world.settle();
  return told.join('; ');
}

/** Connects everything again, so that the next line is shown immediately. */
async function repair(world: World): Promise<void> {
  const { hardware, link, clock, unreachable } = world;
  const isLong = !link.connected;
  Object.assign(link, { loss: 0, latencyMs: 0 });
  hardware.sim.setTurbo(SIMULATED_SERIAL, { loss: 0, latencyMs: 0 });
  if (isLong) connect(world, true);
  for (const deviceId of unreachable) reach(world, deviceId, true);
  world.noteRadio();
  await clock.advance(isLong ? 4_000 : 500);
  await world.settle();
}

/** Creates one or two orders with many lines at one device. Most of these orders are picked by people. */
async function manyLines(world: World, deviceid: string): Promise<string> {
  const { random, oracle } = world;
  const told: string[] = [];
  for (const name of ORDERS.slice(0, 1 + random.below(2))) {
    const items = Array.from({ length: 1 + random.below(5) }, (): NewItem => ({
      name: random.one(['M8', 'washer'] as const),
      ordered_quantity: 1 + random.below(3),
      deviceid,
    }));
    if (told.length === 0) told.push(await ask(world, [{ deviceid, request: { command: 'kill' } }], false));
    if (oracle.orders.all.has(name)) told.push(await work(world, { what: 'removeOrder', name }));
    told.push(await work(world, { what: 'createOrder', name, body: { order_number: name, items } }));
    if (!world.picks || random.chance(0.3)) told.push(await work(world, { what: 'launchOrder', name }));
    else told.push(await pick(world, { what: 'launch', name, picker: random.one(PEOPLE), color: undefined }));
  }
  await world.clock.advance(random.one([300, 700, 2_500] as const));
  return told.join('; ');
}

/** Changes the line that the device shows, or any order. */
async function change(world: World, deviceId: string): Promise<string> {
  const { random } = world;
  await turnsOfTheLoop(20);
  await world.settle();
  const owner = world.oracle.device(deviceId).queue[0]?.owner;
  if (owner?.kind === 'item' && random.chance(0.7)) return changeLine(world, owner.item);
  const ofAll = [endOrder, launchOrder, correctItem, correctDown] as const;
  const ofPickers = [stopPicking, takeOrder, takeOrder, closeShort, reopen] as const;
  return random.one(world.picks ? [...ofAll, ...ofPickers] : ofAll)(world);
}

function changeLine(
  world: World,
  { id: itemId, given, fulfilled, deviceId, command, of: { of: order }, picker }: ModelItem,
) {
  const { random } = world;
  const name = order.number;
  const to = random.chance(0.7) ? Math.min(fulfilled + 1, given.ordered_quantity) : random.below(4);
  const correction = () => work(world, { what: 'correctItem', name, itemId, to });
  const kill = () =>
    ask(world, [{ deviceid: deviceId ?? '', request: { command: 'kill', nonce: command?.nonce ?? '' } }], false);
  if (!world.picks || picker === null) return random.one([correction, correction, kill] as const)();
  const other = random.one(PEOPLE);
  const asks = random.one<PickAsk>([
    { what: 'pause', name, picker },
    { what: 'leave', name, picker },
    { what: 'handover', name, picker: other },
    { what: 'launch', name, picker: other, color: random.one([undefined, 'magenta'] as const) },
    { what: 'short', name, itemId, quantity: undefined, reason: 'missing', elsewhere: undefined, key: undefined },
  ]);
  return random.one([
    correction,
    kill,
    () => pick(world, asks),
    () => pick(world, asks),
    () => pick(world, asks),
  ] as const)();
}

/** Launches a line's order again, sometimes for a different picker. */
async function lightAgain(world: World, { of: { of: order }, picker }: ModelItem): Promise<string> {
  const { random } = world;
  const name = order.number;
  if (!world.picks || picker === null) return work(world, { what: 'launchOrder', name });
  return pick(world, {
    what: 'launch',
    name,
    picker: random.chance(0.8) ? picker : random.one(PEOPLE),
    color: undefined,
  });
}

/** Corrects the counted quantity of a line downwards. */
async function correctDown(world: World): Promise<string> {
  const { random, oracle } = world;
  const counted = [...oracle.orders.all.values()].flatMap(itemsOf).filter(({ fulfilled }) => fulfilled > 0);
  const item = counted[random.below(counted.length)];
  if (item === undefined) return correctItem(world);
  const name = item.of.of.number;
  return work(world, { what: 'correctItem', name, itemId: item.id, to: random.below(item.fulfilled) });
}
