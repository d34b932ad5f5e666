import type { LitItemRow } from '../../db/repositories/items.ts';
import type { BatchRow } from '../../db/repositories/batches.ts';
import type { Transaction } from '../../db/writer.ts';
import { nextBatch } from '../../domain/batches/batch.ts';
import { isLive, isSettled, isWaiting, pickedOf } from '../../domain/batches/shares.ts';
import type { BatchContent, BatchEvent, Share } from '../../domain/batches/types.ts';
import { isOver } from '../../domain/orders/order.ts';
import { StationError } from '../../errors.ts';
import { lineWords } from '../orders/index.ts';
import type { EmptiedReport } from '../articles/index.ts';
import { keepBooked } from './bookedTogether.ts';
import { placeIn, recordBatch, recordLeave, recordOrders, slotsOf } from './historyRows.ts';
import { lightBatch } from './lights.ts';
import { worked } from './stalls.ts';
import type { BatchesContext, Doer, Open } from './types.ts';

/** Where pieces were picked. Without it, a change is booked at the item's place. */
type Where = { deviceId: string; location: string; isPressed: boolean; lightMs?: number | undefined };

/** Finds a batch. Throws `not_found`. */
export function getBatch({ batches }: Pick<BatchesContext['repositories'], 'batches'>, id: number): Open {
  const row = batches.find(id);
  if (row === undefined) throw new StationError('not_found', `There is no batch ${id}. GET /api/batches/ lists them.`);
  return { row, batch: batches.read(row) };
}

/**
 * Applies an event to a batch and writes the results: shares, items with their callbacks and stock, lights and history. Returns the new
 * batch, or the same object if the event changes nothing. Call inside a transaction.
 */
export function apply(
  context: BatchesContext,
  tx: Transaction,
  { row, batch: before }: Open,
  event: BatchEvent,
  doer: Doer & {
    where?: Where | undefined;
    pickedAt?: string | undefined;
    isLost?: boolean;
    /** Reason of a correction, which may be empty. Undefined for other changes. */
    correction?: string | undefined;
    picker?: string | undefined;
    color?: string | null;
  },
): Open {
  const after = nextBatch(before, event);
  if (after === before) return { row, batch: before };
  const { batches } = context.repositories;
  const { color = row.color } = doer;
  const saved = { ...worked(context.alerts, tx, row), state: after.state, color, updatedAt: tx.now };
  batches.save(row.id, before, after);
  batches.update(saved, tx.now);
  if (row.picker === null && 'by' in event && TOUCHES.has(event.kind))
    continueIn(context, tx, saved, { name: event.by ?? '', by: doer.by });
  keepBooked(context, { row, before, after, event });
  bookItems(context, tx, { row, before, after, event }, doer);
  recordOrders(context, tx, { row, before, after, event }, doer);
  askToPutBack(context, tx, { before, after, event }, doer);
  release(context, tx, { row: saved, before, after }, doer);
  recordBatch(context, tx, { row, before, after, event }, doer);
  lightBatch(context, tx, saved, { before, after, isLaunch: event.kind === 'launched' });
  tx.emit({ type: 'batch.changed', batch_id: row.id, state: after.state });
  return { row: saved, batch: after };
}

/** Notes that a person works in a batch that nobody joins, because it has no picker. Where pieces are picked, this is the person's only work. */
function continueIn(
  context: BatchesContext,
  tx: Transaction,
  { id, state }: BatchRow,
  { name, by }: { name: string; by: string },
): void {
  const { batches } = context.repositories;
  // A press that was held may have been made before its person left.
  if (by === 'device' && batches.listLeft(id).includes(name)) return;
  batches.setLeft(id, name, false);
  if (name !== '' && state === 'picking') context.pauseOtherWork(tx, name, { by, but: id });
}

type Change = { row: BatchRow; before: BatchContent; after: BatchContent; event: BatchEvent };
type ItemChange = {
  itemId: number;
  /** Shares of the item, except stopped shares. */
  own: readonly Share[];
  /** Number of pieces that this change picks, or a negative number if it returns pieces. */
  pieces: number;
  /** Whether all shares are put or short. */
  isDone: boolean;
};

