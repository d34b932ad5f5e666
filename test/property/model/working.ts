import type { NewOrder } from '#shared/api/order.ts';
import type { NewItem } from '#shared/api/orderItem.ts';
import type { NewSequence } from '#shared/api/sequence.ts';
import type { Event, WorkAsk } from './journal.ts';
import { isOver, itemsOf } from './orderState.ts';
import { pressNow } from './pressing.ts';
import { turnsOfTheLoop } from './moments.ts';
import type { World } from './world.ts';

const SEQUENCES = ['S1', 'S2', 'S3'] as const;
export const ORDERS = ['O1', 'O2', 'O3'] as const;
/** Texts that identify articles. Some of them are also labels of devices. */
export const TEXTS = ['M8', 'B-2', 'washer', 'K-7', 'A-1', 'U-9'] as const;
/** A location that no device has as its label. */
const NOWHERE = 'UNKNOWN';
const SECONDS = [0, 0, 5, 20, 45] as const;

/** Creates a sequence or changes its steps, and usually launches it immediately. */
export async function makeSequence(world: World): Promise<string> {
  const { random } = world;
  const name = random.one(SEQUENCES);
  const what = world.oracle.sequences.all.has(name) && random.chance(0.8) ? 'changeSequence' : 'createSequence';
  const told = await work(world, { what, name, body: randomSequence(world, name) });
  return random.chance(0.7) ? `${told}; ${await work(world, { what: 'launchSequence', name, restart: false })}` : told;
}

export async function launchSequence(world: World): Promise<string> {
  const name = anyOf(world, world.oracle.sequences.all, SEQUENCES);
  return work(world, { what: 'launchSequence', name, restart: world.random.chance(0.2) });
}

export async function removeSequence(world: World): Promise<string> {
  return work(world, { what: 'removeSequence', name: anyOf(world, world.oracle.sequences.all, SEQUENCES) });
}

export async function makeOrder(world: World): Promise<string> {
  const { random } = world;
  const name = random.one(ORDERS);
  const told = await newOrder(world, name);
  if (random.chance(0.7)) told.push(await work(world, { what: 'launchOrder', name }));
  return told.join('; ');
}

/** Creates an order, usually in place of an existing one. */
export async function newOrder(world: World, name: string): Promise<string[]> {
  const { random } = world;
  const told: string[] = [];
  const isKnown = world.oracle.orders.all.has(name);
  if (isKnown && random.chance(0.7)) told.push(await work(world, { what: 'removeOrder', name }));
  told.push(await work(world, { what: 'createOrder', name, body: randomOrder(world, name) }));
  return told;
}

export async function launchOrder(world: World): Promise<string> {
  return work(world, { what: 'launchOrder', name: anyOf(world, world.oracle.orders.all, ORDERS) });
}

/** Lets a worker go from light to light and press for a while. */
export async function workOff(world: World): Promise<string> {
  const { random, hardware, clock } = world;
  const told: string[] = [];
  for (let rounds = 2 + random.below(5); rounds > 0; rounds -= 1) {
    for (const deviceId of world.deviceIds.filter((id) => hardware.sim.look(id)?.active === true)) {
      if (random.chance(0.2)) told.push(pressNow(world, deviceId));
      told.push(pressNow(world, deviceId, 'front'));
    }
    await clock.advance(random.one([300, 2_500] as const));
    await world.settle();
  }
  return told.join('; ');
}

/** Aborts or removes an order, sometimes while a press is in transit. */
export async function endOrder(world: World): Promise<string> {
  const { random } = world;
  const told = random.chance(0.3) ? [pressNow(world)] : [];
  if (told.length > 0) {
    await turnsOfTheLoop(20);
    await world.settle();
  }
  const what = random.chance(0.7) ? 'abortOrder' : 'removeOrder';
  told.push(await work(world, { what, name: anyOf(world, world.oracle.orders.all, ORDERS) }));
  return told.join('; ');
}

export async function correctItem(world: World): Promise<string> {
  const { random, oracle } = world;
  const name = anyOf(world, oracle.orders.all, ORDERS);
  const order = oracle.orders.all.get(name);
  const items = order === undefined ? [] : itemsOf(order);
  const { id = 999_999, fulfilled = 0 } = items[random.below(items.length)] ?? {};
  const to = random.one([0, 1, 2, 3, fulfilled, fulfilled + 1] as const);
  return work(world, { what: 'correctItem', name, itemId: id, to });
}

/** Changes how many pieces a line needs, or removes the line, sometimes while a press is in transit. */
export async function changeLine(world: World): Promise<string> {
  const { random, oracle } = world;
  const told = random.chance(0.3) ? [pressNow(world)] : [];
  if (told.length > 0) {
    await turnsOfTheLoop(20);
    await world.settle();
  }
  const name = anyOf(world, oracle.orders.all, ORDERS);
  const order = oracle.orders.all.get(name);
  const items = order === undefined ? [] : itemsOf(order);
  const item = items[random.below(items.length)];
  const { id: itemId = 999_999, fulfilled = 0 } = item ?? {};
  // Opening a finished line again is left to other operations.
  const isEnded = item !== undefined && isOver(item);
  if (isEnded || random.chance(0.3)) told.push(await work(world, { what: 'removeLine', name, itemId }));
  else {
    const to = random.one([1, 2, 3, fulfilled, fulfilled + 1, fulfilled + 2] as const);
    told.push(await work(world, { what: 'orderPieces', name, itemId, to }));
  }
  return told.join('; ');
}

