import type { NewOrder } from '#shared/api/order.ts';
import type { InParts } from '#shared/lib/inParts.ts';
import { orderOfRows } from '#shared/lib/orderCsv.ts';
import type { OrderFormat, ResultRow } from '../../domain/folderFiles.ts';
import { StationError } from '../../errors.ts';
import type { BackgroundReadQueue } from '../base/index.ts';
import type { Target } from '../devices/index.ts';
import { type OrderGroup, type OrderImports, type Orders, rowAnswer } from '../orders/index.ts';

/** An order of a JSON or XML document, read as over HTTP. `problem`: why it is refused. */
export type DocumentOrder =
  | { number: string; wanted: NewOrder; problem?: undefined }
  | { number: string; problem: string };

/** Reads a document with one order or a list of orders. Throws a StationError if it cannot be read. */
export type ReadDocument = (text: string, format: 'json' | 'xml') => InParts<DocumentOrder[]>;

/** An order of a file. */
export type FileOrder = {
  number: string;
  /** Undefined: it is refused, or existed when the file was read. */
  wanted: (() => NewOrder) | undefined;
  isRefused: boolean;
  /** What to report about it. `isCreated`: by this file. */
  results(isCreated: boolean): ResultRow[];
};

export type ContentContext = {
  orders: Pick<Orders, 'check'>;
  orderImports: Pick<OrderImports, 'judge'>;
  backgroundReads: Pick<BackgroundReadQueue, 'take' | 'takeAll'>;
  readDocument: ReadDocument;
};

/** Bytes decoded in one step. */
const PART_BYTES = 128 * 1024;
const NO_DEVICES: ReadonlyMap<number, Target> = new Map();

/** The orders of a file. Throws a StationError with one sentence if the file cannot be read. */
export async function readContent(
  context: ContentContext,
  bytes: Uint8Array,
  format: OrderFormat,
): Promise<FileOrder[]> {
  const { backgroundReads, orderImports } = context;
  const text = await backgroundReads.takeAll(decode(bytes, format));
  // Excel's own files are archives; other binary files have zeros.
  if (text.startsWith('PK\u0003\u0004') || text.includes('\0')) {
    throw unreadable('This is not a text file. Save the table as CSV.');
  }
  if (format === 'csv') return (await orderImports.judge(text)).map(orderOfGroup);
  return await documentOrders(context, text, format);
}

function orderOfGroup(group: OrderGroup): FileOrder {
  const { number, rows, judgement } = group;
  return {
    number,
    wanted: judgement.kind === 'new' ? () => orderOfRows(number, rows) : undefined,
    isRefused: judgement.kind === 'wrong',
    results(isCreated) {
      const fate: OrderGroup =
        judgement.kind === 'wrong' ? group : { ...group, judgement: { kind: isCreated ? 'new' : 'known' } };
      return rows.map((row) => {
        const { line, order_number: order, outcome, message: reason } = rowAnswer(fate, row, NO_DEVICES);
        return { line, order, outcome, reason };
      });
    },
  };
}

async function documentOrders(context: ContentContext, text: string, format: 'json' | 'xml'): Promise<FileOrder[]> {
  const { backgroundReads, orders, readDocument } = context;
  const read = await backgroundReads.takeAll(readDocument(text, format));
  if (read.length === 0) throw unreadable('The file has no orders.');
  const seen = new Set<string>();
  return read.map((each, index): FileOrder => {
    const { number } = each;
    const problem =
      each.problem ?? (seen.has(number) ? `The file has order ${number} twice.` : faultOf(orders, each.wanted));
    seen.add(number);
    const row = (outcome: string, reason: string): ResultRow[] => [{ line: index + 1, order: number, outcome, reason }];
    return {
      number,
      wanted: problem === '' && each.problem === undefined ? () => each.wanted : undefined,
      isRefused: problem !== '',
      results(isCreated) {
        if (problem !== '') return row('refused', problem);
        return isCreated ? row('new', '') : row('known', `Order ${number} already exists and stays unchanged.`);
      },
    };
  });
}

/** Why the order cannot be created; empty: it can. */
function faultOf(orders: Pick<Orders, 'check'>, wanted: NewOrder): string {
  try {
    orders.check(wanted);
    return '';
  } catch (error) {
    if (error instanceof StationError) return error.message;
    throw error;
  }
}

/** Decodes UTF-8; CSV also as UTF-16 with a byte order mark, and otherwise as Windows-1252, which spreadsheets write. */
function* decode(bytes: Uint8Array, format: OrderFormat): InParts<string> {
  const [first, second] = bytes;
  const isUtf16 = format === 'csv' && ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff));
  if (isUtf16) return (yield* decodeAs(bytes, first === 0xff ? 'utf-16le' : 'utf-16be')) ?? '';
  const text = yield* decodeAs(bytes, 'utf-8');
  if (text !== undefined) return text;
  if (format === 'csv') return (yield* decodeAs(bytes, 'windows-1252')) ?? '';
  throw unreadable('The file is not UTF-8. Save it as UTF-8.');
}

/** Undefined: the bytes are not in this encoding. */
function* decodeAs(bytes: Uint8Array, encoding: string): InParts<string | undefined> {
  const decoder = new TextDecoder(encoding, { fatal: encoding === 'utf-8' });
  let text = '';
  try {
    for (let from = 0; from < bytes.length; from += PART_BYTES) {
      text += decoder.decode(bytes.subarray(from, from + PART_BYTES), { stream: true });
      yield;
    }
    return text + decoder.decode();
  } catch {
    return undefined;
  }
}

function unreadable(message: string): StationError {
  return new StationError('invalid', message);
}
