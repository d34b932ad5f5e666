import type { ScanRequest, ScanResult } from '#shared/api/picking.ts';
import { nameKey } from '#shared/lib/nameKey.ts';
import { readScan } from '#shared/lib/scanCode.ts';
import { readCommandCode } from '#shared/lib/scanCommands.ts';
import { StationError } from '../../errors.ts';
import { wallArticles, type WallResult } from '../batches/index.ts';
import { FIND_CODE } from './articleCodes.ts';
import { NOTHING, type CodeMeaning, type ScanTables } from './scanLines.ts';

/** An article scanned at the wall of a batch. */
export type AtWall = { batch: number; article: string; quantity: number | undefined };

const FIELDS = ['upc', 'sku', 'name'] as const;
/** Matches no order of the batch. */
const NO_ARTICLE = '';

/**
 * The article of a code in a batch that is being sorted at a wall, even if no order needs it. Undefined: the code is not an article, or the
 * batch is not being sorted. Throws `not_found` for an unknown batch.
 */
export function findAtWall(
  tables: ScanTables,
  { batch, code, item_id: itemId, quantity }: Pick<ScanRequest, 'batch' | 'code' | 'item_id' | 'quantity'>,
): AtWall | undefined {
  if (batch === undefined) return undefined;
  const shares = wallArticles(tables, batch);
  const { text, candidates } = readScan(code);
  if (shares === undefined || readCommandCode(text) !== undefined) return undefined;
  if (itemId !== undefined) {
    const chosen = shares.find((share) => share.itemId === itemId);
    if (chosen === undefined) throw new StationError('conflict', `Item ${itemId} is not in batch ${batch}.`);
    return { batch, article: chosen.article, quantity };
  }
  for (const candidate of candidates) {
    for (const field of FIELDS) {
      const found = FIND_CODE[field](tables, candidate);
      const key = nameKey(candidate);
      const article = found === undefined ? undefined : `id:${found.article.id}`;
      const share = shares.find((each) =>
        article === undefined ? isNamed(tables, each.itemId, field, key) : each.article === article,
      );
      if (share !== undefined) return { batch, article: share.article, quantity: quantity ?? found?.pack };
    }
  }
  return undefined;
}

function isNamed({ items }: ScanTables, itemId: number, field: (typeof FIELDS)[number], key: string): boolean {
  const text = items.find(itemId)?.[field] ?? null;
  return text !== null && nameKey(text) === key;
}

/** Whether the code is an article that no order of this batch needs. */
export function asNotNeeded(
  tables: ScanTables,
  { batch, quantity }: Pick<ScanRequest, 'batch' | 'quantity'>,
  meaning: CodeMeaning,
): AtWall | undefined {
  const { result, verified } = meaning.answer;
  const isArticle = verified || (meaning.isWrong === true && result !== 'wrong_place');
  if (batch === undefined || !isArticle) return undefined;
  return wallArticles(tables, batch) === undefined ? undefined : { batch, article: NO_ARTICLE, quantity };
}

/** The answer of a scan at a wall. */
export function wallAnswer(result: WallResult): ScanResult {
  return { ...NOTHING, verified: result.result === 'put' || result.result === 'single', ...result };
}
