import type { Article } from '#shared/api/article.ts';
import type { NewOrder } from '#shared/api/order.ts';
import { DEVICE_ID } from '#shared/lib/devices/deviceLimits.ts';
import { MAX_PRIORITY } from '#shared/lib/orders/orderLimits.ts';
import type { FieldMessages } from '../../kit/field/fieldProblems.ts';
import { readWhole } from '../../kit/field/readWhole.ts';
import * as texts from '../../words/texts.ts';
import { readAddress } from './readAddress.ts';

const words = texts.orders.form;

export type LineDraft = {
  id: number;
  /** What the person typed, or the SKU of the article that was chosen. */
  article: string;
  quantity: string;
  place: string;
  shipment: string;
};

export type OrderDraft = {
  number: string;
  customer: string;
  /** The lines of the address, as on a letter. */
  address: string;
  note: string;
  color: string;
  seconds: string;
  /** ISO 8601, or null if there is no due time. */
  due: string | null;
  priority: string;
  /** Station of the fleet; empty for this station, or if none has been chosen yet. */
  station: string;
  /** Whether the other station should launch the order immediately. */
  isLaunched: boolean;
  items: readonly LineDraft[];
};

export const NO_LINE = { article: '', quantity: '1', place: '', shipment: '' } as const;

export const NEW_ORDER: OrderDraft = {
  number: '',
  customer: '',
  address: '',
  note: '',
  color: '',
  seconds: '',
  due: null,
  priority: '',
  station: '',
  isLaunched: true,
  items: [{ id: 1, ...NO_LINE }],
};

/** Returns validation errors by field. */
export function orderProblems({ number, seconds, priority, items }: OrderDraft): FieldMessages {
  const problems: Record<string, string> = {};
  if (number.trim() === '') problems['order_number'] = words.noNumber;
  if (seconds.trim() !== '' && readWhole(seconds) === undefined) problems['seconds'] = words.badSeconds;
  if (priority.trim() !== '' && readPriority(priority) === undefined) problems['priority'] = words.badPriority;
  const withShipments = items.some(({ shipment }) => shipment.trim() !== '');
  for (const { id, article, quantity, shipment } of items) {
    if (article.trim() === '') problems[`article ${id}`] = words.noArticle;
    if ((readWhole(quantity) ?? 0) < 1) problems[`quantity ${id}`] = words.noQuantity;
    if (withShipments && shipment.trim() === '') problems[`shipment ${id}`] = words.someShipment;
  }
  return problems;
}

/**
 * What a line orders: an article of this station, only a name, or `unresolved` if another station has to find its
 * article.
 */
type Ordered = Article | undefined | 'unresolved';

/** Returns the typed order. `articleOf` tells what a line orders. Must only be called if `orderProblems` returns no errors. */
export function draftedOrder(draft: OrderDraft, articleOf: (typed: string) => Ordered): NewOrder {
  const { number, customer, address, note, color, seconds, due, priority, items } = draft;
  const sentTo = readAddress(address);
  const rank = readPriority(priority) ?? 0;
  const wholeSeconds = readWhole(seconds);
  const lineOf = (line: LineDraft) => draftedLine(line, articleOf(line.article.trim()));
  const order = {
    order_number: number.trim(),
    ...(customer.trim() === '' ? {} : { customer: customer.trim() }),
    ...(Object.keys(sentTo).length === 0 ? {} : { address: sentTo }),
    ...(note.trim() === '' ? {} : { note: note.trim() }),
    ...(color.trim() === '' ? {} : { color: color.trim() }),
    ...(wholeSeconds === undefined ? {} : { seconds: wholeSeconds }),
    ...(due === null ? {} : { due_time: due }),
    ...(rank === 0 ? {} : { priority: rank }),
  };
  if (items.every(({ shipment }) => shipment.trim() === '')) return { ...order, items: items.map(lineOf) };
  const numbers = [...new Set(items.map(({ shipment }) => shipment.trim()))];
  const shipments = numbers.map((shipment_number) => ({
    shipment_number,
    items: items.filter(({ shipment }) => shipment.trim() === shipment_number).map(lineOf),
  }));
  return { ...order, shipments };
}

/** Returns the typed line of an order. */
export function draftedLine(
  { article, quantity, place }: LineDraft,
  ordered: Ordered,
): NonNullable<NewOrder['items']>[number] {
  const where = place.trim();
  return {
    ...goodsOf(article.trim(), ordered),
    ordered_quantity: readWhole(quantity) ?? 1,
    ...(where === '' ? {} : DEVICE_ID.test(where) ? { deviceid: where.toUpperCase() } : { warehouse_location: where }),
  };
}

function goodsOf(typed: string, ordered: Ordered) {
  if (ordered === undefined) return { name: typed };
  // The other station looks articles up by SKU or barcode first, and by name last.
  if (ordered === 'unresolved') return { SKU: typed, name: typed };
  return { SKU: ordered.sku, ...(ordered.name === null ? {} : { name: ordered.name }) };
}

/** Parses a whole number, which can be negative. Returns undefined if the text is invalid or the number too large. */
export function readPriority(typed: string): number | undefined {
  const number = /^\s*-?\d{1,4}\s*$/.test(typed) ? Number(typed) : Number.NaN;
  return Math.abs(number) <= MAX_PRIORITY ? number : undefined;
}
