import type { InParts } from '#shared/lib/station/inParts.ts';
import type { FileCell, FileTable, TableRow } from '#shared/lib/tables/table.ts';
import {
  MAX_CELL_CHARACTERS,
  MAX_COLUMNS,
  MAX_ROWS,
  TOO_MANY_CELLS,
  TOO_MANY_ROWS,
  tooManyColumns,
} from '#shared/lib/tables/tableLimits.ts';
import { StationError } from '../../errors.ts';
import { cellValue, type CellContext, type RawCell } from './cellValue.ts';
import { columnOf, lettersOf, rangeOf, type CellRange } from './references.ts';
import { damaged } from './refusals.ts';
import type { XmlHandler } from './xmlParts.ts';

type Row = { line: number; isHidden: boolean; cells: Map<number, FileCell> };

/** Number of cells that the remaining sheets of a file may contain. */
export type CellBudget = { left: number };

/** Number of rows or cells to process per step. */
const PART = 500;
/** Number of the last column that a spreadsheet can have, XFD. */
const LAST_COLUMN = 16_384;

/** Receives the XML of a sheet and collects its cells. */
export type SheetReader = XmlHandler & { finish(): InParts<FileTable> };

export function sheetReader(name: string, context: CellContext, budget: CellBudget): SheetReader {
  const rows: Row[] = [];
  const merged: CellRange[] = [];
  const hidden: (readonly [from: number, to: number])[] = [];
  let row: Row | undefined;
  let column = 0;
  let raw: RawCell | undefined;
  /** What the current text belongs to: the element `v` or `t` inside a cell. */
  let target: 'value' | 'inline' | undefined;
  let isPhonetic = false;

  function spend(count: number): void {
    budget.left -= count;
    if (budget.left < 0) throw new StationError('invalid', TOO_MANY_CELLS);
  }

  const opened = new Map(
    Object.entries<(attributes: Readonly<Record<string, string>>) => void>({
      row({ r, hidden: isHidden }) {
        const line = r === undefined ? (rows.at(-1)?.line ?? 0) + 1 : Number(r);
        if (!Number.isSafeInteger(line) || line <= (rows.at(-1)?.line ?? 0))
          throw damaged(`the rows of "${name}" are not in order`);
        row = { line, isHidden: isTrue(isHidden), cells: new Map() };
        rows.push(row);
        column = 0;
      },
      c({ r, t = 'n', s = '0' }) {
        column = r === undefined ? column + 1 : columnOf(r);
        if (column < 1 || column > LAST_COLUMN) throw damaged(`"${name}" has a cell without a place`);
        const reference = `${lettersOf(column)}${row?.line ?? ''} of "${name}"`;
        raw = { reference, type: t, style: Number(s), value: undefined, inline: '', hasFormula: false };
      },
      f() {
        if (raw !== undefined) raw.hasFormula = true;
      },
      v() {
        if (raw === undefined) return;
        raw.value = '';
        target = 'value';
      },
      t() {
        if (raw !== undefined && !isPhonetic) target = 'inline';
      },
      rPh() {
        isPhonetic = true;
      },
      col({ min, max, hidden: isHidden }) {
        if (isTrue(isHidden)) hidden.push([Number(min), Number(max)]);
      },
      mergeCell({ ref = '' }) {
        const range = rangeOf(ref);
        if (range !== undefined) merged.push(range);
      },
    }),
  );

  const closed = new Map(
    Object.entries<() => void>({
      v: () => (target = undefined),
      t: () => (target = undefined),
      rPh: () => (isPhonetic = false),
      c() {
        const cell = raw === undefined ? undefined : cellValue(raw, context);
        raw = undefined;
        if (cell === undefined || row === undefined) return;
        spend(1);
        row.cells.set(column, cell);
      },
      row: () => (row = undefined),
    }),
  );

  return {
    open: (element, attributes) => opened.get(element)?.(attributes),
    close: (element) => closed.get(element)?.(),
    text(text) {
      if (raw === undefined || target === undefined) return;
      raw[target] = (raw[target] ?? '') + text;
      if ((raw[target] ?? '').length > MAX_CELL_CHARACTERS) throw damaged(`${raw.reference} is too long`);
    },
    *finish() {
      const isHidden = (at: number): boolean => hidden.some(([from, to]) => at >= from && at <= to);
      const hiddenColumns = new Set<number>();
      const columns = yield* columnsOf(rows, isHidden, hiddenColumns);
      yield* fillMerged(rows, merged, columns, spend);
      const table = yield* tableRows(rows, columns, (row) => {
        spend(row.length);
      });
      return {
        sheet: name,
        delimiter: null,
        rows: table,
        hiddenRows: table.filter((each) => each.isHidden).length,
        hiddenColumns: hiddenColumns.size,
        notes: [],
      };
    },
  };
}

