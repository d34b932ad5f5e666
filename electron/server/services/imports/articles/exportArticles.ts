import type { Article, ArticlePlace } from '#shared/api/article.ts';
import { BYTE_ORDER_MARK, type CsvCell, csvLines } from '#shared/lib/tables/cells/csv.ts';
import { explicitPlace, explicitText } from '#shared/lib/tables/cells/codes.ts';
import { explicitNumber } from '#shared/lib/tables/orderNumbers.ts';
import type { TablesOf } from '../../../core.ts';
import { articleAnswers, textKey } from '../../articles/index.ts';
import type { StepQueue } from '../../../scheduling/index.ts';
import type { TableFiles } from '../../tables/index.ts';

/** Number of articles to read per step. A step takes about 1 ms. */
const EXPORTED_ARTICLES = 20;

/** Columns of the export, with names that the import recognizes. */
const COLUMNS = [
  'sku',
  'name',
  'description',
  'unit',
  'note',
  'active',
  'barcode',
  'barcode_quantity',
  'location',
  'priority',
  'minimum',
  'maximum',
  'on_hand',
] as const;

type ExportContext = {
  reads: TablesOf<'imports'>;
  foregroundReads: Pick<StepQueue, 'take'>;
  tables: Pick<TableFiles, 'writeWorkbook'>;
};

/**
 * Articles to export. `q` is a text that the articles contain. `isListed` selects places of active articles. If it is undefined, all
 * articles and places are exported.
 */
export type ExportedArticles = { q: string | undefined; isListed: ((place: ArticlePlace) => boolean) | undefined };

/** Yields the parts of a CSV file of articles, with one line per place or barcode. Rejects once `signal` is aborted. */
export async function* exportArticlesCsv(
  context: ExportContext,
  wanted: ExportedArticles,
  separator: ',' | ';',
  signal: AbortSignal,
): AsyncGenerator<string, void, void> {
  yield BYTE_ORDER_MARK + csvLines([COLUMNS], separator);
  for await (const rows of rowsOfArticles(context, wanted, signal)) yield csvLines(rows, separator);
}

/** Exports the same lines as `exportArticlesCsv` as a workbook. */
export async function exportArticlesWorkbook(
  context: ExportContext,
  wanted: ExportedArticles,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const rows: CsvCell[][] = [];
  for await (const part of rowsOfArticles(context, wanted, signal)) rows.push(...part);
  return context.tables.writeWorkbook('Articles', COLUMNS, rows);
}

async function* rowsOfArticles(
  { reads, foregroundReads }: ExportContext,
  wanted: ExportedArticles,
  signal: AbortSignal,
): AsyncGenerator<CsvCell[][], void, void> {
  let last: { id: number; skuKey: string; nameKey: string; updatedAt: number } | undefined;
  for (;;) {
    const after = last;
    const page = await foregroundReads.take(() => {
      signal.throwIfAborted();
      const rows = reads.articles.list({ ...EVERYTHING, q: textKey(wanted.q), after, limit: EXPORTED_ARTICLES });
      return { rows, articles: articleAnswers(reads, rows).flatMap((article) => listedOf(article, wanted)) };
    });
    last = page.rows.at(-1);
    if (page.articles.length > 0) yield page.articles.flatMap(linesOf);
    if (page.rows.length < EXPORTED_ARTICLES) return;
  }
}

/** Returns the article with the places to export, or an empty list if the article is not exported. */
function listedOf(article: Article, { isListed }: ExportedArticles): Article[] {
  if (isListed === undefined) return [article];
  const places = article.places.filter(isListed);
  return article.active && places.length > 0 ? [{ ...article, places }] : [];
}

const EVERYTHING = {
  barcodeKey: null,
  placeKey: null,
  since: null,
  afterRevision: null,
  isActive: null,
  sort: 'sku',
} as const;

function linesOf({ sku, name, description, unit, note, active, barcodes, places }: Article): CsvCell[][] {
  const lines = Math.max(1, barcodes.length, places.length);
  const own: CsvCell[] = [
    explicitNumber(sku),
    ...[name, description, unit, note].map((text) => text ?? ''),
    active ? 'yes' : 'no',
  ];
  return Array.from({ length: lines }, (_, index) => {
    const barcode = barcodes[index];
    const place = places[index];
    const { priority = null, minimum = null, maximum = null, on_hand: onHand = null } = place ?? {};
    return [
      ...own,
      barcode === undefined ? '' : explicitText(barcode.code),
      barcode?.quantity ?? '',
      place === undefined ? '' : explicitPlace(place.location),
      ...[priority, minimum, maximum, onHand].map((figure) => figure ?? ''),
    ];
  });
}
