import { expect, test } from 'vitest';
import { whole } from '#shared/lib/station/inParts.ts';
import { mapColumns } from '#shared/lib/tables/mapping.ts';
import { readOrderRows } from '#shared/lib/tables/orders.ts';
import { csvTable } from '../helpers/files/csvTable.ts';
import * as fc from '../helpers/fastCheck.ts';

// Files with units, references, paths and errors of spreadsheets in columns of any order, name and language: each line has the article, the
// pieces and the place that a person reads, or its order is refused, or the file is asked about.

type Names = Readonly<
  Record<'order' | 'qty' | 'place' | 'unit' | 'per' | 'reference' | 'product' | 'note', readonly string[]>
> & {
  sku: readonly string[];
};
/** Names of columns by language. */
const LANGUAGES: readonly Names[] = [
  {
    order: ['Order', 'Order No.'],
    sku: ['SKU', 'Item number'],
    qty: ['Qty', 'Quantity'],
    place: ['Bin', 'Bin location'],
    unit: ['Unit', 'UoM'],
    per: ['Pieces per unit'],
    reference: ['Reference', 'Ref'],
    product: ['Product name', 'Item name'],
    note: ['Note'],
  },
  {
    order: ['Auftrag', 'Auftragsnr.'],
    sku: ['Artikelnummer', 'Art.-Nr.'],
    qty: ['Menge', 'Anzahl'],
    place: ['Lagerplatz', 'Fach'],
    unit: ['Einheit', 'ME'],
    per: ['Stück pro Einheit'],
    reference: ['Referenz', 'Reference'],
    product: ['Bezeichnung', 'Artikelname'],
    note: ['Bemerkung'],
  },
  {
    order: ['Commande', 'N° de commande'],
    sku: ['Référence article', 'Code article'],
    qty: ['Quantité', 'Qté'],
    place: ['Emplacement', 'Casier'],
    unit: ['Unité'],
    per: ['Pièces par unité'],
    reference: ['Référence', 'Ref'],
    product: ['Désignation', 'Nom du produit'],
    note: ['Remarque'],
  },
  {
    order: ['Pedido', 'Número de pedido'],
    sku: ['Código de artículo', 'Nº artículo'],
    qty: ['Cantidad', 'Cant'],
    place: ['Ubicación', 'Casilla'],
    unit: ['Unidad'],
    per: ['Piezas por unidad'],
    reference: ['Referencia', 'Ref'],
    product: ['Nombre del producto', 'Denominación'],
    note: ['Nota'],
  },
  {
    order: ['Bestelnummer', 'Ordernummer'],
    sku: ['Artikelcode', 'Artikelnr.'],
    qty: ['Aantal', 'Besteld aantal'],
    place: ['Magazijnlocatie', 'Locatie'],
    unit: ['Eenheid'],
    per: ['Stuks per eenheid'],
    reference: ['Referentie', 'Ref'],
    product: ['Omschrijving', 'Productnaam'],
    note: ['Opmerkingen'],
  },
  {
    order: ['Numer zamówienia', 'Nr zamówienia'],
    sku: ['Kod towaru', 'Kod produktu'],
    qty: ['Ilość', 'Liczba sztuk'],
    place: ['Półka', 'Miejsce składowania'],
    unit: ['Jednostka', 'j.m.'],
    per: ['Sztuk w jednostce'],
    reference: ['Referencja', 'Ref'],
    product: ['Nazwa towaru', 'Nazwa produktu'],
    note: ['Uwagi'],
  },
];

/** Units and the pieces in each, in our languages. Null if nobody can say how many. */
const UNITS: readonly (readonly [words: string, pieces: number | null])[] = [
  ['pcs; ea; each; pieces; Stk; Stück; pièces; unités; uds; unidades; piezas', 1],
  ['dozen; doz; Dutzend; Dtzd; douzaine; docena', 12],
  ['gross; Gros; grosse; gruesa', 144],
  ['box; pack; pair; carton; kg; m; k; Karton; Paar; Packung; boîte; paquet; paire; caja; par; kilo', null],
];
const PLACES = ['A-1-1', 'A-1-2', 'B-2-1', 'B-2-2'];
const PATHS = ['WH/Stock', 'WH2/Stock', 'Lager 1'];
const ERRORS = [
  '#N/A',
  '#NV',
  '#REF!',
  '#BEZUG!',
  '#VALEUR!',
  '#¡REF!',
  '#¿NOMBRE?',
  '#DIV/0!',
  'Err:502',
  'Loading...',
  '#####',
];
/** Columns that change nothing, each with possible values. */
const OTHERS: readonly [string, readonly string[]][] = [
  ['Price', ['2,50', '19,90', '120,00']],
  ['Country', ['DE', 'FR', 'Spain']],
  ['Weight', ['1,5', '20']],
  ['Amount', ['9,50', '12,00']],
  ['Shipping service', ['DHL', 'Express']],
  ['Email', ['a@example.com', 'b@example.com']],
];
const WORDS = ['Blue mug', 'Red cup', 'Large pan', 'Steel bolt', 'Oak shelf'];

