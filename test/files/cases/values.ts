import { A1, line, order, type FileCase } from './fileCase.ts';

/** Creates a case for the quantity of one line. */
const pieces = (title: string, quantity: string, read: number, more: Partial<FileCase> = {}): FileCase => ({
  title: `${title}: ${quantity}`,
  file: `Order;SKU;Qty\nA1;M8;${quantity}\n`,
  orders: [order('A1', line(read, 'M8'))],
  ...more,
});
const noPieces = (title: string, quantity: string, why: string, more: Partial<FileCase> = {}): FileCase => ({
  title: `${title}: ${quantity}`,
  file: `Order;SKU;Qty\nA1;M8;${quantity}\n`,
  refused: { A1: why },
  ...more,
});
/** Creates a case for a SKU. `read` is the SKU that the station reads, or null if it refuses the order. */
const code = (title: string, text: string, read: string | null, more: Partial<FileCase> = {}): FileCase => ({
  title: `${title}: ${text}`,
  file: `Order;SKU;Qty\nA1;${text};2\n`,
  ...(read === null
    ? { refused: { A1: 'A spreadsheet has changed the code.' } }
    : { orders: [order('A1', line(2, read))] }),
  ...more,
});
const ERRORS = [
  '#N/A',
  '#REF!',
  '#NV',
  '#WERT!',
  '#NOM?',
  '#¡VALOR!',
  '#N/D',
  '#DZIEL/0!',
  'Err:502',
  'Loading...',
  'Wird geladen…',
  '#####',
];
/** Columns that can have an error instead of a value, each with a complete row. */
const ERROR_COLUMNS = ['Order', 'SKU', 'Qty', 'Bin', 'Customer', 'Note', 'Canceled at', 'Line status'];
const withError = (column: string, error: string): FileCase => {
  const values: Record<string, string> = { Order: 'A1', SKU: 'M8', Qty: '2', [column]: error };
  const cells = ERROR_COLUMNS.map((name) => values[name] ?? '').join(';');
  return {
    title: `an error of a spreadsheet in the column ${column}: ${error}`,
    file: `${ERROR_COLUMNS.join(';')}\n${cells}\nA2;M9;1;;;;;\n`,
    orders: [order('A2', line(1, 'M9'))],
    refused: { [column === 'Order' ? error : 'A1']: 'The value is missing.' },
    says: /error of a spreadsheet/,
  };
};
const UNCLEAR = 'It is a thousand times as much in other countries.';

