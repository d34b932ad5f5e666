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
  ...[
    '2 pcs.',
    '2 pc(s)',
    '2 Stück',
    '2 Stck',
    '2 pièces',
    '2 uds.',
    '2 pz',
    '2 stuks',
    '2 szt.',
    '2 EA',
    '2x',
    '2 Nos',
  ].map((text) => pieces('a word for pieces', text, 2)),
  ...[
    ['2 dozen', 24],
    ['2 Dtzd.', 24],
    ['1,5 Dutzend', 18],
    ['2 douzaines', 24],
    ['3 docenas', 36],
    ['2 tuziny', 24],
    ['1 gross', 144],
    ['0.5 Gros', 72],
  ].map(([text, read]) => pieces('a unit of a fixed number', String(text), Number(read), { notes: [2] })),
  ...[
    '2 pairs',
    '2 Paar',
    '3 boxes',
    '3 Karton',
    '2 pack',
    '2 VE',
    '2k',
    '2 kg',
    '2 m',
    '2 caisses',
    '2 cajas',
    '2 scatole',
    '2 doos',
    '2 opak.',
    '2 pack of 6',
    '2 x 12',
    '2 St. je 6',
    '2 glorps',
  ].map((text) =>
    noPieces('a unit without a fixed number', text, 'How many pieces these are is not known.', {
      says: /How many pieces/,
    }),
  ),
  noPieces('a third of a dozen and a bit', '0.3 dozen', 'Nobody can pick 3.6 pieces.', { says: /whole/ }),
  noPieces('a dozen with an unclear sign', '1.000 dozen', UNCLEAR, { says: /decimal/ }),
  pieces('a unit that the caller gives', '3 Karton', 36, { given: { units: { karton: 12 } }, notes: [2] }),
  pieces('a pair that the caller calls one piece', '2 pairs', 2, { given: { units: { pairs: 1 } } }),
  ...(
    [
      ['Unit', 'pcs', 2],
      ['UOM', 'Nos', 2],
      ['Mengeneinheit', 'Dtzd', 24],
      ['Unité', 'douzaine', 24],
      ['Unidad de medida', 'docena', 24],
      ['Unità di misura', 'pz', 2],
      ['Jednostka miary', 'szt.', 2],
      ['ME', '', 2],
      ['Einheit', '-', 2],
    ] as const
  ).map(([name, unit, read]): FileCase => ({
    title: `a column ${name} with ${unit}`,
    file: `Order;SKU;Qty;${name}\nA1;M8;2;${unit}\nA2;M9;1;pc\n`,
    orders: [order('A1', line(read, 'M8')), order('A2', line(1, 'M9'))],
  })),
  ...['box', 'Karton', 'Paar', 'kg', 'm', 'caja', 'paquet', 'Palette', 'glorp', '%'].map((unit): FileCase => ({
    title: `a column of units with ${unit}`,
    file: `Order;SKU;Qty;Unit\nA1;M8;2;${unit}\nA2;M9;1;pc\n`,
    orders: [order('A2', line(1, 'M9'))],
    refused: { A1: 'How many pieces these are is not known.' },
    says: /How many pieces/,
  })),
  {
    title: 'a unit in the cell and in the column',
    file: 'Order;SKU;Qty;Unit\nA1;M8;2 Dtzd;Dtzd\nA2;M9;2 Dtzd;pcs\nA3;M9;2 Stk;pcs\n',
    orders: [order('A1', line(24, 'M8')), order('A3', line(2, 'M9'))],
    refused: { A2: 'Dozens or pieces?' },
  },
  ...['Qty in stock UOM', 'Quantity (Base)', 'Menge in Basiseinheit', 'Quantité en unités de stock'].map(
    (name): FileCase => ({
      title: `a column ${name} counts instead of the unit`,
      file: `Order;SKU;Qty;UOM;${name}\nA1;M8;2;Box;24\nA1;M9;3;Nos;3\nA2;M9;1.5;Box;18\nA3;M8;2;pcs;\n`,
      orders: [order('A1', line(24, 'M8'), line(3, 'M9')), order('A2', line(18, 'M9')), order('A3', line(2, 'M8'))],
      notes: [2],
    }),
  ),
  {
    title: 'the shipped quantity in the same unit as the ordered one, and the quantity in stock units',
    file: 'Order;SKU;Qty;Qty shipped;UOM;Qty in stock UOM\nA1;M8;2;1;Box;24\nA2;M9;2;0;Box;24\n',
    orders: [order('A1', line(12, 'M8')), order('A2', line(24, 'M9'))],
  },
  ...['UOM Conversion Factor', 'Pieces per unit', 'Umrechnungsfaktor'].map((name): FileCase => ({
    title: `a column ${name} says how many pieces a unit has`,
    file: `Order;SKU;Qty;UOM;${name}\nA1;M8;2;Box;12\nA2;M9;3;Nos;1\nA3;M9;3;Nos;10\n`,
    orders: [order('A1', line(24, 'M8')), order('A2', line(3, 'M9'))],
    refused: { A3: 'Single pieces, or ten in each?' },
    notes: [2],
  })),
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
    title: 'two paths that end with one place',
    file: 'Order;SKU;Qty;Bin\nA1;M8;2;WH/Stock/A-1-1\nA2;M9;1;WH2/Stock/A-1-1\nA3;M9;1;WH2/Stock/A-1-2\nA4;M9;1;A-1-1\n',
    orders: [order('A3', line(1, 'M9', { place: 'A-1-2' })), order('A4', line(1, 'M9', { place: 'A-1-1' }))],
    refused: { A1: 'WH or WH2?', A2: 'WH or WH2?' },
    says: /place_paths/,
  },
  {
    title: 'two paths that the caller calls one place',
    file: 'Order;SKU;Qty;Bin\nA1;M8;2;WH/Stock/A-1-1\nA2;M9;1;WH2/Stock/A-1-1\n',
    given: { place_paths: ['wh/stock', 'WH2/Stock'] },
    orders: [order('A1', line(2, 'M8', { place: 'A-1-1' })), order('A2', line(1, 'M9', { place: 'A-1-1' }))],
    notes: [2, 3],
  },
  {
    title: 'two paths of which the caller gives one',
    file: 'Order;SKU;Qty;Bin\nA1;M8;2;WH/Stock/A-1-1\nA2;M9;1;WH2/Stock/A-1-1\n',
    given: { place_paths: ['WH/Stock'] },
    refused: { A1: 'WH or WH2?', A2: 'WH or WH2?' },
  },
  {
    title: 'two paths that are the names of places',
    file: 'Order;SKU;Qty;Bin\nA1;M8;2;WH/Stock/A-1-1\nA2;M9;1;WH2/Stock/A-1-1\n',
    places: ['WH/Stock/A-1-1', 'WH2/Stock/A-1-1', 'A-1-1'],
    orders: [
      order('A1', line(2, 'M8', { place: 'WH/Stock/A-1-1' })),
      order('A2', line(1, 'M9', { place: 'WH2/Stock/A-1-1' })),
    ],
  },
  {
    title: 'one path to a place in several orders',
    file: 'Order;SKU;Qty;Bin\nA1;M8;2;WH/Stock/A-1-1\nA2;M9;1;wh/stock/A-1-1\n',
    orders: [order('A1', line(2, 'M8', { place: 'A-1-1' })), order('A2', line(1, 'M9', { place: 'A-1-1' }))],
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
  ...[
    ['04252614', '042100005264'],
    ['01234531', '012300000451'],
    ['01234543', '012340000053'],
  ].map(([short = '', long = '']): FileCase => ({
    title: `a short UPC: ${short}`,
    file: `Order;UPC;Item name;Qty\nA1;${short};Nut;2\n`,
    orders: [{ number: 'A1', lines: [{ UPC: long, name: 'Nut', quantity: 2 }] }],
    notes: [2],
  })),
  {
    title: 'an EAN of eight digits, which may also be a short UPC',
    file: 'Order;EAN;Item name;Qty\nA1;01234565;Nut;2\nA2;96385074;Nut;1\n',
    orders: [
      { number: 'A1', lines: [{ UPC: '01234565', name: 'Nut', quantity: 2 }] },
      { number: 'A2', lines: [{ UPC: '96385074', name: 'Nut', quantity: 1 }] },
    ],
  },
  {
    title: 'entities in texts, as Etsy writes them',
    file: 'Order,SKU,Item name,Qty,Note\nA1,M&amp;8,Mugs &amp; cups &quot;L&quot; &#39;red&#x27; &unknown;,2,AT&T &lt;3\n',
    orders: [
      {
        number: 'A1',
        note: 'AT&T <3',
        lines: [{ SKU: 'M&amp;8', name: `Mugs & cups "L" 'red' &unknown;`, quantity: 2 }],
      },
    ],
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
