import type { Repositories } from '../../db/repositories.ts';
import type { Transaction } from '../../db/writer.ts';
import { StationError } from '../../errors.ts';
import type { Found } from './work/stock.ts';

/** Manual change to one item of an order that is in a batch. `picker` is the person for whom the change is made. */
export type HeldChange = { by: string; picker?: string | undefined; reason?: string | undefined } & (
  | { kind: 'confirmed'; quantity: number | undefined }
  | { kind: 'shorted'; quantity: number | undefined }
  /**
   * With `isPress`, everything that the last press with this item booked is returned, and with `isOwn` only if no other picker of the batch
   * made it.
   */
  | { kind: 'reopened'; quantity: number | undefined; isPress?: boolean; isOwn?: boolean }
  /** Books everything at the item's light, because a press that booked another line was intended for it. */
  | { kind: 'intended'; quantity: number | undefined }
  | { kind: 'corrected'; quantity: number }
);

/** Functions that inform batches about changes to their orders. Each is called inside the transaction of the change. */
type HoldFollower = {
  /** Removes an order that ended, or is about to be deleted, from its batch. */
  stopped(tx: Transaction, orderId: number, by: string): void;
  /**
   * Books pieces of an item that were returned to their place. Returns false, without booking them, if the order is not in a batch. Throws
   * `conflict` if the batch has fewer pieces to put back.
   */
  returned(tx: Transaction, found: Found, pieces: { quantity: number; by: string }): boolean;
  /** Called when somebody outside the batch reported the place of these items as empty. */
  emptied(tx: Transaction, batchId: number, emptied: { itemIds: readonly number[]; place: string; by: string }): void;
  /** Pauses the person's batches, because the person starts an order or another batch. */
  paused(tx: Transaction, picker: string, by: string): void;
  /** Pauses the batches that the person is picking with pieces in hand, because the person signed out. */
  signedOut(tx: Transaction, picker: string): void;
  /** Books the change in the batch. Throws `conflict` if the batch does not allow the change. */
  change(tx: Transaction, batchId: number, found: Found, change: HeldChange): void;
};

/** Tracks which orders are in a batch. Only the batch can then pick, close and correct the order's items. */
export function createOrderHolds(batches: Repositories['batches']) {
  let follower: HoldFollower | undefined;
  return {
    /** Registers the batches' functions. Called when the station starts. */
    follow: (batchesOf: HoldFollower): void => void (follower = batchesOf),
    stopped(tx: Transaction, orderId: number, by: string): void {
      if (batches.findOf(orderId) !== undefined) follower?.stopped(tx, orderId, by);
    },
    paused: (tx: Transaction, picker: string, by: string): void => follower?.paused(tx, picker, by),
    signedOut: (tx: Transaction, picker: string): void => follower?.signedOut(tx, picker),
    /** Whether the person is picking a batch. */
    isPicking: (picker: string): boolean => batches.listPickedBy(picker).length > 0,
    /** Calls `HoldFollower.returned`. Returns false if no follower is registered. */
    returned: (tx: Transaction, found: Found, pieces: { quantity: number; by: string }): boolean =>
      follower?.returned(tx, found, pieces) ?? false,
    /** Passes a change to the batch that holds the order. Returns false, without booking it, if the order is not in a batch. */
    takes(tx: Transaction, found: Found, change: HeldChange): boolean {
      const batch = batches.findOf(found.order.id);
      if (batch === undefined || follower === undefined) return false;
      follower.change(tx, batch, found, change);
      return true;
    },
    emptied: (tx: Transaction, batchId: number, emptied: Parameters<HoldFollower['emptied']>[2]): void =>
      follower?.emptied(tx, batchId, emptied),
    /** Whether a batch has picked some pieces of this unfinished item. */
    hasPicked: ({ item, order }: Found): boolean =>
      item.state === 'active' && item.fulfilled > 0 && batches.findOf(order.id) !== undefined,
    /** Publishes the order's batch after an item was scanned or its scan was waived. */
    publish(tx: Transaction, orderId: number): void {
      const batch = batches.find(batches.findOf(orderId) ?? 0);
      if (batch !== undefined) tx.emit({ type: 'batch.changed', batch_id: batch.id, state: batch.state });
    },
    /** Throws `conflict` if the order is in a batch. */
    refuse({ id, orderNumber }: { id: number; orderNumber: string }): void {
      const batch = batches.findOf(id);
      if (batch === undefined) return;
      const where = batches.find(batch)?.carrierName ?? 'a cart';
      const remedy = `Pick it there, or remove it from its slot first. GET /api/batches/${batch}/ lists its pieces.`;
      throw new StationError('conflict', `Order ${orderNumber} is in ${where}. ${remedy}`);
    },
  };
}

export type OrderHolds = ReturnType<typeof createOrderHolds>;
