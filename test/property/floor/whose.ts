import { expect } from 'vitest';
import type { Batch } from '#shared/api/batch.ts';
import type { CommandEntry } from '#shared/api/device.ts';
import type { WorkLine } from '#shared/api/picking.ts';
import {
  batchIn,
  type Booked,
  bookedSince,
  changesOf,
  type ShopCount,
  countAll,
  handsIn,
  presentIn,
  putIn,
  wrongSince,
} from './booked.ts';
import { cartSlotOf, type ModelFloor, SLOT_DEVICES, sum } from './shop.ts';

/** How long an arrival at a place lasts. */
const ARRIVED_MS = 60_000;

/** A press and everything that it booked. */
export type WatchedPress = {
  before: ShopCount;
  after: ShopCount;
  /** Whose press it was, according to the station. Undefined if nobody else waited. */
  booked: Booked | undefined;
};

/**
 * Presses a device and checks that the press booked what its light showed, for the person whose line or pieces it showed, and that the
 * station named exactly the people who waited there.
 */
export async function pressWatched(floor: ModelFloor, deviceId: string): Promise<WatchedPress> {
  const { station, counts, done } = floor;
  // Nobody presses before they can have read the light.
  await station.clock.advance(1_000);
  const before = await countAll(floor);
  const [shown] = (await station.device(deviceId)).commands;
  const lines = await station.get<WorkLine[]>('/api/work/');
  done.push(`press ${deviceId}, which shows ${shown?.quantity ?? 'nothing'}`);
  await station.press(deviceId);
  await station.clock.advance(400);
  const after = await countAll(floor);
  const facts = bookedSince(floor, before.revision);
  const line = lines.find(
    ({ command_id: id, item_id: item, batch }) =>
      id !== null && id === shown?.command_id && (item !== null || batch !== undefined),
  );
  const slot = cartSlotOf(deviceId);
  if (shown !== undefined && shown.state !== 'shown') return { before, after, booked: facts[0] };
  if (line !== undefined && shown !== undefined) checkLine(floor, { before, after, facts, line, lines, shown });
  else if (slot !== undefined) checkSlot(floor, { before, after, facts, slot, shown });
  else expect(facts, 'a press for nobody').toEqual([]);
  counts.pressed += Number(line !== undefined);
  counts.waited += facts.length;
  return { before, after, booked: facts[0] };
}

type PressedLine = {
  before: ShopCount;
  after: ShopCount;
  facts: Booked[];
  line: WorkLine;
  lines: WorkLine[];
  shown: CommandEntry;
};

/** Checks a press at the light of a line. A line of a batch has shares. */
function checkLine(floor: ModelFloor, { before, after, facts, line, lines, shown }: PressedLine): void {
  const { shares = [], batch: batchId, picker } = line;
  const own = batchId === undefined ? [line.item_id] : shares.map(({ item_id: id }) => id);
  const changes = changesOf(before, after);
  expect(
    Object.keys(changes).filter((id) => !own.includes(Number(id))),
    `other lines than ${picker}'s`,
  ).toEqual([]);
  expect(sum(Object.values(changes)), `${picker}'s line`).toBe(shown.quantity);
  for (const batch of before.batches) {
    const hands = { ...handsIn(batch) };
    const isPutToo = batch.put_confirmation === 'none' && batch.mode === 'cart';
    if (batch.id === batchId && !isPutToo) hands[picker ?? ''] = (hands[picker ?? ''] ?? 0) + (shown.quantity ?? 0);
    expect(handsIn(batchIn(after, batch.id)), `hands after a pick of ${picker}`).toEqual(hands);
  }
  const waiting = lines.filter(
    (each) =>
      each.current && each.deviceid === line.deviceid && each.command_id !== line.command_id && each.picker !== picker,
  );
  if (waiting.length === 0) return expect(facts, 'nobody waited').toEqual([]);
  const { deviceid, item_id: itemId } = line;
  const hasArrived = (each: WorkLine): boolean => hasArrivedAt(floor, each);
  expect(facts, 'those who waited').toMatchObject([
    {
      deviceid,
      item_id: batchId === undefined ? itemId : expect.toBeOneOf(own),
      picker,
      quantity: shown.quantity,
      quiet: line.current && hasArrived(line) && !waiting.some(hasArrived),
      ...(batchId === undefined ? {} : { batch: String(batchId) }),
    },
  ]);
  const told = facts[0]?.waiting ?? [];
  expect(told, 'those who waited').toHaveLength(waiting.length);
  for (const each of waiting) {
    const of = told.find(({ picker: name }) => name === each.picker);
    expect(itemsOf(each), `the line of ${each.picker}`).toContain(of?.item_id);
  }
}

function hasArrivedAt({ arrived, station }: ModelFloor, line: WorkLine): boolean {
  const there = arrived.get(line.picker ?? '');
  return there !== undefined && there.line === lineName(line) && station.clock.monotonic() - there.at < ARRIVED_MS;
}

/** Returns a name for a line that lasts as long as the line: the items that it lights. */
export const lineName = ({ item_id: itemId, batch, shares = [] }: WorkLine): string =>
  batch === undefined
    ? `item ${itemId}`
    : `batch ${batch}: ${shares
        .map((share) => share.item_id)
        .toSorted((one, other) => one - other)
        .join()}`;

