import { correctionSchema, newOrderSchema } from '#shared/api/order.ts';
import { lenientBody } from './lenientBody.ts';

/** Where an empty text says something: that there is to be no nonce, whatever the settings have. */
const NONCES: ReadonlySet<string> = new Set(['ordernonce', 'shipmentnonce', 'callback_nonce']);

const readOrder = lenientBody(newOrderSchema);
const readCorrection = lenientBody(correctionSchema);

/**
 * An order in canonical form: quantities and seconds as text are numbers, an article number that is a number is text, null and
 * an empty string mean "not given", and so does an empty list of shipments beside items. Who sends it: shops that fill a
 * template from the rows of an order, where most columns of a row are empty, and clients that write whatever the specification's
 * order has, both lists among it. Contract, sections 2 and 8.
 */
export function lenientOrder(body: unknown): unknown {
  const order = given(readOrder(body));
  if (!isObject(order)) return order;
  const { shipments, items, ...fields } = order;
  const isInstead = items !== undefined && Array.isArray(shipments) && shipments.length === 0;
  return {
    ...fields,
    ...(items === undefined ? {} : { items: each(items, given) }),
    ...(shipments === undefined || isInstead ? {} : { shipments: each(shipments, givenShipment) }),
  };
}

/** The same of a correction: a reason that is empty is none. */
export function lenientCorrection(body: unknown): unknown {
  return given(readCorrection(body));
}

function givenShipment(value: unknown): unknown {
  const shipment = given(value);
  return isObject(shipment) && 'items' in shipment ? { ...shipment, items: each(shipment['items'], given) } : shipment;
}

/** The fields of an object that say something. */
function given(value: unknown): unknown {
  if (!isObject(value)) return value;
  const fields = Object.entries(value).filter(
    ([name, part]) => part !== null && part !== undefined && (part !== '' || NONCES.has(name)),
  );
  return Object.fromEntries(fields);
}

function each(values: unknown, read: (value: unknown) => unknown): unknown {
  return Array.isArray(values) ? values.map(read) : values;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
