import type { WorkLine } from '#shared/api/picking.ts';
import { nameKey } from '#shared/lib/text/nameKey.ts';
import type { ShownStockRow } from '../../db/repositories/stock.ts';
import type { ArticleTables } from './types.ts';
import { isoTime } from '../../domain/station/isoTime.ts';
import { pictureAddress } from './answers.ts';

type Placed = { articleId: number | null; place: string | null };

/** The fields of a line that come from its article. */
export type LineStock = Pick<WorkLine, 'on_hand' | 'packs' | 'picture' | 'found_empty'>;

/** Values for a line without an article. */
const NO_STOCK: LineStock = { on_hand: null, packs: [], picture: null, found_empty: null };

/** Reads stock, pictures and pack sizes for all these items with three queries. Returns a function that looks up an item's values. */
export function stockOfLines(
  { articles, stock }: ArticleTables,
  items: readonly (Placed | undefined)[],
): (item: Placed | undefined) => LineStock {
  const ids = [...new Set(items.flatMap((item) => item?.articleId ?? []))];
  if (ids.length === 0) return () => NO_STOCK;
  const keyOf = (articleId: number, placeKey: string): string => `${articleId} ${placeKey}`;
  const places = new Map(
    stock.listShown(JSON.stringify(ids)).map((row) => [keyOf(row.articleId, row.placeKey), row] as const),
  );
  const pictures = new Map(articles.listByIds(ids).map((row) => [row.id, pictureAddress(row)] as const));
  const codes = Map.groupBy(articles.listBarcodes(JSON.stringify(ids)), ({ articleId }) => articleId);
  return (item) => {
    const articleId = item?.articleId ?? null;
    if (articleId === null) return NO_STOCK;
    const place = places.get(keyOf(articleId, nameKey(item?.place ?? '')));
    const sizes = (codes.get(articleId) ?? []).map(({ quantity }) => quantity).filter((quantity) => quantity > 1);
    const packs = [...new Set(sizes)].toSorted((one, other) => other - one);
    const picture = pictures.get(articleId) ?? null;
    return { on_hand: place?.onHand ?? null, packs, picture, found_empty: place === undefined ? null : foundBy(place) };
  };
}

/** Returns the barcodes by which a scan finds the article. Returns an empty list for an inactive article. */
export function barcodesOf(
  { articles }: Pick<ArticleTables, 'articles'>,
  articleId: number | null,
): NonNullable<WorkLine['barcodes']> {
  if (articleId === null || articles.find(articleId)?.isActive !== true) return [];
  return articles.listBarcodes(JSON.stringify([articleId])).map(({ code, quantity }) => ({ code, quantity }));
}

function foundBy({ foundAt, picker, doneBy }: ShownStockRow): LineStock['found_empty'] {
  return foundAt === null ? null : { by: picker || (doneBy ?? ''), at: isoTime(foundAt) };
}
