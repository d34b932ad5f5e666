import type { Elsewhere } from '#shared/api/device.ts';
import type {
  Confirm,
  Correction,
  DeletedOrders,
  Dismiss,
  EndedOrdersQuery,
  Item,
  Launch,
  NewOrder,
  Order,
  OrderChange,
  OrderProgress,
  OrderQuery,
  OrderResult,
  Reopen,
  Short,
  ShortResult,
  Verify,
} from '#shared/api/order.ts';
import type { FieldError } from '#shared/api/problem.ts';
import type { HistoryDetail } from '../../db/repositories/history.ts';
import type { AwayPicker, OrderRow } from '../../db/repositories/orders.ts';
import type { Repositories } from '../../db/repositories.ts';
import type { Snapshots } from '../../db/snapshots.ts';
import type { Transaction, Writer } from '../../db/writer.ts';
import { StationError } from '../../errors.ts';
import type { Ids } from '../../ports.ts';
import type { AlertRecords } from '../alerts/index.ts';
import { haltOf, isOver } from '../../domain/order.ts';
import { refuseOutdated } from '../base/index.ts';
import type { Callbacks } from '../callbacks/index.ts';
import { type Commands, type DarkPress, inWords, type OwnedEnd, refuseFaults } from '../commands/index.ts';
import { deviceOf, itemAnswer, orderProgress } from './answers.ts';
import { confirmItem, dismissItem, giveUpScan, verifyItem } from './byHand.ts';
import { type Count, countItem, countUnlit } from './count.ts';
import { bookDark, closeShort, correctItem, endItem, noteReach, reopenItem } from './items.ts';
import { nameKey } from '#shared/lib/nameKey.ts';
import { type Acting, changeOrder, handOver, joinOrder, leaveOrder, pauseOrder, takeOrder } from './pickers.ts';
import { launchOrder } from './launch.ts';
import { abortOrder, takeBack } from './turnOff.ts';
import { elsewhereIn, judgeLight } from './light.ts';
import { addWithin, lightOf, replaceWithin } from './newOrder.ts';
import { doubtsAbout, doubtWarnings, guessesOf, type PlacedItem, placeItems, placeWarnings } from './newOrderDoubts.ts';
import { getOrder, listOrders, pageOfOrders, readOrder } from './reading.ts';
import { type EndedOrders, type Found, createOrderWork, findItem } from './work.ts';
import type { SettingsService } from '../settings/index.ts';

