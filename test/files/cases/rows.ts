import { A1, line, order, type FileCase } from './fileCase.ts';

const A2 = order('A2', line(1, 'M9'));
const BLOCK = order('A1', line(2, 'M8'), line(1, 'M9'));

/** Files with a bundle of the SKU KIT and its parts M8 and M9 in the order A1: the title, the file and the lines with a note. */
const BUNDLES: readonly [title: string, file: string, ...notes: number[]][] = [
  ['types', 'Order,SKU,Qty,Type\nA1,KIT,1,Bundle\nA1,M8,2,Simple\nA1,M9,1,Simple\n', 2],
  ['types of parts', 'Order,SKU,Qty,Line type\nA1,KIT,1,\nA1,M8,2,Bundled item\nA1,M9,1,Bundled item\n', 2],
  ['types in German', 'Auftragsnr.;SKU;Menge;Typ\nA1;KIT;1;Stückliste\nA1;M8;2;Komponente\nA1;M9;1;Komponente\n', 2],
  ['SKU of the bundle', 'Order,SKU,Qty,Parent SKU\nA1,KIT,1,\nA1,M8,2,kit\nA1,M9,1,KIT\n', 2],
  ['Stücklistenkopf', 'Order,SKU,Qty,Stücklistenkopf\nA1,KIT,1,\nA1,M8,2,KIT\nA1,M9,1,KIT\n', 2],
  ['ID of the line', 'Order,SKU,Qty,Item ID,Bundled by\nA1,KIT,1,71,\nA1,M8,2,72,71\nA1,M9,1,73,71\n', 2],
];

