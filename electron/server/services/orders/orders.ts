import type {
  ItemWithPlaces,
  Confirm,
  Dismiss,
  EndedOrdersQuery,
  Launch,
  NewOrder,
  Order,
  OrderChange,
  OrderProgress,
  OrderQuery,
  OrderResult,
  Reopen,
  ReplacedOrder,
  Returned,
  Short,
  Verify,
} from '#shared/api/order.ts';
import type { ChangedItem, NewLine } from '#shared/api/orderItem.ts';
import type { FieldError } from '#shared/api/problem.ts';
import type { HistoryDetail } from '../../db/repositories/history.ts';
import type { AwayPicker } from '../../db/repositories/orderPickers.ts';
import type { OrderRow } from '../../db/repositories/orders.ts';
import type { TablesOf } from '../../core.ts';
import type { Transaction } from '../../db/writer.ts';
import type { AlertRecords } from '../alerts/index.ts';
import type { When } from '../../domain/orders/formerPickers.ts';
import { haltOf } from '../../domain/orders/order.ts';
import { type DarkPress, inWords, type OwnedEnd, refuseFaults } from '../commands/index.ts';
import { addressOf } from './address.ts';
import { orderProgress } from './answers.ts';
import { createBatchWork } from './batchWork.ts';
import { type Count } from './count.ts';
import { bookDark, correctItem, endItem, noteReach, pickerOfItem } from './items.ts';
import { createOrderHolds } from './holds.ts';
import { nameKey } from '#shared/lib/text/nameKey.ts';
import { type Acting, changeOrder, handOver, joinOrder, leaveOrder, pauseOrder, takeOrder } from './pickers.ts';
import { leaveEmptied } from './emptiedPlaces.ts';
import { launchOrder } from './launch.ts';
import { createLineLights } from './placeLights.ts';
import { abortOrder } from './turnOff.ts';
import { checkLight } from './light.ts';
import { addLine, removeLine } from './lines.ts';
import { elsewhereWarnings, type EndOfFile, endWithin, markEndedWithin } from './endedElsewhere.ts';
import { addWithin, lightOf, replaceWithin } from './newOrder.ts';
import {
  doubtsAbout,
  doubtWarnings,
  dueWarnings,
  guessesOf,
  numberWarnings,
  type PlacedItem,
  placeItems,
  placeWarnings,
} from './newOrderDoubts.ts';
import { getOrder, listOrders, pageOfOrders, readOrder } from './reading.ts';
import type { OrderContext } from './types.ts';
import { createOrderWork, findItem } from './work/work.ts';
import { StationError } from '../../errors.ts';
import {
  changeAsked,
  short,
  confirm,
  dismiss,
  lightItemAgain,
  recordReturned,
  reopen,
  elsewhere,
  readItem,
  count,
  verify,
  waive,
  completeWithoutScan,
} from './itemChanges.ts';
import { now, removeWithin, removeEnded, forgetCustomers, removeOldest } from './removal.ts';

/** Runs a launch inside a transaction, or skips it. */
type LaunchWithin = (tx: Transaction, launch: () => void) => void;

/** Reason in the timeline of an order whose picker was removed because the person signed out. */
const LEFT_BEHIND = 'Signed out an hour before.';

/** Dependencies of the order service, including the tables that `OrderWork` needs. */
type OrdersParts = Omit<OrderContext, 'holds' | 'repositories' | 'work'> & {
  repositories: TablesOf<'orders'>;
  records: AlertRecords;
};

/**
 * Manages orders, which consist of shipments and items. A launch lights all items of an order, which can be picked in any order. Contract,
 * section 8.
 */