/** Returns the visible columns up to the last one with a cell. Adds hidden columns with cells to `hiddenColumns`. */
function* columnsOf(
  rows: readonly Row[],
  isHidden: (column: number) => boolean,
  hiddenColumns: Set<number>,
): InParts<number[]> {
  const used = new Set<number>();
  for (const [index, { cells }] of rows.entries()) {
    if (index % PART === 0) yield;
    for (const column of cells.keys()) used.add(column);
  }
  for (const column of used) if (isHidden(column)) hiddenColumns.add(column);
  const last = Math.max(0, ...[...used].filter((column) => !hiddenColumns.has(column)));
  const columns: number[] = [];
  for (let column = 1; column <= last; column += 1) if (!isHidden(column)) columns.push(column);
  return columns;
}

/**
 * Copies the value of a merged cell to the first visible column of its range, in each row that has cells. Drops the other cells in the
 * range, because spreadsheets do not display them.
 */
function* fillMerged(
  rows: readonly Row[],
  merged: readonly CellRange[],
  columns: readonly number[],
  spend: (count: number) => void,
): InParts<void> {
  if (merged.length === 0) return;
  const byLine = new Map(rows.map((row, index) => [row.line, index]));
  let done = 0;
  for (const { left, top, right, bottom } of merged) {
    spend(1);
    if (done++ % PART === 0) yield;
    const start = byLine.get(top);
    const value = start === undefined ? undefined : rows[start]?.cells.get(left);
    const shown = columns.find((column) => column >= left && column <= right);
    if (start === undefined || value === undefined || shown === undefined) continue;
    for (let index = start; index < rows.length; index += 1) {
      const row = rows[index];
      if (row === undefined || row.line > bottom) break;
      spend(1);
      if (done++ % PART === 0) yield;
      if (index !== start && row.cells.size === 0) continue;
      for (const column of row.cells.keys()) if (column >= left && column <= right) row.cells.delete(column);
      row.cells.set(shown, value);
    }
  }
}

/** Returns the rows that are not empty. Missing cells before the last one of a row become ''. */
function* tableRows(
  rows: readonly Row[],
  columns: readonly number[],
  taken: (cells: readonly FileCell[]) => void,
): InParts<TableRow[]> {
  const table: TableRow[] = [];
  let expected = 1;
  let followsGap = false;
  let counted = 0;
  for (const { line, isHidden, cells } of rows) {
    counted += 1;
    if (counted % PART === 0) yield;
    if (line > expected) followsGap = true;
    expected = line + 1;
    const dense: FileCell[] = [];
    for (const [index, column] of columns.entries()) {
      const cell = cells.get(column);
      if (cell === undefined) continue;
      if (index >= MAX_COLUMNS) throw new StationError('invalid', tooManyColumns(`Row ${line}`));
      while (dense.length < index) dense.push('');
      dense.push(cell);
    }
    counted += Math.floor(columns.length / 50);
    if (dense.every((cell) => typeof cell === 'string' && cell.trim() === '')) {
      followsGap = true;
      continue;
    }
    if (table.length === MAX_ROWS) throw new StationError('invalid', TOO_MANY_ROWS);
    taken(dense);
    table.push({ line, cells: dense, isHidden, followsGap });
    followsGap = false;
  }
  return table;
}

function isTrue(value: string | undefined): boolean {
  return value === '1' || value === 'true' || value === 'on';
}
