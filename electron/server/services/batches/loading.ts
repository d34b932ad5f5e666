import type { BatchSlotAsk, LeftOut, NewBatch } from '#shared/api/batch.ts';
import type { CarrierKind } from '#shared/lib/picking/carriers.ts';
import { type ShopDays, shopDaysIn } from '#shared/lib/station/shopDay.ts';
import { lookAlikeKey } from '#shared/lib/text/lookAlike.ts';
import { nameKey } from '#shared/lib/text/nameKey.ts';
import type { LitItemRow } from '../../db/repositories/items.ts';
import type { OrderRow } from '../../db/repositories/orders.ts';
import type { Transaction } from '../../db/writer.ts';
import { FREED_MS, type NewShare } from '../../domain/batches/types.ts';
import { freeSlots } from '../../domain/batches/wall.ts';
import { haltOf, isOver, remainingOf } from '../../domain/orders/order.ts';
import { StationError } from '../../errors.ts';
import { findCodeAlike, lookAlikeWarnings, refuseReserved } from '../base/index.ts';
import { apply, getBatch } from './apply.ts';
import { getCarrier } from './carriers.ts';
import type { BatchesContext, Open } from './types.ts';

/** Maximum number of orders to consider when filling a batch. */
const MAX_CANDIDATES = 200;

/** Creates a batch with the orders that the request names, then fills it. Throws `not_found`, `invalid` or `conflict`. */
export function createBatch(
  context: BatchesContext,
  tx: Transaction,
  { mode, cart, wall, slots = [], fill, put_confirmation: putConfirmation, singles: ownSingles }: NewBatch,
  by: string,
): { id: number; leftOut: LeftOut[]; warnings: string[] } {
  const { batches, carriers } = context.repositories;
  const { put_confirmation: usual, singles: usualSingles } = context.settings.current();
  const singles = ownSingles ?? usualSingles;
  if (mode === 'cart' && wall !== undefined)
    throw refused('/wall', 'A batch of mode cart takes only a cart, not a wall.');
  const carrier = getFree(context, mode, mode === 'cart' ? cart : wall);
  const bulk = mode === 'wall' && cart !== undefined ? getFree(context, 'cart', cart) : undefined;
  const row = {
    mode,
    carrierId: carrier.id,
    carrierName: carrier.name,
    cartId: bulk?.id ?? null,
    cartName: bulk?.name ?? null,
    singles: mode === 'wall' && singles ? 1 : 0,
    state: 'loading',
    putConfirmation: putConfirmation ?? usual,
    picker: null,
    color: null,
    lastPickId: null,
    workedAt: tx.now,
    isStalled: 0,
    createdAt: tx.now,
    updatedAt: tx.now,
  } as const;
  refuseTwice(context, slots);
  const names = carriers.listSlots(carrier.id).map(({ slot }) => slot);
  const id = batches.insert(row, names);
  tx.emit({ type: 'batch.changed', batch_id: id, state: 'loading' });
  // Read the batch only once: a large cart has hundreds of slots.
  let open = getBatch(context.repositories, id);
  const warnings: string[] = [];
  for (const [index, ask] of slots.entries()) {
    const added = addFirst(context, tx, open, { ask, index }, by);
    open = added.open;
    if (added.warning !== undefined) warnings.push(`/slots/${index}/tote: ${added.warning}`);
  }
  const leftOut = fill === undefined ? [] : fillBatch(context, tx, open, fill.count, by);
  return { id, leftOut, warnings };
}

/** Adds an order to a new batch. Errors say that nothing was loaded, because the whole batch is rolled back. */
function addFirst(
  context: BatchesContext,
  tx: Transaction,
  open: Open,
  { ask, index }: { ask: BatchSlotAsk; index: number },
  by: string,
): ReturnType<typeof addOrder> {
  try {
    return addOrder(context, tx, open, ask, by);
  } catch (error) {
    if (!(error instanceof StationError)) throw error;
    const errors = error.errors.map(({ path, message }) => ({ path: `/slots/${index}${path}`, message }));
    throw new StationError(error.code, `${error.message} Nothing was loaded.`, errors);
  }
}

/** Throws `invalid` if a new batch names an order, a slot or a tote twice. */
function refuseTwice({ repositories: { orders } }: BatchesContext, slots: readonly BatchSlotAsk[]): void {
  const seen = new Set<string>();
  for (const [index, ask] of slots.entries()) {
    const order = orders.findByName(ask.order_number) ?? orders.findByName(ask.order_number.trim());
    const tote = ask.tote?.trim() ?? '';
    const named = [
      ['order_number', order?.orderNumber ?? ask.order_number, 'Order'],
      ['slot', ask.slot ?? '', 'Slot'],
      ['tote', tote === '' ? '' : lookAlikeKey(tote), 'The tote'],
    ] as const;
    for (const [field, key, noun] of named) {
      if (key === '') continue;
      if (seen.has(`${field} ${key}`)) {
        const text = `${noun} ${ask[field] ?? ''} is listed twice. Name it once. Nothing was loaded.`;
        throw refused(`/slots/${index}/${field}`, text);
      }
      seen.add(`${field} ${key}`);
    }
  }
}

