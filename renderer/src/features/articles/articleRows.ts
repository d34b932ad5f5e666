import { countText } from '#shared/lib/text/locale.ts';
import type { Article, ArticlePlace } from '#shared/api/article.ts';
import type { Station } from '#shared/api/station.ts';
import type { StockRow } from '#shared/api/stock.ts';
import { nameKey } from '#shared/lib/text/nameKey.ts';
import { isLow, isNegative } from '#shared/lib/articles/stockLevels.ts';

type RowPlace = Pick<ArticlePlace, 'location' | 'on_hand' | 'minimum' | 'empty'>;

/**
 * An article in the list, with all of its places or with only one. `key` and `id` are the SKU or, with one place, the
 * SKU and the place.
 */
export type ListedArticle = {
  key: string;
  id: string;
  sku: string;
  name: string | null;
  description: string | null;
  unit: string | null;
  /** Address of the picture, or null if the article has none. */
  picture: string | null;
  isHidden: boolean;
  places: readonly RowPlace[];
};

export function rowOfArticle(article: Article): ListedArticle {
  const { sku, name, description, unit, picture, active, places } = article;
  return { key: sku, id: sku, sku, name, description, unit, picture, isHidden: !active, places };
}

export function rowOfStock({ sku, name, unit, picture, ...place }: StockRow): ListedArticle {
  const key = `${sku}\n${place.location}`;
  return {
    key,
    id: key,
    sku,
    name,
    description: null,
    unit,
    picture,
    isHidden: false,
    places: [place],
  };
}

/** Returns the total stock at the places that have been counted, or null if no place has been counted. */
export function onHandOf(places: readonly Pick<RowPlace, 'on_hand'>[]): number | null {
  const counted = places.flatMap(({ on_hand: pieces }) => pieces ?? []);
  return counted.length === 0 ? null : counted.reduce((sum, pieces) => sum + pieces, 0);
}

/** Formats a quantity with a typographic minus sign. */
export function piecesOf(pieces: number): string {
  return countText(pieces).replace('-', '−');
}

export type StockState = 'negative' | 'low' | 'empty';

/** Returns the stock state of a place if it is worth highlighting, otherwise undefined. */
export function stateOf(place: RowPlace): StockState | undefined {
  if (isNegative(place)) return 'negative';
  if (isLow(place)) return 'low';
  return place.empty ? 'empty' : undefined;
}

const URGENCY = ['negative', 'low', 'empty'] as const;

/** Returns the most urgent stock state of several places. */
export function worstOf(places: readonly RowPlace[]): StockState | undefined {
  const states = new Set(places.map(stateOf));
  return URGENCY.find((state) => states.has(state));
}

/** Returns the devices that serve these places, without duplicates. */
export function devicesAt(places: readonly Pick<ArticlePlace, 'location'>[], station: Station | null): string[] {
  const keys = new Set(places.map(({ location }) => nameKey(location)));
  const { devices = [], aliases = [] } = station ?? {};
  const labeled = devices.filter(({ locationoverride: label }) => keys.has(nameKey(label)));
  const named = aliases.filter(({ name }) => keys.has(nameKey(name)));
  return [...new Set([...named, ...labeled].map(({ deviceid }) => deviceid))];
}
