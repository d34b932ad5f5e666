import type { Transaction } from '../../db/writer.ts';

/** How long an answer says that a person's pieces are already in a slot, after somebody else's press put them. */
const TOLD_MS = 30_000;

/** Pieces that a press at a slot put while somebody else held pieces for the slot, too. */
type SlotBooking = { slot: string; picker: string; quantity: number; at: number };

/** Remembers for a short time whose pieces a press of another person may have put. Only in memory, because it matters for half a minute. */
export function createLastBookings() {
  const bookings = new Map<number, readonly SlotBooking[]>();
  const recent = (batchId: number, now: number): SlotBooking[] =>
    (bookings.get(batchId) ?? []).filter(({ at }) => Math.abs(now - at) < TOLD_MS);

  return {
    /** Records a put once the transaction is on disk. */
    add(tx: Pick<Transaction, 'apply'>, batchId: number, booking: SlotBooking): void {
      tx.apply(() => void bookings.set(batchId, [...recent(batchId, booking.at), booking]));
    },
    /** Forgets the puts at a slot, because pieces were taken out of it or its order was. */
    forget(tx: Pick<Transaction, 'apply' | 'now'>, batchId: number, slot: string): void {
      tx.apply(() => {
        const rest = recent(batchId, tx.now).filter((each) => each.slot !== slot);
        if (rest.length === 0) bookings.delete(batchId);
        else bookings.set(batchId, rest);
      });
    },
    /** Returns whose pieces are in the slot already, and how many. */
    at(batchId: number, slot: string, now: number): { picker: string; quantity: number }[] {
      const pieces = new Map<string, number>();
      for (const { picker, quantity, slot: name } of recent(batchId, now))
        if (name === slot) pieces.set(picker, (pieces.get(picker) ?? 0) + quantity);
      return [...pieces].map(([picker, quantity]) => ({ picker, quantity }));
    },
  };
}

export type LastBookings = ReturnType<typeof createLastBookings>;
