import { z } from 'zod';
import { newOrderSchema } from '#shared/api/order.ts';
import { createPace, type InParts } from '#shared/lib/station/inParts.ts';
import { StationError } from '../../errors.ts';
import type { DocumentOrder } from '../../ports.ts';
import { readJson } from '../bodies/jsonReader.ts';
import { validate } from '../validation.ts';
import { shapeOf } from './bodyShape.ts';
import { lenientOrder } from './lenientOrder.ts';
import { isObject } from './looseValues.ts';
import { readXmlBody } from './xmlBody.ts';

/** Number of bytes to decode per step. */
const PART_BYTES = 128 * 1024;

const ORDERS = z.union([newOrderSchema, z.array(newOrderSchema)]);

/**
 * Parses, in steps, a document with one order or a list of orders, each as in POST /api/orders/. Throws a StationError if the document
 * cannot be parsed. An invalid order is returned with its problem.
 */
export function* readOrderDocument(bytes: Uint8Array, format: 'json' | 'xml'): InParts<DocumentOrder[]> {
  const pace = createPace();
  const text = yield* decode(bytes);
  if (text.includes('\0')) throw unreadable('This is not a text file. Save the orders as JSON or XML.');
  const value = inFile(() => (format === 'json' ? readJson(text) : readXmlBody(text, shapeOf(ORDERS))));
  const read: DocumentOrder[] = [];
  for (const each of Array.isArray(value) ? value : [value]) {
    if (pace.isDue()) yield* pace.rest();
    read.push(readOrder(each));
  }
  return read;
}

function* decode(bytes: Uint8Array): InParts<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let text = '';
  try {
    for (let from = 0; from < bytes.length; from += PART_BYTES) {
      text += decoder.decode(bytes.subarray(from, from + PART_BYTES), { stream: true });
      yield;
    }
    return text + decoder.decode();
  } catch {
    throw unreadable('The file is not UTF-8. Save it as UTF-8.');
  }
}

function unreadable(message: string): StationError {
  return new StationError('invalid', message);
}

function readOrder(sent: unknown): DocumentOrder {
  const order = lenientOrder(sent);
  try {
    const wanted = validate(newOrderSchema, order, 'body');
    return { number: wanted.order_number, wanted };
  } catch (error) {
    if (!(error instanceof StationError)) throw error;
    const number = isObject(order) ? order['order_number'] : '';
    return {
      number: typeof number === 'string' ? number : '',
      problem: error.message.replace(/^The body:/, 'The order:'),
    };
  }
}

/** Rewords errors about a request body so that they refer to a file. */
function inFile(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof StationError)) throw error;
    throw new StationError(error.code, error.message.replaceAll(/\b(the|The|A|a) (?:request )?body\b/g, '$1 file'));
  }
}
