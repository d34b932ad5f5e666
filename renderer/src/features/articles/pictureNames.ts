import type { Article } from '#shared/api/article.ts';
import type { Api } from '../../station/api.ts';
import { orNull } from '../../station/call.ts';

/** A file with the article that it names, or the reason why it names none. */
export type NamedPicture =
  | { file: File; sku: string; replaces: boolean }
  | { file: File; why: 'unknown' | 'no_picture' }
  /** An earlier file is for the same article. */
  | { file: File; why: 'twice'; sku: string };

const PICTURE = /\.(?:jpe?g|png|webp)$/i;

/** Finds the article of each file by its name without extension: a SKU, or else a barcode, but not a part of one. */
export async function namePictures(
  api: Pick<Api, 'loadArticle' | 'loadArticles'>,
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

async function findNamed(api: Pick<Api, 'loadArticle' | 'loadArticles'>, name: string): Promise<Article | undefined> {
  if (name === '' || name === '.' || name === '..') return undefined;
  const found = await orNull(api.loadArticle(name));
  if (found !== null) return found;
  const [byBarcode] = await api.loadArticles({ barcode: name, active: 'all', limit: 1 });
  return byBarcode;
}
