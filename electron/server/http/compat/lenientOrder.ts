import { newOrderSchema, orderChangeSchema } from '#shared/api/order.ts';
import { changedItemSchema, newLineSchema } from '#shared/api/orderItem.ts';
import { lenientBody } from './lenientBody.ts';
import { isObject, mappedArray, mappedObject, textOfNumber } from './looseValues.ts';

/** Fields in which an empty text means "no nonce", regardless of the settings. */
const NONCES: ReadonlySet<string> = new Set(['ordernonce', 'shipmentnonce', 'callback_nonce']);

/** Fields to trim, because their values often come from cells and forms. */
const CODES: ReadonlySet<string> = new Set(['order_number', 'shipment_number', 'SKU', 'UPC', 'warehouse_location']);

const BLANK = /^\p{Zs}$/u;

const readOrder = lenientBody(newOrderSchema);
const readOrderChange = lenientBody(orderChangeSchema);
const readItemChange = lenientBody(changedItemSchema);
const readLine = lenientBody(newLineSchema);

/**
 * Converts an order to the canonical form: quantities and seconds from text to numbers, and numeric article numbers to text. Null and an
 * empty string mean "not given", and so does an empty list of shipments in an order with items. For shops that fill a template from rows
 * with many empty columns, and clients that send every field of the specification, including both lists. Contract, sections 2 and 8.
 */
export function lenientOrder(body: unknown): unknown {
  const order = given(readOrder(body));
  if (!isObject(order)) return order;
  const { shipments, items, ...fields } = withAddress(order);
  const isInstead = items !== undefined && Array.isArray(shipments) && shipments.length === 0;
  return {
    ...fields,
    ...(items === undefined ? {} : { items: each(items, givenItem) }),
    ...(shipments === undefined || isInstead ? {} : { shipments: each(shipments, givenShipment) }),
  };
}

/** Like `lenientOrder`, but for changes to an order, in which null and an empty text clear a field. */
export function lenientOrderChange(body: unknown): unknown {
  const change = readOrderChange(body);
  return isObject(change) ? withAddress(change) : change;
}

/** Texts of an item that null or an empty text clears. */
const CLEARED: ReadonlySet<string> = new Set([
  'name',
  'SKU',
  'UPC',
  'description',
  'warehouse_location',
  'deviceid',
  'callback_nonce',
]);

/** Like `lenientOrder`, but for a change of an item: null and an empty text clear its texts, and other empty fields count as omitted. */
export function lenientItemChange(body: unknown): unknown {
  const read = readItemChange(body);
  const change = givenItem(read);
  if (!isObject(read) || !isObject(change)) return change;
  const cleared = Object.entries(read).filter(([name, value]) => CLEARED.has(name) && (value === null || value === ''));
  return { ...change, ...Object.fromEntries(cleared.map(([name]) => [name, null])) };
}

/** Like `lenientOrder`, but for one line. */
export function lenientLine(body: unknown): unknown {
  return givenItem(readLine(body));
}

/** Removes empty parts of the address. */
function withAddress(order: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return isObject(order['address']) ? { ...order, address: given(order['address']) } : order;
}

function givenShipment(value: unknown): unknown {
  const shipment = given(value);
  return isObject(shipment) && 'items' in shipment
    ? { ...shipment, items: each(shipment['items'], givenItem) }
    : shipment;
}

/**
 * Converts an item. Accepts `SKU` and `UPC` in any case, because JSON serializers of C# and Java write `sku`. Uses the canonical spelling
 * if present, otherwise the first one. Other spellings remain as unknown fields.
 */
function givenItem(value: unknown): unknown {
  if (!isObject(value)) return value;
  const taken = new Set(Object.keys(value));
  const named = Object.entries(value).map(([name, part]): [string, unknown] => {
    const code = name.toUpperCase();
    if ((code !== 'SKU' && code !== 'UPC') || taken.has(code)) return [name, part];
    taken.add(code);
    return [code, textOfNumber(part)];
  });
  return given(Object.fromEntries(named));
}

/** Trims codes and removes empty fields. */
function given(value: unknown): unknown {
  if (!isObject(value)) return value;
  const isGiven = (part: unknown, name: string): boolean =>
    part !== null && part !== undefined && (part !== '' || NONCES.has(name));
  const trimmed = mappedObject(value, (part, name) =>
    CODES.has(name) && typeof part === 'string' ? withoutBlanksAround(part) : part,
  );
  const fields = Object.entries(trimmed);
  if (fields.every(([name, part]) => isGiven(part, name))) return trimmed;
  return Object.fromEntries(fields.filter(([name, part]) => isGiven(part, name)));
}

function each(values: unknown, read: (value: unknown) => unknown): unknown {
  return Array.isArray(values) ? mappedArray(values, read) : values;
}

function withoutBlanksAround(text: string): string {
  let [from, to] = [0, text.length];
  while (from < to && BLANK.test(text.charAt(from))) from += 1;
  while (to > from && BLANK.test(text.charAt(to - 1))) to -= 1;
  return text.slice(from, to);
}
