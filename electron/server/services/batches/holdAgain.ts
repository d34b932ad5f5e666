import { pickedOf } from '../../domain/batches/shares.ts';
import type { Held } from '../../domain/batches/types.ts';
import { StationError } from '../../errors.ts';
import type { BatchesContext, Open } from './types.ts';

/** Throws `conflict` if the batch's cart or wall is now in a different batch. */
export function refuseOtherBatch({ repositories: { batches } }: BatchesContext, { row }: Open): void {
  const { id, mode, carrierId, cartId } = row;
  const used = [{ kind: mode, carrier: carrierId }, ...(cartId === null ? [] : [{ kind: 'cart', carrier: cartId }])];
  for (const { kind, carrier } of used) {
    const live = batches.findLive(carrier);
    if (live !== undefined && live !== id)
      throw new StationError(
        'conflict',
        `The ${kind} has been loaded again since. Nothing was changed. GET /api/batches/${live}/ shows it.`,
      );
  }
}

/** Returns an order to the batch that completed it. Throws `conflict` if the order has changed since then or was deleted. */
export function holdAgain(
  context: BatchesContext,
  open: Open,
  { orderId, orderNumber }: Pick<Held, 'orderId' | 'orderNumber'>,
): void {
  const { batches, orders } = context.repositories;
  if (!isAsCompleted(context, open, orderId))
    throw new StationError('conflict', `Order ${orderNumber} has since changed, or was deleted. Nothing was changed.`);
  if (batches.findOf(orderId) === undefined && orders.find(orderId) !== undefined) batches.hold(orderId, open.row.id);
}

/** Whether the order's items still have the pieces that the batch picked. */
function isAsCompleted({ repositories }: BatchesContext, { row, batch }: Open, orderId: number): boolean {
  const holder = repositories.batches.findOf(orderId);
  if (holder !== undefined) return holder === row.id;
  return batch.shares
    .filter((share) => share.orderId === orderId && share.ending !== 'stopped')
    .every(({ itemId }) => {
      const item = repositories.items.find(itemId);
      return (
        item !== undefined &&
        (item.state === 'done' || item.state === 'short') &&
        item.fulfilled >= pickedOf(batch, itemId)
      );
    });
}
