import { expect, test } from 'vitest';
import { whole } from '#shared/lib/station/inParts.ts';
import { mapColumns } from '#shared/lib/tables/mapping.ts';
import { type OrdersOfFile, readOrderRows } from '#shared/lib/tables/orders.ts';
import { ReadMemo } from '#shared/lib/tables/readMemo.ts';
import type { FileTable, TableRow } from '#shared/lib/tables/table.ts';
import * as fc from '../../helpers/fastCheck.ts';
import type { OrderReading } from '#shared/lib/tables/types.ts';

const HOW: OrderReading = {
  decimal: undefined,
  dateOrder: undefined,
  timeZone: 'Europe/Berlin',
  orderPrefix: 'P-',
  takesLeftOut: false,
  meantSku: () => undefined,
  articleUnit: () => undefined,
  placePaths: [],
  sharedPlaces: [],
  units: {},
  isPlace: () => false,
};
const HEAD = ['order_number', 'sku', 'qty', 'customer', 'order status'];
const ORDERS = 300;

const rowOf = (line: number, cells: readonly string[]): TableRow => ({
  line,
  cells,
  isHidden: false,
  followsGap: false,
});

function tableOf(rows: readonly TableRow[]): FileTable {
  return {
    sheet: null,
    delimiter: ';',
    rows: [rowOf(1, HEAD), ...rows],
    hiddenRows: 0,
    hiddenColumns: 0,
    notes: [],
  };
}

function read(rows: readonly TableRow[], memo?: ReadMemo): OrdersOfFile {
  const mapping = whole(mapColumns('orders', tableOf(rows), HOW));
  if (!mapping.ok) return { ok: false, message: mapping.message };
  return whole(readOrderRows(mapping, HOW, memo));
}

/** Returns the result without the functions that find cells. */
const plain = (file: OrdersOfFile): unknown => JSON.parse(JSON.stringify(file));

const cells = fc.tuple(
  fc.constantFrom('1', '2', '3', '', '"', '12E3', '4,00638E+12', 'Total'),
  fc.constantFrom('M8', 'M10', '', '4,00638E+12'),
  fc.constantFrom('1', '1.000', '2,50', '2.5', 'many', ''),
  fc.constantFrom('', 'Shop', 'Other'),
  fc.constantFrom('', 'shipped', 'unheard of', 'order status'),
);

test('a memo of earlier versions does not change the result of reading a file', () => {
  fc.assert(
    fc.property(
      fc.array(cells, { minLength: 1, maxLength: 10 }),
      fc.array(fc.record({ at: fc.nat(), next: cells }), { minLength: 1, maxLength: 10 }),
      (first, changes) => {
        const memo = new ReadMemo();
        let rows = first.map((each, index) => rowOf(index + 2, each));
        expect(plain(read(rows, memo))).toEqual(plain(read(rows)));
        for (const { at, next } of changes) {
          const index = at % rows.length;
          rows = rows.with(index, rowOf(index + 2, next));
          expect(plain(read(rows, memo))).toEqual(plain(read(rows)));
        }
      },
    ),
    { numRuns: 300 },
  );
});

test('after a row is corrected, reads only its order again', () => {
  const memo = new ReadMemo();
  const rows = Array.from({ length: ORDERS }, (_, index) => rowOf(index + 2, [String(index), 'M8', '1', '', '']));
  const before = read(rows, memo);
  const after = read(rows.with(7, rowOf(9, ['7', 'M8', '2', '', ''])), memo);
  if (!before.ok || !after.ok) throw new Error('The file was refused.');
  const known = new Set(before.orders);
  expect(after.orders.filter((order) => !known.has(order)).map(({ number }) => number)).toEqual(['P-7']);
});

test('reads everything again if the columns are mapped differently', () => {
  const memo = new ReadMemo();
  const rows = [rowOf(2, ['1', 'M8', '1', '', ''])];
  read(rows, memo);
  const mapping = whole(mapColumns('orders', tableOf(rows), { ...HOW, columns: { sku: 'name' } }));
  if (!mapping.ok) throw new Error(mapping.message);
  expect(whole(readOrderRows(mapping, HOW, memo))).toMatchObject({ orders: [{ wanted: { items: [{ name: 'M8' }] } }] });
});
