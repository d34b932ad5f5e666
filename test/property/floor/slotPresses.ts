import { expect } from 'vitest';
import type { Batch } from '#shared/api/batch.ts';
import type { CommandEntry } from '#shared/api/device.ts';
import {
  batchIn,
  type Booked,
  changesOf,
  type ShopCount,
  handsIn,
  leftHand,
  presentIn,
  putIn,
  wrongSince,
} from './booked.ts';
import { cartSlotOf, type ModelFloor, SLOT_DEVICES, sum } from './shop.ts';
import { rememberPut, toldAt } from './slotPuts.ts';

type PressedSlot = {
  before: ShopCount;
  after: ShopCount;
  facts: Booked[];
  slot: string;
  shown: CommandEntry | undefined;
  /** When the slot was pressed, in monotonic milliseconds. */
  at: number;
};

/** Checks a press at a slot of the cart: it puts the pieces that one present person holds, as many as the slot shows. */
export function checkSlot(floor: ModelFloor, { before, after, facts, slot, shown, at }: PressedSlot): void {
  const batch = before.batches.find(({ mode }) => mode === 'cart');
  expect(changesOf(before, after), 'a put').toEqual({});
  if (batch === undefined) return;
  const hands = handsIn(batch);
  // A put can finish the batch. It is then not in `after`, and nobody holds pieces.
  const left = handsIn(batchIn(after, batch.id));
  if (shown === undefined || shown.quantity === null) {
    floor.counts.wrong += Number(Object.keys(hands).length > 0);
    expect(left, 'an unlit slot').toEqual(hands);
    if (shown === undefined) checkWrong(floor, { batch, slot, revision: before.revision, at });
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
  const pieces = leftHand(batch, after0, whose);
  const quantity = sum(pieces.filter((piece) => piece.slot === slot).map((piece) => piece.quantity));
  expect(facts, 'those who waited').toMatchObject([
    {
      batch: String(batch.id),
      slot,
      picker: whose === '' ? null : whose,
      quantity,
    },
  ]);
  const byItem = (all: readonly { slot: string | null; item_id: number; quantity: number }[]): string[] =>
    all.map(({ slot: of, item_id: item, quantity: some }) => `${some} of ${item} in ${of}`).toSorted();
  expect(byItem(facts[0]?.pieces ?? []), 'what the press put').toEqual(byItem(pieces));
  expect((facts[0]?.waiting ?? []).map(({ picker }) => picker).toSorted(), 'hands that waited').toEqual(
    others.toSorted(),
  );
  if (whose !== '') rememberPut(floor, { batch: batch.id, slot, picker: whose, quantity, at });
}

/**
 * Checks that a press at an unlit slot names the people whose pieces another press may have put there within the last 30 seconds. Otherwise
 * it is reported as wrong if somebody present holds pieces, but none for this slot.
 */
function checkWrong(
  floor: ModelFloor,
  { batch, slot, revision, at }: { batch: Batch; slot: string; revision: number; at: number },
): void {
  const present = presentIn(batch);
  const isHeld = (hands: Record<string, number>): boolean => Object.keys(hands).some((by) => present.has(by));
  const isWrong = isHeld(handsIn(batch)) && !isHeld(handsIn(batch, slot));
  const wrong = wrongSince(floor, revision);
  const told = toldAt(floor, { batch: batch.id, slot, at });
  if (told === 'unsure') return;
  floor.counts.already += Number(told.length > 0);
  const of = { batch_id: batch.id, slot };
  if (told.length > 0)
    expect(wrong, 'pieces that are in the slot already').toEqual([{ type: 'batch.wrong_slot', ...of, already: told }]);
  else if (isWrong) expect(wrong, 'a wrong slot').toEqual([{ type: 'batch.wrong_slot', ...of }]);
  else expect(wrong, 'no wrong slot').toEqual([]);
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
