import type { Article } from '#shared/api/article.ts';
import { nameKey } from '#shared/lib/text/nameKey.ts';
import type { Api } from '../../station/calls/api.ts';
import { orNull } from '../../station/calls/call.ts';

/** A file with the article that the file name identifies, or with the reason why no article gets this picture. */
export type NamedPicture =
  | { file: File; sku: string; replaces: boolean }
  | { file: File; why: 'unknown' | 'no_picture' }
  /** An earlier file is already the picture of the same article. */
  | { file: File; why: 'twice'; sku: string };

/** Maximum number of articles that a search returns. */
const MOST_SIMILAR = 200;
const PICTURE = /\.(?:jpe?g|png|webp)$/i;

/**
 * Finds the article for each file. The file name without its extension is the article's SKU or, if there is no such
 * SKU, one of its barcodes.
 */
export async function namePictures(
  api: Pick<Api, 'getArticle' | 'listArticles'>,
  files: readonly File[],
): Promise<NamedPicture[]> {
  const taken = new Set<number>();
  const named: NamedPicture[] = [];
  for (const file of files) {
    if (!PICTURE.test(file.name)) {
      named.push({ file, why: 'no_picture' });
      continue;
    }
    const article = await findNamed(api, file.name.replace(PICTURE, '').trim());
    if (article === undefined) named.push({ file, why: 'unknown' });
    else if (taken.has(article.id)) named.push({ file, why: 'twice', sku: article.sku });
    else {
      taken.add(article.id);
      named.push({ file, sku: article.sku, replaces: article.picture !== null });
    }
  }
  return named;
}

async function findNamed(api: Pick<Api, 'getArticle' | 'listArticles'>, name: string): Promise<Article | undefined> {
  if (name === '' || name === '.' || name === '..') return undefined;
  // Search first instead of requesting the article by its address, because browsers report each 404 response as an
  // error.
  const similar = await api.listArticles({ query: { q: name, active: 'all', limit: MOST_SIMILAR } });
  const found = similar.find(({ sku }) => nameKey(sku) === nameKey(name));
  if (found !== undefined) return found;
  const unlisted = similar.length < MOST_SIMILAR ? null : await orNull(api.getArticle({ path: { sku: name } }));
  if (unlisted !== null) return unlisted;
  const [byBarcode] = await api.listArticles({ query: { barcode: name, active: 'all', limit: 1 } });
  return byBarcode;
}
