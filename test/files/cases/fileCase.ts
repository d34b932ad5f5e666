import type { ExpectedLine, ExpectedOrder } from '../orders/expected.ts';

/**
 * A small order file, and its content as a person reads it. The places A-1-1, A-1-2 and B-2-1 are known unless given.
 */
export type FileCase = {
  /** What the case is about. */
  title: string;
  file: string | Uint8Array;
  /** Import options given by the caller. */
  given?: {
    columns?: Record<string, string | null>;
    decimal?: '.' | ',';
    date_order?: 'dmy' | 'mdy' | 'ymd';
    encoding?: string;
    order_prefix?: string;
  };
  places?: readonly string[];
  /** Default: none. */
  orders?: readonly ExpectedOrder[];
  /** Rows that are left out with a note, by line, with the reason. */
  leftOut?: Readonly<Record<number, string>>;
  /** Refused orders, with the reason in words. */
  refused?: Readonly<Record<string, string>>;
  /** Why the whole file is refused. */
  refusedFile?: string;
  /** Part of a refusal's message, or of the notes: what happened, or the remedy. */
  says?: RegExp;
  /**
   * The question on the page. Without an answer (API, inbox, sheet), the file is refused or, for `date_order`, the due
   * time left out.
   */
  asks?: 'columns' | 'encoding' | 'date_order';
  /** The name in `columns` that the 400 response points to. */
  badColumn?: string;
  /** Lines with a note, because they are read in an unusual way. */
  notes?: readonly number[];
};

type Extra = Omit<ExpectedLine, 'SKU' | 'quantity'>;

/** Returns a line with a SKU. */
export function line(quantity: number, SKU: string, extra: Extra = {}): ExpectedLine {
  return { SKU, quantity, ...extra };
}

export function order(number: string, ...lines: ExpectedLine[]): ExpectedOrder {
  return { number, lines };
}

/** Order A1 with two pieces of M8, the content of most cases. */
export const A1 = order('A1', line(2, 'M8'));
