import type { Repositories } from '../../../db/repositories.ts';
import { createTwinFinder } from '../../base/index.ts';
import { dueWarnings, sharedNonceWords } from '../../orders/index.ts';
import type { AssessedOrder } from '../types.ts';
import type { ReadRow } from '#shared/lib/tables/types.ts';

type Tables = { items: Pick<Repositories['items'], 'findNonceUsers'> };

/**
 * Creates a function that adds warnings to an order that a file creates or changes: about a due time far from now, nonces of other lines, and
 * names that look like earlier ones. Call it once for each order of a file, because it remembers nonces and names.
 */
export function createOrderDoubts({ items }: Tables, now: number): (order: AssessedOrder) => AssessedOrder {
  const firstLines = new Map<string, number>();
  const findTwin = createTwinFinder();

  function withTwinDoubts(row: ReadRow): ReadRow {
    const { item, line } = row;
    if (item === undefined) return row;
    const { SKU = '', warehouse_location: place = '' } = item;
    const twins = [findTwin('sku', SKU, line), findTwin('place', place, line)].filter((said) => said !== undefined);
    return twins.length === 0 ? row : { ...row, message: [row.message, ...twins].join(' ').trim() };
  }

  function withNonceDoubt(row: ReadRow, elsewhere: ReadonlyMap<string, string>): ReadRow {
    const nonce = nonceOf(row);
    if (nonce === '') return row;
    const line = firstLines.get(nonce);
    if (line === undefined) firstLines.set(nonce, row.line);
    const other = elsewhere.get(nonce);
    if (line === undefined && other === undefined) return row;
    const owner = line === undefined ? `An unfinished item of order ${other ?? ''}` : `Line ${line}`;
    return { ...row, message: `${row.message} ${sharedNonceWords(owner, nonce)}`.trim() };
  }

  return (order) => {
    const { number, assessment } = order;
    if (!('wanted' in assessment)) return order;
    const twin = findTwin('order', number, order.rows[0]?.line ?? 0) ?? [];
    const due = dueWarnings(assessment.wanted.due_time, now)
      .map(({ message }) => message)
      .concat(twin);
    const nonces = new Set(order.rows.map(nonceOf).filter((nonce) => nonce !== ''));
    const elsewhere = nonces.size === 0 ? new Map<string, string>() : items.findNonceUsers([...nonces], number);
    const rows = order.rows.map((row) => withTwinDoubts(withNonceDoubt(row, elsewhere)));
    const isSame = due.length === 0 && rows.every((row, index) => row === order.rows[index]);
    if (isSame) return order;
    return { ...order, rows, assessment: { ...assessment, doubts: [...(assessment.doubts ?? []), ...due] } };
  };
}

function nonceOf({ item }: ReadRow): string {
  const nonce = item?.callback_nonce ?? '';
  return nonce.trim() === '' ? '' : nonce;
}
