import type { Settings } from '#shared/api/settings.ts';
import type { LitItemRow } from '../../db/repositories/items.ts';
import type { OrderPickerRow, OrderRow, ShipmentRow } from '../../db/repositories/orders.ts';
import type { OrderTaskRow } from '../../db/repositories/orderTasks.ts';
import type { Repositories } from '../../db/repositories.ts';
import type { Transaction, Writer } from '../../db/writer.ts';
import { isToLight, nextItem, nextWork, recounted, type WorkCounts } from '../../domain/order.ts';
import { StationError } from '../../errors.ts';
import type { Callbacks } from '../callbacks/index.ts';
import type { Commands } from '../commands/index.ts';
import { type Target, pointed } from '../devices/index.ts';
import type { NonceTemplates } from './callbacks.ts';
import { type LightDefaults, contentOfItem, contentOfOrder, findItemTarget } from './light.ts';
import { type Changed, findItem, type OrderWork } from './work.ts';

/** The context of use-cases of orders. */
export type OrderContext = {
  repositories: Pick<
    Repositories,
    'accounts' | 'aliases' | 'commands' | 'devices' | 'items' | 'map' | 'orders' | 'orderTasks' | 'placeNames'
  >;
  commands: Commands;
  callbacks: Callbacks;
  work: OrderWork;
  defaults: () => LightDefaults & NonceTemplates & Pick<Settings, 'short_reasons'>;
};

/**
 * Who launches, and for whom: `picker` gets what is lit, in this color unless `color` says another; null: only the lines of nobody.
 * `placed`: the first item that has a place, by `findPlaced`; null: none has.
 */
export type LaunchFor = {
  by: string;
  color?: string | undefined;
  picker?: OrderPickerRow | null | undefined;
  placed?: number | null | undefined;
};

type Placed = { item: LitItemRow; target: Target };

/** Items that one use-case changes: ten milliseconds at most. */
export const AT_ONCE = 50;
/** A device whose queue could not take its part of an order: such a launch is all or nothing in one use-case. */
const MAX_QUEUE = 1_000;
/** Items that the use-case lights that begins a launch in parts. */
const FIRST = 8;
const ALL = -1;

/** Whether a use-case with all its items takes so long that it is done in parts. */
export function isLarge({ counts }: OrderRow): boolean {
  return counts.items > AT_ONCE;
}

/**
 * Lights every item that is to be picked, is not lit and has a place: all of them or, where that cannot be, none. A picker
 * leaves out the lines of other pickers. Of many items it lights the first ones and puts down the task to light the others.
 * Throws `conflict`.
 */
export function launchOrder(context: OrderContext, tx: Transaction, order: OrderRow, launch: LaunchFor): void {
  const { repositories, work } = context;
  const { by, picker } = launch;
  const { items, isWhole, doneTo } = firstToLight(repositories, order, launch);
  const { found, changes: moved } = placesOf(repositories, order, items);
  if (found.length === 0 && moved.length === 0 && isWhole) return;
  const aborted = isWhole ? repositories.orders.listShipments(order.id) : abortedShipments(repositories, order);
  const goOn = order.pickers.filter(({ isPaused }) => isPaused);
  for (const each of goOn) {
    const hasLine = isWhole
      ? found.some(({ item }) => item.picker === each.name)
      : isFor({ picker: each.name }, picker) && repositories.items.hasToLight(order.id, each.name) > 0;
    if (hasLine) repositories.orders.savePicker(order.id, { ...each, isPaused: false });
  }
  const qty = isWhole ? found.length : idsToLight(repositories, order, picker).length;
  const historyId = work.record(tx, order, { kind: 'order_launched', qty, detail: { by } });
  const begun = { ...order, launchedAt: tx.now, isStalled: false, isTold: order.isTold && qty === 0 };
  lightPlaced(context, tx, { before: order, after: begun }, { launch, found, moved, others: aborted, historyId });
  if (isWhole) {
    repositories.orderTasks.remove(order.id, 'launch');
    return;
  }
  const lines = picker === undefined ? 'all' : picker === null ? 'free' : 'picker';
  const whose = { color: launch.color ?? null, lines, picker: picker?.name ?? null } as const;
  putTask(context, order, { kind: 'launch', askedBy: by, ...whose, doneTo });
}

