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
import { attentionOf } from '../../domain/order.ts';
import { StationError } from '../../errors.ts';
import type { Ids, Log } from '../../ports.ts';
import type { AlertRecords } from '../alerts/index.ts';
import { ALONE, type LaunchLimiter, once } from '../base/index.ts';
import type { Callbacks } from '../callbacks/index.ts';
import { type Commands, type OwnedEnd, refuseFaults } from '../commands/index.ts';
import { type Devices, prefetchTargets } from '../devices/index.ts';
import { answeredItems, deviceOf, itemAnswer, orderAnswer, orderProgress } from './answers.ts';
import { closeShort, correctItem, endItem, noteReach, reopenItem } from './items.ts';
import { findShare, handOver, joinOrder, leaveOrder, pauseOrder, type Share, takeOrder } from './pickers.ts';
import { abortOrder, findPlaced, isLarge, launchOrder, putLastTask, takeBack } from './launch.ts';
import { elsewhereIn, judgeLight, placesOfItems } from './light.ts';
import {
  insertHidden,
  insertOrder,
  lightOf,
  needsParts,
  partsOf,
  partWriter,
  showOrder,
  sizeOf,
  slowItems,
  zeroItems,
} from './newOrder.ts';
import { createOrderTasks } from './tasks.ts';
import { orderInParts } from './wholeOrder.ts';
import { type EndedOrders, type Found, createOrderWork, findItem } from './work.ts';
import type { SettingsService } from '../settings/index.ts';

