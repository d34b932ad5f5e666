import { hash } from 'node:crypto';
import type { NewOrder } from '#shared/api/order.ts';
import type { NewItem } from '#shared/api/orderItem.ts';
import type { OrderRow } from '../../../db/repositories/orders.ts';
import { withoutEntities } from '#shared/lib/tables/cells/entities.ts';
import { listText } from '#shared/lib/text/locale.ts';
import { addressOf, descriptionOfItem, type OrderTables } from '../../orders/index.ts';

/** Maximum number of lines to name. */
const MOST_NAMED = 4;

/** Returns the content of an order as the request that would create it. */
export function contentOf(tables: OrderTables, order: OrderRow): NewOrder {
  return contentWith(itemOf, tables, order);
}

/** Like `contentOf`, with the private fields that files never remove: the order can be created again from it. */
export function wholeContentOf(tables: OrderTables, order: OrderRow): NewOrder {
  const { orderedAt, isPaid } = order;
  return {
    ...contentOf(tables, order),
    ...given('ordered_at', orderedAt === null ? null : new Date(orderedAt).toISOString()),
    ...given('paid', isPaid),
    ...addressOf(tables, order),
  };
}

/** Returns the content of an order with names from its articles, as API responses and exports show it. */
export function shownContentOf(tables: OrderTables, order: OrderRow): NewOrder {
  return contentWith(shownItemOf, tables, order);
}

/** Replaces HTML entities in the texts of an order, because earlier imports stored them. */
export function plainContent(order: NewOrder): NewOrder {
  const { customer, note, items, shipments } = order;
  return {
    ...order,
    ...plain('customer', customer),
    ...plain('note', note),
    ...given('items', items?.map(plainItem)),
    ...given(
      'shipments',
      shipments?.map((shipment) => ({ ...shipment, items: shipment.items.map(plainItem) })),
    ),
  };
}

function plainItem(item: NewItem): NewItem {
  return { ...item, ...plain('name', item.name), ...plain('description', item.description) };
}

function plain<K extends string>(key: K, text: string | undefined): { [P in K]?: string } {
  return given(key, text === undefined ? undefined : withoutEntities(text));
}

function contentWith(itemFrom: (item: Item) => NewItem, { items, orders }: OrderTables, order: OrderRow): NewOrder {
  const { orderNumber, ordernonce, color, seconds, sound, priority, dueAt, customer, note, scanRequired } = order;
  const byShipment = Map.groupBy(items.listOf(order.id), ({ shipmentId }) => shipmentId);
  const shipments = orders.listShipments(order.id).map(({ id, shipmentNumber, shipmentnonce }) => ({
    shipment_number: shipmentNumber,
    ...given('shipmentnonce', shipmentnonce),
    items: (byShipment.get(id) ?? []).map(itemFrom),
  }));
  return {
    order_number: orderNumber,
    ...given('ordernonce', ordernonce),
    ...given('color', color),
    ...given('seconds', seconds),
    ...given('sound', sound),
    ...given('priority', priority === 0 ? null : priority),
    ...given('due_time', dueAt === null ? null : new Date(dueAt).toISOString()),
    ...given('customer', customer),
    ...given('note', note),
    ...given('scan_required', scanRequired),
    ...(order.hasItems ? { items: shipments.flatMap((shipment) => shipment.items) } : { shipments }),
  };
}

/** Returns a digest of the content that a file can set. Orders with equal content have equal digests. */
export function digestOf(order: NewOrder): string {
  return hash('sha256', JSON.stringify([ownOf(order), linesOf(order)]), 'base64');
}

/** Returns the names of the fields in which two orders differ, for the history. */
export function changedFields(next: NewOrder, before: NewOrder): string[] {
  const [to, from] = [ownOf(next), ownOf(before)];
  const lines = JSON.stringify(linesOf(next)) === JSON.stringify(linesOf(before)) ? [] : ['items'];
  return [...OWN.filter((field) => to[field] !== from[field]), ...lines];
}

/**
 * Reverts what changed from `before` to `after` in an order whose content is now `now`: each field, and the lines as a whole, if they still
 * have the value in `after`. `kept` lists the fields that have another value since, and `isChanged` tells whether `next` differs from `now`.
 */
