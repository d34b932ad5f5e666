import type { ModelFloor } from './shop.ts';

/** What a press at a slot put there for one person while others held pieces for the slot. */
export type SlotPut = {
  batch: number;
  slot: string;
  picker: string;
  quantity: number;
  /** When the slot was pressed, in monotonic milliseconds. */
  at: number;
};

/** Contract, section 21: this long, a press at the unlit slot says that the pieces are in the slot already. */
const TOLD_MS = 30_000;
/** A press needs less time until the station has booked it. */
const DELAY_MS = 1_000;

export function rememberPut(floor: ModelFloor, put: SlotPut): void {
  floor.slotPuts.push(put);
  floor.inSlots = piecesInSlots(floor);
}

/** Forgets what presses put into a slot, because somebody has said whose pieces they were. */
export function forgetPuts(floor: ModelFloor, of: { batch: number; slot: string }): void {
  floor.slotPuts = floor.slotPuts.filter(({ batch, slot }) => batch !== of.batch || slot !== of.slot);
}

/** Forgets what presses put into slots that have fewer pieces of an item now, or none because they were freed. */
export function watchSlots(floor: ModelFloor): void {
  if (floor.slotPuts.length === 0) return;
  const [before, now] = [floor.inSlots, piecesInSlots(floor)];
  for (const [key, { batch, slot, quantity }] of before)
    if ((now.get(key)?.quantity ?? 0) < quantity) forgetPuts(floor, { batch, slot });
  floor.inSlots = now;
}

/** Returns the numbers of pieces in the slots of live batches, by batch, slot and item. */
function piecesInSlots({ station }: ModelFloor): ModelFloor['inSlots'] {
  const rows = station.rows<{ batch: number; slot: string; item: number; quantity: number }>(
    `SELECT batch_id AS batch, slot, item_id AS item, sum(put) AS quantity
     FROM batch_shares JOIN batch_slots USING (batch_id, slot)
     WHERE batch_slots.state IN ('open', 'complete') AND ending IS NOT 'stopped'
     GROUP BY batch_id, slot, item_id`,
  );
  return new Map(
    rows.map(({ batch, slot, item, quantity }) => [`${batch} ${slot} ${item}`, { batch, slot, quantity }]),
  );
}

/** Returns whose pieces a press at an unlit slot has to name, and how many. Unsure if the time has just run out. */
export function toldAt(
  { slotPuts }: ModelFloor,
  of: { batch: number; slot: string; at: number },
): { picker: string; quantity: number }[] | 'unsure' {
  const told = new Map<string, number>();
  for (const { batch, slot, picker, quantity, at } of slotPuts) {
    if (batch !== of.batch || slot !== of.slot) continue;
    const age = of.at - at;
    if (Math.abs(age - TOLD_MS) < DELAY_MS) return 'unsure';
    if (age < TOLD_MS) told.set(picker, (told.get(picker) ?? 0) + quantity);
  }
  return [...told].map(([picker, quantity]) => ({ picker, quantity }));
}