export function createOrders(parts: OrdersParts) {
  const { repositories, reads, snapshots, records, endedOrders, writer, callbacks, settings } = parts;
  const work = createOrderWork({
    repositories,
    callbacks,
    alerts: records,
    endedOrders,
    itemStock: parts.itemStock,
    templates: () => settings.current(),
    placeEmptied: (tx, emptied) => leaveEmptied(context, tx, emptied),
  });
  const holds = createOrderHolds(repositories.batches);
  const context: OrderContext = { ...parts, work, holds };
  return {
    /** Functions for batches, which pick the items of several orders together. */
    batchWork: createBatchWork(context),
    holds,
    lineLights: createLineLights(context),
    /** Lists orders by order number. Orders of one picker are listed in the order in which the picker joined them. */
    list: (query: OrderQuery): Promise<Order[]> =>
      snapshots.read((source) => listOrders(source, query, settings.current())),
    listProgress: (query: OrderQuery): OrderProgress[] =>
      pageOfOrders(reads, query).map((order) => orderProgress(order, settings.current())),
    findProgress: (orderNumber: string) => findProgress(context, orderNumber),
    /** Returns an order with shipments and items and, if the caller may read it, the address. Throws `not_found`. */
    get(orderNumber: string, { withAddress = false }: { withAddress?: boolean } = {}): Order {
      const order = getOrder(reads, orderNumber);
      return { ...readOrder(reads, order, settings.current()), ...(withAddress ? addressOf(reads, order) : {}) };
    },
    add: (wanted: NewOrder, how: { strict: boolean; unknown: readonly FieldError[] }) => add(context, wanted, how),
    check: (wanted: NewOrder) => check(context, wanted),
    /**
     * Adds a validated order inside a transaction. Returns the order's id. `placed` contains the places of the items, if they are already
     * known.
     */
    addWithin: (tx: Transaction, wanted: NewOrder, placed?: readonly PlacedItem[]): number =>
      addWithin(context, tx, wanted, placed),
    removeWithin: (tx: Transaction, order: OrderRow, by: string, because?: Pick<HistoryDetail, 'upkeep' | 'reason'>) =>
      removeWithin(context, tx, order, by, because),
    /**
     * Replaces the content of an order that nobody has started, inside a transaction. The items get new ids. `how.changed` lists the names
     * of the changed fields for the history.
     */
    replaceWithin: (
      tx: Transaction,
      order: OrderRow,
      wanted: NewOrder,
      how: { by: string; changed: readonly string[] },
    ): void => replaceWithin(context, tx, order, wanted, how),
    endWithin: (tx: Transaction, order: OrderRow, end: EndOfFile): void => endWithin(context, tx, order, end),
    markEndedWithin: (tx: Transaction, order: OrderRow, end: EndOfFile): void =>
      markEndedWithin(context, tx, order, end),
    launch: (orderNumber: string, by: string, asked?: Launch & { isTaken?: boolean }, within?: LaunchWithin) =>
      launch(context, orderNumber, by, asked, within),
    /** Adds the person as another picker of the order. Throws the same errors as `launch`. */
    join: (orderNumber: string, by: string, { color, picker = by }: Launch): Promise<Order> =>
      changeWhole(context, orderNumber, (tx, order) => {
        context.holds.refuse(order);
        joinOrder(context, tx, order, { by, color, picker });
      }),
    /**
     * Gives the caller's lines to the order's next active picker or, if there is none, to nobody. The lines stay lit. Throws `not_found`,
     * or `conflict` if the caller does not pick the order.
     */
    leave: (orderNumber: string, acting: Acting): Promise<Order> =>
      changeWhole(context, orderNumber, (tx, order) => leaveOrder(context, tx, order, acting)),
    leaveAway: (away: AwayPicker) => leaveAway(context, away),
    /** Turns off the caller's lines, which stay assigned to the caller. Throws the same errors as `leave`. */
    pause: (orderNumber: string, acting: Acting): Promise<Order> =>
      changeWhole(context, orderNumber, (tx, order) => pauseOrder(context, tx, order, acting)),
    handOver: (orderNumber: string, by: string, how: { picker: string; isForAll: boolean }) =>
      handOverLines(context, orderNumber, by, how),
    /** Returns an item with the other places of its article. Throws `not_found`. */
    getItem: (orderNumber: string, itemId: number): ItemWithPlaces => readItem(context, orderNumber, itemId),
    short: (orderNumber: string, itemId: number, asked: Short, by: string) =>
      short(context, orderNumber, itemId, asked, by),
    confirm: (orderNumber: string, itemId: number, asked: Confirm & { picker: string }, by: string) =>
      confirm(context, orderNumber, itemId, asked, by),
    returned: (orderNumber: string, asked: Returned & { picker: string }, by: string) =>
      recordReturned(context, orderNumber, asked, by),
    dismiss: (orderNumber: string, itemId: number, asked: Dismiss, by: string) =>
      dismiss(context, orderNumber, itemId, asked, by),
    reopen: (orderNumber: string, itemId: number, asked: Reopen, by: string) =>
      reopen(context, orderNumber, itemId, asked, by),
    light: (orderNumber: string, itemId: number, by: string) => lightItemAgain(context, orderNumber, itemId, by),
    elsewhere: (itemId: number) => elsewhere(context, itemId),
    count: (tx: Transaction, itemId: number, asked: Count) => count(context, tx, itemId, asked),
    verify: (tx: Transaction, itemId: number, who: { by: string; forWhom: string }) => verify(context, tx, itemId, who),
    waive: (tx: Transaction, itemId: number, by: string) => waive(context, tx, itemId, by),
    giveUpScan: (orderNumber: string, itemId: number, verify: Verify, by: string) =>
      completeWithoutScan(context, orderNumber, itemId, verify, by),
    abort: (orderNumber: string, by: string) => abort(context, orderNumber, by),
    removeEnded: (which: EndedOrdersQuery, by: string) => removeEnded(context, which, by),
    forgetCustomers: (which: Parameters<typeof forgetCustomers>[1]) => forgetCustomers(context, which),
    removeOldest: (before: number) => removeOldest(context, before),
    /** Turns off all items and deletes the order. Throws `not_found`. */
    remove: (orderNumber: string, by: string): Promise<void> =>
      writer.writeLarge((tx) => removeWithin(context, tx, getOrder(repositories, orderNumber), by)),
    change: (orderNumber: string, orderChange: OrderChange, by: string, check: (current: OrderProgress) => void) =>
      change(context, orderNumber, orderChange, by, check),
    replace: (
      orderNumber: string,
      wanted: ReplacedOrder,
      how: { by: string; strict: boolean; unknown: readonly FieldError[] },
    ) => replace(context, orderNumber, wanted, how),
    changeItem: (orderNumber: string, itemId: number, itemChange: ChangedItem, doer: { by: string; strict: boolean }) =>
      changeAsked(context, orderNumber, itemId, itemChange, doer),
    addLine: (orderNumber: string, line: NewLine, doer: { by: string; strict: boolean }) =>
      addLine(context, orderNumber, line, doer),
    removeLine: (orderNumber: string, itemId: number, by: string) => removeLine(context, orderNumber, itemId, by),
    /** Books pieces of an item that were returned to their place. Call inside a transaction. */
    putBack(tx: Transaction, itemId: number, quantity: number, by: string): void {
      const found = findItem(repositories, itemId);
      if (found === undefined || context.holds.returned(tx, found, { quantity, by })) return;
      correctItem(context, tx, found, { quantity_fulfilled: Math.max(0, found.item.fulfilled - quantity), by });
    },
    ended: (tx: Transaction, ownedEnd: OwnedEnd) => ended(context, tx, ownedEnd),
    /**
     * Books a press for an unlit item. Returns false if the item is finished, canceled or deleted. Call inside a transaction of the command
     * queue.
     */
    pressedDark: (tx: Transaction, press: DarkPress): boolean => bookDark(context, tx, press),
    /** Whether a press for this unlit item would be booked, because the item is open. */
    isItemOpen: (itemId: number): boolean => repositories.items.find(itemId)?.state === 'open',
    /** Returns the item's picker, null if the item has no picker, or undefined if the item does not exist. */
    pickerOfItem: (itemId: number, when?: When) => pickerOfItem(repositories, itemId, when),
    itemMoved: (tx: Transaction, itemId: number, isReached: boolean) => itemMoved(context, tx, itemId, isReached),
    itemReached: (tx: Transaction, itemId: number, isReached: boolean) => reached(context, tx, itemId, isReached),
    stall: (tx: Transaction, orderNumber: string) => stall(context, tx, orderNumber),
    /** Moves items from the device `from` to its replacement `to`. Call inside a transaction. */
    deviceReplaced(tx: Transaction, from: string, to: string): void {
      for (const itemId of repositories.items.giveTo(from, to)) context.work.publishItemChange(tx, itemId);
    },
  };
}

