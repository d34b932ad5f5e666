import { expect } from 'vitest';
import type { Batch } from '#shared/api/batch.ts';
import type { Order } from '#shared/api/order.ts';
import type { WorkLine } from '#shared/api/picking.ts';
import { openSession } from '../../helpers/session.ts';
import { answer, expectRefused } from './answers.ts';
import { countAll } from './booked.ts';
import { live, type ModelFloor, PASSWORD, PEOPLE, PLACES, send, sendAs, SLOT_DEVICES } from './shop.ts';
import { lineName, pressWatched, type WatchedPress } from './whose.ts';

/** Lets two people meet at a light, each with a line of an order there, and press it. Launching an order takes the person out of a batch. */
export async function meet(floor: ModelFloor): Promise<void> {
  const { random } = floor;
  const deviceId = random.one(PLACES);
  const [cart] = (await live(floor)).filter(({ mode }) => mode === 'cart');
  for (const person of PEOPLE) {
    if (cart !== undefined && random.chance(0.2))
      await send(floor, 'POST', `/api/batches/${cart.id}/launch/`, { picker: person });
    else if (random.chance(0.8)) await bringOrder(floor, person, deviceId);
  }
  for (const person of PEOPLE) await goThere(floor, person, deviceId);
  const presses: WatchedPress[] = [];
  for (let times = 1 + random.below(3); times > 0; times -= 1) {
    const press = await pressWatched(floor, deviceId);
    presses.push(press);
    if (random.chance(0.6)) await answer(floor, press);
  }
  await answerLate(floor, presses);
}

/** Lets two people pick the same orders onto the cart, each at other places, and press the slots with pieces of both. */
export async function meetAtCart(floor: ModelFloor): Promise<void> {
  const { random, station } = floor;
  const carts = (await live(floor)).filter(({ mode }) => mode === 'cart');
  const id = random.chance(0.8) ? await freshCart(floor, carts[0]?.id) : carts[0]?.id;
  if (id === undefined) return;
  const [one, other] = random.chance(0.5) ? PEOPLE : PEOPLE.toReversed();
  await send(floor, 'POST', `/api/batches/${id}/launch/`, { picker: one });
  await send(floor, 'POST', `/api/batches/${id}/join/`, { picker: other });
  // A place that nobody presses leaves its slots open. There, presses in quick succession find pieces that are in the slot already.
  const skipped = random.chance(0.5) ? random.one(PLACES) : undefined;
  for (const place of PLACES) {
    if (place === skipped) continue;
    for (const person of PEOPLE) if (random.chance(0.3)) await goThere(floor, person, place);
    if (random.chance(0.8)) await pressWatched(floor, place);
  }
  for (let times = (skipped === undefined ? 2 : 4) + random.below(4); times > 0; times -= 1) {
    if (random.chance(0.1)) await send(floor, 'POST', `/api/batches/${id}/leave/`, { picker: random.one(PEOPLE) });
    const press = await pressWatched(floor, await slotToPress(floor, id));
    if (random.chance(skipped === undefined ? 0.7 : 0.3)) await answer(floor, press);
    if (random.chance(0.1)) await station.clock.advance(random.below(40_000));
  }
}

/** Returns a slot of the cart, usually one for which somebody holds pieces or where pieces have just been put. */
async function slotToPress({ random, station, slotPuts }: ModelFloor, id: number): Promise<string> {
  const held = (await station.get<Batch>(`/api/batches/${id}/`)).hands.flatMap(({ shares }) => shares);
  const slots = [...slotPuts, ...held].flatMap(({ slot }) => (slot === 'A1' || slot === 'A2' ? [slot] : []));
  const slot = (random.chance(0.8) ? slots[random.below(slots.length)] : undefined) ?? random.one(['A1', 'A2']);
  return slot === 'A1' ? SLOT_DEVICES[0] : SLOT_DEVICES[1];
}

/** Empties the cart and loads it with new orders for two or three articles each. Returns the id of the batch. */
async function freshCart(floor: ModelFloor, before: number | undefined): Promise<number | undefined> {
  const { random, orders } = floor;
  if (before !== undefined) await send(floor, 'DELETE', `/api/batches/${before}/`);
  const slots = [];
  for (let count = 1 + random.below(2); count > 0; count -= 1) {
    const number = `SO-${orders.length + 1}`;
    const items = PLACES.slice(0, random.chance(0.7) ? 3 : 2).map((deviceid, index) => ({
      SKU: ['X', 'Y', 'Z'][index],
      ordered_quantity: 1 + random.below(3),
      deviceid,
    }));
    if ((await send(floor, 'POST', '/api/orders/', { order_number: number, items })) >= 300) return undefined;
    orders.push(number);
    slots.push({ order_number: number });
  }
  const how = { mode: 'cart', cart: 1, slots, put_confirmation: random.one(['once', 'each', 'each']) };
  if ((await send(floor, 'POST', '/api/batches/', how)) !== 201) return undefined;
  return (await live(floor)).find(({ mode }) => mode === 'cart')?.id;
}