/** Books changed shares in their items. */
function bookItems(context: BatchesContext, tx: Transaction, change: Change, how: Parameters<typeof apply>[4]): void {
  const { before, after, event } = change;
  // A new shipment books nothing. If it was in the batch before, its pieces stay booked.
  if (event.kind === 'added') return;
  const shareBefore = new Map(before.shares.map((share) => [share.id, share]));
  const isChanged = (share: Share): boolean => shareBefore.get(share.id) !== share;
  const changed = new Set(after.shares.filter(isChanged).map(({ itemId }) => itemId));
  const ofItem = Map.groupBy(after.shares, ({ itemId }) => itemId);
  const ofItemBefore = Map.groupBy(before.shares, ({ itemId }) => itemId);
  const items = [...changed].flatMap((itemId) => {
    // Ignore stopped shares: their order can be picked elsewhere, or loaded here again.
    const own = (ofItem.get(itemId) ?? []).filter(isLive);
    if (own.length === 0) return [];
    const pieces = pickedOf({ shares: own }, itemId) - pickedOf({ shares: ofItemBefore.get(itemId) ?? [] }, itemId);
    return [{ itemId, own, pieces, isDone: own.every(isSettled) }];
  });
  const book = (item: ItemChange): void => bookItem(context, tx, { ...change, shareBefore }, how, item);
  // If pieces move from one item to another, first return them to the stock, and close the item that gives them last, because its short can
  // set the place's stock to zero. In any other order, the place's stock would become negative.
  const givers = items.some(({ pieces }) => pieces > 0) ? items.filter(({ pieces }) => pieces < 0) : [];
  for (const giver of givers) book({ ...giver, isDone: false });
  for (const item of items) if (!givers.includes(item)) book(item);
  for (const giver of givers) book({ ...giver, pieces: 0 });
}

function bookItem(
  context: BatchesContext,
  tx: Transaction,
  { row, after, event, shareBefore }: Change & { shareBefore: ReadonlyMap<number, Share> },
  { by, picker, at, where, pickedAt, isLost = false, correction }: Parameters<typeof apply>[4],
  { itemId, own, pieces, isDone }: ItemChange,
): void {
  const item = context.repositories.items.find(itemId);
  if (item === undefined) return;
  const reason = own.find((share) => share.reason !== '')?.reason ?? reasonOf(event);
  const isSame = pieces === 0 && isDone === isOver(item);
  const isNewReason =
    isDone &&
    own.some((share) => share.ending === 'short' && share.reason !== '' && shareBefore.get(share.id) !== share);
  // A put at a wall means that the article was scanned.
  const put = own.find((share) => share.put > (shareBefore.get(share.id)?.put ?? 0));
  const isScanned = put !== undefined && WALL_PUTS.has(event.kind) && after.kind !== 'cart';
  if (isSame && !(REASONS.has(event.kind) && isNewReason)) {
    if (isScanned) context.batchWork.verify(tx, itemId, { by, forWhom: picker ?? by });
    return;
  }
  const isPickedByPut = isScanned && after.kind === 'wall';
  const itemPlace = placeOf(context, item);
  const { isPressed, lightMs, ...place } = where ?? (isPickedByPut ? slotOf(context, row, put) : itemPlace);
  context.batchWork.book(tx, {
    itemId,
    pieces,
    isOver: isDone,
    place: { deviceId: place.deviceId, location: place.location },
    // If the put also books the pick, the slot's device is not at the place with the stock.
    stockPlace: isPickedByPut ? itemPlace.location : undefined,
    pickedAt,
    isPressed,
    at,
    lightMs,
    by,
    picker,
    reason: isLost ? 'missing' : (correction ?? reason),
    isLost,
    isCorrection: correction !== undefined,
    lastPicked: event.kind === 'reassigned' ? own.reduce((sum, { found }) => sum + (found ?? 0), 0) : undefined,
    emptied: emptiedBy(event, own, pieces),
    isScanned,
    batch: placeIn(row, slotsOf(own)),
  });
}

