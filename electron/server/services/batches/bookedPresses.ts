import type { HeldPieces } from '../../domain/batches/types.ts';

/** Number of presses to remember: far more than are made within the two minutes in which people can say whose a press was. */
const KEPT = 1_000;

/** Pieces that a press at a slot put, of the person whose pieces the slot showed. */
type SlotPress = { by: string; pieces: readonly HeldPieces[] };

/** Remembers what presses in batches booked together. Only in memory: after a restart, only single lines can be exchanged. */
export function createBookedPresses() {
  const picked = new Map<number, readonly number[]>();
  const put = new Map<string, SlotPress>();

  function keep<K, V>(map: Map<K, V>, key: K, value: V): void {
    map.delete(key);
    map.set(key, value);
    const [oldest] = map.keys();
    if (map.size > KEPT && oldest !== undefined) map.delete(oldest);
  }

  return {
    /** Records the items that a press at a place booked. */
    picked(itemIds: readonly number[]): void {
      for (const itemId of itemIds) keep(picked, itemId, itemIds);
    },
    /** Returns the other items that the last press of this item booked. */
    others: (itemId: number): number[] => (picked.get(itemId) ?? []).filter((other) => other !== itemId),
    /** Records the pieces that a press at a slot put. */
    put: (batchId: number, slot: string, press: SlotPress): void => keep(put, `${batchId} ${slot}`, press),
    /** Returns the pieces that the last press at the slot put, or undefined if no press is known. */
    lastPut: (batchId: number, slot: string): SlotPress | undefined => put.get(`${batchId} ${slot}`),
    forgetPut: (batchId: number, slot: string): void => void put.delete(`${batchId} ${slot}`),
  };
}

export type BookedPresses = ReturnType<typeof createBookedPresses>;
