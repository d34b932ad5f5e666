import type { Order } from '#shared/api/order.ts';
import type { InParts } from '#shared/lib/inParts.ts';
import type { Repositories } from '../../db/repositories.ts';
import type { OrderRow } from '../../db/repositories/orders.ts';
import { answeredItems, orderAnswer, type AnsweredItems, type OrderDefaults } from './answers.ts';

/** Items read at once: a millisecond. */
const ITEMS_AT_ONCE = 100;

/** An order with everything in it, read a part at a time. */
export function* orderInParts(
  { orders }: Pick<Repositories, 'orders'>,
  order: OrderRow,
  defaults: OrderDefaults,
): InParts<Order> {
  const shipments = orders.listShipments(order.id);
  const items: AnsweredItems = { byShipment: new Map(), unassigned: [] };
  for (let after = 0; ;) {
    const page = orders.listItemsAfter(order.id, after, ITEMS_AT_ONCE);
    answeredItems(page, items);
    if (page.length < ITEMS_AT_ONCE) break;
    after = page.at(-1)?.id ?? after;
    yield;
  }
  return orderAnswer(order, shipments, items, defaults);
}
