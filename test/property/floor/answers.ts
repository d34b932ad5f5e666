import { expect } from 'vitest';
import type { Batch } from '#shared/api/batch.ts';
import type { WorkLine } from '#shared/api/picking.ts';
import type { Answer } from '../../helpers/startTestStation.ts';
import {
  batchIn,
  type Booked,
  changesOf,
  type ShopCount,
  countAll,
  expectUnchanged,
  handsIn,
  heldBy,
  leftHand,
  putIn,
} from './booked.ts';
import { type ModelFloor, PEOPLE, sendAs, sharesOf, sum } from './shop.ts';
import { checkLights } from './slotPresses.ts';
import { forgetPuts } from './slotPuts.ts';
import type { WatchedPress } from './whose.ts';

/** Lets one of the people at a light say whose press it was: at once, twice, or the other way round. */
export async function answer(floor: ModelFloor, press: WatchedPress): Promise<void> {
  const { random } = floor;
  const { booked } = press;
  if (booked === undefined || random.chance(0.2)) return;
  if (booked.slot === undefined) {
    if (random.chance(0.25)) return notMine(floor, booked);
    await exchangeLines(floor, press, booked);
  } else if (booked.picker !== null && random.chance(0.5)) await takeOut(floor, press, booked);
  else await exchangeHands(floor, press, booked);
}

const pathOf = (order: string, item: number): string => `/api/orders/${order}/items/${item}/reopen/`;

/** Reopens the booked line only, with the count that it had before the press. The others get nothing. */
async function notMine(floor: ModelFloor, booked: Booked): Promise<void> {
  const { picker, order_number: order, item_id: item, batch, before: quantity } = booked;
  const before = await countAll(floor);
  const asked = { person: picker, path: pathOf(order, item), body: { quantity_fulfilled: quantity } };
  const { status } = await sendAs(floor, asked);
  const after = await countAll(floor);
  if (status >= 400) return expectUnchanged(before, after, 'Not mine');
  if (batch === undefined) expect(Object.keys(changesOf(before, after)), 'Not mine').toEqual([String(item)]);
  await floor.station.clock.advance(400);
}

async function exchangeLines(floor: ModelFloor, press: WatchedPress, booked: Booked): Promise<void> {
  const { random, station, counts } = floor;
  const { order_number: order, item_id: item, picker, waiting, batch } = booked;
  const other = waiting[random.below(waiting.length)];
  if (other === undefined) return;
  const caller = random.one([picker, other.picker, other.picker]);
  const path = pathOf(order, item);
  const lines = await station.get<WorkLine[]>('/api/work/');
  const ofBatch = lines.find(
    ({ batch: id, shares = [] }) => id !== undefined && shares.some((share) => share.item_id === other.item_id),
  );
  const mine = { person: caller, path, body: { instead: other.item_id } };
  const was = await countAll(floor);
  const asked = was.items[other.item_id];
  const { status, body: said } = await sendAs(floor, mine);
  const after = await countAll(floor);
  expect(status, `It was mine, at once: ${JSON.stringify(said)}`).toBe(200);
  if (ofBatch !== undefined) return checkBatchMine(floor, { press, was, after, line: ofBatch, mine });
  const back = changesOf(press.before, press.after);
  // Each line of the press gets back what the press booked, and the other line is booked with its own rest.
  const rest = (asked?.ordered ?? 0) - (asked?.fulfilled ?? 0);
  const expected = Object.fromEntries(Object.entries(back).map(([id, pieces]) => [id, -pieces]));
  expect(changesOf(was, after), 'It was mine').toEqual({ ...expected, [other.item_id]: rest });
  expect(after.items[other.item_id]?.state, 'the other line').toBe('done');
  for (const { id, put_confirmation: how } of was.batches) {
    if (how === 'none') continue;
    const own = String(id) === batch ? handsIn(batchIn(press.before, id)) : handsIn(batchIn(was, id));
    expect(handsIn(batchIn(after, id)), 'hands after It was mine').toEqual(own);
  }
  counts.exchanged += 1;
  await expectRefused(floor, { ...mine, person: random.one([null, ...PEOPLE]) }, 'It was mine, twice');
  await station.clock.advance(400);
  if (batch !== undefined || random.chance(0.5)) return;
  // The first line is open again, so the press can be given back.
  await giveBack(floor, booked, other);
}

type BatchMine = {
  press: WatchedPress;
  was: ShopCount;
  after: ShopCount;
  line: WorkLine;
  mine: { person: string | null; path: string; body: object };
};

/** Checks that a press was given to the line of a batch: its whole light is booked, and the press is taken back. */
async function checkBatchMine(floor: ModelFloor, { press, was, after, line, mine }: BatchMine): Promise<void> {
  const { shares = [] } = line;
  const expected = Object.fromEntries(
    Object.entries(changesOf(press.before, press.after)).map(([id, pieces]) => [id, -pieces]),
  );
  for (const { item_id: id, quantity } of shares) expected[id] = (expected[id] ?? 0) + quantity;
  expect(changesOf(was, after), 'It was mine, of a batch').toEqual(expected);
  floor.counts.exchanged += 1;
  await expectRefused(floor, { ...mine, person: null }, 'It was mine of a batch, twice');
  await floor.station.clock.advance(400);
}

