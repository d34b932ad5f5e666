import type { DecimalMark } from './numbers.ts';
import type { TableRow } from './table.ts';
import type { NumberedRows, MappedColumns, SortedRow, ReadOrder, ReadRow } from './types.ts';

/** An order of a file while it is read. `given`: its problem before its lines were left out. `marks`: decimal separators that its lines show. */
export type PickedOrder = Pick<NumberedRows, 'all' | 'number' | 'problem'> & {
  given: string;
  rows: readonly SortedRow[];
  marks: readonly DecimalMark[];
  /** Undefined until it was read with a decimal separator. `read`: undefined without a line to pick. */
  outcome:
    | {
        decimal: DecimalMark | undefined;
        read: ReadOrder | undefined;
        leftOut: readonly ReadRow[];
        asksDateOrder: boolean;
      }
    | undefined;
};

/**
 * What was read of a file, so that a corrected version is read faster, with the same result: unchanged rows are the same objects, and
 * unchanged orders too. For one file, with the same options and places.
 */
export class ReadMemo {
  #key = '';
  #sorted = new WeakMap<TableRow, SortedRow>();
  #others = new WeakMap<SortedRow, ReadRow>();
  #orders = new Map<string, PickedOrder>();

  /** Forgets everything if the columns mean something else than before. */
  useFor({ head, fields, profile }: MappedColumns): void {
    const key = JSON.stringify([head, [...fields], profile?.id ?? null]);
    if (key === this.#key) return;
    this.#key = key;
    this.#sorted = new WeakMap();
    this.#others = new WeakMap();
    this.#orders = new Map();
  }

  sorted(row: TableRow, sort: (row: TableRow) => SortedRow): SortedRow {
    return known(this.#sorted, row, sort);
  }

  /** A row that belongs to no order. */
  other(row: SortedRow, read: (row: SortedRow) => ReadRow): ReadRow {
    return known(this.#others, row, read);
  }

  /** The order as it was picked before, if it has the same rows. */
  findPicked({ number, all, problem }: NumberedRows): PickedOrder | undefined {
    const before = this.#orders.get(number);
    const isSame =
      before?.given === problem &&
      before.all.length === all.length &&
      before.all.every((row, index) => row === all[index]);
    return isSame ? before : undefined;
  }

  keepPicked(order: PickedOrder): void {
    this.#orders.set(order.number, order);
  }
}

function known<K extends object, V>(values: WeakMap<K, V>, key: K, make: (key: K) => V): V {
  const before = values.get(key);
  if (before !== undefined) return before;
  const made = make(key);
  values.set(key, made);
  return made;
}