export type Orders = ReturnType<typeof createOrders>;

function findProgress({ reads, settings }: OrderContext, orderNumber: string): OrderProgress | undefined {
  const order = reads.orders.findByNumber(orderNumber);
  return order === undefined ? undefined : orderProgress(order, settings.current());
}

/**
 * Adds an order. Throws `conflict` if the order number exists, and `invalid` for an unknown color. Sounds that cannot be played, possible
 * mistakes and the fields in `unknown` cause warnings or, with `strict`, also `invalid`.
 */
async function add(
  context: OrderContext,
  wanted: NewOrder,
  { strict, unknown }: { strict: boolean; unknown: readonly FieldError[] },
): Promise<OrderResult> {
  const { settings, reads, writer } = context;
  // Warn now rather than at the launch, when a worker is waiting.
  const { leftOut } = checkLight(lightOf(wanted), settings.current());
  const placed = placeItems(reads, wanted);
  if (strict) refuseFaults([...unknown, ...leftOut, ...doubtsAbout(reads, wanted, placed)]);
  const { order, addedAt } = await writer.writeLarge((tx) => {
    addWithin(context, tx, wanted, placed);
    return { order: now(context, wanted.order_number), addedAt: tx.now };
  });
  const warnings = [
    ...dueWarnings(wanted.due_time, addedAt),
    ...numberWarnings(reads, wanted.order_number),
    ...doubtWarnings(reads, wanted, placed),
    ...placeWarnings(reads, wanted, placed),
  ];
  return { ...order, warnings: [...unknown, ...leftOut, ...warnings].map(inWords) };
}

