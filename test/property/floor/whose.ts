import { expect } from 'vitest';
import type { CommandEntry } from '#shared/api/device.ts';
import type { WorkLine } from '#shared/api/picking.ts';
import { batchIn, type Booked, bookedSince, changesOf, type ShopCount, countAll, handsIn } from './booked.ts';
import { cartSlotOf, type ModelFloor, sum } from './shop.ts';
import { checkSlot } from './slotPresses.ts';

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
  const at = station.clock.monotonic();
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
  else if (slot !== undefined) checkSlot(floor, { before, after, facts, slot, shown, at });
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