/** A part of a launch that was begun: lights these items, as far as they are still to be lit and have a place. */
export function launchItems(
  context: OrderContext,
  tx: Transaction,
  order: OrderRow,
  launch: LaunchFor,
  items: readonly LitItemRow[],
): void {
  const wanted = items.filter((item) => isToLight(item) && isFor(item, launch.picker));
  const { found, changes } = placed(context.repositories, wanted);
  const change = { launch, found, moved: changes, others: [], historyId: 0, isPart: true };
  lightPlaced(context, tx, { before: order, after: order }, change);
}

function lightPlaced(
  context: OrderContext,
  tx: Transaction,
  { before: order, after: begun }: Changed<OrderRow>,
  {
    launch,
    found,
    moved,
    others,
    historyId,
    isPart = false,
  }: {
    launch: LaunchFor;
    found: readonly Placed[];
    moved: readonly Changed<LitItemRow>[];
    /** Further shipments that the launch opens again. */
    others: readonly ShipmentRow[];
    historyId: number;
    isPart?: boolean;
  },
): void {
  const { repositories, work } = context;
  const { by, picker } = launch;
  const { unreached, full } = light(context, tx, { order, found, launch, isPart });
  const changes = moved.map(({ before, after }): Changed<LitItemRow> => {
    if (full.has(after.id)) return { before, after: nextItem(before, { kind: 'notFound' }) };
    if (after.state !== 'active') return { before, after };
    const lit = unreached.has(after.id) ? nextItem(after, { kind: 'reach', isReached: false }) : after;
    return { before, after: { ...lit, picker: picker?.name ?? lit.picker } };
  });
  const touched = new Set(moved.map(({ before }) => before.shipmentId));
  const known = new Set(others.map(({ id }) => id));
  const shipments = [
    ...others,
    ...[...touched].flatMap((id) => (known.has(id) ? [] : (repositories.orders.findShipment(id) ?? []))),
  ];
  const { total, byShipment } = save(context, tx, { order, shipments, changes });
  const litIn = new Set(found.map(({ item }) => item.shipmentId));
  const launched = (isLit: boolean, counts: WorkCounts) => ({ kind: 'launched', isLit, counts }) as const;
  const after: OrderRow = { ...begun, counts: total, state: nextWork(order.state, launched(total.active > 0, total)) };
  const settled = shipments.map((before): Changed<ShipmentRow> => {
    const counts = byShipment.get(before.id) ?? before.counts;
    const isLit = litIn.has(before.id);
    const state = nextWork(before.state, launched(isLit, counts));
    return { before, after: { ...before, counts, state, isTold: before.isTold && !isLit } };
  });
  work.settle(tx, { before: order, after }, settled, { historyId, by });
}

/** All items to light. Where they are many, the first of them up to `doneTo`, and the first that has a place. */
function firstToLight(
  repositories: OrderContext['repositories'],
  order: OrderRow,
  { picker, placed: hint }: LaunchFor,
): { items: LitItemRow[]; isWhole: boolean; doneTo: number } {
  const ids = isLarge(order) ? idsToLight(repositories, order, picker) : [];
  const isWhole = ids.length <= AT_ONCE || repositories.items.longestQueue(order.id) > MAX_QUEUE;
  const isWanted = (item: LitItemRow) => isToLight(item) && isFor(item, picker);
  if (isWhole) return { items: repositories.items.listToLight(order.id, 0, ALL).filter(isWanted), isWhole, doneTo: 0 };
  const start = ids.slice(0, FIRST);
  const first = start.flatMap((id) => repositories.items.find(id) ?? []);
  const placed = firstPlaced(repositories, start) ?? likelyPlaced(repositories, ids, hint);
  const isOneOfThem = placed === undefined || first.some(({ id }) => id === placed.id);
  return { items: isOneOfThem ? first : [...first, placed], isWhole, doneTo: first.at(-1)?.id ?? 0 };
}

