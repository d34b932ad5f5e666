import type { NewOrder } from '#shared/api/order.ts';
import type { NewItem } from '#shared/api/orderItem.ts';
import { createPace, type InParts } from '#shared/lib/station/inParts.ts';
import type { EndedOrder, ReadRow, WaitingOrder } from '#shared/lib/tables/types.ts';
import type { TablesOf } from '../../../core.ts';
import type { OrderRow } from '../../../db/repositories/orders.ts';
import type { Transaction } from '../../../db/writer.ts';
import { storedJson } from '../../../db/storedJson.ts';
import type { Assessment, AssessedOrder, SaidEnd, ImportsContext, OrderOutcome } from '../types.ts';
import { articlesIn, itemsOf, takeEnded } from './linesElsewhere.ts';
import { contentOf, itemsText } from './orderContent.ts';
import { elsewhereWords as words, saidOfOrder } from './elsewhereWords.ts';
import { startedIn } from './startedWords.ts';

type Tables = TablesOf<'imports'>;

/** Outcome of an order without lines to pick. */
type EndAssessment = Exclude<Assessment, { wanted: NewOrder }>;
type LeftOut = Extract<Assessment, { outcome: 'left_out' }>;

/**
 * Decides about the orders without lines to pick: those that ended elsewhere according to the file, and those that wait. The returned
 * `leftOut` does not contain the rows of these orders.
 */
export function* assessEnded(
  tables: Tables,
  {
    ended,
    waiting,
    leftOut,
  }: { ended: readonly EndedOrder[]; waiting: readonly WaitingOrder[]; leftOut: readonly ReadRow[] },
): InParts<{ orders: AssessedOrder[]; leftOut: readonly ReadRow[] }> {
  const pace = createPace();
  const orders: AssessedOrder[] = [];
  const taken = new Set<ReadRow>();
  function take({ number, rows }: WaitingOrder, assessed: Pick<AssessedOrder, 'assessment' | 'ended'>): void {
    for (const row of rows) taken.add(row);
    const { outcome, doubts } = { doubts: undefined, ...assessed.assessment };
    // Rows of an order that the station does not have keep their kind. A copy of each row of a long file would take much memory.
    const isUnknown =
      outcome === 'left_out' &&
      doubts === undefined &&
      tables.orders.findByNumber(number) === undefined &&
      !rows.some(({ isWrong }) => isWrong);
    orders.push({
      number,
      rows: isUnknown ? rows : rows.map((row): ReadRow => ({ ...row, kind: 'line' })),
      ...assessed,
    });
  }
  for (const each of ended) {
    take(each, { assessment: compareEnd(tables, each), ended: each });
    if (pace.isDue()) yield* pace.rest();
  }
  for (const each of waiting) {
    const assessment = compareWaiting(tables, each.number);
    if (assessment.doubts !== undefined) take(each, { assessment });
    if (pace.isDue()) yield* pace.rest();
  }
  return { orders, leftOut: taken.size === 0 ? leftOut : leftOut.filter((row) => !taken.has(row)) };
}

/** Decides what happens to an order that ended elsewhere. It is left out if the station has no unfinished order with this number. */
function compareEnd(tables: Tables, { number, ends, lines, isPart, isWhole }: EndedOrder): EndAssessment {
  const order = findUnderWay(tables, number);
  if (order === undefined) return compareWaiting(tables, number);
  const said = saidOfOrder(number, ends);
  const here = takeEnded(itemsOf(contentOf(tables, order)), lines, articlesIn(tables));
  if (here.left.length > 0 && !isWhole) {
    if (here.ends !== undefined) return assessPart(tables, order, { gone: here.gone, ends: here.ends });
    if (isPart) return compareWaiting(tables, number);
    const message = lines.length === 0 ? words.unreadable(said) : words.otherArticles(said, number);
    return { outcome: 'refused', line: 0, isConflict: true, message };
  }
  if (isDecided(tables, order, { ends })) {
    return { outcome: 'known', message: words.continued(said) };
  }
  const started = startedIn(tables, order);
  if (started === '') return { outcome: 'changed', ends, doubts: [words.ended(number)] };
  return { outcome: 'refused', line: 0, isConflict: true, message: words.started(said, started), ends };
}

function findUnderWay({ orders }: Pick<Tables, 'orders'>, number: string): OrderRow | undefined {
  const order = orders.findByNumber(number);
  return order?.state === 'fulfilled' || order?.state === 'aborted' ? undefined : order;
}

