import { rmSync } from 'node:fs';
import type { Article } from '#shared/api/article.ts';
import type { Task } from '#shared/api/task.ts';
import { cutOff } from '../../helpers/servers/cutOff.ts';
import { expectRestorable } from '../../helpers/files/keepBackup.ts';
import { openSession } from '../../helpers/session.ts';
import { startTestStation } from '../../helpers/startTestStation.ts';
import { createRandom } from '../model/random.ts';
import { ask } from './asks.ts';
import { check } from './check.ts';
import { ACTS, pick } from './acts.ts';
import { answer } from './answers.ts';
import { confirmOutdated, meet, meetAtCart, signOutAndIn } from './meeting.ts';
import {
  ASKED,
  COLORS,
  live,
  MET,
  type ModelFloor,
  PASSWORD,
  PEOPLE,
  PLACES,
  send,
  SLOT_DEVICES,
  SLOTS,
  sum,
} from './shop.ts';
import { pressWatched } from './whose.ts';

/** Time until the simulated devices have joined a station that started. */
const REJOIN_MS = 5_000;

/**
 * Opens a shop with a cart and a wall in which two people act randomly. The station is also killed and restarted at random. The seed
 * determines everything.
 */
export async function openFloor(seed: number) {
  const random = createRandom(seed);
  const folders: string[] = [];
  const floor: ModelFloor = {
    station: await startTestStation({ simulate: 6, refreshMs: 0, seed }),
    random,
    orders: [],
    initial: new Map(),
    keys: new Map(),
    arrived: new Map(),
    slotPuts: [],
    inSlots: new Map(),
    kept: [],
    done: [],
    counts: { picked: 0, put: 0, complete: 0, shared: 0, moved: 0, cuts: 0, ...NONE },
    async cut() {
      // With the same seed again, the station would take presses for presses that it knows.
      floor.station = await cutOff(floor.station, {
        simulate: 6,
        refreshMs: 0,
        seed: seed + 1_000 * (floor.counts.cuts + 1),
      });
      floor.arrived.clear();
      folders.push(floor.station.dataFolder);
      floor.counts.cuts += 1;
      floor.done.push('cut');
      await floor.station.clock.advance(REJOIN_MS);
    },
  };
  await setUp(floor);
  return {
    ...floor,
    step: () => step(floor),
    check: () => check(floor),
    backUp: () => expectRestorable(floor.station),
    async stop() {
      await floor.station.stop();
      for (const folder of folders) rmSync(folder, { recursive: true, force: true });
    },
  };
}

const NONE = Object.fromEntries([...ASKED, ...MET].map((kind) => [kind, 0])) as Record<
  (typeof ASKED)[number] | (typeof MET)[number],
  number
>;

async function setUp({ station, initial, keys, random }: ModelFloor): Promise<void> {
  await station.patch('/api/settings/', {
    callback_url: 'http://127.0.0.1:9/',
    callback_families: { device: false, order: true, sequence: false },
    backup_every: 0,
    put_confirmation: random.one(['once', 'each', 'none']),
  });
  for (const [username, color] of Object.entries(COLORS)) {
    await station.post('/api/users/', { username, password: PASSWORD, role: 'picker' });
    await station.request('PATCH', '/api/user/', { color, picker: username });
    keys.set(username, (await openSession(station, { username, password: PASSWORD })).apikey);
  }
  for (const [index, id] of PLACES.entries())
    await station.post(`/api/device/${id}/`, { locationoverride: `P-${index + 1}` });
  await station.request('PUT', '/api/articles/', [
    {
      sku: 'X',
      places: [{ location: 'P-1', on_hand: 9 }, { location: 'P-2', on_hand: 7 }, { location: 'Shelf 9' }],
    },
    {
      sku: 'Y',
      places: [
        { location: 'P-2', on_hand: 30 },
        { location: 'P-3', on_hand: 4 },
      ],
    },
    { sku: 'Z', places: [{ location: 'P-3' }] },
  ]);
  for (const { sku, places } of await station.get<Article[]>('/api/articles/'))
    for (const { location, on_hand: pieces } of places) if (pieces !== null) initial.set(`${sku} ${location}`, 0);
  const slots = (devices: readonly string[]) =>
    SLOTS.map((slot, index) => (devices[index] === undefined ? { slot } : { slot, deviceid: devices[index] }));
  await station.post('/api/carts/', {
    name: 'C',
    code: 'C-1',
    rows: 2,
    columns: 2,
    slots: slots(SLOT_DEVICES.slice(0, 2)),
  });
  await station.post('/api/walls/', {
    name: 'W',
    code: 'W-1',
    rows: 2,
    columns: 2,
    slots: slots(SLOT_DEVICES.slice(2)),
  });
}

