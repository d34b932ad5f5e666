import { compareLabels } from '#shared/lib/text/locale.ts';
import type { LocationAlias } from '#shared/api/alias.ts';
import type { Article } from '#shared/api/article.ts';
import type { Carrier } from '#shared/api/carrier.ts';
import { nameKey } from '#shared/lib/text/nameKey.ts';
import type { NamedDevice } from '../../station/places.ts';

/** The subject of a label: a place, an article at its place, an article, or a slot of a cart or wall. */
export type Template = 'place' | 'both' | 'article' | 'slot';

/** What the code of a label contains. */
export type CodeOf = 'place' | 'device' | 'article' | 'slot' | 'none';
/** The choices for each template; the first is the default. */
export const CODES: Readonly<Record<Template, readonly CodeOf[]>> = {
  place: ['place', 'device', 'none'],
  both: ['article', 'place', 'none'],
  article: ['article', 'none'],
  slot: ['slot', 'none'],
};

/** The name of a place to print, with the place's device. `key` is the DeviceID, or the key of the alias. */
export type PlaceLabel = { key: string; name: string; deviceid: string };

export type LabelContent = {
  key: string;
  title: string;
  /** Smaller text below the title; empty if there is none. */
  detail: string;
  foot: string;
  /** Address of a picture; null if there is none. */
  picture: string | null;
  codes: Partial<Readonly<Record<CodeOf, string>>>;
};

type LabeledArticle = Pick<Article, 'id' | 'sku' | 'name' | 'description' | 'barcodes' | 'picture'> & {
  places: readonly { location: string }[];
};

/** Returns the key of an alias in a list of labels. */
export function aliasKey({ id }: Pick<LocationAlias, 'id'>): string {
  return `alias ${id}`;
}

/** Lists all labels and aliases of places by name. If `keys` is set, lists only these. */
export function listPlaceLabels(
  places: readonly NamedDevice[],
  aliases: readonly LocationAlias[],
  keys: ReadonlySet<string> | undefined,
): readonly PlaceLabel[] {
  const own = places.flatMap(({ deviceid, name }) => (name === deviceid ? [] : [{ key: deviceid, name, deviceid }]));
  const further = aliases.map((alias) => ({ key: aliasKey(alias), name: alias.name, deviceid: alias.deviceid }));
  return [...own, ...further].filter(({ key }) => keys === undefined || keys.has(key)).toSorted(byName);
}

/**
 * Returns the labels of a template. `isAll` tells whether to include places of articles that have no device and so
 * are not in `places`.
 */
export function listContents(
  template: Template,
  places: readonly PlaceLabel[],
  articles: readonly LabeledArticle[],
  isAll: boolean,
): readonly LabelContent[] {
  if (template === 'place') return places.map(placeContent);
  if (template === 'article') return articles.map(articleContent);
  const known = new Set(places.map(({ name }) => nameKey(name)));
  const others = new Map<string, PlaceLabel>();
  const kept = new Map<string, LabeledArticle[]>();
  for (const article of articles) {
    for (const { location } of article.places) {
      const key = nameKey(location);
      kept.set(key, [...(kept.get(key) ?? []), article]);
      if (!known.has(key)) others.set(key, { key: `place ${key}`, name: location, deviceid: '' });
    }
  }
  const named = isAll ? [...places, ...others.values()].toSorted(byName) : places;
  return named.flatMap((place) => {
    const here = kept.get(nameKey(place.name)) ?? [];
    return here.map((article) => {
      const { title, foot, picture, codes } = articleContent(article);
      const both = { ...codes, place: place.name };
      return { key: `${place.key} ${article.id}`, title: place.name, detail: title, foot, picture, codes: both };
    });
  });
}

/**
 * Returns the labels of a cart or wall. The first label is for the cart or wall itself, followed by one for each
 * slot. If there is no code, the label shows only the name.
 */
export function slotContents({ name, code, slots }: Pick<Carrier, 'name' | 'code' | 'slots'>): readonly LabelContent[] {
  const content = (key: string, title: string, detail: string, own: string | null): LabelContent => {
    return { key, title, detail, foot: own ?? '', picture: null, codes: own === null ? {} : { slot: own } };
  };
  return [
    content('all', name, '', code),
    ...slots.map(({ slot, code: own }) => content(`slot ${slot}`, slot, name, own)),
  ];
}

function placeContent({ key, name, deviceid }: PlaceLabel): LabelContent {
  return { key, title: name, detail: '', foot: deviceid, picture: null, codes: { place: name, device: deviceid } };
}

/**
 * Returns the label of an article. The code is the barcode of a single piece, or else the SKU, because a scan at the
 * shelf must not count a pack.
 */
function articleContent({ id, sku, name, description, barcodes, picture }: LabeledArticle): LabelContent {
  const code = barcodes.find(({ quantity }) => quantity === 1)?.code ?? sku;
  const detail = name === null ? '' : (description ?? '');
  return { key: String(id), title: name ?? sku, detail, foot: sku, picture, codes: { article: code } };
}

function byName(a: PlaceLabel, b: PlaceLabel): number {
  return compareLabels(a.name, b.name) || (a.key < b.key ? -1 : 1);
}
