import { expect, test } from 'vitest';
import type { NewOrder } from '#shared/api/order.ts';
import { whole } from '#shared/lib/station/inParts.ts';
import { mapColumns } from '#shared/lib/tables/mapping.ts';
import { readOrderRows } from '#shared/lib/tables/orders.ts';
import { readFile } from '../../electron/server/services/tables/readFile.ts';
import { writeFile } from '../../electron/server/services/tables/writeFile.ts';
import * as fc from '../helpers/fastCheck.ts';

// Orders in many export formats: each is read completely or refused, and never misread as a different order.

const PLACES = ['A-1-1', 'A-1-2', 'B-2-1', 'Regal 7'];

type Line = { SKU: string; quantity: number; place: string };
type Shop = { number: string; customer: string; lines: Line[] }[];

const NAMES = {
  number: ['Order', 'order_number', 'Bestellnummer', 'numéro de commande', 'Número de pedido', 'Sales Order'],
  SKU: ['SKU', 'Artikelnummer', 'Article number', 'référence article', 'Código de artículo'],
  quantity: ['Quantity', 'Qty', 'Menge', 'Quantité', 'Cantidad', 'ordered_quantity'],
  place: ['Bin location', 'Lagerplatz', 'Emplacement', 'Ubicación', 'warehouse_location'],
  customer: ['Customer', 'Kunde', 'Client'],
} as const;

/** Formats in which people and programs write quantities. None is ambiguous in a column of whole numbers. */
const FORMS: readonly ((quantity: number) => string)[] = [
  String,
  (quantity) => `${quantity}.0`,
  (quantity) => `${quantity},00`,
  (quantity) => `${quantity} Stk`,
  (quantity) => `="${quantity}"`,
  (quantity) => String(quantity).replace(/(?<=\d)(?=\d{3}$)/, ' '),
];

const code = fc
  .array(fc.constantFrom('K', 'x', '0', '7', '-', '/', 'Ü', ' ', 'é', '中'), { minLength: 1, maxLength: 6 })
  .map((letters) => `S${letters.join('')}e`);
const line = fc.record({
  SKU: code,
  quantity: fc.integer({ min: 0, max: 9_999 }),
  place: fc.constantFrom('', ...PLACES),
});
const shop: fc.Arbitrary<Shop> = fc
  .uniqueArray(
    fc.record({
      number: code,
      customer: fc.constantFrom('', 'Example Shop', 'Müller; Söhne', 'a "b", c'),
      lines: fc.array(line, { minLength: 1, maxLength: 4 }),
    }),
    { minLength: 1, maxLength: 5, selector: ({ number }) => number },
  )
  .map((orders) => orders);

const style = fc.record({
  names: fc.record({
    number: fc.constantFrom(...NAMES.number),
    SKU: fc.constantFrom(...NAMES.SKU),
    quantity: fc.constantFrom(...NAMES.quantity),
    place: fc.constantFrom(...NAMES.place),
    customer: fc.constantFrom(...NAMES.customer),
  }),
  columns: fc.shuffledSubarray(['number', 'SKU', 'quantity', 'place', 'customer', 'weight', 'color'] as const, {
    minLength: 7,
    maxLength: 7,
  }),
  separator: fc.constantFrom(',', ';', '\t', '|'),
  encoding: fc.constantFrom('utf-8', 'utf-8 with mark', 'utf-16le'),
  form: fc.constantFrom(...FORMS),
  isBlock: fc.boolean(),
  title: fc.boolean(),
  total: fc.boolean(),
  gaps: fc.boolean(),
  blanks: fc.integer({ min: 0, max: 2 }),
});
type Style = typeof style extends fc.Arbitrary<infer T> ? T : never;

/** Returns rows of cells, with the column names first. An empty row is a gap. */
function rowsOf(orders: Shop, { names, columns, form, isBlock, title, total, gaps }: Style): string[][] {
  const heads = { ...names, weight: 'Weight', color: 'Color' };
  const rows: string[][] = title ? [['Orders of today'], []] : [];
  rows.push(columns.map((column) => heads[column]));
  for (const { number, customer, lines } of orders) {
    for (const [index, { SKU, quantity, place }] of lines.entries()) {
      const cells = {
        number: isBlock && index > 0 ? '' : number,
        SKU,
        quantity: form(quantity),
        place,
        customer: index > 0 ? '' : customer,
        weight: '2,5',
        color: 'red',
      };
      rows.push(columns.map((column) => cells[column]));
    }
    if (gaps) rows.push([]);
  }
  if (total) rows.push(['Total', '', '99']);
  return rows;
}

