import { createPace, type InParts } from '#shared/lib/station/inParts.ts';
import { shortened } from '#shared/lib/tables/cells/texts.ts';
import type { FileCell, FileTable, TableRow } from '#shared/lib/tables/table.ts';
import {
  MAX_CELL_CHARACTERS,
  MAX_COLUMNS,
  MAX_ROWS,
  TOO_MANY_ROWS,
  tooManyColumns,
} from '#shared/lib/tables/tableLimits.ts';
import { countText } from '#shared/lib/text/locale.ts';
import { StationError } from '../../errors.ts';
import { cellValue, type CellContext, type RawCell } from './cellValue.ts';
import { columnOf, LAST_COLUMN, LAST_ROW, lettersOf, rangeOf, type CellRange } from './references.ts';
import { damaged } from './refusals.ts';
import { type Budget, spend } from './workbookLimits.ts';
import type { XmlHandler } from './xmlParts.ts';

type Row = { line: number; isHidden: boolean; cells: Map<number, FileCell> };

/** Receives the XML of a sheet and collects its cells. */
export type SheetReader = XmlHandler & { finish(): InParts<FileTable> };

export function sheetReader(name: string, context: CellContext, budget: Budget): SheetReader {
  const shownName = `"${shortened(name)}"`;
  /** The rows that have cells. */
  const rows: Row[] = [];
  const merged: CellRange[] = [];
  const hidden = new Uint8Array(LAST_COLUMN + 1);
  let hiddenRanges = 0;
  let row: Row | undefined;
  let line = 0;
  let column = 0;
  let raw: RawCell | undefined;
  /** What the current text belongs to: the element `v` or `t` inside a cell. */
  let target: 'value' | 'inline' | undefined;
  let isPhonetic = false;

  function store(cell: FileCell, to: Row): void {
    spend(budget, 'cells', 1);
    if (typeof cell === 'object' && cell.kind === 'fault') spend(budget, 'faults', 1);
    if (to.cells.size === 0) {
      if (rows.length === MAX_ROWS) throw new StationError('invalid', TOO_MANY_ROWS);
      spend(budget, 'rows', 1);
      rows.push(to);
    }
    to.cells.set(column, cell);
  }

  const opened = new Map(
    Object.entries<(attributes: Readonly<Record<string, string>>) => void>({
      row({ r, hidden: isHidden }) {
        const next = r === undefined ? line + 1 : Number(r);
        if (!Number.isSafeInteger(next) || next <= line) throw damaged(`the rows of ${shownName} are not in order`);
        if (next > LAST_ROW) throw damaged(`${shownName} has more than ${countText(LAST_ROW)} rows`);
        line = next;
        row = { line, isHidden: isTrue(isHidden), cells: new Map() };
        column = 0;
      },
      c({ r, t = 'n', s = '0' }) {
        column = r === undefined ? column + 1 : columnOf(r);
        if (column < 1 || column > LAST_COLUMN) throw damaged(`${shownName} has a cell without a place`);
        const reference = `${lettersOf(column)}${row?.line ?? ''} of ${shownName}`;
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
        if (!isTrue(isHidden)) return;
        hiddenRanges += 1;
        if (hiddenRanges > LAST_COLUMN) throw damaged(`${shownName} hides more columns than a sheet can have`);
        hidden.fill(1, Math.max(1, Number(min)), Number(max) + 1);
      },
      mergeCell({ ref = '' }) {
        const range = rangeOf(ref);
        if (range === undefined) return;
        spend(budget, 'merged', 1);
        merged.push(range);
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
        if (cell !== undefined && row !== undefined) store(cell, row);
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
      const { columns, hiddenColumns } = yield* columnsOf(rows, hidden);
      yield* fillMerged(rows, merged, { columns, budget });
      const table = yield* tableRows(rows, columns, budget);
      return {
        sheet: name,
        delimiter: null,
        rows: table,
        hiddenRows: table.filter((each) => each.isHidden).length,
        hiddenColumns,
        notes: [],
      };
    },
  };
}

/** Returns the visible columns up to the last one with a cell, and the number of hidden columns with cells. */
function* columnsOf(
  rows: readonly Row[],
  hidden: Readonly<Uint8Array>,
): InParts<{ columns: number[]; hiddenColumns: number }> {
  const pace = createPace();
  const used = new Uint8Array(LAST_COLUMN + 1);
  for (const { cells } of rows) {
    if (pace.isDue()) yield* pace.rest();
    for (const column of cells.keys()) used[column] = 1;
  }
  const columns: number[] = [];
  let hiddenColumns = 0;
  let last = 0;
  for (let column = 1; column <= LAST_COLUMN; column += 1) {
    if (used[column] === 1 && hidden[column] === 1) hiddenColumns += 1;
    if (hidden[column] === 1) continue;
    columns.push(column);
    if (used[column] === 1) last = columns.length;
  }
  return { columns: columns.slice(0, last), hiddenColumns };
}

/**
 * Copies the value of a merged cell to the first visible column of its range, in each row that has cells. Drops the other cells in the
 * range, because spreadsheets do not display them.
 */
function* fillMerged(
  rows: readonly Row[],
  merged: readonly CellRange[],
  { columns, budget }: { columns: readonly number[]; budget: Budget },
): InParts<void> {
  if (merged.length === 0) return;
  const byLine = new Map(rows.map((row, index) => [row.line, index]));
  const firstShown = firstShownOf(columns);
  const pace = createPace();
  for (const { left, top, right, bottom } of merged) {
    spend(budget, 'cells', 1);
    if (pace.isDue()) yield* pace.rest();
    const start = byLine.get(top);
    const value = start === undefined ? undefined : rows[start]?.cells.get(left);
    const shown = firstShown[left];
    if (start === undefined || value === undefined || shown === undefined || shown > right) continue;
    for (let index = start; index < rows.length; index += 1) {
      const row = rows[index];
      if (row === undefined || row.line > bottom) break;
      const looked = clear(row, left, right);
      spend(budget, 'cells', Math.max(1, looked));
      if (pace.isDue()) yield* pace.rest();
      row.cells.set(shown, value);
    }
  }
}

/** Removes the cells of a row from one column to another. Returns how many columns or cells it compared. */
function clear({ cells }: Row, left: number, right: number): number {
  const wide = right - left + 1;
  if (wide <= cells.size) {
    for (let column = left; column <= right; column += 1) cells.delete(column);
    return wide;
  }
  const all = cells.size;
  for (const column of cells.keys()) if (column >= left && column <= right) cells.delete(column);
  return all;
}

/** Returns, for each column, the first of `columns` that is not left of it. Missing after the last one. */
function firstShownOf(columns: readonly number[]): number[] {
  const first: number[] = [];
  for (const column of columns) while (first.length <= column) first.push(column);
  return first;
}

/** Returns the rows that are not empty. Missing cells before the last one of a row become ''. */
function* tableRows(rows: readonly Row[], columns: readonly number[], budget: Budget): InParts<TableRow[]> {
  const pace = createPace();
  const table: TableRow[] = [];
  let expected = 1;
  let followsGap = false;
  for (const { line, isHidden, cells } of rows) {
    if (pace.isDue()) yield* pace.rest();
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
    if (dense.every((cell) => typeof cell === 'string' && cell.trim() === '')) {
      followsGap = true;
      continue;
    }
    spend(budget, 'cells', dense.length);
    table.push({ line, cells: dense, isHidden, followsGap });
    followsGap = false;
  }
  return table;
}

function isTrue(value: string | undefined): boolean {
  return value === '1' || value === 'true' || value === 'on';
}
