import type { ExpectedLine, ExpectedOrder } from '../orders/expected.ts';

/** A small order file, and what a person reads in it. The places A-1-1, A-1-2 and B-2-1 are known unless given. */
export type FileCase = {
  /** What the case is about. */
  title: string;
  file: string | Uint8Array;
  /** What the caller says. */
  given?: {
    columns?: Record<string, string | null>;
    decimal?: '.' | ',';
    date_order?: 'dmy' | 'mdy' | 'ymd';
    encoding?: string;
    order_prefix?: string;
  };
  places?: readonly string[];
  /** Absent: none. */
  orders?: readonly ExpectedOrder[];
  /** Rows that are left out with a note, by line, with the reason. */
  leftOut?: Readonly<Record<number, string>>;
  /** Orders that are refused, with the reason in words. */
  refused?: Readonly<Record<string, string>>;
  /** Why the whole file is refused. */
  refusedFile?: string;
  /** Part of a refusal's message, or of the notes: what happened, or the remedy. */
  says?: RegExp;
  /** What the page asks; API, inbox and sheet refuse the file, or with `date_order` leave the due time out. */
  asks?: 'columns' | 'encoding' | 'date_order';
  /** The name in `columns` that the answer 400 points to. */
  badColumn?: string;
  /** Lines that are read in an unusual way, with a note. */
  notes?: readonly number[];
};

type Extra = Omit<ExpectedLine, 'SKU' | 'quantity'>;

/** A line with a SKU. */
export function line(quantity: number, SKU: string, extra: Extra = {}): ExpectedLine {
  return { SKU, quantity, ...extra };
}

export function order(number: string, ...lines: ExpectedLine[]): ExpectedOrder {
  return { number, lines };
}

/** Order A1 with two pieces of M8, as most cases have it. */
export const A1 = order('A1', line(2, 'M8'));