/** Looks in parts for the first item that has a place, since a large order may have thousands without; null: none has. */
export async function findPlaced(
  repositories: OrderContext['repositories'],
  writer: Pick<Writer, 'writeEach'>,
  order: OrderRow,
): Promise<number | null> {
  const ids = idsToLight(repositories, order, undefined);
  let placed = firstPlaced(repositories, ids.slice(0, FIRST))?.id ?? null;
  if (placed !== null) return placed;
  const search = (_tx: Transaction, id: number): void => {
    placed ??= firstPlaced(repositories, [id])?.id ?? null;
  };
  await writer.writeEach(ids, search, (error) => {
    throw error;
  });
  return placed;
}

/** Whether a launch for this picker finds a place. */
export function hasPlaced(
  repositories: OrderContext['repositories'],
  order: OrderRow,
  { picker, placed: hint }: LaunchFor,
): boolean {
  return likelyPlaced(repositories, idsToLight(repositories, order, picker), hint) !== undefined;
}

/** `hint` may have lost its place since, or be another picker's: then all are looked at. */
function likelyPlaced(
  repositories: OrderContext['repositories'],
  ids: readonly number[],
  hint: LaunchFor['placed'],
): LitItemRow | undefined {
  if (hint === null) return undefined;
  const likely = hint !== undefined && ids.includes(hint) ? [hint] : [];
  return firstPlaced(repositories, likely) ?? firstPlaced(repositories, ids);
}

function firstPlaced(repositories: OrderContext['repositories'], ids: readonly number[]): LitItemRow | undefined {
  for (const id of ids) {
    const item = repositories.items.find(id);
    if (item !== undefined && findItemTarget(repositories, item) !== undefined) return item;
  }
  return undefined;
}

function idsToLight({ items }: OrderContext['repositories'], { id }: OrderRow, picker: LaunchFor['picker']): number[] {
  return items.listIdsToLight(id, 0, picker === undefined ? 1 : 0, picker?.name ?? '');
}

function abortedShipments({ orders }: OrderContext['repositories'], order: OrderRow): ShipmentRow[] {
  return order.state === 'aborted' ? orders.listShipments(order.id) : [];
}

/** Whether a launch for this picker lights the item. */
export function isFor(item: Pick<LitItemRow, 'picker'>, picker: LaunchFor['picker']): boolean {
  return picker === undefined || item.picker === null || item.picker === picker?.name;
}

/** Lights one open item of a launched order. */
export function lightItem(context: OrderContext, tx: Transaction, itemId: number, by: string): void {
  const { repositories, work } = context;
  const found = findItem(repositories, itemId);
  const target = found === undefined ? undefined : findItemTarget(repositories, found.item);
  if (found === undefined || target === undefined) return;
  const { order, item } = found;
  const { unreached } = light(context, tx, { order, found: [{ item, target }], launch: { by } });
  const after = { ...nextItem(item, { kind: 'lit', isReached: unreached.size === 0 }), foundDeviceId: target.deviceId };
  const place = { deviceId: target.deviceId, location: target.label };
  work.changeItem(tx, found, { after, place, events: [], cause: { historyId: 0, by } });
}

/** The place of each item to light, and the changed items. Throws `conflict` if nothing can be lit. */
function placesOf(
  repositories: Pick<Repositories, 'aliases' | 'devices' | 'placeNames'>,
  order: OrderRow,
  items: readonly LitItemRow[],
): { found: Placed[]; changes: Changed<LitItemRow>[] } {
  const { orderNumber } = order;
  if (order.state === 'fulfilled') throw new StationError('conflict', `Order ${orderNumber} is fulfilled already.`);
  const isLit = order.counts.active > 0;
  if (items.length === 0 && !isLit) {
    throw new StationError('conflict', `Order ${orderNumber} has nothing to light: no item of it is to be picked.`);
  }
  const places = placed(repositories, items);
  if (places.found.length === 0 && !isLit) {
    throw new StationError(
      'conflict',
      `No item of order ${orderNumber} has a device: deviceid, warehouse_location, SKU, UPC and name were looked for among location aliases, labels and DeviceIDs. Nothing was lit.`,
    );
  }
  return places;
}