/** Orders of shipments of items, which are lit all at once and picked in any order. Contract, section 8. */
export type Orders = {
  /** In the order of their numbers; those of one picker in the order of joining. */
  list(query: OrderQuery): Promise<Order[]>;
  listProgress(query: OrderQuery): OrderProgress[];
  findProgress(orderNumber: string): OrderProgress | undefined;
  /** Throws `not_found`. */
  get(orderNumber: string): Order;
  /**
   * Throws `conflict` if the order number exists, `invalid` for an unknown color. `strict` also refuses a sound
   * that cannot be read, items of 0, guessed places and `unknown` fields; otherwise they are warnings.
   */
  add(wanted: NewOrder, how: { strict: boolean; unknown: readonly FieldError[] }): Promise<OrderResult>;
  /** Throws `invalid` for an unknown color. */
  check(wanted: NewOrder): void;
  /** Within a use-case: adds an order that was checked. `placed`: where its items are, if known. Returns its id. */
  addWithin(tx: Transaction, wanted: NewOrder, placed?: readonly PlacedItem[]): number;
  /** Within a use-case: turns off all its items and removes it. */
  removeWithin(tx: Transaction, order: OrderRow, by: string): void;
  /**
   * Within a use-case: replaces the content of an order that nobody has started. Its items get new ids. `how.changed` names the fields
   * for history.
   */
  replaceWithin(
    tx: Transaction,
    order: OrderRow,
    wanted: NewOrder,
    how: { by: string; changed: readonly string[] },
  ): void;
  /**
   * Lights all open items that are not lit; for a picker, also items that are lit for nobody. Warns about items that are lit at guessed
   * places. Throws `not_found`, `invalid` for an unknown picker, and `conflict` if there is nothing to light or others pick the order.
   */
  launch(
    orderNumber: string,
    by: string,
    launch?: Launch & { isTaken?: boolean },
    within?: LaunchWithin,
  ): Promise<OrderResult>;
  /** Shares the order with a person. Throws as `launch` does. */
  join(orderNumber: string, by: string, launch: Launch): Promise<Order>;
  /** Lines of the caller go to the next picker or to nobody, and stay lit. Throws `not_found`, or `conflict` if the caller does not pick it. */
  leave(orderNumber: string, acting: Acting): Promise<Order>;
  /** The same for a person who signed out at `awayAt`, unless that person has signed in again. */
  leaveAway(away: AwayPicker): Promise<void>;
  /** Turns off the lines of the caller, who keeps them. Throws as `leave` does. */
  pause(orderNumber: string, acting: Acting): Promise<Order>;
  /**
   * Gives the lines of the caller to `picker`; those of everybody where the caller picks nothing and is no picker (`isForAll`).
   * Throws as `leave` does.
   */
  handOver(orderNumber: string, by: string, how: { picker: string; isForAll: boolean }): Promise<Order>;
  /** Closes an item with what was found. Throws `not_found`, `invalid`, or `conflict` if it is over. */
  short(orderNumber: string, itemId: number, short: Short, by: string): Promise<ShortResult>;
  /** Books an item that no device serves. Throws `not_found`, `invalid`, or `conflict` if it is lit or over. */
  confirm(orderNumber: string, itemId: number, confirm: Confirm & { picker: string }, by: string): Promise<Item>;
  /** Nobody is to pick an item that no device serves. Throws `not_found`, or `conflict` if it is lit or over. */
  dismiss(orderNumber: string, itemId: number, dismiss: Dismiss, by: string): Promise<Item>;
  /** Opens a done or short item again. Throws `not_found`, `invalid`, or `conflict` if it is not over. */
  reopen(orderNumber: string, itemId: number, reopen: Reopen, by: string): Promise<Item>;
  /** Within a use-case: where the rest of an item may be that was closed with less than asked; empty for any other. */
  elsewhere(itemId: number): Elsewhere[];
  /** Within a use-case: a scan counted pieces of this open item; only one without a light can be closed so. */
  count(tx: Transaction, itemId: number, count: Count): void;
  /** Within a use-case: a scan of the article confirmed this item. */
  verify(tx: Transaction, itemId: number, who: { by: string; forWhom: string }): void;
  /** Completes a picked item without a scan of its article. Throws `not_found`, or `conflict` if it is not picked. */
  giveUpScan(orderNumber: string, itemId: number, verify: Verify, by: string): Promise<Item>;
  /** Turns off all its items. Throws `not_found`. */
  abort(orderNumber: string, by: string): Promise<Order>;
  /** Turns off all its items and removes the order. Throws `not_found`. */
  remove(orderNumber: string, by: string): Promise<void>;
  /** Deletes ended orders one by one. */
  removeEnded(which: EndedOrdersQuery, by: string): Promise<DeletedOrders>;
  /**
   * Removes customer and note from ended orders of this state that changed last before this time. Returns where to continue; undefined: all
   * orders are done.
   */
  forgetCustomers(which: {
    state: 'fulfilled' | 'aborted';
    after: { updatedAt: number; id: number };
    before: number;
    limit: number;
  }): Promise<{ updatedAt: number; id: number } | undefined>;
  /** Deletes the ended order whose last change is the oldest, if it was before this time. Returns whether it deleted one. */
  removeOldest(before: number): Promise<boolean>;
  /**
   * Changes fields that do not affect the items. `check` gets the order before the change, without its items, and can throw. Throws
   * `not_found`, and `invalid` for an unknown color.
   */
  change(orderNumber: string, change: OrderChange, by: string, check: (current: OrderProgress) => void): Promise<Order>;
  /** Corrects the fulfilled quantity of an item. Throws `not_found`. */
  correct(orderNumber: string, itemId: number, correction: Correction, by: string): Promise<Item>;
  /** For the queue: the command of an item ended. Runs inside its use-case. */
  ended(tx: Transaction, ended: OwnedEnd): void;
  /** For the queue: a press for an item that is not lit. False: it is over. Runs inside a use-case. */
  pressedDark(tx: Transaction, press: DarkPress): boolean;
  /** For the queue: whether a press for an item that is not lit counts. */
  isItemOpen(itemId: number): boolean;
  /** The picker of an item. Null if it has none; undefined if the item is unknown. */
  pickerOfItem(itemId: number): string | null | undefined;
  /** For the queue: an item has another command now. Runs inside its use-case. */
  itemMoved(tx: Transaction, itemId: number, isReached: boolean): void;
  /** For the queue: a turbo reaches the device of a lit item again, or none does. Runs inside its use-case. */
  itemReached(tx: Transaction, itemId: number, isReached: boolean): void;
  /** Marks a lit or paused order on which nobody has worked for too long. Runs inside a use-case. */
  stall(tx: Transaction, orderNumber: string): void;
  /** Within a use-case: `to` replaced the device `from`. */
  deviceReplaced(tx: Transaction, from: string, to: string): void;
};