/** Orders of shipments of items, which are lit all at once and picked in any order. Contract, section 8. */
export type Orders = {
  /** In the order of their numbers. */
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

/** `isLast`: it ends whatever else is to be done with the order. */
type WholeUse<Prepared> = { prepare?: () => Promise<Prepared | undefined>; isLast?: boolean };

/** Launches within a use-case, or not. */
type LaunchWithin = (tx: Transaction, launch: () => void) => void;

/** Why a picker left who only signed out; shown in the timeline. */
const LEFT_BEHIND = 'Signed out an hour before.';
/** Orders in one answer. */
const LIMIT = 1_000;
/** Items in one answer: a list adds no order beyond this number. */
const MAX_LISTED_ITEMS = 50_000;
const TOKEN_BYTES = 9;
/** Items read in one turn. */
const ITEMS_AT_ONCE = 100;
/** Orders of a list read in one turn, if they are small. */
const ORDERS_AT_ONCE = 8;

export function createOrders(parts: {
  repositories: Pick<
    Repositories,
    | 'accounts'
    | 'aliases'
    | 'commands'
    | 'confirmations'
    | 'devices'
    | 'history'
    | 'map'
    | 'orders'
    | 'orderTasks'
    | 'picks'
    | 'placeNames'
  >;
  reads: Pick<Repositories, 'accounts' | 'aliases' | 'devices' | 'orders' | 'orderTasks' | 'placeNames'>;
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
  const {
    repositories,
    reads,
    snapshots,
    records,
    endedOrders,
    writer,
    devices,
    commands,
    callbacks,
    settings,
    launchLimiter,
    ids,
    log,
  } = parts;
  const work = createOrderWork({
    repositories,
    callbacks,
    alerts: records,
    endedOrders,
    templates: () => settings.current(),
  });
  const context = { repositories, commands, callbacks, work, defaults: () => settings.current() };
  const tasks = createOrderTasks({ ...parts, context, removeRest: removeRows });

  function answer(source: Pick<Repositories, 'orders'>, order: OrderRow): Order {
    return orderAnswer(
      order,
      source.orders.listShipments(order.id),
      answeredItems(source.orders.listItems(order.id)),
      settings.current(),
    );
  }

  /** The whole order as it is now on disk. Throws `not_found`. */
  async function read(orderNumber: string): Promise<Order> {
    const order = getFrom(reads, orderNumber);
    if (!isLarge(order)) return answer(reads, order);
    return snapshots.read((source) => orderInParts(source, getFrom(source, orderNumber), settings.current()));
  }

  /**
   * A use-case that may process all items of an order, with the parts that it left for later, once what a full disk left of an
   * earlier one is done. `prepare` reads what it needs when its turn has come.
   */
  function writeWhole<T, Prepared>(
    orderNumber: string,
    useCase: (tx: Transaction, order: OrderRow, prepared: Prepared | undefined) => T,
    { prepare, isLast = false }: WholeUse<Prepared> = {},
  ): Promise<T> {
    const asked = reads.orders.findByNumber(orderNumber);
    const size = asked?.counts.items ?? 0;
    // Two of one order would replace each other's tasks.
    const room = asked !== undefined && isLarge(asked) ? Math.max(size, ALONE) : size;
    return launchLimiter.take(room, async () => {
      if (asked !== undefined && !isLast) await tasks.finish(asked.id);
      const prepared = await prepare?.();
      const [orderId, result] = await writer.write((tx) => {
        const order = getFrom(repositories, orderNumber);
        return [order.id, useCase(tx, order, prepared)] as const;
      });
      await tasks.finish(orderId);
      return result;
    });
  }

  /** The same, with the order as it is then. That of a large one shows at least this change: it is read after it. */
  async function changeWhole<Prepared>(
    orderNumber: string,
    change: (tx: Transaction, order: OrderRow, prepared: Prepared | undefined) => void,
    use: WholeUse<Prepared> = {},
  ): Promise<Order> {
    const answered = await writeWhole<Order | undefined, Prepared>(
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
  const now = (orderNumber: string): Order => answer(repositories, getFrom(repositories, orderNumber));

  // Warn when the order is created, not when a worker waits for the launch.
  const check: Orders['check'] = (wanted) => void judgeLight(lightOf(wanted), settings.current());

  const newToken = (): string => Buffer.from(ids.bytes(TOKEN_BYTES)).toString('base64url');

  const addWithin: Orders['addWithin'] = (tx, wanted) => {
    const id = insertOrder(repositories, wanted, { token: newToken(), now: tx.now });
    appears(tx, id, wanted);
    return id;
  };

  function appears(tx: Transaction, id: number, wanted: NewOrder): void {
    work.tellOrder(tx, id);
    if (repositories.orders.find(id)?.state === 'fulfilled') endedOrders.ended(tx, wanted.order_number);
  }

  /**
   * Adds a large order, of which there is one at a time: its parts are written hidden, and presses go between. What a kill
   * or a full disk leaves of it has the task to be removed.
   */
  async function addInParts<T>(wanted: NewOrder, within: (tx: Transaction, add: () => number) => T): Promise<T> {
    const left = reads.orders.findHidden();
    if (left !== undefined) await tasks.finish(left.id);
    const token = newToken();
    const id = await writer.write((tx) => {
      const orderId = insertHidden(repositories, wanted, { token, now: tx.now });
      putLastTask(context, { id: orderId }, 'remove', '');
      return orderId;
    });
    const write = partWriter(repositories, id);
    try {
      await writer.writeEach(
        partsOf(wanted),
        (_tx, part) => write(part),
        (error) => {
          throw error;
        },
      );
      return await writer.write((tx) =>
        within(tx, () => {
          showOrder(repositories, id, wanted, { token, now: tx.now });
          repositories.orderTasks.removeAll(id);
          appears(tx, id, wanted);
          return id;
        }),
      );
    } finally {
      // Does nothing if it was added.
      await tasks.finish(id).catch((error: unknown) => {
        log.warn({ err: error }, 'What is left of a large order that was not added is removed later');
      });
    }
  }

  const addAlone: Orders['addAlone'] = (wanted, within) => {
    const size = sizeOf(wanted);
    return launchLimiter.take(size, () =>
      needsParts(size) ? addInParts(wanted, within) : writer.write((tx) => within(tx, () => addWithin(tx, wanted))),
    );
  };

  const removeWithin: Orders['removeWithin'] = (tx, order, by) => {
    takeBack(context, tx, repositories.orders.listItems(order.id), by);
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

  function page(
    source: Pick<Repositories, 'accounts' | 'orders'>,
    { state, attention, picker, after = '', limit = LIMIT }: OrderQuery,
  ): OrderRow[] {
    if (picker !== undefined) {
      const name = source.accounts.findUser(picker)?.username ?? picker;
      const own = source.orders.listNumbersOf(name).flatMap((number) => source.orders.findByNumber(number) ?? []);
      const needsWork = (order: OrderRow) => attentionOf(order, order.isStalled).length > 0;
      const wanted = own.filter(
        (order) => (state === undefined || order.state === state) && (attention === undefined || needsWork(order)),
      );
      return wanted.filter(({ orderNumber }) => orderNumber > after).slice(0, limit);
    }
    return source.orders.list({ state, attention: attention !== undefined, after, limit });
  }

  function* listInParts(source: Pick<Repositories, 'accounts' | 'orders'>, query: OrderQuery): InParts<Order[]> {
    const orders: Order[] = [];
    let items = 0;
    for (const order of page(source, query)) {
      items += order.counts.items;
      if (orders.length > 0 && items > MAX_LISTED_ITEMS) break;
      orders.push(yield* orderInParts(source, order, settings.current()));
      if (orders.length % ORDERS_AT_ONCE === 0) yield;
    }
    return orders;
  }

  /** Within a use-case. Throws `not_found`. */
  function getItem(orderNumber: string, itemId: number): Found {
    const order = getFrom(repositories, orderNumber);
    const found = findItem(repositories, itemId);
    if (found?.order.id !== order.id) throw noItem(orderNumber, itemId);
    return found;
  }

  /** Looks for the places of an order in parts, so that its launch holds up no press. Resolves to `placed` of a `LaunchFor`. */
  async function prefetch(orderNumber: string): Promise<number | null | undefined> {
    const order = getFrom(reads, orderNumber);
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
    list: (query) => snapshots.read((source) => listInParts(source, query)),
    listProgress: (query) => page(reads, query).map((order) => orderProgress(order, settings.current())),
    get: (orderNumber) => answer(reads, getFrom(reads, orderNumber)),
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
        isLarge(getFrom(reads, orderNumber))
          ? await snapshots.read((source) => findShare(source, getFrom(source, orderNumber), picker))
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
      await writeWhole(orderNumber, (tx, order) => {
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
      const item = repositories.orders.findItem(itemId);
      if (item === undefined || item.isVerified) return;
      repositories.orders.saveItem(item, { ...item, isVerified: true });
      work.tellItem(tx, itemId);
    },
    abort: (orderNumber, by) =>
      changeWhole(orderNumber, (tx, order) => abortOrder(context, tx, order, by), { isLast: true }),
    remove: (orderNumber, by) =>
      writeWhole(
        orderNumber,
        (tx, order) => {
          if (!isLarge(order)) return removeWithin(tx, order, by);
          endedOrders.removing(orderNumber, () => now(orderNumber));
          putLastTask(context, order, 'remove', by);
        },
        { isLast: true },
      ),
    finishAll: () => launchLimiter.take(1, () => tasks.finishAll()),
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
      for (const itemId of repositories.orders.giveItems(from, to)) work.tellItem(tx, itemId);
    },
  };
}

function getFrom(source: Pick<Repositories, 'orders'>, orderNumber: string): OrderRow {
  const order = source.orders.findByNumber(orderNumber);
  if (order !== undefined) return order;
  throw new StationError('not_found', `There is no order ${orderNumber}. GET /api/orders/ lists them.`);
}

/** The places that a launch looks for by a part of their names. */
function* searchedPlaces(
  source: Pick<Repositories, 'aliases' | 'devices' | 'orders' | 'placeNames'>,
  orderId: number,
): InParts<string[]> {
  const places = new Set<string>();
  for (let after = 0; ;) {
    const page = source.orders.listToLight(orderId, after, ITEMS_AT_ONCE);
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