/** Which of these items to light have a place, and how each changes. */
function placed(
  repositories: Pick<Repositories, 'aliases' | 'devices' | 'placeNames'>,
  items: readonly LitItemRow[],
): { found: Placed[]; changes: Changed<LitItemRow>[] } {
  const places = items.map((item) => ({ item, target: findItemTarget(repositories, item) }));
  const found = places.flatMap(({ item, target }) => (target === undefined ? [] : [{ item, target }]));
  const changes = places.flatMap(({ item, target }): Changed<LitItemRow>[] => {
    const after = nextItem(item, target === undefined ? { kind: 'notFound' } : { kind: 'lit', isReached: true });
    const foundDeviceId = target?.deviceId ?? null;
    return after === item ? [] : [{ before: item, after: { ...after, foundDeviceId } }];
  });
  return { found, changes };
}

/** Turns off the lit items and cancels those that are not done; of many, puts down the task to do so. */
export function abortOrder(context: OrderContext, tx: Transaction, order: OrderRow, by: string): void {
  const { repositories, work } = context;
  const aborted = nextWork(order.state, { kind: 'aborted' });
  if (aborted === order.state) return;
  const ids = repositories.items.listIdsToAbort(order.id);
  if (ids.length > AT_ONCE) {
    putLastTask(context, order, 'abort', by);
    return;
  }
  repositories.orderTasks.removeAll(order.id);
  const items = ids.flatMap((id) => repositories.items.find(id) ?? []).toReversed();
  takeBack(context, tx, items, by);
  const shipments = repositories.orders.listShipments(order.id);
  const { total, byShipment } = save(context, tx, { order, shipments, changes: changed(items, 'aborted') });
  const historyId = work.record(tx, order, { kind: 'order_aborted', qty: total.fulfilled, detail: { by } });
  const settled = shipments.map((before): Changed<ShipmentRow> => {
    const counts = byShipment.get(before.id) ?? before.counts;
    return { before, after: { ...before, counts, state: nextWork(before.state, { kind: 'aborted' }) } };
  });
  const after = { ...order, counts: total, state: aborted };
  work.settle(tx, { before: order, after }, settled, { historyId, by });
}

/** Turns off these items of an abort or a pause, the last first. An order is aborted with the last part. */
export function turnOff(
  context: OrderContext,
  tx: Transaction,
  order: OrderRow,
  items: readonly LitItemRow[],
  { kind, by }: { kind: 'aborted' | 'killed'; by: string },
): void {
  const { repositories, work } = context;
  const inOrder = items.toReversed();
  takeBack(context, tx, inOrder, by);
  const ids = new Set(items.map(({ shipmentId }) => shipmentId));
  const shipments = [...ids].flatMap((id) => repositories.orders.findShipment(id) ?? []);
  const { total, byShipment } = save(context, tx, { order, shipments, changes: changed(inOrder, kind) });
  const settled = shipments.map((before): Changed<ShipmentRow> => {
    return { before, after: { ...before, counts: byShipment.get(before.id) ?? before.counts } };
  });
  const isStalled = order.isStalled && kind !== 'killed';
  work.settle(tx, { before: order, after: { ...order, counts: total, isStalled } }, settled, { historyId: 0, by });
}

function changed(items: readonly LitItemRow[], kind: 'aborted' | 'killed'): Changed<LitItemRow>[] {
  return items.flatMap((before): Changed<LitItemRow>[] => {
    const after = nextItem(before, { kind });
    return after === before ? [] : [{ before, after }];
  });
}

