import type { NewOrder } from '#shared/api/order.ts';
import type { InParts } from '#shared/lib/station/inParts.ts';
import { PART_ROWS } from '#shared/lib/tables/orderRows.ts';
import type { EndReason } from '#shared/lib/tables/states.ts';
import type { EndedOrder, ReadRow } from '#shared/lib/tables/types.ts';
import { nameKey } from '#shared/lib/text/nameKey.ts';
import type { TablesOf } from '../../../core.ts';
import type { Transaction } from '../../../db/writer.ts';
import type { Assessment, AssessedOrder, ImportsContext, OrderOutcome } from '../types.ts';
import { contentOf } from './orderContent.ts';
import { startedWords } from './startedWords.ts';

type Tables = TablesOf<'imports'>;

/**
 * Finds orders of the station that a file reports as ended elsewhere. `leftOut` are the left-out rows, without those of these orders: the
 * rows of other orders say nothing about the station.
 */
export function* assessEnded(
  tables: Tables,
  ended: readonly EndedOrder[],
  leftOut: readonly ReadRow[],
): InParts<{ orders: AssessedOrder[]; leftOut: readonly ReadRow[] }> {
  const orders: AssessedOrder[] = [];
  const taken = new Set<ReadRow>();
  for (const [index, each] of ended.entries()) {
    const { number, rows, ends } = each;
    const assessment = compareEnd(tables, { number, rows, ends });
    if (assessment !== undefined) {
      for (const row of rows) taken.add(row);
      orders.push({ number, rows: rows.map((row) => ({ ...row, kind: 'line' })), assessment, ends });
    }
    if (index % PART_ROWS === PART_ROWS - 1) yield;
  }
  return { orders, leftOut: taken.size === 0 ? leftOut : leftOut.filter((row) => !taken.has(row)) };
}

/** Decides what happens to an order that ended elsewhere. Returns undefined if the station has no such order under way. */
export function compareEnd(
  tables: Tables,
  { number, rows, ends }: { number: string; rows: readonly ReadRow[]; ends: EndReason },
): Assessment | undefined {
  const order = tables.orders.findByNumber(number);
  if (order === undefined || order.state === 'fulfilled' || order.state === 'aborted') return undefined;
  const refused = { outcome: 'refused', line: 0, isConflict: true } as const;
  if (isOther(rows, contentOf(tables, order))) {
    const message = `The file says that order ${number} is ${ends}, but the order ${number} here has other articles, and stays open. Give order_prefix if the file is of another shop.`;
    return { ...refused, message };
  }
  if (order.endedElsewhere !== null && order.isContinued) {
    return {
      outcome: 'known',
      message: `The file says that order ${number} is ${ends}. Somebody decided to continue it.`,
    };
  }
  const started = tables.batches.findOf(order.id) === undefined ? startedWords(order) : 'is in a batch';
  if (started === '') return { outcome: 'changed', ends, doubts: [`Order ${number} ends here too.`] };
  const message = `The file says that order ${number} is ${ends}, but the order ${started}. It is not offered any more: abort it, or continue it.`;
  return { ...refused, message, ends };
}

/** Ends an order, or marks it if somebody has started it. Compares again, because the station may have changed since. */
export function applyEnd(
  { repositories, orders }: Pick<ImportsContext, 'orders' | 'repositories'>,
  tx: Transaction,
  { number, rows, ends }: { number: string; rows: readonly ReadRow[]; ends: EndReason },
  { id, by }: { id: number; by: string },
): OrderOutcome {
  const now = compareEnd(repositories, { number, rows, ends });
  const order = repositories.orders.findByNumber(number);
  if (now === undefined || order === undefined)
    return { outcome: 'known', message: `Order ${number} has ended here too.` };
  const reason = `An imported file says that it is ${ends}.`;
  if (now.outcome === 'refused' && now.ends !== undefined && order.endedElsewhere !== ends)
    orders.markEndedWithin(tx, order, { ends, reason, by });
  if (now.outcome !== 'changed' || !('ends' in now)) return now;
  const content = contentOf(repositories, order);
  orders.endWithin(tx, order, { ends, reason, by });
  repositories.imports.addOrder(id, order.id, { before: content, after: content });
  return { outcome: 'changed', ends, doubts: now.doubts };
}

/** Whether the rows and the order name articles, but none in common, so that only their numbers are equal. */
function isOther(rows: readonly ReadRow[], { items, shipments = [] }: NewOrder): boolean {
  const ours = (items ?? shipments.flatMap((shipment) => shipment.items)).flatMap(({ SKU, UPC, name }) => [
    SKU,
    UPC,
    name,
  ]);
  const theirs = rows.flatMap(({ said: { SKU, UPC, name } }) => [SKU, UPC, name]);
  const [known, named] = [ours, theirs].map((texts) => new Set(texts.flatMap((text) => (text ? [nameKey(text)] : []))));
  if (known === undefined || named === undefined || known.size === 0 || named.size === 0) return false;
  return ![...known].some((text) => named.has(text));
}
