import { rmSync } from 'node:fs';
import { expect } from 'vitest';
import type { Article } from '#shared/api/article.ts';
import type { Batch, BatchShare } from '#shared/api/batch.ts';
import type { WorkLine } from '#shared/api/picking.ts';
import type { Task } from '#shared/api/task.ts';
import { cutOff } from '../../helpers/servers/cutOff.ts';
import { expectRestorable } from '../../helpers/files/keepBackup.ts';
import { openSession } from '../../helpers/session.ts';
import { startTestStation } from '../../helpers/startTestStation.ts';
import { createRandom } from '../model/random.ts';
import { ask } from './asks.ts';
import { check } from './check.ts';
import { COLORS, type ModelFloor, fulfilledIn, live, PEOPLE, REASONS, send, sharesOf, sum } from './shop.ts';

const PLACES = ['51D000:000001', '51D000:000002', '51D000:000003'] as const;
const SLOT_DEVICES = ['51D000:000004', '51D000:000005', '51D000:000006'] as const;
const SLOTS = ['A1', 'A2', 'B1'] as const;
const PASSWORD = 'harbour 7';

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
    kept: [],
    done: [],
    counts: { picked: 0, put: 0, complete: 0, shared: 0, moved: 0, cuts: 0, ...noneAsked() },
    async cut() {
      floor.station = await cutOff(floor.station, { simulate: 6, refreshMs: 0, seed: seed + 1 });
      folders.push(floor.station.dataFolder);
      floor.counts.cuts += 1;
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

const noneAsked = () => ({ hand: 0, handover: 0, given: 0, short: 0, refused: 0, repeated: 0, both: 0 });

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

type Act = (floor: ModelFloor, batch: Batch, person: string) => Promise<unknown>;

const onBatch =
  (path: string, body: (floor: ModelFloor, batch: Batch, person: string) => object | undefined): Act =>
  async (floor, batch, person) => {
    const sent = body(floor, batch, person);
    return sent && send(floor, 'POST', `/api/batches/${batch.id}/${path}`, sent);
  };

const slotOf = ({ random }: ModelFloor): string => random.one(SLOTS);
const shareIn = ({ random }: ModelFloor, batch: Batch): BatchShare | undefined => {
  const all = sharesOf(batch);
  return all[random.below(all.length)];
};

const onItem =
  (verb: string, body: (floor: ModelFloor, share: BatchShare, person: string) => object): Act =>
  async (floor, batch, person) => {
    const share = shareIn(floor, batch);
    if (share === undefined) return undefined;
    const path = `/api/orders/${share.order_number}/items/${share.item_id}/${verb}`;
    return send(floor, verb === '' ? 'PATCH' : 'POST', path, body(floor, share, person));
  };

/** Picks the quantity at a light, or fewer pieces, and checks that the station does not record more pieces. */
const pick: Act = async (floor, batch, person) => {
  const { station, random } = floor;
  const lines = await station.get<WorkLine[]>(`/api/work/?batch=${batch.id}`);
  const line = lines[random.below(lines.length)];
  if (line === undefined) return;
  const sumShown = line.quantity ?? 0;
  const quantity = random.chance(0.6) ? sumShown : random.below(sumShown + 2);
  const reason = random.chance(0.5) ? { reason: random.one(REASONS) } : {};
  const before = await fulfilledIn(floor);
  if (line.deviceid !== null && line.command_id !== null) {
    const asked = { command_id: line.command_id, qty: quantity, ...reason, picker: person };
    const status = await send(floor, 'POST', `/api/device/${line.deviceid}/acknowledge/`, asked);
    const isFirst = status === 200 && batch.state === 'picking';
    if (isFirst) expect((await fulfilledIn(floor)) - before, 'a pick').toBe(Math.min(quantity, sumShown));
    if (isFirst && (line.shares ?? []).length > 1) floor.counts.shared += 1;
  } else if (line.item_id !== null) {
    const asked = { quantity: Math.min(quantity, sumShown), reason: 'missing', picker: person };
    await send(floor, 'POST', `/api/orders/${line.order_number}/items/${line.item_id}/confirm/`, asked);
  }
};

const ACTS: Record<string, [weight: number, act: Act]> = {
  pick: [24, pick],
  put: [6, onBatch('put/', (floor, _, picker) => ({ slot: slotOf(floor), picker }))],
  putSome: [4, onBatch('put/', (floor) => ({ slot: slotOf(floor), quantity: 1 + floor.random.below(2) }))],
  putAll: [4, onBatch('put/', () => ({ all: true }))],
  launch: [5, onBatch('launch/', (_, __, picker) => ({ picker }))],
  join: [3, onBatch('join/', (_, __, picker) => ({ picker }))],
  leave: [1, onBatch('leave/', (_, __, picker) => ({ picker }))],
  pause: [1, onBatch('pause/', (floor, _, picker) => (floor.random.chance(0.5) ? { picker } : {}))],
  handOver: [1, onBatch('handover/', (_, __, picker) => ({ picker }))],
  undoPut: [
    2,
    onBatch('put/undo/', (floor, batch) => {
      const share = shareIn(floor, batch);
      const slot = share?.slot ?? undefined;
      return share === undefined || slot === undefined ? undefined : { slot, item_id: share.item_id };
    }),
  ],
  settle: [
    2,
    onBatch('hand/', (floor, batch, picker) => ({
      by: batch.hands[0]?.by ?? '',
      do: floor.random.one(['take', 'missing', 'put_back', 'set_aside']),
      picker,
    })),
  ],
  free: [2, onBatch('free/', () => ({}))],
  freeSlot: [2, onBatch('slots/A1/free/', ({ random }) => ({ keep: random.chance(0.3) }))],
  undoFree: [1, onBatch('slots/A1/free/undo/', () => ({}))],
  move: [1, onBatch('slots/A1/move/', () => ({ to: 'B2' }))],
  full: [1, onBatch('slots/A2/full/', () => ({}))],
  reopen: [3, onItem('reopen/', () => ({}))],
  short: [2, onItem('short/', ({ random }) => ({ reason: random.one(REASONS) }))],
  correct: [1, onItem('', ({ random }) => ({ quantity_fulfilled: random.below(4) }))],
  reassign: [
    2,
    onBatch('shares/', (floor, batch) => {
      const last = sharesOf(batch).filter(({ in_hand: held }) => held > 0);
      const [one, other] = last;
      if (one === undefined || other === undefined || last.length !== 2) return undefined;
      const total = one.picked + other.picked;
      const first = Math.min(one.quantity, floor.random.below(total + 1));
      return {
        shares: [
          { item_id: one.item_id, quantity: first },
          { item_id: other.item_id, quantity: total - first },
        ],
        reason: floor.random.one(REASONS),
      };
    }),
  ],
  scan: [
    8,
    async (floor, batch, picker) => {
      if (batch.mode !== 'wall') return;
      const stack = floor.random.chance(0.3) ? { quantity: 1 + floor.random.below(4) } : {};
      await send(floor, 'POST', '/api/scan/', {
        code: floor.random.one(['X', 'Y']),
        batch: batch.id,
        act: true,
        picker,
        ...stack,
      });
    },
  ],
  removeSlot: [1, (floor, batch) => send(floor, 'DELETE', `/api/batches/${batch.id}/slots/${slotOf(floor)}/`)],
  removeOrder: [
    1,
    async (floor, batch) => {
      const share = shareIn(floor, batch);
      return share && send(floor, 'DELETE', `/api/batches/${batch.id}/orders/${share.order_number}/`);
    },
  ],
  abort: [0.3, onBatch('abort/', () => ({}))],
};

/** Performs one random action. */
async function step(floor: ModelFloor): Promise<void> {
  const { random, station } = floor;
  const kind = random.below(20);
  if (kind < 2) return addOrder(floor);
  if (kind === 2) return addBatch(floor);
  if (kind === 3) return press(floor);
  if (kind === 4 && random.chance(0.6)) return random.chance(0.5) ? floor.cut() : station.restart();
  if (kind === 5) return finishTask(floor);
  if (kind === 6) return changeAround(floor);
  if (kind < 10) return ask(floor);
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

async function press({ station, random, done }: ModelFloor): Promise<void> {
  const device = random.one([...SLOT_DEVICES, ...PLACES]);
  const isLong = random.chance(0.2);
  done.push(`press ${device}${isLong ? ' long' : ''}`);
  await station.press(device, 'front', isLong ? 'long' : 'short');
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