/** Puts down work on many items of an order. */
export function putTask(
  { repositories }: OrderContext,
  { id: orderId }: Pick<OrderRow, 'id'>,
  task: Pick<OrderTaskRow, 'kind' | 'askedBy'> & Partial<OrderTaskRow>,
): void {
  repositories.orderTasks.put({ color: null, lines: null, picker: null, doneTo: 0, ...task, orderId });
}

/** Puts down that the rest of a large order is to be aborted or removed, whatever else is to be done with it. */
export function putLastTask(
  context: OrderContext,
  order: Pick<OrderRow, 'id'>,
  kind: 'abort' | 'remove',
  askedBy: string,
): void {
  context.repositories.orderTasks.removeAll(order.id);
  putTask(context, order, { kind, askedBy });
}

/** Removes the commands of these items, the last first, so that none lights for a moment. */
export function takeBack({ commands }: OrderContext, tx: Transaction, items: readonly LitItemRow[], by: string): void {
  for (const { id } of items.filter(({ state }) => state === 'active').toReversed()) {
    commands.withdraw(tx, { kind: 'item', id }, by);
  }
}

/** Returns the items whose device no turbo reaches and, of a part of a launch, those whose queue is full. */
function light(
  { commands, defaults }: OrderContext,
  tx: Transaction,
  {
    order,
    found,
    launch,
    isPart = false,
  }: { order: OrderRow; found: readonly Placed[]; launch: LaunchFor; isPart?: boolean },
): { unreached: Set<number>; full: Set<number> } {
  const { by, color, picker } = launch;
  const unreached = new Set<number>();
  const full = new Set<number>();
  const colorOf = new Map(order.pickers.map((each) => [each.name, each.color]));
  const contentIn = memoized((own: string | null) => contentOfOrder({ ...order, color: own }, defaults()));
  for (const { item, target } of found) {
    const { deviceId, alias, label } = target;
    const own = color ?? picker?.color ?? colorOf.get(item.picker ?? '') ?? order.color;
    const common = contentIn(own);
    const { content, arrowAdded } = pointed(contentOfItem(common, item, alias === '' ? label : alias), target);
    const command = {
      deviceId,
      target: target.target,
      alias,
      label,
      nonce: item.callbackNonce ?? '',
      content,
      arrowAdded,
      sender: by,
      owner: { kind: 'item', id: item.id, of: order.orderNumber } as const,
    };
    try {
      if (commands.send(tx, command).delivery === 'unreachable') unreached.add(item.id);
    } catch (error) {
      // Leaving out the item would complete the order without it.
      if (!(error instanceof StationError)) throw error;
      if (isPart) {
        full.add(item.id);
        continue;
      }
      throw new StationError('conflict', `Order ${order.orderNumber} was not launched. ${error.message}`);
    }
  }
  return { unreached, full };
}

function memoized<K, V>(make: (key: K) => V): (key: K) => V {
  const made = new Map<K, V>();
  return (key) => {
    const value = made.get(key) ?? make(key);
    made.set(key, value);
    return value;
  };
}

/** Saves these items, and returns the new counts. */
function save(
  { repositories, work }: OrderContext,
  tx: Transaction,
  changed: { order: OrderRow; shipments: readonly ShipmentRow[]; changes: readonly Changed<LitItemRow>[] },
): { total: WorkCounts; byShipment: Map<number, WorkCounts> } {
  const byShipment = new Map(changed.shipments.map(({ id, counts }) => [id, counts]));
  let total = changed.order.counts;
  for (const { before, after } of changed.changes) {
    repositories.items.save(before, after);
    work.tellItem(tx, after.id, changed.order.orderNumber);
    total = recounted(total, before, after);
    const counts = byShipment.get(after.shipmentId);
    if (counts !== undefined) byShipment.set(after.shipmentId, recounted(counts, before, after));
  }
  return { total, byShipment };
}
