import { expect, test } from 'vitest';
import { whole } from '#shared/lib/station/inParts.ts';
import { readArticleRows } from '#shared/lib/tables/articles.ts';
import { mapColumns } from '#shared/lib/tables/mapping.ts';
import { csvTable } from '../../helpers/files/csvTable.ts';
import { countParts } from '../../helpers/files/inParts.ts';

const ARTICLES = 5_000;

test('reads many articles in parts, and compares their barcodes in parts', () => {
  const rows = Array.from({ length: ARTICLES }, (_, row) => `SKU-${row};Article ${row};${1_000_000 + row}\n`);
  const how = { decimal: undefined, isPlace: () => true, placePaths: [], isArticle: () => false };
  const mapping = whole(mapColumns('articles', csvTable(`sku;name;barcode\n${rows.join('')}`), how));
  if (!mapping.ok) throw new Error(mapping.message);
  // Four passes with 200 rows in a part: read, join, collect barcodes, compare them.
  expect(countParts(readArticleRows(mapping, how))).toBeGreaterThan((4 * ARTICLES) / 250);
});
