import type { Repositories } from '../../db/repositories.ts';
import type { Transaction } from '../../db/writer.ts';
import { StationError } from '../../errors.ts';
import type { Found } from './work/stock.ts';

/** A change that somebody makes to one item while a batch has its order. `picker`: the person in whose name. */
export type HeldChange = { by: string; picker?: string | undefined; reason?: string | undefined } & (
  | { kind: 'confirmed' | 'shorted' | 'reopened'; quantity: number | undefined }
  | { kind: 'corrected'; quantity: number }
);

/** Lets batches follow changes of their orders. Each function runs inside the use-case of the change. */
type HoldFollower = {
  /** The order ends or is deleted, and leaves the batch. */
  stopped(tx: Transaction, orderId: number, by: string): void;
  /**
   * Pieces of the item that were to be put back are at their place again. True: a batch has the order and booked this. Throws `conflict` if
   * that batch did not ask for them.
   */
  returned(tx: Transaction, found: Found, pieces: { quantity: number; by: string }): boolean;
  /** Somebody outside the batch found the place of these items empty. */
  emptied(tx: Transaction, batchId: number, emptied: { itemIds: readonly number[]; place: string; by: string }): void;
  /** A person takes an order or another batch: pauses the person's other batches. */
  paused(tx: Transaction, picker: string, by: string): void;
  /** Books the change in the batch. Throws `conflict` if it does not fit. */
  change(tx: Transaction, batchId: number, found: Found, change: HeldChange): void;
};

/** Tracks which batch has an order. Only that batch can pick, close and correct its items. */
export function createOrderHolds(batches: Repositories['batches']) {
  let follower: HoldFollower | undefined;
  return {
    /** Registers the follower. Batches call this at the start. */
    follow: (batchesOf: HoldFollower): void => void (follower = batchesOf),
    stopped(tx: Transaction, orderId: number, by: string): void {
      if (batches.findOf(orderId) !== undefined) follower?.stopped(tx, orderId, by);
    },
    paused: (tx: Transaction, picker: string, by: string): void => follower?.paused(tx, picker, by),
    /** Whether the person is picking a batch. */
    isPicking: (picker: string): boolean => batches.listPickedBy(picker).length > 0,
    /** Like `HoldFollower.returned`. False without any batch. */
    returned: (tx: Transaction, found: Found, pieces: { quantity: number; by: string }): boolean =>
      follower?.returned(tx, found, pieces) ?? false,
    /** True if a batch has the order; it then books the change. */
    takes(tx: Transaction, found: Found, change: HeldChange): boolean {
      const batch = batches.findOf(found.order.id);
      if (batch === undefined || follower === undefined) return false;
      follower.change(tx, batch, found, change);
      return true;
    },
    emptied: (tx: Transaction, batchId: number, emptied: Parameters<HoldFollower['emptied']>[2]): void =>
      follower?.emptied(tx, batchId, emptied),
    /** Whether a batch has picked pieces of this unfinished item. */
    hasPicked: ({ item, order }: Found): boolean =>
      item.state === 'active' && item.fulfilled > 0 && batches.findOf(order.id) !== undefined,
    /** Publishes that the scan of an item is settled. */
    publish(tx: Transaction, orderId: number): void {
      const batch = batches.find(batches.findOf(orderId) ?? 0);
      if (batch !== undefined) tx.emit({ type: 'batch.changed', batch_id: batch.id, state: batch.state });
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
