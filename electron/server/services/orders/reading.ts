import type { Order, OrderQuery } from '#shared/api/order.ts';
import type { InParts } from '#shared/lib/inParts.ts';
import type { Repositories } from '../../db/repositories.ts';
import type { OrderRow } from '../../db/repositories/orders.ts';
import { attentionOf } from '../../domain/order.ts';
import { StationError } from '../../errors.ts';
import { answeredItems, orderAnswer, type AnsweredItems, type OrderDefaults } from './answers.ts';

/** Orders in one answer. */
const LIMIT = 1_000;
/** Items in one answer: a list adds no order beyond this number. */
const MAX_LISTED_ITEMS = 50_000;
/** Orders of a list read in one turn, if they are small. */
const ORDERS_AT_ONCE = 8;
/** Items read at once: a millisecond. */
const ITEMS_AT_ONCE = 100;

/** An order with everything in it, read a part at a time. */
export function* orderInParts(
  tables: Pick<Repositories, 'items' | 'orders'>,
  order: OrderRow,
  defaults: OrderDefaults,
): InParts<Order> {
  const shipments = tables.orders.listShipments(order.id);
  const items: AnsweredItems = { byShipment: new Map(), unassigned: [] };
  for (let after = 0; ;) {
    const page = tables.items.listAfter(order.id, after, ITEMS_AT_ONCE);
    answeredItems(page, items);
    if (page.length < ITEMS_AT_ONCE) break;
    after = page.at(-1)?.id ?? after;
    yield;
  }
  return orderAnswer(order, shipments, items, defaults);
}

/** Throws `not_found`. */
export function getOrder(tables: Pick<Repositories, 'orders'>, orderNumber: string): OrderRow {
  const order = tables.orders.findByNumber(orderNumber);
  if (order !== undefined) return order;
  throw new StationError('not_found', `There is no order ${orderNumber}. GET /api/orders/ lists them.`);
}

/** The orders of one answer, without what is in them. */
export function pageOfOrders(
  tables: Pick<Repositories, 'accounts' | 'orders'>,
  { state, attention, picker, after = '', limit = LIMIT }: OrderQuery,
): OrderRow[] {
  if (picker === undefined) return tables.orders.list({ state, attention: attention !== undefined, after, limit });
  const orders: OrderRow[] = [];
  for (const number of tables.orders.listNumbersOf(tables.accounts.findUser(picker)?.username ?? picker, after)) {
    if (orders.length === limit) break;
    const order = tables.orders.findByNumber(number);
    if (order === undefined || (state !== undefined && order.state !== state)) continue;
    if (attention === undefined || attentionOf(order, order.isStalled).length > 0) orders.push(order);
  }
  return orders;
}

/** The same, each with everything in it. */
export function* ordersInParts(
  tables: Pick<Repositories, 'accounts' | 'items' | 'orders'>,
  query: OrderQuery,
  defaults: OrderDefaults,
): InParts<Order[]> {
  const orders: Order[] = [];
  let items = 0;
  for (const order of pageOfOrders(tables, query)) {
    items += order.counts.items;
    if (orders.length > 0 && items > MAX_LISTED_ITEMS) break;
    orders.push(yield* orderInParts(tables, order, defaults));
    if (orders.length % ORDERS_AT_ONCE === 0) yield;
  }
  return orders;
}