/** Chooses what to do with the report of an empty place. */
function emptiedBy({ kind }: BatchEvent, own: readonly Share[], pieces: number): EmptiedReport | undefined {
  if (own.some(({ ending }) => ending === 'short')) return 'kept';
  return (kind === 'corrected' || kind === 'returned') && pieces < 0 ? 'forgotten' : undefined;
}

/** Opens, changes and ends tasks for pieces to put back. */
function askToPutBack(
  { itemStock }: BatchesContext,
  tx: Transaction,
  { before, after, event }: { before: BatchContent; after: BatchContent; event: BatchEvent },
  { by }: Doer,
): void {
  // Skip returned pieces, because their task has already ended or is changed together with the item.
  if (event.kind === 'returned') return;
  const was = new Map(before.shares.map((share) => [share.id, share.putBack]));
  const changes = new Map<number, { share: Share; pieces: number }>();
  for (const share of after.shares) {
    const pieces = share.putBack - (was.get(share.id) ?? 0) + (changes.get(share.itemId)?.pieces ?? 0);
    if (share.putBack !== (was.get(share.id) ?? 0)) changes.set(share.itemId, { share, pieces });
  }
  for (const { share, pieces } of changes.values()) {
    if (pieces > 0) itemStock.putBacks.asked(tx, { ...piecesOf(share), pieces }, by);
    if (pieces < 0) itemStock.putBacks.unasked(tx, { ...piecesOf(share), pieces: -pieces });
  }
}

/** Returns the pieces of a share that have to be put back, with the article that the share had when its order was loaded. */
export function piecesOf({ itemId, orderNumber, article, putBack: pieces }: Share) {
  const [, id] = /^id:(\d+)$/.exec(article) ?? [];
  return { itemId, orderNumber, articleId: id === undefined ? undefined : Number(id), pieces };
}

function reasonOf(event: BatchEvent): string {
  return 'reason' in event ? (event.reason ?? '') : '';
}

/** Events that can set the reason for a short. */
const REASONS: ReadonlySet<BatchEvent['kind']> = new Set(['shorted', 'reassigned']);

/**
 * Events with which a person continues in a batch without a picker, which nobody joins. Presses have them too, but never for a person who has
 * left.
 */
const TOUCHES: ReadonlySet<BatchEvent['kind']> = new Set([
  'picked',
  'confirmed',
  'put',
  'putAll',
  'putUndone',
  'handTaken',
]);

/** Events that put scanned pieces. */
const WALL_PUTS: ReadonlySet<BatchEvent['kind']> = new Set(['put', 'putAll', 'scanned', 'exchanged']);

/**
 * Returns where to book a put at a wall without bulk picking, which is the slot's device. A single-piece shipment has no slot and therefore
 * no device.
 */
function slotOf({ repositories }: BatchesContext, { carrierId }: BatchRow, { slot }: Share): Where {
  const deviceId = slot === null ? undefined : repositories.carriers.findDeviceAt(carrierId, slot, 'front');
  const label = deviceId === undefined ? '' : (repositories.devices.find(deviceId)?.label ?? '');
  return { deviceId: deviceId ?? '', location: label, isPressed: deviceId !== undefined };
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

/** Releases orders that no longer have a slot. */
function release(
  context: BatchesContext,
  tx: Transaction,
  { row, before, after: { slots, shares, state } }: { row: BatchRow; before: BatchContent; after: BatchContent },
  doer: Doer,
): void {
  const { batches } = context.repositories;
  const held = new Set(
    slots.flatMap(({ state: of, held: what }) => (of === 'open' || of === 'complete' ? [what?.orderId] : [])),
  );
  const live = new Set(shares.filter(({ ending }) => ending !== 'stopped').map(({ orderId }) => orderId));
  for (const share of shares) if (isWaiting(share)) held.add(share.orderId);
  for (const orderId of batches.listOrders(row.id)) {
    if (state !== 'done' && held.has(orderId) && live.has(orderId)) continue;
    batches.release(orderId);
    recordLeave(context, tx, { row, before }, orderId, doer);
  }
}

/** Names an item in a sentence. */
export function articleWords({ items }: Pick<BatchesContext['repositories'], 'items'>, itemId: number): string {
  const item = items.find(itemId);
  return item === undefined ? 'This line' : lineWords(item);
}
