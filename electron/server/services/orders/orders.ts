import { whole, type InParts } from '#shared/lib/inParts.ts';
import type {
  Correction,
  Item,
  Launch,
  NewOrder,
  Order,
  OrderProgress,
  OrderQuery,
  OrderResult,
  Reopen,
  Short,
  ShortResult,
} from '#shared/api/order.ts';
import { HIDDEN, type AwayPicker, type OrderRow } from '../../db/repositories/orders.ts';
import type { Repositories } from '../../db/repositories.ts';
import type { Snapshots } from '../../db/snapshots.ts';
import type { Transaction, Writer } from '../../db/writer.ts';
import { StationError } from '../../errors.ts';
import type { Ids, Log } from '../../ports.ts';
import type { AlertRecords } from '../alerts/index.ts';
import { type LaunchLimiter, once } from '../base/index.ts';
import type { Callbacks } from '../callbacks/index.ts';
import { type Commands, type OwnedEnd, refuseFaults } from '../commands/index.ts';
import { type Devices, prefetchTargets } from '../devices/index.ts';
import { answeredItems, deviceOf, itemAnswer, orderAnswer, orderProgress } from './answers.ts';
import { closeShort, correctItem, endItem, noteReach, reopenItem } from './items.ts';
import { findShare, handOver, joinOrder, leaveOrder, pauseOrder, type Share, takeOrder } from './pickers.ts';
import { abortOrder, findPlaced, isLarge, launchOrder, putLastTask, takeBack } from './launch.ts';
import { elsewhereIn, judgeLight, placesOfItems } from './light.ts';
import { createNewOrders, lightOf, slowItems, zeroItems } from './newOrder.ts';
import { createOrderTasks, type WholeUse } from './tasks.ts';
import { getOrder, orderInParts, ordersInParts, pageOfOrders } from './reading.ts';
import { type EndedOrders, type Found, createOrderWork, findItem } from './work.ts';
import type { SettingsService } from '../settings/index.ts';

/** Orders of shipments of items, which are lit all at once and picked in any order. Contract, section 8. */
export type Orders = {
  /** In the order of their numbers; those of one picker in the order of joining. */
  list(query: OrderQuery): Promise<Order[]>;
  listProgress(query: OrderQuery): OrderProgress[];
  /** Throws `not_found`. */
  get(orderNumber: string): Order;
  /** The same of any number of items, read in parts. */
  read(orderNumber: string): Promise<Order>;
  /**
   * Throws `conflict` if the order number exists, `invalid` for an unknown color. `strict` also refuses a sound
   * that cannot be read and items of 0; otherwise they are warnings.
   */
  add(wanted: NewOrder, how: { strict: boolean }): Promise<OrderResult>;
  /** Throws `invalid` for an unknown color. */
  check(wanted: NewOrder): void;
  /**
   * In a commit of its own, calls `within` with what adds an order that was checked and returns its id. A large order was
   * written before, in parts, and is removed if `within` does not add it.
   */
  addAlone<T>(wanted: NewOrder, within: (tx: Transaction, add: () => number) => T): Promise<T>;
  /** Within a use-case: adds an order that was checked. Returns its id. */
  addWithin(tx: Transaction, wanted: NewOrder): number;
  /** Within a use-case: turns off all its items and removes it. */
  removeWithin(tx: Transaction, order: OrderRow, by: string): void;
  /**
   * Lights all open items that are not lit, for a picker also what is lit for nobody. Throws `not_found`, `invalid` for an
   * unknown picker, and `conflict` if there is nothing to light or others pick the order.
   */
  launch(orderNumber: string, by: string, launch?: Launch, within?: LaunchWithin): Promise<Order>;
  /** Shares the order with a person. Throws as `launch` does. */
  join(orderNumber: string, by: string, launch: Launch): Promise<Order>;
  /** Lines of the caller go to the next picker or to nobody, and stay lit. Throws `not_found`, or `conflict` if the caller does not pick it. */
  leave(orderNumber: string, by: string): Promise<Order>;
  /** The same for a person who signed out at `awayAt`, unless that person has signed in again. */
  leaveAway(away: AwayPicker): Promise<void>;
  /** Turns off the lines of the caller, who keeps them. Throws as `leave` does. */
  pause(orderNumber: string, by: string): Promise<Order>;
  /** Gives the lines of the caller, or of everybody where the caller picks nothing, to `picker`. Throws as `leave` does. */
  handOver(orderNumber: string, by: string, picker: string): Promise<Order>;
  /** Closes an item with what was found. Throws `not_found`, `invalid`, or `conflict` if it is over. */
  short(orderNumber: string, itemId: number, short: Short, by: string): Promise<ShortResult>;
  /** Opens a done or short item again. Throws `not_found`, `invalid`, or `conflict` if it is not over. */
  reopen(orderNumber: string, itemId: number, reopen: Reopen, by: string): Promise<Item>;
  /** Within a use-case: a scan of the article confirmed this item. */
  verify(tx: Transaction, itemId: number): void;
  /** Turns off all its items. Throws `not_found`. */
  abort(orderNumber: string, by: string): Promise<Order>;
  /** Turns off all its items and removes the order. Throws `not_found`. */
  remove(orderNumber: string, by: string): Promise<void>;
  /** Corrects the fulfilled quantity of an item. Throws `not_found`. */
  correct(orderNumber: string, itemId: number, correction: Correction, by: string): Promise<Item>;
  /** Finishes what the last run began with large orders. */
  finishAll(): Promise<void>;
  /** For the queue: the command of an item ended. Runs inside its use-case. */
  ended(tx: Transaction, ended: OwnedEnd): void;
  /** For the queue: an item has another command now. Runs inside its use-case. */
  itemMoved(tx: Transaction, itemId: number, isReached: boolean): void;
  /** For the queue: a turbo reaches the device of a lit item again, or none does. Runs inside its use-case. */
  itemReached(tx: Transaction, itemId: number, isReached: boolean): void;
  /** Marks a lit order on which nobody worked for too long. Runs inside a use-case. */
  stall(tx: Transaction, orderNumber: string): void;
  /** Within a use-case: `to` replaced the device `from`. */
  deviceReplaced(tx: Transaction, from: string, to: string): void;
};