/**
 * Replaces an order that nobody has started. Throws `not_found`, `invalid` like `add` or for another number, and `conflict` if the order was
 * launched, waits for a person, has ended, or is in a batch.
 */
function replace(
  context: OrderContext,
  orderNumber: string,
  { order_number: given, ...wanted }: ReplacedOrder,
  { by, strict, unknown }: { by: string; strict: boolean; unknown: readonly FieldError[] },
): Promise<OrderResult> {
  const { settings, repositories, writer } = context;
  const { leftOut } = checkLight(lightOf({ order_number: '', ...wanted }), settings.current());
  return writer.writeLarge((tx) => {
    const order = getOrder(repositories, orderNumber);
    const message = `The number of order ${order.orderNumber} cannot be changed. Leave it out, or create another order.`;
    if (given !== undefined && given !== order.orderNumber)
      throw new StationError('invalid', message, [{ path: '/order_number', message }]);
    refuseStarted(order);
    context.holds.refuse(order);
    const replaced = { ...wanted, order_number: order.orderNumber };
    const placed = placeItems(repositories, replaced);
    // Its own items are about to be removed, so their nonces are free.
    if (strict) refuseFaults([...unknown, ...leftOut, ...doubtsAbout(repositories, replaced, placed)]);
    replaceWithin(context, tx, order, replaced, { by, changed: Object.keys(wanted), isWhole: true });
    const warnings = [
      ...dueWarnings(wanted.due_time, tx.now),
      ...doubtWarnings(repositories, replaced, placed),
      ...placeWarnings(repositories, replaced, placed),
    ];
    return { ...now(context, orderNumber), warnings: [...unknown, ...leftOut, ...warnings].map(inWords) };
  });
}

