import type { LitItemRow } from '../../db/repositories/items.ts';
import type { Transaction } from '../../db/writer.ts';
import { nextBatch } from '../../domain/batch/batch.ts';
import { isSettled, pickedOf } from '../../domain/batch/shares.ts';
import type { BatchContent, BatchEvent, Share } from '../../domain/batch/types.ts';
import { isOver } from '../../domain/order.ts';
import { StationError } from '../../errors.ts';
import { lightBatch } from './lights.ts';
import type { BatchesContext, Doer, Open } from './types.ts';

/** Where pieces were picked. Default: where the item is. */
type Where = { deviceId: string; location: string; isPressed: boolean; lightMs?: number | undefined };

/** Throws `not_found`. */
export function getBatch({ batches }: Pick<BatchesContext['repositories'], 'batches'>, id: number): Open {
  const row = batches.find(id);
  if (row === undefined) throw new StationError('not_found', `There is no batch ${id}. GET /api/batches/ lists them.`);
  return { row, batch: batches.read(row) };
}

/**
 * Lets something happen to a batch, and writes all that follows: shares, items with their callbacks and stock, lights and facts. Returns
 * the batch afterwards; the same object if the event changes nothing. Runs inside a use-case.
 */
export function apply(
  context: BatchesContext,
  tx: Transaction,
  { row, batch: before }: Open,
  event: BatchEvent,
  doer: Doer & { where?: Where | undefined; isLost?: boolean; picker?: string | undefined; color?: string | null },
): Open {
  const after = nextBatch(before, event);
  if (after === before) return { row, batch: before };
  const { batches } = context.repositories;
  const { color = row.color } = doer;
  const saved = { ...row, state: after.state, color, updatedAt: tx.now };
  batches.save(row.id, before, after);
  batches.update(saved);
  bookItems(context, tx, { before, after, event }, doer);
  release(context, saved.id, after);
  lightBatch(context, tx, saved, { before, after, isLaunch: event.kind === 'launched' });
  tx.emit({ type: 'batch.changed', batch_id: row.id, state: after.state });
  return { row: saved, batch: after };
}

/** Books in the items what changed in their shares. */
function bookItems(
  context: BatchesContext,
  tx: Transaction,
  { before, after, event }: { before: BatchContent; after: BatchContent; event: BatchEvent },
  { by, picker, at, where, isLost = false }: Parameters<typeof apply>[4],
): void {
  const was = new Set<Share>(before.shares);
  const changed = new Set(after.shares.filter((share) => !was.has(share)).map(({ itemId }) => itemId));
  for (const itemId of changed) {
    const item = context.repositories.items.find(itemId);
    const own = after.shares.filter((share) => share.itemId === itemId);
    // What is stopped is not followed any more: its order can be picked elsewhere.
    if (item === undefined || own.some(({ ending }) => ending === 'stopped')) continue;
    const pieces = pickedOf(after, itemId) - pickedOf(before, itemId);
    const isDone = own.every(isSettled);
    const reason = own.find((share) => share.reason !== '')?.reason ?? reasonOf(event);
    const isSame = pieces === 0 && isDone === isOver(item);
    const isNewReason =
      isDone && own.some((share) => share.ending === 'short' && !was.has(share) && share.reason !== '');
    if (isSame && !(event.kind === 'shorted' && isNewReason)) continue;
    const { isPressed, lightMs, ...place } = where ?? placeOf(context, item);
    context.batchWork.book(tx, {
      itemId,
      pieces,
      isOver: isDone,
      place: { deviceId: place.deviceId, location: place.location },
      isPressed,
      at,
      lightMs,
      by,
      picker,
      reason: isLost ? 'missing' : reason,
      isLost,
    });
  }
}

function reasonOf(event: BatchEvent): string {
  return 'reason' in event ? (event.reason ?? '') : '';
}

function placeOf({ repositories }: BatchesContext, item: LitItemRow): Where {
  const deviceId = item.foundDeviceId ?? '';
  const label = repositories.devices.find(deviceId)?.label ?? '';
  return {
    deviceId,
    location: item.place ?? (label === '' ? (item.warehouseLocation ?? '') : label),
    isPressed: false,
  };
}

/** Orders that no slot holds any more are free for others. */
function release(
  { repositories: { batches } }: BatchesContext,
  id: number,
  { slots, shares, state }: BatchContent,
): void {
  const held = new Set(
    slots.flatMap(({ state: of, held: what }) => (of === 'open' || of === 'complete' ? [what?.orderId] : [])),
  );
  const live = new Set(shares.filter(({ ending }) => ending !== 'stopped').map(({ orderId }) => orderId));
  for (const orderId of batches.listOrders(id)) {
    if (state === 'done' || !held.has(orderId) || !live.has(orderId)) batches.release(orderId);
  }
}
