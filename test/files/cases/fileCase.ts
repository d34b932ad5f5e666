import type { UnpaidAnswer } from '#shared/lib/tables/pickRules.ts';
import type { StateMeaning } from '#shared/lib/tables/states.ts';
import type { ExpectedLine, ExpectedOrder } from '../orders/expected.ts';

/** A small order file with its content as a person reads it. If `places` is not set, the places A-1-1, A-1-2 and B-2-1 are known. */
export type FileCase = {
  /** What the case is about. */
  title: string;
  file: string | Uint8Array;
  /** Import options set by the caller. */
  given?: {
    columns?: Record<string, string | null>;
    decimal?: '.' | ',';
    date_order?: 'dmy' | 'mdy' | 'ymd';
    encoding?: string;
    order_prefix?: string;
    unpaid?: UnpaidAnswer;
    states?: Record<string, StateMeaning>;
    units?: Record<string, number>;
    place_paths?: string[];
  };
  places?: readonly string[];
  /** The orders to read. Default: none. */
  orders?: readonly ExpectedOrder[];
  /** Reasons for the rows that are left out with a note, by line. */
  leftOut?: Readonly<Record<number, string>>;
  /** The refused orders, each with its reason. */
  refused?: Readonly<Record<string, string>>;
  /** Reason why the whole file is refused. */
  refusedFile?: string;
  /** Matches a part of a refusal's message or of the notes: what happened, or the remedy. */
  says?: RegExp;
  /** What the page asks. Without an answer (API, inbox, sheet), the file is refused. For `date_order`, only the due time is left out. */
  asks?: 'columns' | 'encoding' | 'date_order';
  /** The name in `columns` that the 400 response points to. */
  badColumn?: string;
  /** Lines with a note because they are read in an unusual way. */
  notes?: readonly number[];
  /** Lines that must not have a note. */
  quiet?: readonly number[];
};

type Extra = Omit<ExpectedLine, 'SKU' | 'quantity'>;

/** Returns an order line with a SKU. */
export function line(quantity: number, SKU: string, extra: Extra = {}): ExpectedLine {
  return { SKU, quantity, ...extra };
}

export function order(number: string, ...lines: ExpectedLine[]): ExpectedOrder {
  return { number, lines };
}

/** Order A1 with two pieces of M8, the content of most cases. */
export const A1 = order('A1', line(2, 'M8'));
