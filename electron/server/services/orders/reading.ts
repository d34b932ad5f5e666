import type { Order, OrderQuery } from '#shared/api/order.ts';
import type { InParts } from '#shared/lib/station/inParts.ts';
import { isChangedSince, type OrderRow } from '../../db/repositories/orders.ts';
import { attentionOf, haltOf } from '../../domain/orders/order.ts';
import { StationError } from '../../errors.ts';
import { orderAnswer, type OrderDefaults } from './answers.ts';
import type { OrderListTables, OrderTable, OrderTables } from './tables.ts';

/** Default and maximum number of orders in a response. */
const LIMIT = 1_000;
/** Maximum number of items in a response. A list ends before the order that would exceed it, but contains at least one order. */
const MAX_LISTED_ITEMS = 50_000;
/** Number of items to read per turn of the event loop. Each turn reads at least one order. */
const ITEMS_AT_ONCE = 200;
const ORDER_COST = 20;

export function readOrder(tables: OrderTables, order: OrderRow, defaults: OrderDefaults): Order {
  return orderAnswer(order, tables.orders.listShipments(order.id), tables.items.listOf(order.id), defaults);
}

/** Finds an order by its number, ignoring leading and trailing spaces, or by its id in the form `id:5`. Throws `not_found`. */
export function getOrder(tables: OrderTable, name: string): OrderRow {
  const order = tables.orders.findByName(name) ?? tables.orders.findByName(name.trim());
  if (order !== undefined) return order;
  throw new StationError('not_found', `There is no order ${name}. GET /api/orders/ lists them.`);
}

/** Returns the orders for one response, without shipments and items. */
export function pageOfOrders(
  tables: OrderListTables,
  {
    state,
    attention,
    picker,
    updated_after: updatedAfter,
    after_revision: afterRevision,
    after = '',
    limit = LIMIT,
  }: OrderQuery,
): OrderRow[] {
  const since = updatedAfter === undefined ? undefined : Date.parse(updatedAfter);
  if (picker === undefined)
    return tables.orders.list({ state, attention: attention !== undefined, since, afterRevision, after, limit });
  const orders: OrderRow[] = [];
  for (const number of tables.orderPickers.listNumbersOf(tables.accounts.findUser(picker)?.username ?? picker, after)) {
    if (orders.length === limit) break;
    const order = tables.orders.findByNumber(number);
    if (order === undefined || (state !== undefined && order.state !== state)) continue;
    if (!isChangedSince(order, { since, afterRevision })) continue;
    if (attention === undefined || attentionOf(order, haltOf(order)).length > 0) orders.push(order);
  }
  return orders;
}

/** Returns the orders for one response, with shipments and items. */
export function* listOrders(tables: OrderListTables, query: OrderQuery, defaults: OrderDefaults): InParts<Order[]> {
  const orders: Order[] = [];
  let items = 0;
  let inTurn = 0;
  for (const order of pageOfOrders(tables, query)) {
    items += order.counts.items;
    if (orders.length > 0 && items > MAX_LISTED_ITEMS) break;
    orders.push(readOrder(tables, order, defaults));
    // Count a fixed cost per order, because reading an order takes about as long as reading some items.
    inTurn += order.counts.items + ORDER_COST;
    if (inTurn < ITEMS_AT_ONCE) continue;
    inTurn = 0;
    yield;
  }
  return orders;
}