/** Returns a cart or wall that is not in a batch. Throws `invalid`, `not_found` or `conflict`. */
function getFree({ repositories }: BatchesContext, kind: CarrierKind, carrierId: number | undefined) {
  if (carrierId === undefined) throw refused(`/${kind}`, `Send the id of the ${kind}.`);
  const carrier = getCarrier(repositories, kind, carrierId);
  const live = repositories.batches.findLive(carrier.id);
  if (live === undefined) return carrier;
  throw new StationError(
    'conflict',
    `${carrier.name} is in use. Finish it first, or add the orders to it. GET /api/batches/${live}/ shows it.`,
  );
}

function refused(path: string, message: string): StationError {
  return new StationError('invalid', message, [{ path, message }]);
}

/**
 * Adds an order to a batch. Each shipment with something to pick takes a slot, or waits for one if a wall has no free slot. Returns the
 * batch and a warning about the tote. Throws `not_found`, `invalid` or `conflict`.
 */
export function addOrder(
  context: BatchesContext,
  tx: Transaction,
  open: Open,
  ask: BatchSlotAsk,
  by: string,
): { open: Open; warning: string | undefined } {
  const { batches, orders } = context.repositories;
  if (open.row.state === 'done')
    throw new StationError('conflict', `${open.row.carrierName} is done. Start again with an empty ${open.row.mode}.`);
  const order = orders.findByName(ask.order_number) ?? orders.findByName(ask.order_number.trim());
  if (order === undefined)
    throw new StationError('not_found', `There is no order ${ask.order_number}. GET /api/orders/ lists them.`);
  const problem = problemOf(context, order);
  if (problem !== undefined) throw new StationError('conflict', `Order ${order.orderNumber} ${problem}`);
  const shipments = shipmentsOf(context, order);
  const free = takeableSlots(open, tx.now, ask.slot);
  const isWall = open.row.mode === 'wall';
  if (isWall ? ask.slot !== undefined && free.length === 0 : free.length < shipments.length)
    throw new StationError('conflict', noSlot(open, order, shipments.length, ask.slot, tx.now));
  const isSingle = ({ shares }: (typeof shipments)[number]): boolean =>
    open.row.singles === 1 && ask.slot === undefined && shares.length === 1 && shares[0]?.quantity === 1;
  const slots = shipments.map((shipment) => (isWall && isSingle(shipment) ? null : (free.shift() ?? null)));
  if (ask.tote !== undefined && ask.tote.trim() !== '' && (slots[0] ?? null) === null)
    throw refused(
      '/tote',
      `Order ${order.orderNumber} has no slot yet, and a tote needs one. Choose a slot, or leave the tote out.`,
    );
  const tote = ask.tote === undefined || ask.tote.trim() === '' ? null : ask.tote.trim();
  if (tote !== null) checkTote(context, tote);
  context.batchWork.turnOff(tx, order, by);
  // Pieces that were already picked stay with the order.
  context.itemStock.putBacks.resumed(tx, order.orderNumber);
  batches.hold(order.id, open.row.id);
  let current: Open = open;
  for (const [index, { held, shares }] of shipments.entries()) {
    const slot = slots[index] ?? null;
    // A tote belongs to one slot, so only the first shipment gets it.
    const event = { kind: 'added', slot, held, tote: index === 0 ? tote : null, shares } as const;
    current = apply(context, tx, current, event, { by });
  }
  const [warning] =
    tote === null
      ? []
      : lookAlikeWarnings(context.repositories, 'code', tote, { found: () => ' A scan finds the tote.' });
  return { open: current, warning };
}

/** Returns the reason why an order cannot join a batch, as the end of a sentence, or undefined if it can join. */
function problemOf(context: BatchesContext, order: OrderRow): string | undefined {
  const { batches } = context.repositories;
  const batch = batches.findOf(order.id);
  if (batch !== undefined) return `is already in ${batches.find(batch)?.carrierName ?? 'a cart'}.`;
  if (order.pickers.length > 0) {
    const names = order.pickers.map(({ name }) => name).join(' and ');
    return `is being picked by ${names}. It can join once nobody picks it.`;
  }
  if (order.state === 'fulfilled') return 'is already fulfilled.';
  if (haltOf(order).isEndedElsewhere)
    return `or a part of it is ${order.endedElsewhere ?? ''} in an imported file. Abort it, or continue it before you load it.`;
  return shipmentsOf(context, order).length === 0 ? 'has nothing to pick.' : undefined;
}

