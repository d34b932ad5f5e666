import type { Correction, Item, NewOrder, Order, OrderProgress, OrderQuery, OrderResult } from '#shared/api/order.ts';
import type { OrderRow } from '../../db/repositories/orders.ts';
import type { Repositories } from '../../db/repositories.ts';
import type { Transaction, Writer } from '../../db/writer.ts';
import { isToLight } from '../../domain/order.ts';
import { StationError } from '../../errors.ts';
import type { Ids } from '../../ports.ts';
import type { LaunchLimiter } from '../base/index.ts';
import type { Callbacks } from '../callbacks/index.ts';
import { type Commands, type OwnedEnd, refuseFaults } from '../commands/index.ts';
import { prefetchTargets } from '../devices/index.ts';
import { itemAnswer, orderAnswer, orderProgress } from './answers.ts';
import { correctItem, endItem } from './items.ts';
import { abortOrder, launchOrder, takeBack } from './launch.ts';
import { judgeLight, placesOfItems } from './light.ts';
import { insertOrder, lightOf, sizeOf, zeroItems } from './newOrder.ts';
import { type Found, createOrderWork } from './work.ts';
import type { SettingsService } from '../settings/index.ts';

/** Orders of shipments of items, which are lit all at once and picked in any order. Contract, section 8. */
export type Orders = {
  /** In the order of their numbers. */
  list(query: OrderQuery): Order[];
  listProgress(query: OrderQuery): OrderProgress[];
  /** Throws `not_found`. */
  get(orderNumber: string): Order;
  /**
   * Throws `conflict` if the order number exists, `invalid` for an unknown color. `strict` also refuses a sound
   * that cannot be read and items of 0; otherwise they are warnings.
   */
  add(wanted: NewOrder, how: { strict: boolean }): Promise<OrderResult>;
  /** Throws `invalid` for an unknown color. */
  check(wanted: NewOrder): void;
  /** Within a use-case: adds an order that was checked. Returns its id. */
  addWithin(tx: Transaction, wanted: NewOrder): number;
  /** Within a use-case: turns off all its items and removes it. */
  removeWithin(tx: Transaction, order: OrderRow, by: string): void;
  /** Lights all open items that are not lit. Throws `not_found`, or `conflict` if there is nothing to light. */
  launch(orderNumber: string, by: string): Promise<Order>;
  /** Turns off all its items. Throws `not_found`. */
  abort(orderNumber: string, by: string): Promise<Order>;
  /** Turns off all its items and removes the order. Throws `not_found`. */
  remove(orderNumber: string, by: string): Promise<void>;
  /** Corrects the fulfilled quantity of an item. Throws `not_found`. */
  correct(orderNumber: string, itemId: number, correction: Correction, by: string): Promise<Item>;
  /** For the queue: the command of an item ended. Runs inside its use-case. */
  ended(tx: Transaction, ended: OwnedEnd): void;
  /** For the queue: an item has another command now. Runs inside its use-case. */
  itemMoved(tx: Transaction, itemId: number): void;
  /** Within a use-case: `to` replaced the device `from`. */
  deviceReplaced(tx: Transaction, from: string, to: string): void;
};

/** Orders in one answer. */
const LIMIT = 1_000;
/** Items in one answer: a list adds no order beyond this number. */
const MAX_LISTED_ITEMS = 50_000;
const TOKEN_BYTES = 9;