/** Columns that say what is picked. */
const PICKED = new Set(['order', 'sku', 'part', 'product', 'qty', 'unit', 'per', 'place']);

const oneOf = <T>(values: readonly T[]) => fc.constantFrom(...values);
const line = fc.record({
  sku: fc.integer({ min: 1, max: 9 }),
  quantity: fc.integer({ min: 1, max: 40 }),
  place: fc.constantFrom(...PLACES, 'Nowhere 7', ''),
});
const shop = fc.array(fc.array(line, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 6 });
const style = fc.record({
  language: fc.constantFrom(...LANGUAGES),
  separator: fc.constantFrom(',', ';', '\t'),
  /** Where the unit is. `factor` is a column with the pieces in one unit. */
  unit: fc.constantFrom('none', 'none', 'cell', 'column', 'factor'),
  /** How places are written. `paths` are several paths, of which some end with the same place. */
  place: fc.constantFrom('name', 'path', 'paths'),
  /** What names the article, and what the reference is. */
  article: fc.constantFrom('sku', 'sku', 'name', 'part'),
  reference: fc.constantFrom('none', 'order', 'line'),
  hasNote: fc.boolean(),
  others: fc.uniqueArray(fc.constantFrom(...OTHERS), { maxLength: 3, selector: ([name]) => name }),
  error: fc.option(fc.record({ row: fc.nat(30), column: fc.nat(30), text: fc.constantFrom(...ERRORS) }), { freq: 2 }),
});

/** Reads a file as the station does. Returns undefined if the file is asked about or refused. */
function readCsv(csv: string) {
  const isPlace = (text: string) => PLACES.includes(text);
  const mapping = whole(mapColumns('orders', csvTable(csv), { isPlace }));
  if (!mapping.ok) return undefined;
  const read = whole(
    readOrderRows(mapping, {
      decimal: undefined,
      dateOrder: undefined,
      timeZone: 'UTC',
      orderPrefix: '',
      takesLeftOut: false,
      isPlace,
      meantSku: () => undefined,
      articleUnit: () => undefined,
      units: {},
      placePaths: [],
      sharedPlaces: [],
    }),
  );
  return read.ok ? read : undefined;
}

/** A line as a person reads it, or why nobody can. */
type Said = { SKU?: string; name?: string; ordered_quantity: number; warehouse_location?: string };

/** Minimum numbers of files, of 1,500, that are read, of orders that are read in them, and of orders that are refused. */
const MIN = { files: 900, orders: 2_000, refused: 300, asked: 60 };

