import type { DecimalMark } from './cells/numbers.ts';
import { MAX_NAME_CHARACTERS } from './columnKey.ts';
import type { TableField } from './fields.ts';
import type { TableRow } from './table.ts';
import type { StateQuestion } from './pickRules.ts';
import type { EndedOrder, NumberedRows, MappedColumns, SortedRow, ReadOrder, ReadRow, WaitingOrder } from './types.ts';

/**
 * An order in a file that is being read. `given` is the order's problem before lines were left out. `marks` are the decimal separators in
 * the lines.
 */
export type PickedOrder = Pick<NumberedRows, 'all' | 'number' | 'problem'> & {
  given: string;
  rows: readonly SortedRow[];
  marks: readonly DecimalMark[];
  /** What is asked about states in the lines. */
  asks: readonly StateQuestion[];
  /**
   * Undefined until the order has been read. `reading` identifies what the result depends on, such as the decimal separator. `read` is
   * undefined if no line is left to pick.
   */
  outcome:
    | {
        reading: string;
        read: ReadOrder | undefined;
        leftOut: readonly ReadRow[];
        ended: EndedOrder | undefined;
        waiting: WaitingOrder | undefined;
        asksDateOrder: boolean;
      }
    | undefined;
};

/**
 * Results of reading a file, which make it faster to read a corrected version. The result is the same as without them, and unchanged rows
 * and orders remain the same objects. Valid for one file with the same options and places.
 */
export class ReadMemo {
  #key = '';
  #sorted = new WeakMap<TableRow, SortedRow>();
  #others = new WeakMap<SortedRow, ReadRow>();
  #orders = new Map<string, PickedOrder>();

  /** Clears the memo if the meaning of the columns has changed. `floats` are the fields whose codes have a decimal. */
  useFor({ head, fields, profile, states, setAside }: MappedColumns, floats: ReadonlySet<TableField>): void {
    const key = JSON.stringify([
      head.map((name) => name.slice(0, MAX_NAME_CHARACTERS)),
      [...fields],
      profile?.id ?? null,
      states,
      [...setAside],
      [...floats],
    ]);
    if (key === this.#key) return;
    this.#key = key;
    this.#sorted = new WeakMap();
    this.#others = new WeakMap();
    this.#orders = new Map();
  }

  sorted(row: TableRow, sort: (row: TableRow) => SortedRow): SortedRow {
    return known(this.#sorted, row, sort);
  }

  /** Returns the result for a row that does not belong to an order. Reads each row once. */
  other(row: SortedRow, read: (row: SortedRow) => ReadRow): ReadRow {
    return known(this.#others, row, read);
  }

  /** Returns the previous result for an order with the same rows, or undefined if there is none. */
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