/** Throws `conflict` with the reason if somebody has started the order. */
function refuseStarted({ orderNumber, state, launchedAt, pickers }: OrderRow): void {
  const [picker] = pickers;
  const isStarted = state !== 'open' || launchedAt !== null;
  if (!isStarted && picker === undefined) return;
  const why =
    picker !== undefined && !isStarted ? `waits for ${picker.name}` : state === 'open' ? 'was launched' : `is ${state}`;
  throw new StationError(
    'conflict',
    `Order ${orderNumber} ${why}, so it cannot be replaced. Change its items one by one.`,
  );
}

/**
 * Lights all open items that are not lit. If `picker` is set, also assigns the lit items without a picker to this person. Warns about
 * guessed places. Throws `not_found`, `invalid` for an unknown picker, and `conflict` if there is nothing to light or other people pick the
 * order.
 */
function launch(
  context: OrderContext,
  orderNumber: string,
  by: string,
  { color, picker, isTaken }: Launch & { isTaken?: boolean } = {},
  within: LaunchWithin = (_tx, launch) => launch(),
): Promise<OrderResult> {
  return context.writer.writeLarge((tx) => {
    const order = getOrder(context.repositories, orderNumber);
    context.holds.refuse(order);
    const doubts: string[] = [];
    within(tx, () => {
      if (picker !== undefined) takeOrder(context, tx, order, { by, color, picker, isTaken });
      else if (!launchOrder(context, tx, order, { by, color })) doubts.push(nothingToLight(order, color));
      // Cancel tasks to put pieces back, because picked pieces stay with the resumed order.
      if (doubts.length === 0) context.itemStock.putBacks.resumed(tx, order.orderNumber);
    });
    const after = now(context, order.orderNumber);
    const guesses = guessesOf(context.repositories, after).map(inWords);
    return { ...after, warnings: [...doubts, ...elsewhereWarnings(order), ...guesses] };
  });
}

/** Removes a person who signed out at `awayAt` from the order, unless the person has signed in since. */
function leaveAway(context: OrderContext, { orderNumber, name, awayAt }: AwayPicker): Promise<void> {
  return context.writer.writeLarge((tx) => {
    const order = context.repositories.orders.findByNumber(orderNumber);
    const isAway = order?.pickers.some((picker) => picker.name === name && picker.awayAt === awayAt) ?? false;
    if (order === undefined || !isAway || order.state === 'fulfilled') return;
    leaveOrder(context, tx, order, { by: name, picker: name, reason: LEFT_BEHIND });
  });
}

/**
 * Gives the caller's lines to `picker`. With `isForAll`, a caller who does not pick the order hands over the lines of all pickers. Throws
 * the same errors as `leave`.
 */
function handOverLines(
  context: OrderContext,
  orderNumber: string,
  by: string,
  { picker: to, isForAll }: { picker: string; isForAll: boolean },
): Promise<Order> {
  return changeWhole(context, orderNumber, (tx, order) => {
    context.holds.refuse(order);
    const isPicking = order.pickers.some(({ name }) => nameKey(name) === nameKey(by));
    handOver(context, tx, order, { from: isPicking || !isForAll ? by : undefined, to, by });
  });
}

/** Turns off all items and aborts the order. If the order has already ended, only returns a warning. Throws `not_found`. */
function abort(context: OrderContext, orderNumber: string, by: string): Promise<Order> {
  return context.writer.writeLarge((tx) => {
    const order = getOrder(context.repositories, orderNumber);
    const isAborted = abortOrder(context, tx, order, by);
    const doubt = `Order ${order.orderNumber} is already ${order.state}. Nothing was done.`;
    return { ...now(context, orderNumber), ...(isAborted ? {} : { warnings: [doubt] }) };
  });
}