function shipmentsOf({ repositories, itemStock }: BatchesContext, order: OrderRow) {
  const items = repositories.items.listOf(order.id);
  return repositories.orders.listShipments(order.id).flatMap(({ id: shipmentId, shipmentNumber }) => {
    const shares = items
      .filter((item) => item.shipmentId === shipmentId && isToPick(item))
      .map((item): NewShare => {
        const articleId = itemStock.findArticleId(item);
        const article =
          articleId === undefined ? `name:${nameKey(item.sku ?? item.upc ?? item.name ?? '')}` : `id:${articleId}`;
        const { priority, dueAt, createdAt: ageAt } = order;
        return { itemId: item.id, article, quantity: remainingOf(item), priority, dueAt, ageAt };
      });
    const held = { orderId: order.id, orderNumber: order.orderNumber, shipmentId, shipmentNumber };
    return shares.length === 0 ? [] : [{ held, shares }];
  });
}

function isToPick(item: LitItemRow): boolean {
  return !isOver(item) && item.trouble !== 'dismissed' && remainingOf(item) > 0;
}

/** Returns slots that can take an order now, the requested slot first. Excludes slots that were freed moments ago, possibly by mistake. */
function takeableSlots({ batch }: Open, now: number, wanted: string | undefined): string[] {
  const free = freeSlots(batch, now);
  if (wanted === undefined) return free;
  return free.includes(wanted) ? [wanted, ...free.filter((slot) => slot !== wanted)] : [];
}

function noSlot(
  { row, batch }: Open,
  order: OrderRow,
  needed: number,
  wanted: string | undefined,
  now: number,
): string {
  const slot = wanted === undefined ? undefined : batch.slots.find((each) => each.slot === wanted);
  if (wanted !== undefined && slot === undefined)
    return `The ${row.mode} ${row.carrierName} has no slot ${wanted}. GET /api/${row.mode}s/${row.carrierId}/ lists its slots.`;
  if (slot !== undefined && slot.state !== 'free')
    return `Slot ${wanted} is ${slot.state}: it holds ${slot.held?.orderNumber}.`;
  const freedAt = slot?.freed?.at;
  if (freedAt !== undefined && now - freedAt < FREED_MS) {
    return `Slot ${wanted} was freed a moment ago. It can take another order ${FREED_MS / 1_000} seconds later.`;
  }
  const slots = needed === 1 ? 'a free slot' : `${needed} free slots, one for each shipment`;
  return `Order ${order.orderNumber} needs ${slots}. Free some slots first, or use another ${row.mode}.`;
}

function checkTote({ repositories }: BatchesContext, tote: string): void {
  refuseReserved(tote, '/tote');
  const taken = findCodeAlike(repositories, tote, () => false);
  if (taken === undefined) return;
  const { kind, name, of, isSame } = taken;
  if (!isSame) throw new StationError('conflict', `The tote ${tote} looks like ${name}, the code of ${of}.`);
  const what = kind === 'tote' ? `The tote ${tote} is already in a slot of` : `The code ${tote} belongs to`;
  throw new StationError('conflict', `${what} ${of}.`);
}

/**
 * Loads the next order, then orders that share the most places with the loaded orders, starting with those due on the same day. Returns the
 * omitted orders, each with the reason.
 */
function fillBatch(context: BatchesContext, tx: Transaction, batch: Open, count: number, by: string): LeftOut[] {
  const { orders } = context.repositories;
  const days = shopDaysIn(context.settings.current().time_zone);
  const leftOut: LeftOut[] = [];
  let open = batch;
  let candidates = orders.listNext(MAX_CANDIDATES).flatMap((order) => {
    const problem = order.state === 'open' ? problemOf(context, order) : 'is in progress.';
    if (problem !== undefined)
      leftOut.push({ order_number: order.orderNumber, reason: `Order ${order.orderNumber} ${problem}` });
    return problem === undefined ? [{ order, day: dayOf(days, order), places: placesOf(context, order) }] : [];
  });
  const day = candidates[0]?.day;
  const taken = new Set<string>();
  for (let added = 0; added < count && candidates.length > 0;) {
    const common = ({ places }: { places: ReadonlySet<string> }): number =>
      [...places].filter((each) => taken.has(each)).length;
    const [next] = candidates.toSorted(
      (one, other) => Number(other.day === day) - Number(one.day === day) || common(other) - common(one),
    );
    if (next === undefined) break;
    candidates = candidates.filter((each) => each !== next);
    try {
      const current = open;
      open = tx.attempt(() => addOrder(context, tx, current, { order_number: next.order.orderNumber }, by).open);
      for (const place of next.places) taken.add(place);
      added += 1;
    } catch (error) {
      if (!(error instanceof StationError)) throw error;
      leftOut.push({ order_number: next.order.orderNumber, reason: error.message });
    }
  }
  return leftOut;
}

function dayOf(days: ShopDays, { dueAt }: OrderRow): string {
  return dueAt === null ? '' : days.dayOf(dueAt);
}

/** Returns the places of an order's items, as far as they are known before the launch. */
function placesOf({ repositories }: BatchesContext, { id }: OrderRow): Set<string> {
  const items = repositories.items.listOf(id);
  return new Set(
    items.map((item) => nameKey(item.deviceId ?? item.warehouseLocation ?? item.sku ?? item.upc ?? item.name ?? '')),
  );
}