/** Performs one random action. */
async function step(floor: ModelFloor): Promise<void> {
  const { random } = floor;
  const kind = random.below(23);
  if (kind < 2) return addOrder(floor);
  if (kind === 2) return addBatch(floor);
  if (kind === 3) return press(floor);
  if (kind === 4 && random.chance(0.6)) return random.chance(0.5) ? floor.cut() : restart(floor);
  if (kind === 5) return finishTask(floor);
  if (kind === 6) return changeAround(floor);
  if (kind < 10) return ask(floor);
  if (kind === 19) return meetAtCart(floor);
  if (kind === 20) return meet(floor);
  if (kind === 21) return random.chance(0.5) ? confirmOutdated(floor) : meetAtCart(floor);
  if (kind === 22) return random.chance(0.3) ? signOutAndIn(floor, random.one(PEOPLE)) : meetAtCart(floor);
  const batches = await live(floor);
  const batch = batches[random.below(batches.length)];
  if (batch === undefined) return addBatch(floor);
  const all = Object.values(ACTS);
  let rest = random.fraction() * sum(all.map(([weight]) => weight));
  const chosen = all.find(([weight]) => (rest -= weight) < 0);
  await chosen?.[1](floor, batch, random.one(PEOPLE));
}

async function addOrder(floor: ModelFloor): Promise<void> {
  const { random, orders } = floor;
  const number = `SO-${orders.length + 1}`;
  const items = (random.chance(0.5) ? ['X', 'Y'] : [random.one(['X', 'Y'])]).map((SKU) => ({
    SKU,
    ordered_quantity: 1 + random.below(4),
  }));
  if ((await send(floor, 'POST', '/api/orders/', { order_number: number, items, priority: random.below(2) })) < 300)
    orders.push(number);
  for (const batch of await live(floor))
    if (random.chance(0.6)) await send(floor, 'POST', `/api/batches/${batch.id}/slots/`, { order_number: number });
}

/** Creates a batch from new orders for the same articles, so that most lights show a sum. */
async function addBatch(floor: ModelFloor): Promise<void> {
  // oxlint-disable-next-line no-await-in-loop -- in order
  for (let more = 1 + floor.random.below(3); more > 0; more -= 1) await addOrder(floor);
  const how = floor.random.one<object>([
    { mode: 'cart', cart: 1 },
    { mode: 'wall', wall: 2 },
    { mode: 'wall', wall: 2, cart: 1 },
  ]);
  if ((await send(floor, 'POST', '/api/batches/', { ...how, fill: { count: 3 } })) === 201) {
    const [batch] = await live(floor);
    if (batch === undefined) return;
    const picker = floor.random.one(PEOPLE);
    await send(floor, 'POST', `/api/batches/${batch.id}/launch/`, { picker });
    const [launched] = await live(floor);
    // Often pick the sums in a new batch before its orders change.
    if (launched !== undefined && floor.random.chance(0.6)) await pick(floor, launched, picker);
  }
}

async function restart(floor: ModelFloor): Promise<void> {
  const { station, done } = floor;
  // The station forgets who has arrived where.
  floor.arrived.clear();
  await station.restart();
  done.push('restart');
  await station.clock.advance(REJOIN_MS);
}

async function press(floor: ModelFloor): Promise<void> {
  const { station, random, done } = floor;
  const device = random.one([...SLOT_DEVICES, ...PLACES]);
  const isLong = random.chance(0.2);
  if (!isLong) {
    const watched = await pressWatched(floor, device);
    return random.chance(0.5) ? answer(floor, watched) : undefined;
  }
  done.push(`press ${device} long`);
  await station.press(device, 'front', 'long');
  await station.clock.advance(400);
}

async function finishTask(floor: ModelFloor): Promise<void> {
  const tasks = await floor.station.get<Task[]>('/api/tasks/?state=open');
  const task = tasks[floor.random.below(tasks.length)];
  if (task === undefined) return;
  const how = floor.random.chance(0.8) ? 'done' : 'dismiss';
  const body = task.kind === 'count' ? { quantity: floor.random.below(9) } : {};
  await send(floor, 'POST', `/api/tasks/${task.id}/${how}/`, how === 'done' ? body : {});
}

/** Makes a change outside the batch: aborts or relaunches an order, or counts stock. */
async function changeAround(floor: ModelFloor): Promise<void> {
  const { random, orders } = floor;
  const number = orders[random.below(orders.length)];
  if (number === undefined) return;
  if (random.chance(0.4)) {
    const count = { sku: 'X', location: 'P-1', count: 5 + random.below(9), key: `c${floor.done.length}` };
    await send(floor, 'POST', '/api/stock/', { movements: [count] });
  } else await send(floor, 'POST', `/api/orders/${number}/${random.one(['abort', 'launch'])}/`);
}
