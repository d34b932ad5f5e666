import type { ScanRequest, ScanResult } from '#shared/api/picking.ts';
import { readScan } from '#shared/lib/picking/scanCode.ts';
import type { CoreOf } from '../../core.ts';
import type { LitItemRow } from '../../db/repositories/items.ts';
import { StationError } from '../../errors.ts';
import { findArticleId } from '../articles/index.ts';
import { refuseOutdated } from '../base/index.ts';
import { type Orders, titleOfItem } from '../orders/index.ts';
import { NOTHING, type ScanTables } from './scanLines.ts';
import { articlesOfCode } from './scanWall.ts';

type VerifyContext = Pick<CoreOf<'picking'>, 'repositories' | 'reads' | 'writer'> & { orders: Pick<Orders, 'verify'> };

/**
 * Checks whether the code belongs to the article of `item_id` and, with `act`, verifies this item. Books no pieces. Throws `invalid`
 * without an item, `not_found` for an unknown item, `conflict` if none of its pieces is picked, and `outdated` for a delayed scan whose
 * item has changed since.
 */
export async function scanToVerify(
  { repositories, reads, writer, orders }: VerifyContext,
  scan: ScanRequest,
  { by, picker }: { by: string; picker: string },
): Promise<ScanResult> {
  const { answer } = compare(reads, scan);
  if (!scan.act || !answer.verified) return answer;
  return writer.write((tx) => {
    const now = compare(repositories, scan);
    const { item } = now;
    if (!now.answer.verified) return now.answer;
    refuseOutdated({ ...item, isOver: false }, scan, tx.now);
    if (item.fulfilled === 0)
      throw new StationError(
        'conflict',
        `No piece of ${titleOfItem(item)} is picked yet. Pick it, then scan it again.`,
      );
    orders.verify(tx, item.id, { by, forWhom: picker });
    return now.answer;
  });
}

/** Whether a code belongs to the article of an item. */
export function isArticleOf(tables: ScanTables, itemId: number, code: string): boolean {
  return compare(tables, { code, item_id: itemId }).answer.verified;
}

function compare(
  tables: ScanTables,
  { code, item_id: id }: Pick<ScanRequest, 'code' | 'item_id'>,
): { answer: ScanResult; item: LitItemRow } {
  const message = 'Send item_id: the item whose article was scanned.';
  if (id === undefined) throw new StationError('invalid', message, [{ path: '/item_id', message }]);
  const item = tables.items.find(id);
  if (item === undefined) throw new StationError('not_found', 'This line is not there any more.');
  const articleId = item.articleId ?? findArticleId(tables, item);
  const shares = [{ itemId: id, article: articleId === undefined ? '' : `id:${articleId}` }];
  const [found] = articlesOfCode(tables, shares, code);
  const text = titleOfItem(item);
  const known = { ...NOTHING, text, item_id: id, order_number: tables.orders.findNumber(item.orderId) ?? null };
  const answer: ScanResult =
    found === undefined
      ? { ...known, result: 'wrong_item', says: `${readScan(code).text} is not ${text}.` }
      : { ...known, result: 'acknowledged', says: `${text} is the right article.`, verified: true };
  return { answer, item };
}
