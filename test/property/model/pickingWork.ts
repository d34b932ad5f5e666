import { API_KEY } from '../../helpers/screens/template.ts';
import { SENDER } from './naming.ts';
import type { Event, PickAsk } from './journal.ts';
import { itemsOf } from './orderState.ts';
import { PASSWORD, PEOPLE } from './people.ts';
import { REASONS } from './picking.ts';
import { pressNow } from './pressing.ts';
import { turnsOfTheLoop } from './moments.ts';
import type { World } from './world.ts';
import { anyOf, newOrder, ORDERS, TEXTS } from './working.ts';

type Scan = Extract<PickAsk, { what: 'scan' }>;

/** Lets a person start or join an order, usually an existing one. */
export async function beginOrder(world: World): Promise<string> {
  const { random, oracle } = world;
  const name = random.one(ORDERS);
  const isOver = (oracle.orders.all.get(name)?.state ?? 'aborted') === 'fulfilled';
  const isMade = !oracle.orders.all.has(name) || isOver || random.chance(0.2);
  const told = isMade ? await newOrder(world, name) : [];
  const what = random.one(['launch', 'launch', 'join'] as const);
  told.push(await pick(world, { what, name, picker: random.one(PEOPLE), color: undefined }));
  if (random.chance(0.4))
    told.push(await pick(world, { what: 'join', name, picker: random.one(PEOPLE), color: undefined }));
  return told.join('; ');
}

export async function takeOrder(world: World): Promise<string> {
  const { random } = world;
  const what = random.one(['launch', 'launch', 'join', 'join'] as const);
  const color = random.one([undefined, undefined, undefined, 'magenta', 'cyan'] as const);
  return pick(world, { what, name: anOrder(world), picker: aPicker(world), color });
}

export async function stopPicking(world: World): Promise<string> {
  const { random } = world;
  const told: string[] = [];
  // The worker may press while the line is being assigned to a different picker.
  if (random.chance(0.3)) told.push(pressNow(world));
  if (random.chance(0.3)) await turnsOfTheLoop(20);
  await world.settle();
  const picked = [...world.oracle.orders.all.values()].flatMap((order) =>
    order.state === 'fulfilled' ? [] : order.pickers.map((each) => ({ name: order.number, picker: each.name })),
  );
  const anybody = { name: anOrder(world), picker: aPicker(world) };
  const { name, picker } = random.chance(0.2) ? anybody : (picked[random.below(picked.length)] ?? anybody);
  const what = random.one(['leave', 'pause', 'pause', 'handover'] as const);
  if (what === 'handover') told.push(await pick(world, { what, name, picker: picker ?? random.one(PEOPLE) }));
  else told.push(await pick(world, { what, name, picker }));
  return told.join('; ');
}

/** Changes a line's color while the worker presses. */
export async function recolorAndPress(world: World): Promise<string> {
  const { random, oracle } = world;
  const lit = world.deviceIds.filter((id) => {
    const [command] = oracle.device(id).queue;
    return command?.owner?.kind === 'item' && command.shownMono !== null;
  });
  const deviceId = lit[random.below(lit.length)];
  const owner = deviceId === undefined ? undefined : oracle.device(deviceId).queue[0]?.owner;
  if (deviceId === undefined || owner?.kind !== 'item') return takeOrder(world);
  const { number: name } = owner.item.of.of;
  const picker = random.one(PEOPLE);
  const change = random.one<PickAsk>([
    { what: 'launch', name, picker, color: undefined },
    { what: 'join', name, picker, color: undefined },
    { what: 'handover', name, picker },
    { what: 'leave', name, picker },
  ]);
  const told = [await pick(world, change)];
  for (let presses = 1 + random.below(2); presses > 0; presses -= 1) told.push(pressNow(world, deviceId));
  return told.join('; ');
}

export async function closeShort(world: World): Promise<string> {
  const { random } = world;
  const { name, item } = anItem(world);
  const wanted = random.one([undefined, undefined, 0, 1, 2, item.fulfilled, item.fulfilled + 1, 3] as const);
  const elsewhere = random.chance(0.4) ? random.one([...world.deviceIds, '51D000:999999']) : undefined;
  const reason = random.chance(0.05) ? 'bored' : random.one(REASONS);
  const key = random.one([undefined, 's1', 's2', 's3'] as const);
  return again(world, { what: 'short', name, itemId: item.id, quantity: wanted, reason, elsewhere, key });
}

export async function reopen(world: World): Promise<string> {
  const { random } = world;
  const { name, item } = anItem(world, (state) => state === 'done' || state === 'short');
  const quantity = random.one([undefined, undefined, 0, 1, 2, item.fulfilled] as const);
  const key = random.one([undefined, 'r1', 'r2'] as const);
  const instead = world.meets && random.chance(0.4) ? anItem(world).item.id : undefined;
  return again(world, { what: 'reopen', name, itemId: item.id, quantity, instead, pieces: undefined, key });
}

/** Acknowledges a command with a key, like a tablet that does not know whether its last call got through. */
export async function acknowledgeWithKey(world: World): Promise<string> {
  const { random, oracle } = world;
  const open = world.deviceIds.flatMap((deviceid) => oracle.device(deviceid).queue.map(({ id }) => ({ deviceid, id })));
  const all = [...oracle.owners].map(([id, device]) => ({ deviceid: device.id, id }));
  const among = random.chance(0.8) && open.length > 0 ? open : all.slice(-6);
  const { deviceid, id: commandId } = among[random.below(among.length)] ?? {
    deviceid: random.one(world.deviceIds),
    id: 1,
  };
  const key = random.one([undefined, 'a1', 'a2', 'a3'] as const);
  const qty = random.chance(0.5) ? random.below(4) : undefined;
  return again(world, { what: 'acknowledge', deviceid, commandId, qty, key });
}