const itemsOf = ({ item_id: itemId, batch, shares = [] }: WorkLine): (number | null)[] =>
  batch === undefined ? [itemId] : shares.map((share) => share.item_id);

type PressedSlot = {
  before: ShopCount;
  after: ShopCount;
  facts: Booked[];
  slot: string;
  shown: CommandEntry | undefined;
};

/** Checks a press at a slot of the cart: it puts the pieces that one present person holds, as many as the slot shows. */
function checkSlot(floor: ModelFloor, { before, after, facts, slot, shown }: PressedSlot): void {
  const batch = before.batches.find(({ mode }) => mode === 'cart');
  expect(changesOf(before, after), 'a put').toEqual({});
  if (batch === undefined) return;
  const hands = handsIn(batch);
  // A put can finish the batch. It is then not in `after`, and nobody holds pieces.
  const left = handsIn(batchIn(after, batch.id));
  if (shown === undefined || shown.quantity === null) {
    floor.counts.wrong += Number(Object.keys(hands).length > 0);
    expect(left, 'an unlit slot').toEqual(hands);
    if (shown === undefined) checkWrong(floor, { batch, slot, revision: before.revision });
    return expect(facts, 'an unlit slot').toEqual([]);
  }
  const changed = Object.keys(hands).filter((by) => hands[by] !== left[by]);
  expect(changed, `hands after a press at ${slot}`).toHaveLength(1);
  const [whose = ''] = changed;
  const present = presentIn(batch);
  expect([...present], 'a press for a hand that is there').toContain(whose);
  const color = batch.pickers.find(({ name }) => name === whose)?.color;
  if (whose !== '' && color !== undefined && color !== null) expect(shown.color, `color of ${whose}`).toBe(color);
  const own = handsIn(batch, slot);
  expect(own[whose], `${whose}'s pieces for ${slot}`).toBeGreaterThanOrEqual(shown.quantity);
  const isAll = batch.put_confirmation === 'once';
  expect((hands[whose] ?? 0) - (left[whose] ?? 0), `${whose}'s put`).toBe(isAll ? hands[whose] : shown.quantity);
  const after0 = batchIn(after, batch.id);
  if (after0 !== undefined && isSame(batch, after0))
    expect(putIn(after0) - putIn(batch), 'pieces put').toBe((hands[whose] ?? 0) - (left[whose] ?? 0));
  const others = Object.keys(own).filter((by) => by !== whose && by !== '' && present.has(by));
  floor.counts.slotted += 1;
  if (others.length === 0) return expect(facts, 'no other hand').toEqual([]);
  expect(facts).toMatchObject([
    {
      batch: String(batch.id),
      slot,
      picker: whose === '' ? null : whose,
      quantity: expect.toSatisfy((pieces: number) => pieces <= (own[whose] ?? 0)),
    },
  ]);
  expect((facts[0]?.waiting ?? []).map(({ picker }) => picker).toSorted(), 'hands that waited').toEqual(
    others.toSorted(),
  );
}

/** Checks that a press at an unlit slot is reported as wrong if somebody present holds pieces, but none for this slot. */
function checkWrong(
  floor: ModelFloor,
  { batch, slot, revision }: { batch: Batch; slot: string; revision: number },
): void {
  const present = presentIn(batch);
  const isHeld = (hands: Record<string, number>): boolean => Object.keys(hands).some((by) => present.has(by));
  const isWrong = isHeld(handsIn(batch)) && !isHeld(handsIn(batch, slot));
  const wrong = wrongSince(floor, revision);
  if (isWrong) expect(wrong, 'a wrong slot').toMatchObject([{ batch_id: batch.id, slot }]);
  // Without pieces for another slot, only the people whose pieces are in this slot already learn of it.
  else expect(wrong.filter(({ already }) => already === undefined)).toEqual([]);
}

/** Whether the batch still lists the same shares. */
const isSame = (one: Batch, other: Batch): boolean =>
  one.slots.map(({ shares }) => shares.length).join() === other.slots.map(({ shares }) => shares.length).join();

/** Checks that the slots of the cart light exactly for pieces that present people hold. */
export async function checkLights({ station }: ModelFloor, batch: Batch): Promise<void> {
  if (batch.mode !== 'cart') return;
  const present = presentIn(batch);
  for (const deviceId of SLOT_DEVICES) {
    const slot = cartSlotOf(deviceId);
    const { state } = batch.slots.find((each) => each.slot === slot) ?? {};
    if (slot === undefined || state !== 'open') continue;
    const own = handsIn(batch, slot);
    const there = Object.keys(own).filter((by) => present.has(by));
    // oxlint-disable-next-line no-await-in-loop -- each request advances the clock
    const { commands } = await station.device(deviceId);
    const lit = commands.filter(({ quantity }) => quantity !== null).length;
    const isLaunched = batch.state === 'picking';
    expect(lit, `lights at ${slot} for ${there.join(' and ') || 'nobody'}`).toBe(
      isLaunched && there.length > 0 ? 1 : 0,
    );
  }
}