/** Cases of numbers and codes. */
export const VALUE_CASES: readonly FileCase[] = [
  ...ERRORS.map((error) => withError('SKU', error)),
  ...ERROR_COLUMNS.map((column) => withError(column, '#N/A')),
  ...ERROR_COLUMNS.map((column) => withError(column, 'Err:502')),
  {
    title: 'an error of a spreadsheet in a column that is not read',
    file: 'Order;SKU;Qty;Price\nA1;M8;2;#N/A\n',
    orders: [A1],
  },
  {
    title: 'an error of a spreadsheet in a due time',
    file: 'Order;SKU;Qty;Due date\nA1;M8;2;#REF!\n',
    orders: [A1],
    notes: [2],
  },
  {
    title: 'an error of a spreadsheet in a total',
    file: 'Order;SKU;Qty\nA1;M8;2\nTotal;;#REF!\n',
    orders: [A1],
    leftOut: { 3: 'total' },
  },
  {
    title: 'an error of a spreadsheet in a row with the customer of an order',
    file: 'Order;SKU;Qty;Customer\nA1;;;#N/A\nA1;M8;2;\nA2;M9;1;\n',
    orders: [order('A2', line(1, 'M9'))],
    refused: { A1: 'The customer is missing.' },
  },
  code('a number sign that is no error', '#10', '#10'),
  code('a number sign that is no error', '#N/A-10', '#N/A-10'),
  code('an error kept as text', '="#N/A"', '#N/A'),
  code('a time made by a spreadsheet', '1:10', null, { says: /is a time/ }),
  code('a time made by a spreadsheet', '01:10:00', null),
  code('a time made by a spreadsheet', '1:10 AM', null),
  code('a colon in a code', 'M8:10', 'M8:10'),
  {
    title: 'a time in a column of places',
    file: 'Order;SKU;Qty;Bin\nA1;M8;2;1:10\n',
    refused: { A1: 'A spreadsheet has made a time of a place.' },
  },
  {
    title: 'a place with a name like a time',
    file: 'Order;SKU;Qty;Bin\nA1;M8;2;1:10\n',
    places: ['1:10'],
    orders: [order('A1', line(2, 'M8', { place: '1:10' }))],
  },
  code('invisible characters around it, as copied from a page', '\u200e\u00a0M8\u200b \u2060', 'M8'),
  pieces('invisible characters around it, as copied from a page', '\u200b 2\u200f', 2),
  noPieces('one sign and three digits', '1,234', UNCLEAR, { says: /decimal/ }),
  noPieces('one sign and three digits', '1.000', UNCLEAR),
  noPieces('one sign and three digits', '2.000', UNCLEAR),
  pieces('decimal decides', '1,234', 1_234, { given: { decimal: '.' } }),
  pieces('decimal decides', '2.000', 2_000, { given: { decimal: ',' } }),
  pieces('decimal decides', '2.000', 2, { given: { decimal: '.' } }),
  {
    title: 'another number of the column decides: 2,00',
    file: 'Order;SKU;Qty\nA1;M8;1.200\nA2;M9;2,00\n',
    orders: [order('A1', line(1_200, 'M8')), order('A2', line(2, 'M9'))],
  },
  {
    title: 'the other numbers of the column contradict each other',
    file: 'Order;SKU;Qty\nA1;M8;1.200\nA2;M9;2,00\nA3;M9;3.0\n',
    orders: [order('A2', line(2, 'M9')), order('A3', line(3, 'M9'))],
    refused: { A1: UNCLEAR },
  },
  {
    title: 'prices do not decide how quantities are read',
    file: 'Order;SKU;Price;Qty\nA1;M8;2,50;1.000\n',
    refused: { A1: UNCLEAR },
  },
  pieces('decimals that are zero', '2.0', 2),
  pieces('decimals that are zero', '2,00', 2),
  pieces('decimals that are zero', '2.00000000', 2),
  noPieces('half a piece', '2.5', 'Nobody can pick half a piece.', { says: /whole/ }),
  noPieces('half a piece', '2,50', 'Nobody can pick half a piece.'),
  pieces('both signs', '1.234,00', 1_234),
  pieces('both signs', '1,234.0', 1_234),
  pieces('the same sign twice', '1.234.567', 1_234_567),
  pieces('a blank between groups of three', '1 234', 1_234),
  pieces('a no-break blank between groups of three', '1\u00a0234', 1_234),
  pieces('a thin blank between groups of three', '1\u202f234', 1_234),
  pieces('an apostrophe between groups of three', "1'234", 1_234),
  pieces('a typographic apostrophe between groups of three', '12’345', 12_345),
  noPieces('a blank between other groups', '12 34', 'It may be two numbers.'),
  pieces('a unit', '2 Stk', 2),
  pieces('a unit', '2pcs', 2),
  pieces('a unit', '3 Stück', 3),
  noPieces('a negative number', '-2', 'It is a return, not a pick.'),
  noPieces('words', 'two', 'It is not a number.'),
  noPieces('several numbers', '2/3', 'It is not a number.'),
  code('a code with leading zeros', '00123', '00123'),
  code('digits shortened by a spreadsheet', '4,00638E+12', null, { says: /4,00638E\+12/ }),
  code('digits shortened by a spreadsheet', '4E+12', null),
  code('a code with an E', '12E3', '12E3'),
  code('a formula around digits', '="0123"', '0123'),
  code('an apostrophe before digits', "'0123", '0123'),
  code('an apostrophe before a sign', "'=X1", '=X1'),
  code('an apostrophe in a code', "O'Neil", "O'Neil"),
  code('another formula', '=A1+B1', null, { says: /formula/ }),
  code('a line break', '"K-1\nK-2"', null, { says: /line break/ }),
  code('a tab', '"K-1\tK-2"', null, { says: /tab/ }),
  code('a line break at the end', '"K-1\n"', 'K-1'),
  code('a date', '01. Mrz', null),
  code('a date', 'Oct-12', null),
  code('a code that only looks like a date', 'OCT12', 'OCT12'),
  {
    title: 'a date in a column of places',
    file: 'Order;SKU;Qty;Bin\nA1;M8;2;Oct-12\n',
    refused: { A1: 'A spreadsheet has made a date of a place.' },
  },
  {
    title: 'a place with a name like a date',
    file: 'Order;SKU;Qty;Bin\nA1;M8;2;Oct-12\n',
    places: ['Oct-12'],
    orders: [order('A1', line(2, 'M8', { place: 'Oct-12' }))],
  },
  {
    title: 'an unknown place with slashes is its last part',
    file: 'Order;SKU;Qty;Bin\nA1;M8;2;WH/Stock/A-1-1\n',
    orders: [order('A1', line(2, 'M8', { place: 'A-1-1' }))],
    notes: [2],
  },
  {
    title: 'a known place with slashes',
    file: 'Order;SKU;Qty;Bin\nA1;M8;2;WH/Stock/A-1-1\n',
    places: ['WH/Stock/A-1-1', 'A-1-1'],
    orders: [order('A1', line(2, 'M8', { place: 'WH/Stock/A-1-1' }))],
  },
  {
    title: 'a barcode that lost its zero',
    file: 'Order;EAN;Item name;Qty\nA1;36000291452;Nut;2\n',
    orders: [{ number: 'A1', lines: [{ UPC: '036000291452', name: 'Nut', quantity: 2 }] }],
    notes: [2],
  },
  {
    title: 'a barcode of thirteen digits',
    file: 'Order;EAN;Qty\nA1;4006381333931;2\n',
    orders: [{ number: 'A1', lines: [{ UPC: '4006381333931', quantity: 2 }] }],
  },
  {
    title: 'an order number shortened by a spreadsheet',
    file: 'Order;SKU;Qty\n1,00012E+12;M8;2\nA2;M9;1\n',
    orders: [order('A2', line(1, 'M9'))],
    refused: { '1,00012E+12': 'Its last digits are lost.' },
  },
  {
    title: 'values that do not fit an optional column are left out with a note',
    file: 'order_number,SKU,ordered_quantity,priority,seconds,light_color\nA1,M8,2,High,soon,mauve-ish\n',
    orders: [A1],
    notes: [2],
  },
  {
    title: 'a code of an article and a name in one cell',
    file: 'Order Reference,Product,Quantity\nS1,[K-100] Mug (Blue),2\nS1,Saucer,1\n',
    orders: [
      {
        number: 'S1',
        lines: [
          { SKU: 'K-100', name: 'Mug (Blue)', quantity: 2 },
          { name: 'Saucer', quantity: 1 },
        ],
      },
    ],
  },
];
