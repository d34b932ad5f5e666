import type { HistoryKind } from '#shared/api/history.ts';
import type { BatchRow } from '../../db/repositories/batches.ts';
import type { Transaction } from '../../db/writer.ts';
import { workOf } from '../../domain/commands/commandQueue.ts';
import { isLaunched, isWaiting } from '../../domain/batches/shares.ts';
import type { BatchContent, BatchEvent, Share } from '../../domain/batches/types.ts';
import type { BatchesContext, Doer } from './types.ts';

type Applied = { row: BatchRow; before: BatchContent; after: BatchContent; event: BatchEvent };

/**
 * Writes history for an order that took a slot, and for pieces that were put or removed. Picks and shorts are in the history of the orders.
 */
export function recordOrders(context: BatchesContext, tx: Transaction, applied: Applied, doer: Doer): void {
  const { row } = applied;
  const loaded = loadedBy(applied);
  if (loaded !== undefined) {
    const batch = placeIn(row, loaded.slot);
    context.batchWork.record(tx, loaded.orderId, { kind: 'order_loaded', qty: 0, batch, ...doer });
  }
  recordPuts(context, tx, applied, doer);
}

/** Writes history for a launch, a pause or the end of a batch. */
export function recordBatch(
  context: BatchesContext,
  tx: Transaction,
  { row, before, after, event }: Applied,
  doer: Doer,
): void {
  const kind = kindOf(before, after, event);
  if (kind === undefined) return;
  const historyId = context.repositories.history.insert({
    at: tx.now,
    kind,
    deviceId: '',
    commandId: null,
    nonce: '',
    location: row.carrierName,
    qty: event.kind === 'launched' ? new Set(event.picks.values()).size : 0,
    work: workOf({ kind: 'pick', id: 0, of: String(row.id) }),
    detail: { by: doer.by, batch: placeIn(row, null), ...forWhom(doer) },
  });
  if (kind === 'batch_done') context.batchWork.tellDone(tx, row, { historyId, picker: doer.picker ?? doer.by });
}

/** Finds the order that took a slot with this event, or that had left the batch and returned to its slot. */
function loadedBy({ before, after, event }: Applied): { orderId: number; slot: string | null } | undefined {
  if (event.kind === 'added') return { orderId: event.held.orderId, slot: event.slot };
  const back = event.kind === 'freeUndone' ? after.slots.find(({ slot }) => slot === event.slot) : undefined;
  if (back?.state !== 'complete' || back.held === null) return undefined;
  const { orderId } = back.held;
  return isHolding(before, orderId) ? undefined : { orderId, slot: back.slot };
}

/** Whether the order has a slot in the batch or waits for one. */
function isHolding({ state, slots, shares }: BatchContent, orderId: number): boolean {
  if (state === 'done') return false;
  const isHeld = slots.some(({ state: of, held }) => (of === 'open' || of === 'complete') && held?.orderId === orderId);
  return isHeld || shares.some((share) => share.orderId === orderId && isWaiting(share));
}

/** Writes history for an order that leaves its batch. */
export function recordLeave(
  { batchWork }: BatchesContext,
  tx: Transaction,
  { row, before }: Pick<Applied, 'row' | 'before'>,
  orderId: number,
  doer: Doer,
): void {
  const slot = slotsOf(before.shares.filter((share) => share.orderId === orderId));
  batchWork.record(tx, orderId, { kind: 'order_unloaded', qty: 0, batch: placeIn(row, slot), ...doer });
}

/** Describes an order's place in a batch for its history. */
export function placeIn({ id, carrierName: name }: BatchRow, slot: string | null) {
  return { id, name, slot };
}

function kindOf(before: BatchContent, after: BatchContent, { kind }: BatchEvent): HistoryKind | undefined {
  if (after.state === 'done' && before.state !== 'done') return 'batch_done';
  if (kind === 'launched' && !isLaunched(before)) return 'batch_launched';
  return kind === 'paused' ? 'batch_paused' : undefined;
}

/** Writes history for puts. Omits puts at a wall without bulk picking, because there a put is also the pick, which the order records. */
function recordPuts(context: BatchesContext, tx: Transaction, { row, before, after }: Applied, doer: Doer): void {
  if (after.kind === 'wall' || before.shares === after.shares) return;
  const was = new Map(before.shares.map((share) => [share.id, share]));
  for (const share of after.shares) {
    const earlier = was.get(share.id)?.put ?? 0;
    if (share.put === earlier || share.ending === 'stopped') continue;
    const kind = share.put > earlier ? 'order_put' : 'order_put_undone';
    const item = { id: share.itemId, before: earlier };
    context.batchWork.record(tx, share.orderId, {
      kind,
      qty: share.put,
      item,
      batch: placeIn(row, share.slot),
      ...doer,
    });
  }
}

/** Joins the names of the slots that hold these shares. Returns null if they have no slots. */
export const slotsOf = (shares: readonly Share[]): string | null => {
  const slots = new Set(shares.flatMap(({ slot }) => slot ?? []));
  return slots.size === 0 ? null : [...slots].join(', ');
};

const forWhom = ({ by, picker }: Doer): { for?: string } =>
  picker === undefined || picker === by ? {} : { for: picker };