test('each line has the article, the pieces and the place that a person reads, or is refused or asked about', () => {
  const seen = { files: 0, orders: 0, refused: 0, asked: 0 };
  fc.assert(
    fc.property(shop, style, fc.gen(), (orders, how, gen) => {
      const one = <T>(values: readonly T[]): T => gen(oneOf<T>, values);
      const { language } = how;
      const rows: { order: string; cells: Map<string, string>; said: Said | undefined }[] = [];
      const isLineReference = how.reference === 'line';
      for (const [at, lines] of orders.entries()) {
        for (const { sku, quantity, place } of lines) {
          const [words, pieces] = how.unit === 'none' ? ['', 1] : one(UNITS);
          const word = one(words.split(';')).trim();
          const factor = one([1, 6, 10]);
          const path = how.place === 'path' ? 'WH/Stock' : how.place === 'paths' ? one(PATHS) : '';
          const isPath = path !== '' && place !== '';
          const code = `K-${100 + sku}`;
          const name = `${one(WORDS)} ${sku}`;
          const cells = new Map([
            ['order', `O-${at}`],
            ['qty', how.unit === 'cell' ? `${quantity} ${word}` : String(quantity)],
            ['place', isPath ? `${path}/${place}` : place],
          ]);
          if (how.article === 'sku') cells.set('sku', code);
          if (how.article !== 'part') cells.set('product', name);
          if (how.article === 'part') cells.set('part', code);
          if (how.unit === 'column' || how.unit === 'factor') cells.set('unit', word);
          if (how.unit === 'factor') cells.set('per', String(factor));
          if (how.reference === 'order') cells.set('reference', `RO-${70 + at}`);
          if (isLineReference) cells.set('reference', `R-${200 + sku}`);
          if (how.hasNote) cells.set('note', `Please wrap ${at}`);
          for (const [other, values] of how.others) cells.set(other, one(values));
          const per = how.unit === 'factor' && pieces !== 1 ? factor : pieces;
          // One piece of several pieces contradicts itself, so nobody knows.
          const isClear = per !== null && !(how.unit === 'factor' && pieces === 1 && factor !== 1);
          const isKnown = PLACES.includes(place);
          const location = isPath && !isKnown ? `${path}/${place}` : place;
          rows.push({
            order: `O-${at}`,
            cells,
            said: isClear
              ? {
                  ...(how.article === 'name' ? {} : { SKU: code }),
                  ...(how.article === 'part' ? {} : { name }),
                  ordered_quantity: quantity * per,
                  ...(location === '' ? {} : { warehouse_location: location }),
                }
              : undefined,
          });
        }
      }
      const keys = gen(fc.shuffledSubarray<string>, [...(rows[0]?.cells.keys() ?? [])], {
        minLength: rows[0]?.cells.size ?? 0,
      });
      const { error } = how;
      if (error !== null) {
        const row = rows[error.row % rows.length];
        const key = keys[error.column % keys.length] ?? '';
        row?.cells.set(key, error.text);
        // An error in a column that nobody reads changes nothing.
        if (row !== undefined && PICKED.has(key)) row.said = undefined;
        // Between rows of one order, the row belongs to this order.
        const at = error.row % rows.length;
        const isInside = rows[at - 1]?.order === row?.order && rows[at + 1]?.order === row?.order;
        if (row !== undefined && key === 'order' && !isInside) row.order = error.text;
      }
      // Nobody knows whether places with one name at several paths are one place.
      const pathsOf = Map.groupBy(rows, ({ cells }) => cells.get('place')?.split('/').at(-1) ?? '');
      for (const [place, group] of pathsOf) {
        const paths = new Set(group.map(({ cells }) => cells.get('place')).filter((text) => text !== place));
        if (!PLACES.includes(place) || paths.size < 2) continue;
        for (const row of group) if (row.cells.get('place') !== place) row.said = undefined;
      }
      const partName = one(['Part', 'Item', 'Artikel']);
      const nameOf = (key: string): string =>
        key === 'part' ? partName : key in language ? one(language[key as keyof Names]) : key;
      const csv = [keys.map(nameOf), ...rows.map(({ cells }) => keys.map((key) => cells.get(key) ?? ''))]
        .map((cells) => cells.map((cell) => `"${cell}"`).join(how.separator))
        .join('\n');
      const read = readCsv(csv);
      // Codes in two columns that can both be those of the article are asked about.
      if (how.article === 'part' && isLineReference && new Set(rows.map(({ cells }) => cells.get('part'))).size > 1)
        expect(read, csv).toBeUndefined();
      if (read === undefined) {
        seen.asked += 1;
        return;
      }
      seen.files += 1;
      // A code beside the name of the article is that of the article, unless it belongs to different articles.
      const told = rows.filter(({ cells }) => [...cells.values()].every((text) => text !== error?.text));
      const byReference = Map.groupBy(told, ({ cells }) => cells.get('reference') ?? '');
      const mayBeCode =
        how.article === 'name' &&
        [...byReference.values()].every((group) => new Set(group.map(({ cells }) => cells.get('product'))).size === 1);
      const expected = Map.groupBy(rows, ({ order }) => order);
      for (const { number, wanted } of read.orders) {
        if (wanted?.items === undefined) {
          seen.refused += 1;
          continue;
        }
        seen.orders += 1;
        const lines = wanted.items.map(({ SKU, name, ordered_quantity, warehouse_location }) => ({
          ...(SKU === undefined || (mayBeCode && SKU.startsWith('R')) ? {} : { SKU }),
          ...(name === undefined ? {} : { name }),
          ordered_quantity,
          ...(warehouse_location === undefined ? {} : { warehouse_location }),
        }));
        expect(lines, csv).toEqual(expected.get(number)?.map(({ said }) => said));
      }
      // What a person reads without a doubt is read.
      if (error !== null) return;
      const clear = [...expected].flatMap(([number, group]) =>
        group.every(({ said }) => said !== undefined) ? [number] : [],
      );
      const numbers = read.orders.flatMap(({ number, wanted }) => (wanted?.items === undefined ? [] : [number]));
      expect(numbers, csv).toEqual(clear);
    }),
    { numRuns: 1_500 },
  );
  expect(seen).toEqual({
    files: expect.toSatisfy((count: number) => count > MIN.files),
    orders: expect.toSatisfy((count: number) => count > MIN.orders),
    refused: expect.toSatisfy((count: number) => count > MIN.refused),
    asked: expect.toSatisfy((count: number) => count > MIN.asked),
  });
});