async function bringOrder(floor: ModelFloor, person: string, deviceId: string): Promise<void> {
  const { random, orders } = floor;
  const number = `SO-${orders.length + 1}`;
  const item = {
    SKU: random.one(deviceId === PLACES[2] ? (['Y'] as const) : deviceId === PLACES[0] ? ['X'] : ['X', 'Y']),
    ordered_quantity: 1 + random.below(4),
    deviceid: deviceId,
  };
  if ((await send(floor, 'POST', '/api/orders/', { order_number: number, items: [item] })) >= 300) return;
  orders.push(number);
  const { status } = await sendAs(floor, { person, path: `/api/orders/${number}/launch/`, body: {} });
  expect(status, 'a launch').toBeLessThan(300);
  await floor.station.clock.advance(400);
}

/** Shows a line of the person on the person's page, or lets the person set the number of pieces or scan the place there. */
async function goThere(floor: ModelFloor, person: string, deviceId: string): Promise<void> {
  const { random, station, arrived } = floor;
  const line = (await station.get<WorkLine[]>('/api/work/')).find(
    (each) => each.picker === person && each.deviceid === deviceId,
  );
  if (line === undefined || random.chance(0.15)) return;
  const isByCommand = line.batch !== undefined || random.chance(0.3);
  const named = isByCommand ? { command_id: line.command_id } : { item_id: line.item_id };
  const shown = await sendAs(floor, { person, method: 'PUT', path: '/api/user/current/', body: named });
  expect(shown.status, 'the current line').toBe(200);
  // A line that was not current lost its arrival.
  if (!line.current || arrived.get(person)?.line !== lineName(line)) arrived.delete(person);
  const way = random.fraction();
  if (way < 0.4 && line.command_id !== null && line.batch === undefined) {
    const body = { command_id: line.command_id, quantity: random.chance(0.5) ? line.quantity : 1 + random.below(3) };
    const { status } = await sendAs(floor, { person, path: `/api/device/${deviceId}/adjust/`, body });
    if (status === 200) arrived.set(person, { line: lineName(line), at: station.clock.monotonic() });
  } else if (way < 0.65) {
    const read = await sendAs(floor, { person, path: '/api/scan/', body: { code: deviceId } });
    expect(read.body, 'a scan of the place').toMatchObject({ result: 'lit', deviceid: deviceId });
    arrived.set(person, { line: lineName(line), at: station.clock.monotonic() });
    floor.counts.read += 1;
  }
  await station.clock.advance(400);
}

/** Says whose a press was only after other presses: if both lines are booked, nothing changes. */
async function answerLate(floor: ModelFloor, presses: readonly WatchedPress[]): Promise<void> {
  const { random } = floor;
  const { booked } = presses[random.below(presses.length)] ?? {};
  const other = booked?.waiting[0];
  if (booked === undefined || other === undefined || booked.slot !== undefined) return;
  const { items } = await countAll(floor);
  const state = items[other.item_id]?.state;
  if (state !== 'done' && state !== 'short') return;
  const path = `/api/orders/${booked.order_number}/items/${booked.item_id}/reopen/`;
  await expectRefused(floor, { person: other.picker, path, body: { instead: other.item_id } }, 'both are booked');
  floor.counts.late += 1;
}

/** Sends a confirmation that waited in a browser for too long, or whose item has changed since it was shown. */
export async function confirmOutdated(floor: ModelFloor): Promise<void> {
  const { random, station } = floor;
  const number = floor.orders[random.below(floor.orders.length)];
  if (number === undefined) return;
  const { shipments } = await station.get<Order>(`/api/orders/${number}/`);
  const items = shipments.flatMap((shipment) => shipment.items);
  const item = items[random.below(items.length)];
  if (item === undefined) return;
  const seen = item.quantity_fulfilled + 1 + random.below(3);
  const old = new Date(station.clock.now() - 3_700_000).toISOString();
  const waited = random.chance(0.5) ? { seen } : { seen: item.quantity_fulfilled, confirmed_at: old };
  const [line] = (await station.get<WorkLine[]>('/api/work/')).filter((each) => each.item_id === item.id);
  // The light of a batch shows a sum, which nobody has seen as the count of one item.
  const isLit = line !== undefined && line.batch === undefined && line.command_id !== null && line.deviceid !== null;
  const path = `/api/orders/${number}/items/${item.id}/`;
  const asked = random.one<{ path: string; body: object; method?: string }>([
    { path: `${path}reopen/`, body: waited },
    { path: `${path}short/`, body: { ...waited, reason: 'missing' } },
    { method: 'PATCH', path, body: { seen, quantity_fulfilled: random.below(4) } },
    isLit
      ? { path: `/api/device/${line.deviceid}/acknowledge/`, body: { ...waited, command_id: line.command_id } }
      : { path: `${path}confirm/`, body: waited },
  ]);
  await expectRefused(floor, { person: null, ...asked }, 'an outdated confirmation');
}

/** Signs a person out and in again. A hand of this person is left. */
export async function signOutAndIn(floor: ModelFloor, username: string): Promise<void> {
  const { station, keys, done, arrived } = floor;
  const { write } = await openSession(station, { username, password: PASSWORD });
  const { status } = await station.request('POST', '/api/user/logout/', undefined, write);
  done.push(`${username} signs out: ${status}`);
  await station.clock.advance(400);
  keys.set(username, (await openSession(station, { username, password: PASSWORD })).apikey);
  arrived.delete(username);
  floor.counts.left += 1;
}
