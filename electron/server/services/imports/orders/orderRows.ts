import type { TablesOf } from '../../../core.ts';
import type { AnyImportRow, ImportCounts, ImportRow } from '#shared/api/imports.ts';
import { createPace, type InParts, sortedInParts } from '#shared/lib/station/inParts.ts';
import type { NewItem } from '#shared/api/orderItem.ts';
import { findArticleId } from '../../articles/index.ts';
import { findByLocation, slowWarning, type Target } from '../../devices/index.ts';
import { findItemTarget, itemPlaces } from '../../orders/index.ts';
import type { ImportsContext, OrderOfFile, Evaluation } from '../types.ts';
import type { ReadRow } from '#shared/lib/tables/types.ts';

/** Orders in a file, and rows that do not belong to an order. */
type OrdersOfFile = { orders: readonly OrderOfFile[]; leftOut: readonly ReadRow[] };

const ZERO = 'It orders 0 pieces: the item is done and never lit.';

/** Returns the outcome of a row that belongs to an order, with the reason. */
export function fateOf(
  { assessment, rows }: Pick<OrderOfFile, 'assessment' | 'rows'>,
  row: ReadRow,
): Pick<ImportRow, 'conflict' | 'message' | 'outcome'> {
  const { message } = row;
  const fate = { message, conflict: false };
  if (row.kind === 'left_out') return { ...fate, outcome: 'left_out' };
  if (row.isWrong) return { ...fate, outcome: 'refused', conflict: row.isConflict ?? false };
  if (!('message' in assessment)) {
    const isFirst = row === rows.find(({ kind }) => kind !== 'left_out');
    const doubts = isFirst && 'doubts' in assessment ? (assessment.doubts ?? []) : [];
    return {
      ...fate,
      outcome: assessment.outcome,
      message: [message, ...doubts].filter((said) => said !== '').join(' '),
    };
  }
  if (assessment.outcome !== 'refused') return { ...fate, outcome: assessment.outcome, message: assessment.message };
  if (assessment.line === 0)
    return { outcome: 'refused', message: assessment.message, conflict: assessment.isConflict ?? false };
  return { ...fate, outcome: 'held', message: `Line ${assessment.line} of this order is wrong: ${assessment.message}` };
}

/** Converts a row to its API form, with the device that a launch would light. */
export function rowAnswer(tables: TablesOf<'imports'>, order: OrderOfFile, row: ReadRow): ImportRow {
  const { item } = row;
  const answer = { ...leftOutAnswer(row), ...fateOf(order, row) };
  if ((answer.outcome !== 'new' && answer.outcome !== 'changed') || item === undefined) return answer;
  const target = findItemTarget(tables, itemPlaces(item)) ?? findArticleTarget(tables, item);
  const warnings = [
    item.ordered_quantity === 0 ? ZERO : '',
    target?.warning ?? '',
    target === undefined ? '' : (slowWarning(target) ?? ''),
  ];
  return {
    ...answer,
    message: [answer.message, ...warnings].filter((text) => text !== '').join(' '),
    quantity: item.ordered_quantity,
    deviceid: target?.deviceId ?? null,
  };
}

/** Finds the first place of the item's article that has a device, if the item itself names no place. */
function findArticleTarget(tables: TablesOf<'imports'>, item: NewItem): Target | undefined {
  const { deviceId, warehouseLocation, ...names } = itemPlaces(item);
  if (deviceId !== null || warehouseLocation !== null) return undefined;
  const id = findArticleId(tables, { ...names, articleId: null });
  if (id === undefined) return undefined;
  const targets = tables.stock.listPlaces(JSON.stringify([id])).map(({ place }) => findByLocation(tables, place));
  return targets.find((target) => target !== undefined);
}

/** Converts a row without an order to its API form. */
function leftOutAnswer({ line, said, message }: ReadRow): ImportRow {
  return {
    line,
    outcome: 'left_out',
    conflict: false,
    message,
    order_number: said.order_number ?? '',
    shipment_number: said.shipment_number ?? '',
    SKU: said.SKU ?? '',
    UPC: said.UPC ?? '',
    name: said.name ?? '',
    ordered_quantity: said.ordered_quantity ?? '',
    quantity: null,
    warehouse_location: said.warehouse_location ?? '',
    deviceid: null,
  };
}

/**
 * Returns the outcome of every row in file order, with the device that a launch would light. `evaluation` caches the converted rows of each
 * order.
 */
export function answeredRows(
  { reads, foregroundReads }: ImportsContext,
  file: OrdersOfFile,
  evaluation?: Evaluation,
): Promise<ImportRow[]> {
  return foregroundReads.takeAll(answersIn(reads, file, evaluation));
}