function csvOf(rows: readonly (readonly string[])[], { separator, encoding, blanks }: Style): Uint8Array {
  const quoted = (cell: string) => (/[",;|\t]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
  const text = rows
    .map((cells) => [...cells.map(quoted), ...Array<string>(blanks).fill('')].join(separator))
    .join('\r\n');
  if (encoding === 'utf-16le') return Buffer.from(`\ufeff${text}`, 'utf16le');
  return Buffer.from(encoding === 'utf-8' ? text : `\ufeff${text}`);
}

function readBytes(bytes: Uint8Array): NewOrder[] | string {
  const isPlace = (text: string) => PLACES.includes(text);
  const file = whole(readFile(bytes, null));
  const table = file.ok ? file.sheets[0] : undefined;
  if (table === undefined) return file.ok ? 'no sheet' : file.message;
  const mapping = whole(mapColumns('orders', table, { isPlace }));
  if (!mapping.ok) return mapping.message;
  const how = {
    decimal: undefined,
    dateOrder: undefined,
    timeZone: 'UTC',
    orderPrefix: '',
    takesLeftOut: false,
    meantSku: () => undefined,
    articleUnit: () => undefined,
    placePaths: [],
    sharedPlaces: [],
    units: {},
    isPlace,
  };
  const read = whole(readOrderRows(mapping, how));
  if (!read.ok) return read.message;
  const wrong = read.orders.find(({ problem }) => problem !== null);
  return wrong === undefined ? read.orders.flatMap(({ wanted }) => wanted ?? []) : (wrong.problem?.message ?? '');
}

/** Returns the orders as a person would read them, with trimmed codes. */
function expected(orders: Shop): NewOrder[] {
  return orders.map(({ number, customer, lines }) => ({
    order_number: number,
    ...(customer === '' ? {} : { customer }),
    items: lines.map(({ SKU, quantity, place }) => ({
      SKU,
      ...(place === '' ? {} : { warehouse_location: place }),
      ordered_quantity: quantity,
    })),
  }));
}

test('reads orders in a CSV file of any format as a person would', () => {
  fc.assert(
    fc.property(shop, style, (orders, written) => {
      expect(readBytes(csvOf(rowsOf(orders, written), written))).toEqual(expected(orders));
    }),
  );
});

test('reads orders in a workbook as a person would, including numeric cells', () => {
  fc.assert(
    fc.property(shop, style, fc.boolean(), (orders, written, isTyped) => {
      const [head = [], ...rows] = rowsOf(orders, { ...written, title: false, gaps: false, form: String });
      const at = written.columns.indexOf('quantity');
      const cells = rows.map((row) =>
        row.map((cell, index) => (isTyped && index === at && /^\d+$/.test(cell) ? Number(cell) : cell)),
      );
      expect(readBytes(whole(writeFile('Sheet', head, cells)))).toEqual(expected(orders));
    }),
  );
});

test('a damaged row causes its order to be refused, and does not affect other orders', () => {
  const damage = fc.constantFrom('many', '1.5', '-3', '1.234,567', '4,00638E+12', '=A1', '2 3');
  fc.assert(
    fc.property(shop, style, damage, fc.nat(), (orders, written, text, pick) => {
      const rows = rowsOf(orders, { ...written, total: false, gaps: false, title: false, isBlock: false });
      const at = 1 + (pick % (rows.length - 1));
      const row = rows[at] ?? [];
      const number = row[written.columns.indexOf('number')];
      row[written.columns.indexOf('quantity')] = text;
      const isPlace = (place: string) => PLACES.includes(place);
      const file = whole(readFile(csvOf(rows, written), null));
      const table = file.ok ? file.sheets[0] : undefined;
      const mapping = table === undefined ? undefined : whole(mapColumns('orders', table, { isPlace }));
      if (mapping?.ok !== true) throw new Error('the file cannot be read');
      const how = {
        decimal: undefined,
        dateOrder: undefined,
        timeZone: 'UTC',
        orderPrefix: '',
        takesLeftOut: false,
        meantSku: () => undefined,
        articleUnit: () => undefined,
        placePaths: [],
        sharedPlaces: [],
        units: {},
        isPlace,
      };
      const read = whole(readOrderRows(mapping, how));
      if (!read.ok) throw new Error(read.message);
      expect(read.orders.filter(({ problem }) => problem !== null).map((order) => order.number)).toEqual([number]);
      expect(read.orders.flatMap(({ wanted }) => wanted ?? [])).toEqual(
        expected(orders.filter((order) => order.number !== number)),
      );
    }),
  );
});