/** Returns one of the names, usually one that exists. */
export function anyOf<Name extends string>(
  { random }: World,
  known: ReadonlyMap<string, unknown>,
  names: readonly [Name, ...Name[]],
): string {
  const [first, ...others] = known.keys();
  return first === undefined || random.chance(0.1) ? random.one(names) : random.one([first, ...others]);
}

/** Returns the method, path and body of a request. */
function requestOf(ask: WorkAsk): [string, string, object?] {
  const { name } = ask;
  switch (ask.what) {
    case 'createSequence':
      return ['POST', '/api/sequence/', ask.body];
    case 'changeSequence':
      return ['PUT', `/api/sequence/${name}/`, ask.body];
    case 'removeSequence':
      return ['DELETE', `/api/sequence/${name}/`];
    case 'launchSequence':
      return ['GET', `/api/launchsequence/${name}/${ask.restart ? '?restart=1' : ''}`];
    case 'createOrder':
      return ['POST', '/api/orders/', ask.body];
    case 'launchOrder':
      return ['POST', `/api/orders/${name}/launch/`];
    case 'abortOrder':
      return ['POST', `/api/orders/${name}/abort/`];
    case 'removeOrder':
      return ['DELETE', `/api/orders/${name}/`];
    case 'orderPieces':
      return ['PATCH', `/api/orders/${name}/items/${ask.itemId}/`, { ordered_quantity: ask.to }];
    case 'removeLine':
      return ['DELETE', `/api/orders/${name}/items/${ask.itemId}/`];
    case 'correctItem':
      return ['PATCH', `/api/orders/${name}/items/${ask.itemId}/`, { quantity_fulfilled: ask.to }];
  }
}

export async function work(world: World, ask: WorkAsk): Promise<string> {
  const event: Extract<Event, { kind: 'worked' }> = { kind: 'worked', ask, answer: undefined };
  world.journal.note(event);
  const [method, path, body] = requestOf(ask);
  event.answer = await world.station.request(method, path, body);
  await world.settle();
  return `${JSON.stringify(ask)} ${event.answer.status}`;
}

function randomSequence(world: World, name: string): NewSequence {
  const { random } = world;
  const steps = Array.from({ length: 1 + random.below(5) }, (): NewSequence['steps'][number] => {
    const place = random.chance(0.88) ? { device: random.one(world.deviceIds) } : { location: randomPlace(world) };
    const command = random.one([undefined, 'flash', 'pick', 'display'] as const);
    const stepnonce = random.one([undefined, 'a', 'step'] as const);
    return {
      order: random.below(3) * 10,
      ...place,
      ...(command === undefined ? {} : { command }),
      ...(random.chance(0.6) ? { line1: random.one(['M8', 'nut'] as const) } : {}),
      ...(random.chance(0.5) ? { quantity: random.below(4) } : {}),
      ...(random.chance(0.3) ? { color: 'blue' } : {}),
      ...(random.chance(0.8) ? { seconds: random.one(SECONDS) } : {}),
      ...(stepnonce === undefined ? {} : { stepnonce }),
    };
  });
  return { sequenceid: name, ...(random.chance(0.6) ? { sequencenonce: `${name}-done` } : {}), steps };
}

function randomOrder(world: World, name: string): NewOrder {
  const { random } = world;
  const items = (count: number): NewItem[] => Array.from({ length: count }, () => randomItem(world));
  const shipments = [
    { shipment_number: `${name}-1`, items: items(random.below(3)) },
    {
      shipment_number: `${name}-2`,
      shipmentnonce: random.one(['', 'ship-2'] as const),
      items: items(1 + random.below(2)),
    },
  ];
  return {
    order_number: name,
    ...(random.chance(0.5) ? { ordernonce: random.one(['', `${name}-done`] as const) } : {}),
    ...(random.chance(0.5) ? { color: random.one(['blue', '#00ff80'] as const) } : {}),
    ...(random.chance(0.8) ? { seconds: random.one(SECONDS) } : {}),
    ...(random.chance(0.5) ? { items: items(random.below(5)) } : { shipments }),
  };
}

function randomItem(world: World): NewItem {
  const { random } = world;
  const nonce = random.one([undefined, undefined, '', 'a', 'item'] as const);
  return {
    ...(random.chance(0.7)
      ? { name: random.one(['M8', 'B-2', 'washer'] as const) }
      : { SKU: random.one(['K-7', 'A-1'] as const) }),
    ordered_quantity: random.below(4),
    ...(random.chance(0.2) ? { quantity_fulfilled: random.below(3) } : {}),
    ...(random.chance(0.7) ? { deviceid: random.one(world.deviceIds) } : {}),
    ...(random.chance(0.3) ? { warehouse_location: randomPlace(world) } : {}),
    ...(nonce === undefined ? {} : { callback_nonce: nonce }),
    ...(world.picks && random.chance(0.3) ? { UPC: random.one(['U-9', 'A-1'] as const) } : {}),
    ...(world.picks && random.chance(0.3) ? { SKU: random.one(['K-7', 'A-1'] as const) } : {}),
  };
}

function randomPlace(world: World): string {
  const { random } = world;
  return random.one(['A-1', 'B-2', random.one(world.deviceIds), random.chance(0.15) ? NOWHERE : 'A-1'] as const);
}