function* answersIn(
  tables: TablesOf<'imports'>,
  { orders, leftOut }: OrdersOfFile,
  evaluation: Evaluation | undefined,
): InParts<ImportRow[]> {
  const answers: ImportRow[] = [];
  yield* eachAnswer(tables, { orders, leftOut }, { evaluation, take: (row) => answers.push(row) });
  return yield* byLine(answers);
}

/** Returns those rows of `answeredRows` that differ from the rows in `before`, which are stored by line. */
export function changedAnswers(
  { reads, foregroundReads }: ImportsContext,
  file: OrdersOfFile,
  how: { evaluation: Evaluation | undefined; before: ReadonlyMap<number, AnyImportRow> },
): Promise<ImportRow[]> {
  return foregroundReads.takeAll(changesIn(reads, file, how));
}

function* changesIn(
  tables: TablesOf<'imports'>,
  file: OrdersOfFile,
  { evaluation, before }: { evaluation: Evaluation | undefined; before: ReadonlyMap<number, AnyImportRow> },
): InParts<ImportRow[]> {
  const changed: ImportRow[] = [];
  function take(row: ImportRow): void {
    if (isChanged(before.get(row.line), row)) changed.push(row);
  }
  yield* eachAnswer(tables, file, { evaluation, take });
  return yield* byLine(changed);
}

export function isChanged(before: AnyImportRow | undefined, row: AnyImportRow): boolean {
  return before !== row && JSON.stringify(before) !== JSON.stringify(row);
}

/** Calls `take` with each row, starting with the rows without an order. */
function* eachAnswer(
  tables: TablesOf<'imports'>,
  { orders, leftOut }: OrdersOfFile,
  { evaluation, take }: { evaluation: Evaluation | undefined; take: (row: ImportRow) => void },
): InParts<void> {
  const pace = createPace();
  for (const row of leftOut) {
    const answer = evaluation?.leftOut.get(row) ?? leftOutAnswer(row);
    evaluation?.leftOut.set(row, answer);
    take(answer);
    if (pace.isDue()) yield* pace.rest();
  }
  for (const order of orders) {
    const evaluated = evaluation?.orders.get(order.number);
    const own = evaluated?.assessed === order ? evaluated : undefined;
    let rows = own?.rows;
    if (rows === undefined) {
      const added: ImportRow[] = [];
      for (const row of order.rows) {
        added.push(rowAnswer(tables, order, row));
        if (pace.isDue()) yield* pace.rest();
      }
      rows = added;
      if (own !== undefined) own.rows = rows;
    }
    for (const row of rows) take(row);
    if (pace.isDue()) yield* pace.rest();
  }
}

/** Returns the outcome of every row in file order, without devices. */
export function fatesOf(
  { foregroundReads }: Pick<ImportsContext, 'foregroundReads'>,
  file: OrdersOfFile,
): Promise<ImportRow[]> {
  return foregroundReads.takeAll(fatesIn(file));
}

function* fatesIn({ orders, leftOut }: OrdersOfFile): InParts<ImportRow[]> {
  const pace = createPace();
  const answers = yield* leftOutAnswers(leftOut);
  for (const order of orders) {
    for (const row of order.rows) {
      answers.push({ ...leftOutAnswer(row), ...fateOf(order, row) });
      if (pace.isDue()) yield* pace.rest();
    }
  }
  return yield* byLine(answers);
}

function* leftOutAnswers(leftOut: readonly ReadRow[]): InParts<ImportRow[]> {
  const pace = createPace();
  const answers: ImportRow[] = [];
  for (const row of leftOut) {
    answers.push(leftOutAnswer(row));
    if (pace.isDue()) yield* pace.rest();
  }
  return answers;
}

function byLine(answers: readonly ImportRow[]): InParts<ImportRow[]> {
  return sortedInParts(answers, (a, b) => a.line - b.line);
}

export function orderCounts({ orders, leftOut }: OrdersOfFile): ImportCounts {
  const counts = { orders: 0, new: 0, changed: 0, known: 0, held: 0, refused: 0, left_out: leftOut.length };
  for (const { assessment, rows } of orders) {
    let [lines, wrong] = [0, 0];
    for (const { kind, isWrong } of rows) {
      if (kind === 'left_out') continue;
      lines += 1;
      if (isWrong) wrong += 1;
    }
    counts.left_out += rows.length - lines;
    if (assessment.outcome === 'new') counts.orders += 1;
    if (assessment.outcome !== 'refused') counts[assessment.outcome] += lines;
    else if (assessment.line === 0) counts.refused += lines;
    else {
      counts.refused += wrong;
      counts.held += lines - wrong;
    }
  }
  return counts;
}