export function createOrders(parts: {
  repositories: Pick<Repositories, 'aliases' | 'commands' | 'devices' | 'history' | 'orders' | 'placeNames'>;
  reads: Pick<Repositories, 'aliases' | 'devices' | 'orders' | 'placeNames'>;
  writer: Writer;
  commands: Commands;
  callbacks: Callbacks;
  settings: SettingsService;
  launchLimiter: Pick<LaunchLimiter, 'take'>;
  ids: Ids;
}): Orders {
  const { repositories, reads, writer, commands, callbacks, settings, launchLimiter, ids } = parts;
  const work = createOrderWork({ repositories, callbacks, templates: () => settings.current() });
  const context = { repositories, commands, callbacks, work, defaults: () => settings.current() };

  function answer(source: Pick<Repositories, 'orders'>, order: OrderRow): Order {
    return orderAnswer(order, source.orders.listShipments(order.id), source.orders.listItems(order.id));
  }

  /** One use-case that processes all items of an order. */
  function writeWhole<T>(orderNumber: string, useCase: (tx: Transaction, order: OrderRow) => T): Promise<T> {
    const size = reads.orders.findByNumber(orderNumber)?.counts.items ?? 0;
    return launchLimiter.take(size, () => writer.write((tx) => useCase(tx, getFrom(repositories, orderNumber))));
  }

  /** Within a use-case: the answer shows this change, whatever else the same commit does to the order. */
  const now = (orderNumber: string): Order => answer(repositories, getFrom(repositories, orderNumber));

  // Warn when the order is created, not when a worker waits for the launch.
  const check: Orders['check'] = (wanted) => void judgeLight(lightOf(wanted), settings.current());

  const addWithin: Orders['addWithin'] = (tx, wanted) => {
    const token = Buffer.from(ids.bytes(TOKEN_BYTES)).toString('base64url');
    const id = insertOrder(repositories, wanted, { token, now: tx.now });
    work.tellOrder(tx, id);
    return id;
  };

  const removeWithin: Orders['removeWithin'] = (tx, order, by) => {
    takeBack(context, tx, repositories.orders.listItems(order.id), by);
    repositories.orders.remove(order.id);
    work.record(tx, order, { kind: 'order_removed', qty: order.counts.fulfilled, detail: { by } });
    tx.emit({ type: 'order.removed', order_number: order.orderNumber });
  };

  function page({ state, after = '', limit = LIMIT }: OrderQuery): OrderRow[] {
    return reads.orders.list({ state, after, limit });
  }

  return {
    list(query) {
      const orders: Order[] = [];
      let items = 0;
      for (const order of page(query)) {
        items += order.counts.items;
        if (orders.length > 0 && items > MAX_LISTED_ITEMS) break;
        orders.push(answer(reads, order));
      }
      return orders;
    },
    listProgress: (query) => page(query).map(orderProgress),
    get: (orderNumber) => answer(reads, getFrom(reads, orderNumber)),
    async add(wanted, { strict }) {
      // Warn when the order is created, not when a worker waits for the launch.
      const doubtful = [...judgeLight(lightOf(wanted), settings.current()).leftOut, ...zeroItems(wanted)];
      if (strict) refuseFaults(doubtful);
      const order = await launchLimiter.take(sizeOf(wanted), () =>
        writer.write((tx) => {
          addWithin(tx, wanted);
          return now(wanted.order_number);
        }),
      );
      return { ...order, warnings: doubtful.map(({ path, message }) => `${path}: ${message}`) };
    },
    check,
    addWithin,
    removeWithin,
    async launch(orderNumber, by) {
      const items = reads.orders.listItems(getFrom(reads, orderNumber).id).filter(isToLight);
      await prefetchTargets({ repositories, writer }, placesOfItems(reads, items));
      return writeWhole(orderNumber, (tx, order) => {
        launchOrder(context, tx, order, by);
        return now(orderNumber);
      });
    },
    abort: (orderNumber, by) =>
      writeWhole(orderNumber, (tx, order) => {
        abortOrder(context, tx, order, by);
        return now(orderNumber);
      }),
    remove: (orderNumber, by) => writeWhole(orderNumber, (tx, order) => removeWithin(tx, order, by)),
    correct: (orderNumber, itemId, correction, by) =>
      writer.write((tx) => {
        const order = getFrom(repositories, orderNumber);
        const found = findItem(repositories, itemId);
        if (found?.order.id !== order.id) throw noItem(orderNumber, itemId);
        correctItem(context, tx, found, { ...correction, by });
        return itemAnswer(repositories.orders.findItem(itemId) ?? found.item);
      }),
    ended(tx, ended) {
      const found = findItem(repositories, ended.owner.id);
      if (found !== undefined) endItem(context, tx, found, ended);
    },
    itemMoved: work.tellItem,
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

function noItem(orderNumber: string, itemId: number): StationError {
  return new StationError(
    'not_found',
    `Order ${orderNumber} has no item ${itemId}. GET /api/orders/{order_number}/ says the id of each.`,
  );
}

function findItem(repositories: Pick<Repositories, 'orders'>, itemId: number): Found | undefined {
  const item = repositories.orders.findItem(itemId);
  if (item === undefined) return undefined;
  const order = repositories.orders.find(item.orderId);
  const shipment = repositories.orders.findShipment(item.shipmentId);
  return order === undefined || shipment === undefined ? undefined : { order, shipment, item };
}
