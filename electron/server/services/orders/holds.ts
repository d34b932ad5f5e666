import type { Repositories } from '../../db/repositories.ts';
import type { Transaction } from '../../db/writer.ts';
import { StationError } from '../../errors.ts';
import type { Found } from './workStock.ts';

/** What somebody makes of one item, by itself, while a batch has its order. `picker`: in whose name. */
export type HeldChange = { by: string; picker?: string | undefined; reason?: string | undefined } & (
  | { kind: 'confirmed' | 'shorted' | 'reopened'; quantity: number | undefined }
  | { kind: 'corrected'; quantity: number }
);

/** A batch follows what happens to its orders elsewhere. Each runs inside the use-case. */
type HoldFollower = {
  /** The order ends or is deleted: it leaves the batch. */
  stopped(tx: Transaction, orderId: number, by: string): void;
  /**
   * Pieces of the item that were to be put back are at their place again. True: a batch has its order, and booked it. Throws `conflict`
   * if that batch does not know of them.
   */
  returned(tx: Transaction, found: Found, pieces: { quantity: number; by: string }): boolean;
  /** A person takes an order, or another batch: what else that person picks pauses. */
  paused(tx: Transaction, picker: string, by: string): void;
  /** Books the change in the batch. Throws `conflict` if it does not fit. */
  change(tx: Transaction, batchId: number, found: Found, change: HeldChange): void;
};

/** Which batch has an order. Its items are picked, closed and corrected there only. */
export function createOrderHolds({ batches }: Pick<Repositories, 'batches'>) {
  let follower: HoldFollower | undefined;
  return {
    /** Batches register themselves. */
    follow: (batchesOf: HoldFollower): void => void (follower = batchesOf),
    stopped(tx: Transaction, orderId: number, by: string): void {
      if (batches.findOf(orderId) !== undefined) follower?.stopped(tx, orderId, by);
    },
    paused: (tx: Transaction, picker: string, by: string): void => follower?.paused(tx, picker, by),
    /** Whether the person picks a batch now. */
    isPicking: (picker: string): boolean => batches.listPickedBy(picker).length > 0,
    /** The same as of the follower; false also without any batch. */
    returned: (tx: Transaction, found: Found, pieces: { quantity: number; by: string }): boolean =>
      follower?.returned(tx, found, pieces) ?? false,
    /** True: a batch has the order, and books the change. */
    takes(tx: Transaction, found: Found, change: HeldChange): boolean {
      const batch = batches.findOf(found.order.id);
      if (batch === undefined || follower === undefined) return false;
      follower.change(tx, batch, found, change);
      return true;
    },
    /** Throws `conflict` if a batch has the order. */
    refuse({ id, orderNumber }: { id: number; orderNumber: string }): void {
      const batch = batches.findOf(id);
      if (batch === undefined) return;
      const remedy = `Use /api/batches/${batch}/, or remove the order from its slot first.`;
      throw new StationError('conflict', `Order ${orderNumber} is in batch ${batch}. ${remedy}`);
    },
  };
}

export type OrderHolds = ReturnType<typeof createOrderHolds>;
