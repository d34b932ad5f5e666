import { expect, test } from 'vitest';
import { decodeCsv } from '#shared/lib/csv.ts';
import { whole } from '#shared/lib/inParts.ts';
import { orderOfRows, readOrders, readQuantity, type OrderCsvRow, type OrderFile } from '#shared/lib/orderCsv.ts';

const read = (text: string, most = Number.POSITIVE_INFINITY): OrderFile => whole(readOrders(text, most));

function rowsOf(text: string): OrderCsvRow[] {
  const file = read(text);
  if (!file.ok) throw new Error(file.message);
  return file.rows;
}

const madeOf = (text: string) =>
  [...Map.groupBy(rowsOf(text), ({ cells }) => cells.order_number)].map(([number, rows]) => orderOfRows(number, rows));

test.each([
  [',', 'order_number,SKU,ordered_quantity\r\nA1,M8,12'],
  [';', '\ufefforder_number;SKU;ordered_quantity\nA1;M8;12'],
  ['\t', 'ordered_quantity\tSKU\torder_number\n12\tM8\tA1\n'],
])('reads columns in any order, separated by %j', (delimiter, text) => {
  const file = read(text);
  expect(file).toMatchObject({ ok: true, delimiter });
  expect(madeOf(text)).toEqual([{ order_number: 'A1', items: [{ SKU: 'M8', ordered_quantity: 12 }] }]);
});

test('reads a Windows-1252 file with the column names of another program', () => {
  const bytes = Uint8Array.from('Order No;Artikel;Item;Qty;Bin\nA1;9;Schl\xfcssel;2;A-1', (letter) =>
    letter.charCodeAt(0),
  );
  const text = decodeCsv(bytes);
  expect(madeOf(text)).toEqual([
    { order_number: 'A1', items: [{ name: 'Schlüssel', warehouse_location: 'A-1', ordered_quantity: 2 }] },
  ]);
  expect(read(text)).toMatchObject({ ignored: ['Artikel'] });
});

test('rows with the same order number become one order, with shipments if they name any', () => {
  const text = `order_number,shipment_number,name,ordered_quantity,deviceid,color,seconds
A1,S1,Nut,1,51d000:00000a,g,90
B2,,Belt,3,,,
A1,S2,Bolt,2,,,
A1,,Rest,1,,,`;
  expect(madeOf(text)).toEqual([
    {
      order_number: 'A1',
      color: 'g',
      seconds: 90,
      shipments: [
        { shipment_number: 'S1', items: [{ name: 'Nut', ordered_quantity: 1, deviceid: '51D000:00000A' }] },
        { shipment_number: 'S2', items: [{ name: 'Bolt', ordered_quantity: 2 }] },
        { shipment_number: 'A1', items: [{ name: 'Rest', ordered_quantity: 1 }] },
      ],
    },
    { order_number: 'B2', items: [{ name: 'Belt', ordered_quantity: 3 }] },
  ]);
});

test.each([
  ['2', 2],
  ['2.0', 2],
  ['2,00', 2],
  ['2.5', undefined],
  // Ambiguous: two thousand in some countries, two in others. It is refused instead of guessed.
  ['2,000', undefined],
  ['2.000', undefined],
  ['-1', undefined],
  ['1e3', undefined],
  ['', undefined],
])('reads the quantity %j as %j', (text, quantity) => {
  expect(readQuantity(text)).toBe(quantity);
});

test.each([
  [',Nut,1,', 'The order number is missing.'],
  ['A1,,1,', 'The item is missing. Give name, SKU or UPC.'],
  ['A1,Nut,,', 'The quantity is missing.'],
  ['A1,Nut,0,', ''],
  ['A1,Nut,-1,', '"-1" is not a quantity. Give a whole number from 0 up.'],
  ['A1,Nut,2.5,', '"2.5" is not a quantity. Give a whole number from 0 up.'],
  ['A1,Nut,1,A-1', '"A-1" is not a DeviceID. Write it like 51D000:000006.'],
])('says what is wrong with a row such as %j', (row, message) => {
  expect(rowsOf(`order_number,name,ordered_quantity,deviceid\n${row}`)[0]?.message).toBe(message);
});

test('an order takes due time and priority from the first row that has them', () => {
  const text = `order_number,name,qty,due,priority
A1,Nut,1,,
A1,Bolt,2,2026-11-20T14:30:00+01:00,-5`;
  expect(madeOf(text)).toMatchObject([{ due_time: '2026-11-20T14:30:00+01:00', priority: -5 }]);
});

test.each([
  ['20.11.2026', '', /is not a due time\. Write it with its zone/],
  ['2026-11-20T14:30:00', '', /is not a due time/],
  ['2026-13-20T14:30:00Z', '', /is not a due time/],
  ['', 'high', /is not a priority\. Give a whole number from -1000 to 1000/],
  ['', '1001', /is not a priority/],
])('refuses the due time "%s" with the priority "%s"', (due, priority, message) => {
  const [row] = rowsOf(`order_number,name,qty,due,priority\nA1,Nut,1,${due},${priority}`);
  expect(row?.message).toMatch(message);
});

test('reports an unknown colour when it reads the file', () => {
  expect(rowsOf('order_number,name,qty,color\nA1,Nut,1,ultraviolet')[0]?.message).toMatch(
    /^"ultraviolet" is not a color/,
  );
});

test.each([
  ['', /^The file is empty/],
  ['name,qty\nNut,1', /^There is no column order_number\. Line 1 has "name", "qty"/],
  ['order_number,qty\nA1,1', /^There is no column name, none SKU, none UPC/],
  ['"order_number,name,qty', /^The quote that begins in line 1 is not closed/],
])('refuses a file such as %j with a sentence', (text, message) => {
  expect(read(text)).toMatchObject({ ok: false, message: expect.stringMatching(message) });
});

test('reads at most the given number of rows, each with its line', () => {
  const text = 'order_number,name,qty\nA1,Nut,1\n\nA2,Belt,2\nA3,Glove,3';
  expect(read(text, 2)).toMatchObject({ ok: true, rows: [{ line: 2 }, { line: 4, cells: { order_number: 'A2' } }] });
});

test('finds an unclosed quote after valid rows too', () => {
  const message = expect.stringMatching(/^The quote that begins in line 3 is not closed/) as string;
  expect(read('order_number,name,qty\nA1,Nut,1\nA3,"Glove,3')).toEqual({ ok: false, message });
});