/** Names the order that stays open although a file leaves it out: the one with this number, or one whose number looks like it. */
function compareWaiting(tables: Pick<Tables, 'lookAlikes' | 'orders'>, number: string): LeftOut {
  if (findUnderWay(tables, number) !== undefined) return { outcome: 'left_out', doubts: [words.staysOpen(number)] };
  if (tables.orders.findByNumber(number) !== undefined) return { outcome: 'left_out' };
  const other = tables.lookAlikes.listUsual(number, ['order']).find(({ isOpen }) => isOpen);
  return other === undefined
    ? { outcome: 'left_out' }
    : { outcome: 'left_out', doubts: [words.looksLike(number, other.name)] };
}

/** Decides about an order of which only a part ended elsewhere: the rest still has to be picked, so somebody has to decide. */
export function assessPart(
  tables: Pick<Tables, 'orders'>,
  order: OrderRow,
  part: Required<SaidEnd>,
): Extract<OrderOutcome, { message: string }> {
  const said = saidOfOrder(order.orderNumber, part.ends, itemsText(part.gone));
  if (isDecided(tables, order, part)) return { outcome: 'known', message: words.continued(said) };
  return { outcome: 'refused', line: 0, isConflict: true, message: words.part(said), ...part };
}

/** Whether somebody has already decided to continue an order in spite of this end. */
export function isDecided(tables: Pick<Tables, 'orders'>, order: OrderRow, end: SaidEnd): boolean {
  return order.isContinued && isSaid(tables, order, end);
}

/** Whether an order is marked for this end, or for one of which this is a part. */
function isSaid(tables: Pick<Tables, 'orders'>, order: OrderRow, { ends, gone }: SaidEnd): boolean {
  if (order.endedElsewhere !== ends) return false;
  const said = saidOf(tables, order);
  return said === undefined || (gone !== undefined && beyond(said, { ends, gone }).length === 0);
}

/** Returns the lines and pieces for which an order is marked, or undefined if that is the whole order. */
function saidOf({ orders }: Pick<Tables, 'orders'>, { id }: OrderRow): readonly NewItem[] | undefined {
  const stored = orders.findEndedLines(id);
  // Safe cast: only the station writes these lines.
  return stored === undefined
    ? undefined
    : (storedJson('orders.ended_lines', stored) as readonly NewItem[] | undefined);
}

/** Returns the lines and pieces that are not in `said`. */
function beyond(said: readonly NewItem[], { ends, gone }: Required<SaidEnd>): readonly NewItem[] {
  return takeEnded(
    gone,
    said.map((item) => ({ item, ends })),
  ).left;
}

type Writes = Pick<ImportsContext, 'orders' | 'repositories'>;
type How = { id: number; by: string };

/** Ends an order, or marks it if somebody has to decide. Compares again, because the station may have changed since. */
export function applyEnd(
  { repositories, orders }: Writes,
  tx: Transaction,
  ended: EndedOrder,
  { id, by }: How,
): OrderOutcome {
  const now = compareEnd(repositories, ended);
  const order = repositories.orders.findByNumber(ended.number);
  if (order === undefined) return now;
  markEnded({ repositories, orders }, tx, order, { now, by });
  if (now.outcome !== 'changed') return now;
  const content = contentOf(repositories, order);
  const { ends } = now;
  orders.endWithin(tx, order, { ends, by });
  repositories.imports.addOrder(id, order.id, { before: content, after: content });
  return { outcome: 'changed', ends, doubts: now.doubts };
}

/** Marks an order that was refused because it ended elsewhere, unless the mark already covers this end. */
export function markEnded(
  { repositories, orders }: Writes,
  tx: Transaction,
  order: OrderRow,
  { now, by }: { now: OrderOutcome; by: string },
): void {
  if (now.outcome !== 'refused' || now.ends === undefined) return;
  const { ends, gone } = now;
  if (isSaid(repositories, order, { ends, ...(gone === undefined ? {} : { gone }) })) return;
  const said = order.endedElsewhere === ends ? (saidOf(repositories, order) ?? []) : [];
  const lines = gone === undefined ? {} : { gone: [...said, ...beyond(said, { ends, gone })] };
  orders.markEndedWithin(tx, order, { ends, ...lines, by });
}