/**
 * Changes fields that do not affect the items. `check` receives the order before the change, without its items, and can throw. Throws
 * `not_found`, and `invalid` for an unknown color.
 */
function change(
  context: OrderContext,
  orderNumber: string,
  change: OrderChange,
  by: string,
  check: (current: OrderProgress) => void,
): Promise<OrderResult> {
  return context.writer.writeLarge((tx) => {
    const order = getOrder(context.repositories, orderNumber);
    check({ ...orderProgress(order, context.settings.current()), ...addressOf(context.repositories, order) });
    changeOrder(context, tx, order, { change, by });
    const warnings = dueWarnings(change.due_time, tx.now).map(inWords);
    return { ...now(context, orderNumber), ...addressOf(context.repositories, order), warnings };
  });
}

/** Updates an item whose command ended, inside the transaction that ends the command. */
function ended(context: OrderContext, tx: Transaction, ended: OwnedEnd): void {
  const { repositories } = context;
  const found = findItem(repositories, ended.owner.id);
  if (found !== undefined) endItem(context, tx, found, ended);
}

/** Updates an item that got a new command, perhaps at another device, inside the transaction that creates the command. */
function itemMoved(context: OrderContext, tx: Transaction, itemId: number, isReached: boolean): void {
  const { repositories, work } = context;
  const item = repositories.items.find(itemId);
  if (item === undefined) return;
  const moved = { ...item, foundDeviceId: item.litDeviceId ?? item.foundDeviceId };
  if (moved.foundDeviceId !== item.foundDeviceId) repositories.items.save(item, moved);
  work.publishItemChange(tx, itemId);
  noteReach(context, tx, moved, isReached);
}

/** Marks a lit or paused order as stalled, because nobody has worked on it for too long. Call inside a transaction. */
function stall({ repositories, work }: OrderContext, tx: Transaction, orderNumber: string): void {
  const order = repositories.orders.findByNumber(orderNumber);
  // Skip orders in a batch, because a batch raises a single alert for all its orders.
  if (order !== undefined && repositories.batches.findOf(order.id) !== undefined) return;
  if (order === undefined || order.isStalled || (order.counts.active === 0 && !haltOf(order).isPaused)) return;
  if (order.state !== 'in_progress' && order.state !== 'open') return;
  work.settle(tx, { before: order, after: { ...order, isStalled: true } }, [], { historyId: 0, by: '' });
}

/** Changes an order in a transaction. Resolves to the changed order. */
function changeWhole(
  context: OrderContext,
  orderNumber: string,
  change: (tx: Transaction, order: OrderRow) => void,
): Promise<Order> {
  return context.writer.writeLarge((tx) => {
    change(tx, getOrder(context.repositories, orderNumber));
    return now(context, orderNumber);
  });
}

// Report now rather than at the launch, when a worker is waiting.
function check({ settings }: OrderContext, wanted: NewOrder): void {
  checkLight(lightOf(wanted), settings.current());
}

/** Updates a lit item whose device became reachable or unreachable, inside the same transaction. */
function reached(context: OrderContext, tx: Transaction, itemId: number, isReached: boolean): void {
  const { repositories } = context;
  const item = repositories.items.find(itemId);
  if (item !== undefined) noteReach(context, tx, item, isReached);
}

/** Returns the warning for a launch that changes nothing. If the caller sent a color, the warning explains why lit items keep theirs. */
function nothingToLight({ orderNumber }: OrderRow, color: string | undefined): string {
  const only = color === undefined ? '' : ' The color applies only to what a launch lights.';
  return `Order ${orderNumber} is already under way and has nothing more to light. Nothing was done.${only}`;
}