/** Scans places, articles, names and order numbers. Some of these codes have several meanings. */
export async function scan(world: World): Promise<string> {
  const { random } = world;
  const code = aCode(world);
  const asked: Scan = {
    what: 'scan',
    code,
    order: random.chance(0.4) ? anOrder(world) : undefined,
    picker: random.one([undefined, undefined, 'Anna', 'ben'] as const),
    act: random.chance(0.75),
    quantity: random.chance(0.4) ? random.below(4) : undefined,
    close: random.chance(0.2),
    over: random.chance(0.2),
    reason: random.one([undefined, 'bored', ...REASONS] as const),
    key: random.one([undefined, undefined, 'k1', 'k2', 'k3'] as const),
  };
  return again(world, asked);
}

/** Returns a code, usually one for something that is lit. */
function aCode({ random, oracle, deviceIds }: World): string {
  const lit = deviceIds.flatMap((id) => oracle.device(id).queue.map((command) => ({ id, command })));
  const line = lit[random.below(lit.length)];
  const id = random.one(deviceIds);
  if (line === undefined || random.chance(0.4)) {
    return random.one([...TEXTS, ...ORDERS, 'o1', id, id.toLowerCase(), 'b-2', 'UNKNOWN', 'zzz'] as const);
  }
  const { label } = oracle.device(line.id);
  const texts = [line.command.lines[0] ?? '', line.command.barcode, label, label.toLowerCase()].filter(
    (text) => text !== '',
  );
  return random.one([line.id, ...texts]);
}

/** Sends a request, usually once. A repetition follows within two seconds, just after two seconds, or much later. */
export async function again(
  world: World,
  ask: PickAsk,
  by: string = world.random.one([SENDER, ...PEOPLE] as const),
): Promise<string> {
  const { random, clock } = world;
  const told = [await pick(world, ask, by)];
  while (random.chance(0.35)) {
    const ms = random.one([0, 500, 1_999, 2_000, 6_000] as const);
    await clock.advance(ms);
    const other =
      random.chance(0.2) && 'key' in ask ? { ...ask, key: random.one([undefined, 'x1', ask.key] as const) } : ask;
    told.push(`${ms} ms later ${await pick(world, other, by)}`);
  }
  return told.join('; ');
}

function aPicker({ random }: World): string | undefined {
  return random.chance(0.03) ? 'Carl' : random.one([undefined, 'Anna', 'Ben', 'Ben', 'anna'] as const);
}

function anOrder(world: World): string {
  return anyOf(world, world.oracle.orders.all, ORDERS);
}

/** Chooses an item, usually an existing one in a matching state. */
function anItem(world: World, isSuch: (state: string) => boolean = (state) => state === 'active' || state === 'open') {
  const { random, oracle } = world;
  const name = anOrder(world);
  const order = oracle.orders.all.get(name);
  const all = order === undefined ? [] : itemsOf(order);
  const such = all.filter(({ state }) => isSuch(state));
  const among = such.length > 0 && random.chance(0.85) ? such : all;
  return { name, item: among[random.below(among.length)] ?? { id: 999_999, fulfilled: 0 } };
}

export async function pick(
  world: World,
  ask: PickAsk,
  by: string = world.random.one([SENDER, SENDER, ...PEOPLE]),
): Promise<string> {
  await world.settle();
  const event: Extract<Event, { kind: 'picked' }> = { kind: 'picked', ask, by, answer: undefined };
  world.journal.note(event);
  const [path, body] = requestOf(ask);
  const basic = `Basic ${Buffer.from(`${by}:${PASSWORD}`).toString('base64')}`;
  const who: Record<string, string> = by === SENDER ? { 'api-key': API_KEY } : { authorization: basic };
  const method = ask.what === 'current' ? 'PUT' : 'POST';
  event.answer = await world.station.request(method, path, body, { ...who, 'content-type': 'application/json' });
  await world.settle();
  return `${by}: ${JSON.stringify(ask)} ${event.answer.status}`;
}

/** Returns the path and the body of a request. */
function requestOf(ask: PickAsk): [string, object] {
  switch (ask.what) {
    case 'launch':
    case 'join':
      return [`/api/orders/${ask.name}/${ask.what}/`, { picker: ask.picker, color: ask.color }];
    case 'leave':
    case 'pause':
    case 'handover':
      return [`/api/orders/${ask.name}/${ask.what}/`, { picker: ask.picker }];
    case 'short': {
      const { quantity: quantity_fulfilled, reason, elsewhere, key } = ask;
      return [`/api/orders/${ask.name}/items/${ask.itemId}/short/`, { quantity_fulfilled, reason, elsewhere, key }];
    }
    case 'reopen':
      return [
        `/api/orders/${ask.name}/items/${ask.itemId}/reopen/`,
        { quantity_fulfilled: ask.quantity, instead: ask.instead, instead_quantity: ask.pieces, key: ask.key },
      ];
    case 'scan': {
      const { what: _, order: order_number, ...scanned } = ask;
      return ['/api/scan/', { ...scanned, order_number }];
    }
    case 'current': {
      const { itemId: item_id, commandId, picker } = ask;
      const command_id = commandId === undefined ? undefined : String(commandId);
      return ['/api/user/current/', { item_id, command_id, picker }];
    }
    case 'adjust':
      return [
        `/api/device/${ask.deviceid}/adjust/`,
        { command_id: String(ask.commandId), quantity: ask.quantity, key: ask.key },
      ];
    case 'acknowledge':
      return [
        `/api/device/${ask.deviceid}/acknowledge/`,
        { command_id: String(ask.commandId), qty: ask.qty, key: ask.key },
      ];
  }
}