/** Launches within a use-case, or not. */
type LaunchWithin = (tx: Transaction, launch: () => void) => void;

/** Deletions to wait for at the same time. */
const REMOVED_AT_ONCE = 20;
/** Why the station deleted an order; shown in the timeline. */
const TOO_OLD = 'It ended, and changed last, longer ago than the setting order_days allows.';
/** Why a picker left who only signed out; shown in the timeline. */
const LEFT_BEHIND = 'Signed out an hour before.';

export function createOrders(parts: {
  repositories: Pick<
    Repositories,
    'accounts' | 'aliases' | 'commands' | 'devices' | 'history' | 'items' | 'map' | 'orders' | 'picks' | 'placeNames'
  >;
  reads: Pick<Repositories, 'accounts' | 'aliases' | 'devices' | 'items' | 'orders' | 'placeNames'>;
  snapshots: Pick<Snapshots, 'read'>;
  records: AlertRecords;
  endedOrders: EndedOrders;
  writer: Writer;
  commands: Commands;
  callbacks: Callbacks;
  settings: Pick<SettingsService, 'current'>;
  ids: Ids;
}): Orders {
  const { repositories, reads, snapshots, records, endedOrders, writer, commands, callbacks, settings } = parts;
  const work = createOrderWork({
    repositories,
    callbacks,
    alerts: records,
    endedOrders,
    templates: () => settings.current(),
  });
  const context = { repositories, commands, callbacks, work, defaults: () => settings.current() };
  const newOrders = { repositories, work, endedOrders, ids: parts.ids };

  /** Within a use-case: the answer shows this change, whatever else the same commit does to the order. */
  const now = (orderNumber: string): Order =>
    readOrder(repositories, getOrder(repositories, orderNumber), settings.current());

  /** A change of the whole order, with the order as it is then. */
  const changeWhole = (orderNumber: string, change: (tx: Transaction, order: OrderRow) => void): Promise<Order> =>
    writer.writeLarge((tx) => {
      change(tx, getOrder(repositories, orderNumber));
      return now(orderNumber);
    });

  // Warn when the order is created, not when a worker waits for the launch.
  const check: Orders['check'] = (wanted) => void judgeLight(lightOf(wanted), settings.current());

  const removeWithin = (
    tx: Transaction,
    order: OrderRow,
    by: string,
    because: Pick<HistoryDetail, 'upkeep' | 'reason'> = {},
  ): void => {
    takeBack(context, tx, repositories.items.listOf(order.id), by);
    endedOrders.removing(order.orderNumber, () => now(order.orderNumber));
    repositories.orders.remove(order.id);
    work.forget(tx, order);
    work.record(tx, order, { kind: 'order_removed', qty: order.counts.fulfilled, detail: { by, ...because } });
    tx.emit({ type: 'order.removed', order_number: order.orderNumber });
  };

  /** Within a use-case. Throws `not_found`. */
  function getItem(orderNumber: string, itemId: number): Found {
    const order = getOrder(repositories, orderNumber);
    const found = findItem(repositories, itemId);
    if (found?.order.id !== order.id) throw noItem(orderNumber, itemId);
    return found;
  }

  /** Changes an item. Returns it as changed. */
  const changeItem = (
    orderNumber: string,
    itemId: number,
    change: (tx: Transaction, found: Found) => void,
  ): Promise<Item> =>
    writer.write((tx) => {
      const found = getItem(orderNumber, itemId);
      change(tx, found);
      return withOver(itemAnswer(getItem(orderNumber, itemId).item), found);
    });

  const reached: Orders['itemReached'] = (tx, itemId, isReached) => {
    const item = repositories.items.find(itemId);
    if (item !== undefined) noteReach(context, tx, item, isReached);
  };

  return {
    list: (query) => snapshots.read((source) => listOrders(source, query, settings.current())),
    listProgress: (query) => pageOfOrders(reads, query).map((order) => orderProgress(order, settings.current())),
    findProgress(orderNumber) {
      const order = reads.orders.findByNumber(orderNumber);
      return order === undefined ? undefined : orderProgress(order, settings.current());
    },
    get: (orderNumber) => readOrder(reads, getOrder(reads, orderNumber), settings.current()),
    async add(wanted, { strict, unknown }) {
      // Warn when the order is created, not when a worker waits for the launch.
      const { leftOut } = judgeLight(lightOf(wanted), settings.current());
      const placed = placeItems(reads, wanted);
      if (strict) refuseFaults([...unknown, ...leftOut, ...doubtsAbout(wanted, placed)]);
      const order = await writer.writeLarge((tx) => {
        addWithin(newOrders, tx, wanted, placed);
        return now(wanted.order_number);
      });
      const warnings = [...doubtWarnings(wanted, placed), ...placeWarnings(reads, wanted, placed)];
      return { ...order, warnings: [...unknown, ...leftOut, ...warnings].map(inWords) };
    },
    check,
    addWithin: (tx, wanted, placed) => addWithin(newOrders, tx, wanted, placed),
    removeWithin,
    replaceWithin: (tx, order, wanted, how) => replaceWithin(newOrders, tx, order, wanted, how),
    launch: (orderNumber, by, { color, picker, isTaken } = {}, within = (_tx, launch) => launch()) =>
      writer.writeLarge((tx) => {
        const order = getOrder(repositories, orderNumber);
        const doubts: string[] = [];
        within(tx, () => {
          if (picker !== undefined) takeOrder(context, tx, order, { by, color, picker, isTaken });
          else if (!launchOrder(context, tx, order, { by, color })) doubts.push(nothingToLight(order, color));
        });
        const after = now(order.orderNumber);
        return { ...after, warnings: [...doubts, ...guessesOf(repositories, after).map(inWords)] };
      }),
    join: (orderNumber, by, { color, picker = by }) =>
      changeWhole(orderNumber, (tx, order) => joinOrder(context, tx, order, { by, color, picker })),
    leave: (orderNumber, acting) => changeWhole(orderNumber, (tx, order) => leaveOrder(context, tx, order, acting)),
    leaveAway: ({ orderNumber, name, awayAt }) =>
      writer.writeLarge((tx) => {
        const order = repositories.orders.findByNumber(orderNumber);
        const isAway = order?.pickers.some((picker) => picker.name === name && picker.awayAt === awayAt) ?? false;
        if (order === undefined || !isAway || order.state === 'fulfilled') return;
        leaveOrder(context, tx, order, { by: name, picker: name, reason: LEFT_BEHIND });
      }),
    pause: (orderNumber, acting) => changeWhole(orderNumber, (tx, order) => pauseOrder(context, tx, order, acting)),
    handOver: (orderNumber, by, { picker: to, isForAll }) =>
      changeWhole(orderNumber, (tx, order) => {
        const isPicking = order.pickers.some(({ name }) => nameKey(name) === nameKey(by));
        handOver(context, tx, order, { from: isPicking || !isForAll ? by : undefined, to, by });
      }),
    short: (orderNumber, itemId, short, by) =>
      writer.write((tx) => {
        const found = getItem(orderNumber, itemId);
        refuseOutdated({ ...found.item, isOver: false }, short, tx.now);
        closeShort(context, tx, found, { ...short, by });
        const { item } = getItem(orderNumber, itemId);
        return { ...withOver(itemAnswer(item), found), elsewhere: elsewhereIn(reads)(item, deviceOf(item)) };
      }),
    confirm: (orderNumber, itemId, confirm, by) =>
      changeItem(orderNumber, itemId, (tx, found) => {
        refuseOutdated({ ...found.item, isOver: isOver(found.item) }, confirm, tx.now);
        confirmItem(context, tx, found, { ...confirm, by });
      }),
    dismiss: (orderNumber, itemId, dismiss, by) =>
      changeItem(orderNumber, itemId, (tx, found) => {
        refuseOutdated({ ...found.item, isOver: isOver(found.item) }, dismiss, tx.now);
        dismissItem(context, tx, found, { ...dismiss, by });
      }),
    reopen: (orderNumber, itemId, reopen, by) =>
      changeItem(orderNumber, itemId, (tx, found) => {
        refuseOutdated({ ...found.item, isOver: false }, reopen, tx.now);
        reopenItem(context, tx, found, { ...reopen, by });
      }),
    elsewhere(itemId) {
      const item = repositories.items.find(itemId);
      return item?.state === 'short' ? elsewhereIn(reads)(item, deviceOf(item)) : [];
    },
    count(tx, itemId, count) {
      const found = findItem(repositories, itemId);
      if (found === undefined) return;
      if (found.item.commandId === null) countUnlit(context, tx, found, count);
      else countItem(context, tx, found, count);
    },
    verify(tx, itemId, who) {
      const found = findItem(repositories, itemId);
      if (found !== undefined) verifyItem(context, tx, found, who);
    },
    giveUpScan: (orderNumber, itemId, verify, by) =>
      changeItem(orderNumber, itemId, (tx, found) => {
        refuseOutdated({ ...found.item, isOver: false }, verify, tx.now);
        giveUpScan(context, tx, found, { ...verify, by });
      }),
    abort: (orderNumber, by) =>
      writer.writeLarge((tx) => {
        const order = getOrder(repositories, orderNumber);
        const isAborted = abortOrder(context, tx, order, by);
        const doubt = `Order ${order.orderNumber} is ${order.state} already. Nothing was done.`;
        return { ...now(orderNumber), ...(isAborted ? {} : { warnings: [doubt] }) };
      }),
    async removeEnded({ state, ended_before: endedBefore }, by) {
      const before = Date.parse(endedBefore);
      // Do not list the orders first: the repetition of an interrupted request continues with those that are left.
      const removeNext = (tx: Transaction): boolean => {
        const id = repositories.orders.findEnded({ state, before });
        const order = id === undefined ? undefined : repositories.orders.find(id);
        if (order !== undefined) removeWithin(tx, order, by, { upkeep: true });
        return order !== undefined;
      };
      for (let deleted = 0; ;) {
        const some = Array.from({ length: REMOVED_AT_ONCE }, () => writer.writeLarge(removeNext));
        // oxlint-disable-next-line no-await-in-loop -- the next ones after a pause
        const count = (await Promise.all(some)).filter((isRemoved) => isRemoved).length;
        deleted += count;
        if (count < REMOVED_AT_ONCE) return { deleted };
      }
    },
    async forgetCustomers({ state, after, before, limit }) {
      const ended = reads.orders.listEnded(state, after.updatedAt, after.id, before, limit);
      const named = ended.filter(({ hasWords }) => hasWords === 1);
      if (named.length > 0) {
        await writer.writeSoon((tx) => {
          for (const { id, updatedAt } of named) {
            repositories.orders.removeWords(id, updatedAt);
            work.publishOrder(tx, id);
          }
        });
      }
      return ended.at(-1);
    },
    removeOldest: (before) =>
      writer.writeLarge((tx) => {
        const id = repositories.orders.findEnded({ state: null, before });
        const order = id === undefined ? undefined : repositories.orders.find(id);
        if (order === undefined) return false;
        removeWithin(tx, order, '', { upkeep: true, reason: TOO_OLD });
        return true;
      }),
    remove: (orderNumber, by) => writer.writeLarge((tx) => removeWithin(tx, getOrder(repositories, orderNumber), by)),
    change: (orderNumber, change, by, check) =>
      changeWhole(orderNumber, (tx, order) => {
        check(orderProgress(order, settings.current()));
        changeOrder(context, tx, order, { change, by });
      }),
    correct: (orderNumber, itemId, correction, by) =>
      changeItem(orderNumber, itemId, (tx, found) => correctItem(context, tx, found, { ...correction, by })),
    ended(tx, ended) {
      const found = findItem(repositories, ended.owner.id);
      if (found !== undefined) endItem(context, tx, found, ended);
    },
    pressedDark: (tx, press) => bookDark(context, tx, press),
    isItemOpen: (itemId) => repositories.items.find(itemId)?.state === 'open',
    pickerOfItem: (itemId) => repositories.items.find(itemId)?.picker,
    itemMoved(tx, itemId, isReached) {
      work.tellItem(tx, itemId);
      reached(tx, itemId, isReached);
    },
    itemReached: reached,
    stall(tx, orderNumber) {
      const order = repositories.orders.findByNumber(orderNumber);
      if (order === undefined || order.isStalled || (order.counts.active === 0 && !haltOf(order).isPaused)) return;
      if (order.state !== 'in_progress' && order.state !== 'open') return;
      work.settle(tx, { before: order, after: { ...order, isStalled: true } }, [], { historyId: 0, by: '' });
    },
    deviceReplaced(tx, from, to) {
      for (const itemId of repositories.items.giveTo(from, to)) work.tellItem(tx, itemId);
    },
  };
}

/** Warns if a change has booked more than was ordered: a digit may be wrong. */
function withOver(answer: Item, { item: before }: Found): Item & { warnings?: string[] } {
  const over = answer.quantity_fulfilled - answer.ordered_quantity;
  if (over <= 0 || answer.quantity_fulfilled <= before.fulfilled) return answer;
  const said = `quantity_fulfilled: ${answer.quantity_fulfilled} are booked, ${over} more than ordered. Correct the quantity if this is wrong.`;
  return { ...answer, warnings: [said] };
}

/** A launch that changes nothing: a caller who gives a color could expect that lit items get it. */
function nothingToLight({ orderNumber }: OrderRow, color: string | undefined): string {
  const only = color === undefined ? '' : ' The color applies only to what a launch lights.';
  return `Order ${orderNumber} is under way already, and has nothing more to light. Nothing was done.${only}`;
}

function noItem(orderNumber: string, itemId: number): StationError {
  return new StationError(
    'not_found',
    `Order ${orderNumber} has no item ${itemId}. GET /api/orders/{order_number}/ says the id of each.`,
  );
}
