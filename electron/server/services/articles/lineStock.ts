import type { WorkLine } from '#shared/api/picking.ts';
import { nameKey } from '#shared/lib/nameKey.ts';
import type { ShownStockRow } from '../../db/repositories/stock.ts';
import type { Repositories } from '../../db/repositories.ts';
import { isoTime } from '../../domain/isoTime.ts';

/** What a line says of itself. */
type Placed = { articleId: number | null; place: string | null };

/** What a line says of its article. */
export type LineStock = Pick<WorkLine, 'on_hand' | 'packs' | 'found_empty'>;

/** A line without an article. */
const NO_STOCK: LineStock = { on_hand: null, packs: [], found_empty: null };

/** Reads the stock of all these items with two statements. */
export function stockOfLines(
  { articles, stock }: Pick<Repositories, 'articles' | 'stock'>,
  items: readonly (Placed | undefined)[],
): (item: Placed | undefined) => LineStock {
  const ids = [...new Set(items.flatMap((item) => item?.articleId ?? []))];
  if (ids.length === 0) return () => NO_STOCK;
  const keyOf = (articleId: number, placeKey: string): string => `${articleId} ${placeKey}`;
  const places = new Map(
    stock.listShown(JSON.stringify(ids)).map((row) => [keyOf(row.articleId, row.placeKey), row] as const),
  );
  const codes = Map.groupBy(articles.listBarcodes(JSON.stringify(ids)), ({ articleId }) => articleId);
  return (item) => {
    const articleId = item?.articleId ?? null;
    if (articleId === null) return NO_STOCK;
    const place = places.get(keyOf(articleId, nameKey(item?.place ?? '')));
    const sizes = (codes.get(articleId) ?? []).map(({ quantity }) => quantity).filter((quantity) => quantity > 1);
    const packs = [...new Set(sizes)].toSorted((one, other) => other - one);
    return { on_hand: place?.onHand ?? null, packs, found_empty: place === undefined ? null : foundBy(place) };
  };
}

function foundBy({ foundAt, picker, doneBy }: ShownStockRow): LineStock['found_empty'] {
  return foundAt === null ? null : { by: picker || (doneBy ?? ''), at: isoTime(foundAt) };
}