/** Launches within a use-case, or not. */
type LaunchWithin = (tx: Transaction, launch: () => void) => void;

/** Why a picker left who only signed out; shown in the timeline. */
const LEFT_BEHIND = 'Signed out an hour before.';
/** Items read in one turn. */
const ITEMS_AT_ONCE = 100;

export function createOrders(parts: {
  repositories: Pick<
    Repositories,
    | 'accounts'
    | 'aliases'
    | 'commands'
    | 'confirmations'
    | 'devices'
    | 'history'
    | 'items'
    | 'map'
    | 'orders'
    | 'orderTasks'
    | 'picks'
    | 'placeNames'
  >;
  reads: Pick<Repositories, 'accounts' | 'aliases' | 'devices' | 'items' | 'orders' | 'orderTasks' | 'placeNames'>;
  snapshots: Pick<Snapshots, 'read'>;
  records: AlertRecords;
  endedOrders: EndedOrders;
  writer: Writer;
  commands: Commands;
  devices: Pick<Devices, 'hasSlow'>;
  callbacks: Callbacks;
  settings: SettingsService;
  launchLimiter: Pick<LaunchLimiter, 'take'>;
  ids: Ids;
  log: Log;
}): Orders {
  const { repositories, reads, snapshots, records, endedOrders, writer, devices, commands, callbacks, settings } =
    parts;
  const work = createOrderWork({
    repositories,
    callbacks,
    alerts: records,
    endedOrders,
    templates: () => settings.current(),
  });
  const context = { repositories, commands, callbacks, work, defaults: () => settings.current() };
  const tasks = createOrderTasks({ ...parts, context, removeRest: removeRows });
  const { addAlone, addWithin } = createNewOrders({ ...parts, context, tasks });

  function answer(source: Pick<Repositories, 'items' | 'orders'>, order: OrderRow): Order {
    return orderAnswer(
      order,
      source.orders.listShipments(order.id),
      answeredItems(source.items.listOf(order.id)),
      settings.current(),
    );
  }

  /** The whole order as it is now on disk. Throws `not_found`. */
  async function read(orderNumber: string): Promise<Order> {
    const order = getOrder(reads, orderNumber);
    if (!isLarge(order)) return answer(reads, order);
    return snapshots.read((source) => orderInParts(source, getOrder(source, orderNumber), settings.current()));
  }

  /** A change of the whole order, with the order as it is then. That of a large one shows at least this change: it is read after it. */
  async function changeWhole<Prepared>(
    orderNumber: string,
    change: (tx: Transaction, order: OrderRow, prepared: Prepared | undefined) => void,
    use: WholeUse<Prepared> = {},
  ): Promise<Order> {
    const answered = await tasks.write<Order | undefined, Prepared>(
      orderNumber,
      (tx, order, prepared) => {
        change(tx, order, prepared);
        return isLarge(order) ? undefined : now(orderNumber);
      },
      use,
    );
    return answered ?? read(orderNumber);
  }

  /** Within a use-case: the answer shows this change, whatever else the same commit does to the order. */
  const now = (orderNumber: string): Order => answer(repositories, getOrder(repositories, orderNumber));

  // Warn when the order is created, not when a worker waits for the launch.
  const check: Orders['check'] = (wanted) => void judgeLight(lightOf(wanted), settings.current());

  const removeWithin: Orders['removeWithin'] = (tx, order, by) => {
    takeBack(context, tx, repositories.items.listOf(order.id), by);
    endedOrders.removing(order.orderNumber, () => now(order.orderNumber));
    removeRows(tx, order, by);
  };

  function removeRows(tx: Transaction, order: OrderRow, by: string): void {
    repositories.orders.remove(order.id);
    if (order.orderNumber === HIDDEN) return;
    work.forget(tx, order);
    work.record(tx, order, { kind: 'order_removed', qty: order.counts.fulfilled, detail: { by } });
    tx.emit({ type: 'order.removed', order_number: order.orderNumber });
  }

  /** Within a use-case. Throws `not_found`. */
  function getItem(orderNumber: string, itemId: number): Found {
    const order = getOrder(repositories, orderNumber);
    const found = findItem(repositories, itemId);
    if (found?.order.id !== order.id) throw noItem(orderNumber, itemId);
    return found;
  }

  /** Looks for the places of an order in parts, so that its launch holds up no press. Resolves to `placed` of a `LaunchFor`. */
  async function prefetch(orderNumber: string): Promise<number | null | undefined> {
    const order = getOrder(reads, orderNumber);
    const places = isLarge(order)
      ? await snapshots.read((source) => searchedPlaces(source, order.id))
      : whole(searchedPlaces(reads, order.id));
    await prefetchTargets({ repositories, writer }, places);
    return isLarge(order) ? findPlaced(repositories, writer, order) : undefined;
  }

  const reached: Orders['itemReached'] = (tx, itemId, isReached) => {
    const found = findItem(repositories, itemId);
    if (found !== undefined) noteReach(context, tx, found, isReached);
  };

  return {
    list: (query) => snapshots.read((source) => ordersInParts(source, query, settings.current())),
    listProgress: (query) => pageOfOrders(reads, query).map((order) => orderProgress(order, settings.current())),
    get: (orderNumber) => answer(reads, getOrder(reads, orderNumber)),
    read,
    async add(wanted, { strict }) {
      // Warn when the order is created, not when a worker waits for the launch.
      const doubtful = [...judgeLight(lightOf(wanted), settings.current()).leftOut, ...zeroItems(wanted)];
      if (strict) refuseFaults(doubtful);
      const added = await addAlone(wanted, (_tx, addNow) => {
        const row = repositories.orders.find(addNow());
        return row !== undefined && isLarge(row) ? undefined : now(wanted.order_number);
      });
      const order = added ?? (await read(wanted.order_number));
      const slow = devices.hasSlow() ? slowItems(reads, wanted) : [];
      return { ...order, warnings: [...doubtful, ...slow].map(({ path, message }) => `${path}: ${message}`) };
    },
    check,
    addAlone,
    addWithin,
    removeWithin,
    async launch(orderNumber, by, { color, picker } = {}, within = (_tx, launch) => launch()) {
      const placed = await prefetch(orderNumber);
      return changeWhole(orderNumber, (tx, order) =>
        within(tx, () => {
          if (picker === undefined) launchOrder(context, tx, order, { by, color, placed });
          else takeOrder(context, tx, order, { by, color, picker, placed });
        }),
      );
    },
    async join(orderNumber, by, { color, picker = by }) {
      const placed = await prefetch(orderNumber);
      const prepare = async (): Promise<Share | undefined> =>
        isLarge(getOrder(reads, orderNumber))
          ? await snapshots.read((source) => findShare(source, getOrder(source, orderNumber), picker))
          : undefined;
      return changeWhole(
        orderNumber,
        (tx, order, share) => joinOrder(context, tx, order, { by, color, picker, placed, share }),
        { prepare },
      );
    },
    async leave(orderNumber, by) {
      const placed = await prefetch(orderNumber);
      return changeWhole(orderNumber, (tx, order) => leaveOrder(context, tx, order, { by, placed }));
    },
    async leaveAway({ orderNumber, name, awayAt }) {
      // Removed meanwhile: there is nothing to leave.
      if (reads.orders.findByNumber(orderNumber) === undefined) return;
      const placed = await prefetch(orderNumber);
      await tasks.write(orderNumber, (tx, order) => {
        const isAway = order.pickers.some((picker) => picker.name === name && picker.awayAt === awayAt);
        if (isAway && order.state !== 'fulfilled')
          leaveOrder(context, tx, order, { by: name, reason: LEFT_BEHIND, placed });
      });
    },
    pause: (orderNumber, by) => changeWhole(orderNumber, (tx, order) => pauseOrder(context, tx, order, by)),
    async handOver(orderNumber, by, to) {
      const placed = await prefetch(orderNumber);
      return changeWhole(orderNumber, (tx, order) => {
        const from = order.pickers.some(({ name }) => name === by) ? by : undefined;
        handOver(context, tx, order, { from, to, by, placed });
      });
    },
    short: (orderNumber, itemId, { key, ...short }, by) =>
      writer.write((tx) =>
        once(repositories, tx, { by, key, what: 'short' }, () => {
          closeShort(context, tx, getItem(orderNumber, itemId), { ...short, by });
          const { item } = getItem(orderNumber, itemId);
          return { ...itemAnswer(item), elsewhere: elsewhereIn(reads)(item, deviceOf(item)) };
        }),
      ),
    reopen: (orderNumber, itemId, { key, ...reopen }, by) =>
      writer.write((tx) =>
        once(repositories, tx, { by, key, what: 'reopen' }, () => {
          reopenItem(context, tx, getItem(orderNumber, itemId), { ...reopen, by });
          return itemAnswer(getItem(orderNumber, itemId).item);
        }),
      ),
    verify(tx, itemId) {
      const item = repositories.items.find(itemId);
      if (item === undefined || item.isVerified) return;
      repositories.items.save(item, { ...item, isVerified: true });
      work.tellItem(tx, itemId);
    },
    abort: (orderNumber, by) =>
      changeWhole(orderNumber, (tx, order) => abortOrder(context, tx, order, by), { isLast: true }),
    remove: (orderNumber, by) =>
      tasks.write(
        orderNumber,
        (tx, order) => {
          if (!isLarge(order)) return removeWithin(tx, order, by);
          endedOrders.removing(orderNumber, () => now(orderNumber));
          putLastTask(context, order, 'remove', by);
        },
        { isLast: true },
      ),
    finishAll: tasks.finishAll,
    correct: (orderNumber, itemId, correction, by) =>
      writer.write((tx) => {
        correctItem(context, tx, getItem(orderNumber, itemId), { ...correction, by });
        return itemAnswer(getItem(orderNumber, itemId).item);
      }),
    ended(tx, ended) {
      const found = findItem(repositories, ended.owner.id);
      if (found !== undefined) endItem(context, tx, found, ended);
    },
    itemMoved(tx, itemId, isReached) {
      work.tellItem(tx, itemId);
      reached(tx, itemId, isReached);
    },
    itemReached: reached,
    stall(tx, orderNumber) {
      const order = repositories.orders.findByNumber(orderNumber);
      if (order === undefined || order.isStalled || order.state !== 'in_progress' || order.counts.active === 0) return;
      work.settle(tx, { before: order, after: { ...order, isStalled: true } }, [], { historyId: 0, by: '' });
    },
    deviceReplaced(tx, from, to) {
      for (const itemId of repositories.items.giveTo(from, to)) work.tellItem(tx, itemId);
    },
  };
}

/** The places that a launch looks for by a part of their names. */
function* searchedPlaces(
  source: Pick<Repositories, 'aliases' | 'devices' | 'items' | 'placeNames'>,
  orderId: number,
): InParts<string[]> {
  const places = new Set<string>();
  for (let after = 0; ;) {
    const page = source.items.listToLight(orderId, after, ITEMS_AT_ONCE);
    for (const place of placesOfItems(source, page)) places.add(place);
    if (page.length < ITEMS_AT_ONCE) return [...places];
    after = page.at(-1)?.id ?? after;
    yield;
  }
}

function noItem(orderNumber: string, itemId: number): StationError {
  return new StationError(
    'not_found',
    `Order ${orderNumber} has no item ${itemId}. GET /api/orders/{order_number}/ says the id of each.`,
  );
}
