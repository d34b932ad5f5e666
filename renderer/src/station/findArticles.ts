import type { Article } from '#shared/api/article.ts';
import { MAX_ARTICLE_TEXT } from '#shared/lib/articles/articleLimits.ts';
import { barcodeKey } from '#shared/lib/articles/barcodeKey.ts';
import { MIN_FIND_CHARACTERS } from '#shared/lib/text/findLimits.ts';
import { nameKey } from '#shared/lib/text/nameKey.ts';
import type { Api } from './calls/api.ts';

/** Maximum number of suggestions. Typing more narrows the list. */
const MAX = 30;
/** Number of articles to read for a text that is too short for the search. */
const MAX_SHORT = 1_000;

/** The articles that a text finds. */
export type ArticlesOf = {
  /** The article that the text means: by its SKU, else by a barcode, else by a name that no other article has. */
  meant: Article | undefined;
  /** Number of pieces that the text counts: those of a pack if the text is a pack's barcode, otherwise 1. */
  pieces: number;
  /** Number of articles whose name is the text. */
  named: number;
  /** The articles that contain the text, with the meant one first. */
  articles: readonly Article[];
};

export const NOTHING: ArticlesOf = { meant: undefined, pieces: 1, named: 0, articles: [] };

type Calls = Pick<Api, 'find' | 'getArticle' | 'listArticles'>;

/** Finds the articles that a text means or contains. An empty text finds the first articles. */
export async function findArticles(api: Calls, typed: string): Promise<ArticlesOf> {
  const text = typed.trim();
  if (text.length > MAX_ARTICLE_TEXT) return NOTHING;
  if (text === '') return { ...NOTHING, articles: await api.listArticles({ query: { limit: MAX } }) };
  const limit = text.length < MIN_FIND_CHARACTERS ? MAX_SHORT : MAX;
  const [coded, matching] = await Promise.all([
    api.listArticles({ query: { barcode: text, limit: 1 } }),
    api.listArticles({ query: { q: text, limit } }),
  ]);
  const listed = matching.find(({ sku }) => nameKey(sku) === nameKey(text));
  const isWhole = matching.length < limit;
  const called = listed ?? (isWhole || limit === MAX_SHORT ? undefined : await getBySku(api, text));
  const sameName = matching.filter(({ name }) => name !== null && nameKey(name) === nameKey(text));
  const meant = called ?? coded[0] ?? (isWhole && sameName.length === 1 ? sameName[0] : undefined);
  const code = meant?.barcodes.find((each) => barcodeKey(each.code) === barcodeKey(text));
  return {
    meant,
    pieces: called === undefined ? (code?.quantity ?? 1) : 1,
    named: sameName.length,
    articles:
      meant === undefined ? matching : [meant, ...matching.filter(({ sku }) => sku !== meant.sku)].slice(0, MAX),
  };
}

/** Reads the article with this SKU. The search lists it first, so that an unknown SKU needs no failed request. */
async function getBySku(api: Calls, text: string): Promise<Article | undefined> {
  const found = await api.find({ query: { q: text } });
  const sku = found.find((each) => each.sku !== undefined && nameKey(each.sku) === nameKey(text))?.sku;
  return sku === undefined ? undefined : api.getArticle({ path: { sku } });
}