async function giveBack(floor: ModelFloor, booked: Booked, other: Booked['waiting'][number]): Promise<void> {
  const [row] = floor.station.rows<{ number: string }>(
    'SELECT orders.order_number AS number FROM items JOIN orders ON orders.id = items.order_id WHERE items.id = ?',
    other.item_id,
  );
  const was = await countAll(floor);
  const path = pathOf(row?.number ?? '', other.item_id);
  const mine = { person: booked.picker, path, body: { instead: booked.item_id } };
  const { status } = await sendAs(floor, mine);
  const after = await countAll(floor);
  expect(status, 'the press given back').toBe(200);
  const item = was.items[booked.item_id];
  expect(changesOf(was, after)[booked.item_id], 'the press given back').toBe(
    (item?.ordered ?? 0) - (item?.fulfilled ?? 0),
  );
  expect(changesOf(was, after)[other.item_id] ?? 0, 'the other line').toBeLessThan(0);
  await expectRefused(floor, mine, 'given back twice');
  await floor.station.clock.advance(400);
}

async function exchangeHands(floor: ModelFloor, press: WatchedPress, booked: Booked): Promise<void> {
  const { random, station, counts } = floor;
  const { slot = '', item_id: item, waiting, batch } = booked;
  const other = waiting[random.below(waiting.length)]?.picker ?? '';
  const caller = random.one([null, other]);
  const body = { slot, item_id: item, instead: true, ...(caller === null ? { picker: other } : {}) };
  const mine = { person: caller, path: `/api/batches/${batch}/put/undo/`, body };
  const was = await countAll(floor);
  const { status } = await sendAs(floor, mine);
  const after = await countAll(floor);
  expect(status, 'It was mine at a slot').toBe(200);
  const [hands, left] = [handsIn(batchIn(press.before, batch)), handsIn(batchIn(after, batch))];
  const whose = booked.picker ?? '';
  expect(left[whose], `${whose} has the pieces again`).toBe(hands[whose]);
  const isOnce = batchIn(was, batch)?.put_confirmation === 'once';
  const own = isOnce ? hands[other] : handsIn(batchIn(press.before, batch), slot)[other];
  expect((hands[other] ?? 0) - (left[other] ?? 0), `${other} has put the pieces`).toBe(own);
  const total = ({ batches }: ShopCount): number =>
    sum(batches.flatMap((each) => [putIn(each), ...Object.values(handsIn(each))]));
  if (after.batches.length === was.batches.length) expect(total(after), 'pieces of the batches').toBe(total(was));
  expect(changesOf(was, after), 'a put books nothing').toEqual({});
  forgetPuts(floor, { batch: Number(batch), slot });
  counts.swapped += 1;
  await expectRefused(floor, mine, 'It was mine at a slot, twice');
  await station.clock.advance(400);
}

/** *Not mine* at a slot: the person whose pieces the press put takes them out again, in all slots. Nobody else's pieces move. */
async function takeOut(floor: ModelFloor, press: WatchedPress, booked: Booked): Promise<void> {
  const { picker, slot = '', item_id: item, waiting, batch: id } = booked;
  const [before, put] = [batchIn(press.before, id), batchIn(press.after, id)];
  if (picker === null || before === undefined || put === undefined) return;
  const path = `/api/batches/${id}/put/undo/`;
  const was = await countAll(floor);
  for (const piece of leftHand(before, put, picker)) {
    // oxlint-disable-next-line no-await-in-loop -- one call for each piece, as from the page
    const { status, body } = await sendAs(floor, { person: picker, path, body: piece });
    expect(status, `Not mine at ${slot}: ${JSON.stringify(body)}`).toBe(200);
  }
  const after = await countAll(floor);
  expect(after.items, 'lines after Not mine at a slot').toEqual(press.before.items);
  const [callbacks, movements] = [was.callbacks, was.movements];
  expect(after, 'what is sent after Not mine at a slot').toMatchObject({ callbacks, movements });
  const left = batchIn(after, id);
  expect(left && placesOf(left), 'pieces after Not mine at a slot').toEqual(placesOf(before));
  if (left !== undefined) await checkLights(floor, left);
  floor.counts.takenOut += 1;
  const [other] = waiting;
  const mine = { slot, item_id: item, instead: true, ...(other === undefined ? {} : { picker: other.picker }) };
  await expectRefused(floor, { person: null, path, body: mine }, 'It was mine after Not mine');
  await floor.station.clock.advance(400);
}

/** Returns where the pieces of a batch are: in which slots and in whose hands. */
const placesOf = (batch: Batch): object => ({
  slots: batch.slots.map(({ slot, state }) => `${slot} ${state}`),
  shares: sharesOf(batch)
    .map(({ slot, item_id: item, picked, put, state }) => `${slot} ${item} ${picked} ${put} ${state}`)
    .toSorted(),
  hands: [...new Set(batch.hands.map(({ by }) => by))].toSorted().map((by) => ({
    by,
    holds: heldBy(batch, by)
      .map((each) => JSON.stringify(each))
      .toSorted(),
  })),
});

/** Sends a request that has to be refused with 409, and checks that it changed nothing. */
export async function expectRefused(
  floor: ModelFloor,
  asked: { person: string | null; path: string; body: object; method?: string },
  what: string,
): Promise<Answer> {
  const before = await countAll(floor);
  const refused = await sendAs(floor, asked);
  floor.done.push(`${asked.path} ${JSON.stringify(asked.body)}: ${refused.status}`);
  expect(refused.status, `${what}: ${JSON.stringify(refused.body)}`).toBe(409);
  expectUnchanged(before, await countAll(floor), what);
  floor.counts.unbooked += 1;
  return refused;
}