/** Cases about which order each row belongs to. */
export const ROW_CASES: readonly FileCase[] = [
  {
    title: 'a comma in a price makes a surplus cell, which refuses its order only',
    file: 'Order,SKU,Price,Quantity\nA1,M8,2,50,3\nA2,M9,2.50,1\n',
    orders: [A2],
    refused: { A1: 'The row has five cells for four names: the quantity is 3, not 50.' },
    says: /5 cells|more cells/i,
  },
  { title: 'surplus cells that are empty', file: 'Order,SKU,Qty\nA1,M8,2,,\n', orders: [A1] },
  { title: 'rows that end early', file: 'Order,SKU,Qty,Customer,Note\nA1,M8,2\n', orders: [A1] },
  {
    title: 'an order with a row that cannot be read is refused as a whole, and no other order',
    file: 'Order,SKU,Qty\nA1,M8,2\nA1,M9,many\nA2,M9,1\n',
    orders: [A2],
    refused: { A1: '"many" is not a number of pieces.' },
    says: /many/,
  },
  {
    title: 'an error instead of an order number, between rows of one order',
    file: 'Order,SKU,Qty\nA0,M8,1\nA1,M8,2\n#N/A,M9,1\nErr:502,M9,1\nA1,M9,1\nA3,M8,1\n',
    orders: [order('A0', line(1, 'M8')), order('A3', line(1, 'M8'))],
    refused: {
      A1: 'It would lack a row.',
      '#N/A': 'It is an error of a spreadsheet program.',
      'Err:502': 'It is an error of a spreadsheet program.',
    },
    says: /between rows of this order/,
  },
  {
    title: 'rows of an order apart from each other',
    file: 'Order,SKU,Qty\nA1,M8,2\nA2,M9,1\nA1,M9,1\n',
    orders: [BLOCK, A2],
  },
  {
    title: 'blocks: the number only in the first row of each order',
    file: 'Order,SKU,Qty\nA1,M8,2\n,M9,1\nA2,M9,1\n',
    orders: [BLOCK, A2],
  },
  { title: 'blocks with ditto marks', file: 'Order;SKU;Qty\nA1;M8;2\n"""";M9;1\n', orders: [BLOCK] },
  { title: 'ditto marks in a file with tabs', file: 'Order\tSKU\tQty\nA1\tM8\t2\n"\tM9\t1\n', orders: [BLOCK] },
  { title: 'blocks with typographic ditto marks', file: 'Order,SKU,Qty\nA1,M8,2\n〃,M9,1\n', orders: [BLOCK] },
  {
    title: 'blocks, but a number recurs after another one',
    file: 'Order,SKU,Qty\nA1,M8,2\n,M9,1\nA2,M9,1\nA1,M7,1\n',
    refusedFile: 'The file does not keep orders in blocks, so the row without a number can be of any order.',
    says: /Sort by order, or fill the number down/,
  },
  {
    title: 'blocks, but an empty row comes between',
    file: 'Order,SKU,Qty\nA1,M8,2\n,M7,1\n\n,M9,1\n',
    refusedFile: 'The row without a number may be of another order.',
    says: /Line 5 has no order number, and an empty row is above it. Sort by order, or fill the number down/,
  },
  {
    title: 'an empty row between two blocks',
    file: 'Order,SKU,Qty\nA1,M8,2\n,M9,1\n\nA2,M9,1\n',
    orders: [BLOCK, A2],
  },
  {
    title: 'the first row has no number',
    file: 'Order,SKU,Qty\n,M8,2\nA1,M9,1\n',
    refusedFile: 'The first row belongs to no order.',
    says: /Line 2 has no order number, and no row above it has one. Sort by order, or fill the number down/,
  },
  {
    title: 'blocks with repeated names between, as printed by page',
    file: 'Order,SKU,Qty\nA1,M8,2\nOrder,SKU,Qty\n,M9,1\n',
    orders: [BLOCK],
    leftOut: { 3: 'names' },
  },
  {
    title: 'repeated names',
    file: 'Order,SKU,Qty\nA1,M8,2\nORDER,sku,qty\nA2,M9,1\n',
    orders: [A1, A2],
    leftOut: { 3: 'names' },
  },
  {
    title: 'a row with neither article nor place belongs to its order, and its quantity is ignored',
    file: 'Order,Customer,Note,Due date,SKU,Qty\nA1,Example Customer,Wrap it,2026-11-28,,3\nA1,,,,M8,2\nA1,,,,M9,1\n',
    orders: [{ ...BLOCK, customer: 'Example Customer', note: 'Wrap it', due: '2026-11-28' }],
  },
  {
    title: 'an article without a quantity',
    file: 'Order,SKU,Qty\nA1,M8,2\nA1,M9,\nA2,M9,1\n',
    orders: [A2],
    refused: { A1: 'How many M9 are wanted is not known.' },
    says: /quantity is missing/i,
  },
  {
    title: 'a place without an article',
    file: 'Order,SKU,Qty,Bin\nA1,M8,2,A-1-1\nA1,,1,A-1-2\nA2,M9,1,B-2-1\n',
    orders: [order('A2', line(1, 'M9', { place: 'B-2-1' }))],
    refused: { A1: 'The line at A-1-2 does not say which article.' },
  },
  {
    title: 'rows after the last order without an article',
    file: 'Order,SKU,Qty\nA1,M8,2\n\nPrinted by Example Program,,\n,,2\n',
    orders: [A1],
    leftOut: { 4: 'after_orders', 5: 'after_orders' },
  },
  ...['Total', 'Summe', 'Gesamt:', 'TOTAL', 'Grand total', 'Somme', 'Suma'].map((word): FileCase => ({
    title: `a row that begins with ${word}`,
    file: `Order,SKU,Qty\nA1,M8,2\nA2,M9,1\n${word},,3\n`,
    orders: [A1, A2],
    leftOut: { 4: 'total' },
  })),
  {
    title: 'a total after each order',
    file: 'Order;SKU;Qty\nA1;M8;2\nA1;M9;1\nSumme;;3\nA2;M9;1\nSumme;;1\n',
    orders: [BLOCK, A2],
    leftOut: { 4: 'total', 6: 'total' },
  },
  {
    title: 'shipments of an order',
    file: 'Order,Shipment,SKU,Qty\nA1,S1,M8,2\nA1,S2,M9,1\n',
    orders: [{ ...BLOCK, shipments: ['S1', 'S2'] }],
  },
  {
    title: 'customer and note of the first row that has them',
    file: 'Order,SKU,Qty,Customer,Note\nA1,M8,2,,\nA1,M9,1,Example Customer,Wrap it\n',
    orders: [{ ...BLOCK, customer: 'Example Customer', note: 'Wrap it' }],
  },
  {
    title: 'two customers of one order: the first counts, with a note',
    file: 'Order,SKU,Qty,Customer\nA1,M8,2,Example One\nA1,M9,1,Example Two\n',
    orders: [{ ...BLOCK, customer: 'Example One' }],
    notes: [3],
  },
  {
    title: 'a prefix keeps two shops apart',
    file: 'Order,SKU,Qty\n1001,M8,2\n1001,M9,1\n',
    given: { order_prefix: 'B-' },
    orders: [order('B-1001', line(2, 'M8'), line(1, 'M9'))],
  },
  {
    title: 'the same article twice is two lines',
    file: 'Order,SKU,Qty\nA1,M8,2\nA1,M8,3\n',
    orders: [order('A1', line(2, 'M8'), line(3, 'M8'))],
  },
  { title: 'blanks around values', file: 'Order , SKU , Qty\n A1 , M8 , 2 \n', orders: [A1] },
  ...BUNDLES.map(([title, file, ...notes]): FileCase => ({
    title: `a bundle with its parts: ${title}`,
    file,
    orders: [order('A1', line(1, 'KIT'), line(2, 'M8'), line(1, 'M9'))],
    notes,
    says: /It is a bundle.*remove the bundle or its parts/,
  })),
  ...[
    'A1,KIT,Starter kit,1,20.00\nA1,M8,Nut,2,0.00\nA1,M9,Bolt,1,0.00\n',
    'A1,KIT,Starter box,1,20.00\nA1,M8,- Nut,2,3.00\nA1,M9,↳ Bolt,1,4.00\n',
  ].map((rows, at): FileCase => {
    const [first = '', second = ''] = at === 0 ? ['Nut', 'Bolt'] : ['- Nut', '↳ Bolt'];
    return {
      title: `a bundle with its parts: ${at === 0 ? 'parts that are free' : 'parts with a mark'}`,
      file: `Order,SKU,Item name,Qty,Price\n${rows}`,
      orders: [
        order(
          'A1',
          line(1, 'KIT', { name: at === 0 ? 'Starter kit' : 'Starter box' }),
          line(2, 'M8', { name: first }),
          line(1, 'M9', { name: second }),
        ),
      ],
      notes: [2],
      says: /its parts are in lines 3 and 4/,
    };
  }),
  {
    title: 'a column of many different texts does not tell which rows are bundles',
    file: `Order,SKU,Qty,Foo\n${Array.from({ length: 101 }, (_, at) => `B${at},M9,1,Text ${at}\n`).join('')}A1,KIT,1,Bundle\nA1,M8,2,Simple\n`,
    orders: [
      ...Array.from({ length: 101 }, (_, at) => order(`B${at}`, line(1, 'M9'))),
      order('A1', line(1, 'KIT'), line(2, 'M8')),
    ],
  },
  {
    title: 'a bundle without its parts, and articles that are not bundles',
    file: 'Order,SKU,Item name,Qty,Type,Price\nA1,KIT,Starter Kit,1,Bundle,20\nA2,M8,Set of nuts,2,Simple,3\nA2,M9,Bolt,1,Simple,4\n',
    orders: [
      order('A1', line(1, 'KIT', { name: 'Starter Kit' })),
      order('A2', line(2, 'M8', { name: 'Set of nuts' }), line(1, 'M9', { name: 'Bolt' })),
    ],
    quiet: [2, 3, 4],
  },
];
