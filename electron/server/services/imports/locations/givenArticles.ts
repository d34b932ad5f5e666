import { MAX_ARTICLE_PLACES } from '#shared/lib/articles/articleLimits.ts';
import type { InParts } from '#shared/lib/station/inParts.ts';
import { articleParts } from '#shared/lib/tables/articleParts.ts';
import { quote } from '#shared/lib/requests/screenElements.ts';
import { nameKey } from '#shared/lib/text/nameKey.ts';
import type { GivenArticle } from '../../../db/repositories/articles.ts';
import type { TablesOf } from '../../../core.ts';
import { StationError } from '../../../errors.ts';
import { findArticle, hasAllPlaces, meantSku } from '../../articles/index.ts';
import type { AssessedPlace } from '../types.ts';

/** Tables of the articles that a location file names. */
export type ArticlesOfPlaces = {
  articles: Pick<TablesOf<'imports'>['articles'], 'find' | 'findBySku' | 'findNamed' | 'findOnly'>;
  stock: Pick<TablesOf<'imports'>['stock'], 'listAt' | 'listPlaces'>;
};

/**
 * Returns the articles that a row gives a place, without those that already have it. A text is an SKU, a barcode, a name that one article
 * has, or several of these (see `articleParts`). Throws `conflict` if an article is unknown.
 */
export function givenArticles(tables: ArticlesOfPlaces, texts: readonly string[], place: string): GivenArticle[] {
  const has = new Set(texts.length === 0 ? [] : tables.stock.listAt(nameKey(place)).map(({ articleId }) => articleId));
  const given = new Map<number, GivenArticle>();
  for (const text of texts) {
    for (const { id, sku } of articlesIn(tables, text)) if (!has.has(id)) given.set(id, { id, sku, place });
  }
  return [...given.values()];
}

/** Number of rows to check per step. */
const JUDGED = 100;

/** Refuses rows that would give an article more places than it can have. The rows before them count. */
export function* refuseSurplusPlaces(
  { stock }: Pick<ArticlesOfPlaces, 'stock'>,
  places: readonly AssessedPlace[],
): InParts<AssessedPlace[]> {
  const renamed = new Map(
    places.flatMap((each) => ('wanted' in each ? each.wanted.renames : [])).map(({ from, to }) => [nameKey(from), to]),
  );
  const keysOf = new Map<number, Set<string>>();
  const judged: AssessedPlace[] = [];
  for (const [index, each] of places.entries()) {
    if (index % JUDGED === JUDGED - 1) yield;
    const articles = 'wanted' in each ? each.wanted.articles : [];
    for (const { id } of articles) {
      const own = keysOf.has(id) ? [] : stock.listPlaces(JSON.stringify([id]));
      if (!keysOf.has(id))
        keysOf.set(id, new Set(own.map(({ placeKey }) => nameKey(renamed.get(placeKey) ?? placeKey))));
    }
    const full = articles.find(({ id, place }) => {
      const keys = keysOf.get(id);
      return keys !== undefined && !keys.has(nameKey(place)) && keys.size >= MAX_ARTICLE_PLACES;
    });
    if (full === undefined) {
      for (const { id, place } of articles) keysOf.get(id)?.add(nameKey(place));
      judged.push(each);
    } else judged.push({ read: each.read, outcome: 'refused', message: hasAllPlaces(full.sku), isConflict: true });
  }
  return judged;
}

type Found = { id: number; sku: string };

function articlesIn({ articles }: ArticlesOfPlaces, text: string): Found[] {
  const only = findArticle(articles, text);
  if (only !== undefined) return [only];
  const parts = articleParts(text);
  const found = parts.map((part) => findArticle(articles, part));
  const unknown = found.indexOf(undefined);
  if (unknown < 0) return found.filter((each) => each !== undefined);
  const missing = found.every((each) => each === undefined) ? text : (parts[unknown] ?? text);
  const meant = meantSku({ articles }, missing);
  const advice = meant === undefined ? 'Import or add the article first.' : `Did you mean ${meant}?`;
  throw new StationError('conflict', `There is no article ${quote(missing)}. ${advice}`);
}
