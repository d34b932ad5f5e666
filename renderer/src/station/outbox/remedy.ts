import type { HistoryEntry } from '#shared/api/history.ts';
import type { Item } from '#shared/api/order.ts';
import { ApiError } from '../../words/apiError.ts';
import type { Api } from '../calls/api.ts';
import type { KeptAction, Remedy } from './actions.ts';
import { findHandsRemedy } from './batchRemedy.ts';

export type RemedyCalls = Pick<Api, 'getBatch' | 'getOrder' | 'listHistory'>;

/** Kinds of history that book pieces of an item. */
const BOOKINGS = 'acknowledged,order_counted,order_confirmed,order_short,order_corrected,order_put';
const NEWEST = 50;

/** The current state of an item for which a refused action picked pieces. `open` is how many pieces of it can be booked. */
export type PickedItem = { item: Item; open: number };

/** Returns how many pieces the person took with an action. Null if the line asked for no quantity. */
export function takenWith(action: KeptAction): number | null {
  // After a press, only the rest is not booked.
  if (action.kind === 'confirm' && action.instead !== undefined)
    return Math.max(0, (action.quantity ?? 0) + (action.seen ?? 0) - action.instead);
  if (action.kind === 'confirm') return action.quantity;
  if (action.kind === 'short') return Math.max(0, action.quantity_fulfilled - (action.seen ?? 0));
  return action.kind === 'cart' && action.act.does === 'pick' ? action.act.quantity : 0;
}

/** Returns what a person can still do about a refused action: book it, say whose pieces they are, or put them back. */
export async function findRemedy(api: RemedyCalls, action: KeptAction): Promise<Remedy> {
  if (action.kind === 'cart' && action.act.does !== 'pick')
    return findHandsRemedy(await orMissing(api.getBatch({ path: { id: action.batch } })), action.act);
  const { orderNumber, id } = itemOf(action);
  const found = await findPicked(api, action);
  if (found === undefined) return { kind: 'putBack', quantity: takenWith(action) };
  const pick = action.kind === 'cart' && action.act.does === 'pick' ? action.act : undefined;
  if (pick !== undefined && pick.quantity < found.open && pick.reason === undefined)
    return { kind: 'open', asks: 'reason' };
  if (!isPick(action) || found.item.state === 'short' || found.open > 0) return { kind: 'open' };
  const [booking] = (
    await api.listHistory({ query: { order_number: orderNumber, kind: BOOKINGS, limit: NEWEST } })
  ).filter(({ item_id: of }: HistoryEntry) => of === id);
  return {
    kind: 'done',
    at: booking === undefined ? undefined : Date.parse(booking.at),
    by: booking === undefined ? '' : booking.for === '' ? booking.by : booking.for,
    quantity: booking === undefined ? found.item.quantity_fulfilled : booking.qty - (booking.item?.before ?? 0),
  };
}

/** Returns the place where the pieces of an action belong. In a batch, the action's place names their number too. */
export function shelfOf({ place, kind }: Pick<KeptAction, 'place' | 'kind'>): string {
  return kind === 'cart' ? place.replace(/, \d+$/, '') : place;
}

/** Returns the item of an action. Of a pick in a batch, this is the first item. */
export function itemOf(action: KeptAction): { orderNumber: string; id: number } {
  const share = action.kind === 'cart' && action.act.does === 'pick' ? action.act.shares[0] : undefined;
  const { order_number: orderNumber, item_id: id } = share ?? action;
  return { orderNumber, id };
}

/** Whether the action picked pieces, so that somebody may have them in hand. */
export function isPick(action: KeptAction): boolean {
  return action.kind === 'confirm' || action.kind === 'short' || (action.kind === 'cart' && action.act.does === 'pick');
}

/** Returns the item of an action, or undefined if it does not have to be picked any more: its order was aborted, deleted or has left the batch. */
export async function findPicked(api: RemedyCalls, action: KeptAction): Promise<PickedItem | undefined> {
  const { orderNumber, id } = itemOf(action);
  const order = await orMissing(api.getOrder({ path: { order_number: orderNumber } }));
  const item = order?.shipments.flatMap(({ items }) => items).find((each) => each.id === id);
  if (order === undefined || item === undefined || order.state === 'aborted' || item.state === 'cancelled')
    return undefined;
  if (action.kind !== 'cart') return { item, open: Math.max(0, item.ordered_quantity - item.quantity_fulfilled) };
  const batch = await orMissing(api.getBatch({ path: { id: action.batch } }));
  const shares = [...(batch?.slots.flatMap((slot) => slot.shares) ?? []), ...(batch?.waiting ?? [])].filter(
    (share) => share.item_id === id && share.state !== 'stopped',
  );
  const open = shares.reduce((sum, { quantity, picked }) => sum + quantity - picked, 0);
  return shares.length === 0 ? undefined : { item, open };
}

/** Resolves to undefined if the station answers that it does not exist. */
async function orMissing<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') return undefined;
    throw error;
  }
}