export function reverted(
  now: NewOrder,
  { before, after }: { before: NewOrder; after: NewOrder },
): { next: NewOrder; kept: string[]; isChanged: boolean } {
  const differing = changedFields(after, before);
  const since = new Set(changedFields(now, after));
  const restored = new Set(differing.filter((field) => !since.has(field)));
  const already = new Set(differing.filter((field) => !changedFields(now, before).includes(field)));
  const [rest, lines] = [withoutLines(before), restored.has('items') ? before : now];
  const own = Object.fromEntries(
    OWN.flatMap((field) => {
      const value = (restored.has(field) ? before : now)[field];
      return value === undefined ? [] : [[field, value]];
    }),
  );
  const { items, shipments } = lines;
  return {
    next: { ...rest, ...own, ...given('items', items), ...given('shipments', shipments) },
    kept: differing.filter((field) => since.has(field) && !already.has(field)),
    isChanged: restored.size > 0,
  };
}

/** Returns the fields of an order that files cannot set, with its number. */
function withoutLines({ order_number, ordernonce, sound, scan_required }: NewOrder): NewOrder {
  return {
    order_number,
    ...given('ordernonce', ordernonce),
    ...given('sound', sound),
    ...given('scan_required', scan_required),
  };
}

/** Returns the first difference between a file and an order, as part of a sentence, or '' if they are equal. */
export function differenceOf(file: NewOrder, order: NewOrder): string {
  const [ours, theirs] = [linesOf(order).map(lineWords), linesOf(file).map(lineWords)];
  const added = withoutEach(theirs, ours);
  const gone = withoutEach(ours, theirs);
  if (added.length > 0 && gone.length > 0) return `the file has ${added[0]}, and the order has ${gone[0]}`;
  if (added.length > 0) return `the file also has ${added[0]}`;
  if (gone.length > 0) return `the file no longer has ${gone[0]}`;
  const [mine, its] = [ownOf(order), ownOf(file)];
  const field = OWN.find((each) => mine[each] !== its[each]);
  if (field !== undefined) return `the file has another ${field}`;
  return digestOf(file) === digestOf(order) ? '' : 'the file has its lines in a different order';
}

/**
 * Lines, pieces and fields that a file removes from an order, in words. `isPart` tells whether the file may have only a part of the order,
 * because it removes whole lines and adds nothing, or keeps no line.
 */
export type Removed = { lines: readonly string[]; fields: readonly string[]; isPart: boolean };

/** Fields of an order in words. */
const FIELD_WORDS = {
  customer: 'the customer',
  note: 'the note',
  due_time: 'the due time',
  priority: 'the priority',
  color: 'the color',
  seconds: 'the seconds',
} as const satisfies Record<(typeof OWN)[number], string>;

/** Returns what a file removes from an order, or undefined if it removes nothing. */
export function removedBy(file: NewOrder, order: NewOrder): Removed | undefined {
  const [wanted, there] = [piecesByLine(file), piecesByLine(order)];
  const lines = [...there].flatMap(([key, { line, pieces }]) => {
    const fewer = pieces - (wanted.get(key)?.pieces ?? 0);
    return fewer > 0 || !wanted.has(key) ? [lineWords({ ...line, ordered_quantity: fewer })] : [];
  });
  const [mine, its] = [ownOf(order), ownOf(file)];
  const fields = OWN.filter((field) => !isBlank(mine[field]) && isBlank(its[field])).map((field) => FIELD_WORDS[field]);
  if (lines.length + fields.length === 0) return undefined;
  const isMore = [...wanted].some(([key, { pieces }]) => pieces > (there.get(key)?.pieces ?? -1));
  const gone = [...there.keys()].filter((key) => !wanted.has(key)).length;
  return { lines, fields, isPart: gone > 0 && (!isMore || gone === there.size) };
}

const isBlank = (value: number | string | null | undefined): boolean =>
  value === null || value === undefined || value === 0;

