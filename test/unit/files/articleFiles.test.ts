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

test('reads yes and no of one letter, and refuses a list of places', () => {
  const how = {
    decimal: undefined,
    isPlace: (text: string) => /^A-\d$/.test(text),
    placePaths: [],
    isArticle: () => false,
  };
  const csv = 'sku;name;active;location;on hand\nM-1;Mug;Y;A-1;1\nM-2;Plate;N;A-2;1\nM-3;Cup;;A-1, A-2;5\n';
  const mapping = whole(mapColumns('articles', csvTable(csv), how));
  if (!mapping.ok) throw new Error(mapping.message);
  const file = whole(readArticleRows(mapping, how));
  if (!file.ok) throw new Error(file.message);
  expect(file.articles.map(({ texts: { active }, places, problem }) => ({ active, places, problem }))).toEqual([
    { active: true, places: [{ location: 'A-1', onHand: 1 }], problem: null },
    { active: false, places: [{ location: 'A-2', onHand: 1 }], problem: null },
    { active: undefined, places: [], problem: { line: 4, message: expect.stringContaining('names several places') } },
  ]);
});

test.each([
  ['Zoho', 'SKU,Item Name,Status,Stock On Hand', 'active', 'Inactive'],
  ['JTL', 'Artikelnummer;Artikelname;Aktiv;Lagerbestand Gesamt', 'ja', 'nein'],
  ['a German list', 'Artikelnummer;Bezeichnung;Status;Gesamtbestand', 'aktiv', 'inaktiv'],
  ['a French list', 'Code article;Désignation;Statut;Stock réel', 'Actif', 'Désactivé'],
  ['a Spanish list', 'Código de artículo;Denominación;Estado;Stock físico', 'activo', 'Inactivo'],
  ['a Dutch list', 'Artikelcode;Omschrijving;Status;Voorraad', 'Actief', 'Niet actief'],
  ['a Polish list', 'Kod towaru;Nazwa;Status;Stan magazynowy', 'Aktywny', 'Nieaktywny'],
])('reads the stock and the state of articles in %s', (_title, head, yes, no) => {
  const how = { decimal: undefined, isPlace: () => false, placePaths: [], isArticle: () => false };
  const separator = head.includes(';') ? ';' : ',';
  const rows = [`M-1;Mug;${yes};5`, `M-2;Plate;${no};0`].map((row) => row.replaceAll(';', separator));
  const mapping = whole(mapColumns('articles', csvTable([head, ...rows].join('\n')), how));
  if (!mapping.ok) throw new Error(mapping.message);
  const file = whole(readArticleRows(mapping, how));
  if (!file.ok) throw new Error(file.message);
  expect(file.articles.map(({ sku, texts, anywhere, problem }) => ({ sku, ...texts, ...anywhere, problem }))).toEqual([
    { sku: 'M-1', name: 'Mug', active: true, onHand: 5, problem: null },
    { sku: 'M-2', name: 'Plate', active: false, onHand: 0, problem: null },
  ]);
});

test('a state of articles that is not whether they are active is ignored', () => {
  const how = { decimal: undefined, isPlace: () => false, placePaths: [], isArticle: () => false };
  const csv = 'sku;name;status\nM-1;Mug;New\nM-2;Plate;inactive\n';
  const mapping = whole(mapColumns('articles', csvTable(csv), how));
  if (!mapping.ok) throw new Error(mapping.message);
  expect(mapping.ignored).toEqual(['status']);
});