/** Returns the lines of an order, each with the sum of its pieces, by everything but the pieces. */
function piecesByLine(order: NewOrder): Map<string, { line: Line; pieces: number }> {
  const byLine = new Map<string, { line: Line; pieces: number }>();
  for (const line of linesOf(order)) {
    const key = JSON.stringify({ ...line, ordered_quantity: 0 });
    byLine.set(key, { line, pieces: line.ordered_quantity + (byLine.get(key)?.pieces ?? 0) });
  }
  return byLine;
}

const OWN = ['color', 'seconds', 'priority', 'due_time', 'customer', 'note'] as const;

function ownOf({ color, seconds, priority, due_time: due, customer, note }: NewOrder) {
  return {
    color: color ?? null,
    seconds: seconds ?? null,
    priority: priority ?? 0,
    // Round down to seconds, because files contain whole seconds only.
    due_time: due === undefined ? null : Math.floor(Date.parse(due) / 1_000) * 1_000,
    customer: wordsOf(customer),
    note: wordsOf(note),
  };
}

type Line = { shipment: string } & NewItem;

function linesOf({ order_number: number, shipments, items = [] }: NewOrder): Line[] {
  const all = shipments ?? [{ shipment_number: number, items }];
  return all.flatMap(({ shipment_number: shipment, items: lines }) => lines.map((item) => lineOf(shipment, item)));
}

function lineOf(shipment: string, item: NewItem): Line {
  const { SKU, UPC, name, description, ordered_quantity, warehouse_location, deviceid, callback_nonce } = item;
  return {
    shipment,
    ordered_quantity,
    ...given('SKU', wordsOf(SKU)),
    ...given('UPC', wordsOf(UPC)),
    ...given('name', wordsOf(name)),
    ...given('description', wordsOf(description)),
    ...given('warehouse_location', wordsOf(warehouse_location)),
    ...given('deviceid', deviceid),
    ...given('callback_nonce', wordsOf(callback_nonce)),
  };
}

/** Lists items as part of a sentence. */
export function itemsText(items: readonly NewItem[]): string {
  return linesText(items.map((item) => lineWords(item)));
}

/** Lists what a file removes as part of a sentence. */
export function removedText({ lines, fields }: Removed): string {
  return listText([...namedLines(lines), ...fields]);
}

/** Lists lines as part of a sentence. Names only the first of them. */
export function linesText(lines: readonly string[]): string {
  return listText(namedLines(lines));
}

function namedLines(lines: readonly string[]): readonly string[] {
  if (lines.length <= MOST_NAMED) return lines;
  return [...lines.slice(0, MOST_NAMED - 1), `${lines.length - MOST_NAMED + 1} other lines`];
}

function lineWords({ ordered_quantity: quantity, SKU, UPC, name, warehouse_location: place }: NewItem): string {
  return `${quantity} × ${SKU ?? UPC ?? name ?? ''}${place === undefined ? '' : ` at ${place}`}`;
}

/**
 * Returns the elements of `all` without those in `others`. An element that occurs several times is only removed as often as `others`
 * contains it.
 */
function withoutEach(all: readonly string[], others: readonly string[]): string[] {
  const left = [...others];
  return all.filter((each) => {
    const index = left.indexOf(each);
    if (index < 0) return true;
    left.splice(index, 1);
    return false;
  });
}

type Item = ReturnType<OrderTables['items']['listOf']>[number];

function shownItemOf(item: Item): NewItem {
  return {
    ...itemOf(item),
    ...given('name', item.name ?? item.articleName),
    ...given('description', descriptionOfItem(item)),
  };
}

function itemOf(item: Item): NewItem {
  return {
    ordered_quantity: item.ordered,
    ...given('name', item.name),
    ...given('SKU', item.sku),
    ...given('UPC', item.upc),
    ...given('description', item.description),
    ...given('warehouse_location', item.warehouseLocation),
    ...given('deviceid', item.deviceId),
    ...given('callback_nonce', item.callbackNonce),
  };
}

function wordsOf(text: string | undefined): string | null {
  const words = (text ?? '').trim();
  return words === '' ? null : words;
}

/** Returns an object with this property, or an empty object if the value is null or undefined. */
function given<K extends string, V>(key: K, value: V | null | undefined): { [P in K]?: V } {
  // TypeScript cannot infer that an object with a computed key of type K has this type.
  return value === null || value === undefined ? {} : ({ [key]: value } as { [P in K]?: V });
}
