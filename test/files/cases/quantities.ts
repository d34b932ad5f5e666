import { workbookOf } from '../../helpers/files/workbook.ts';
import { type FileCase, line, order } from './fileCase.ts';

const PARTLY: readonly (readonly [name: string, ...counts: number[]])[] = [
  ['Cancelled Qty', 1, 4],
  ['Refunded Qty', 1, 4],
  ['Returned Qty', 1, 4],
  ['Fulfilled Qty', 1, 4],
  ['Qty dispatched', 1, 4],
  ['Shipped Units', 1, 4],
  ['Qty sent', 1, 4],
  ['Stornomenge', 1, 4],
  ['Versandte Menge', 1, 4],
  ['Menge versendet', 1, 4],
  ['Retourenmenge', 1, 4],
  ['Qté annulée', 1, 4],
  ['Qté remboursée', 1, 4],
  ['Cant. servida', 1, 4],
  ['Cantidad enviada', 1, 4],
  ['item_refunded_quantity', 1, 4],
  ['product_quantity_refunded', 1, 4],
  ['Quantity Fulfilled/Received', 1, 4],
  ['qtyShipped', 1, 4],
  ['Quantity to Ship', 3, 0],
  ['Qty. to Ship', 3, 0],
  ['quantity_to_ship', 3, 0],
  ['Cant. pendiente', 3, 0],
  ['Fulfillable Quantity', 3, 0],
  ['Qty not shipped', 3, 0],
  ['Nicht gelieferte Menge', 3, 0],
  ['Quantity to be delivered', 3, 0],
  ['Qty left to ship', 3, 0],
  ['Nog te leveren aantal', 3, 0],
  ['Ilość do wysłania', 3, 0],
  ['Abgesagte Menge', 1, 4],
  ['Q.tà consegnata', 1, 4],
];

const ASKED = [
  'Refund Qty',
  'Return quantity',
  'Cancel Qty',
  'Ship Qty',
  'gel. Menge',
  'Remaining',
  'Outstanding',
  'Balance Qty',
  'Qty Due',
  'Qty left',
  'Current quantity',
  'Qty to return',
  'Rejected Qty',
  'Gutschriftmenge',
  'Reliquat',
  'Lieferrückstand',
  'Nog te leveren',
  'Nb expédiés',
  'Menge geliefert Werk Nord',
];

/** Files with other quantities than the ordered one. */
export const QUANTITY_CASES: readonly FileCase[] = [
  ...PARTLY.map(([name, some = 0, all = 0]): FileCase => ({
    title: `other quantities: ${name}`,
    file: `Order;SKU;Quantity;${name}\nA1;M8;4;${some}\nA2;M8;4;${all}\nA3;M8;2;\n`,
    orders: [order('A1', line(3, 'M8')), order('A3', line(2, 'M8'))],
    leftOut: { 3: 'Nothing is left.' },
  })),
  ...ASKED.map((name): FileCase => ({
    title: `other quantities that are asked about: ${name}`,
    file: `Order;SKU;Quantity;${name}\nA1;M8;4;1\nA2;M8;4;0\n`,
    asks: 'columns',
  })),
  ...['Refund Qty', 'Outstanding Balance', 'Qty. Shipped Not Invoiced', 'Total refunded', 'Return No.', 'Balance'].map(
    (name): FileCase => ({
      title: `other numbers that do not count: ${name}`,
      file: `Order;SKU;Quantity;${name}\nA1;M8;4;0.00\nA2;M8;4;0.00\n`,
      orders: [order('A1', line(4, 'M8')), order('A2', line(4, 'M8'))],
    }),
  ),
  {
    title: 'other numbers that do not count: sums of money, stock, and one that changes nothing',
    file: 'Order;SKU;Quantity;Balance;Qty left;Outstanding\nA1;M8;4;1.50;120;4\nA2;M8;4;3.00;80;4\n',
    orders: [order('A1', line(4, 'M8')), order('A2', line(4, 'M8'))],
  },
  ...['Open order qty', 'Qty in open orders', 'Open orders quantity', 'Qty open orders', 'Total qty remaining'].flatMap(
    (name): FileCase[] => [
      {
        title: `other numbers that do not count: the total of all orders in ${name}`,
        file: `Order;SKU;Quantity;${name}\nA1;M8;2;35\nA2;M8;1;12\n`,
        orders: [order('A1', line(2, 'M8')), order('A2', line(1, 'M8'))],
      },
      {
        title: `other quantities that are asked about: ${name}`,
        file: `Order;SKU;Quantity;${name}\nA1;M8;2;1\nA2;M8;1;1\n`,
        asks: 'columns',
      },
    ],
  ),
  ...['Anzahl Retouren', 'Anzahl Stornos', 'Aantal retouren', 'Total units shipped', 'Total units returned'].map(
    (name): FileCase => ({
      title: `other quantities that are asked about: numbers of a customer in ${name}`,
      file: `Order;SKU;Quantity;${name}\nA1;M8;3;12\nA2;M8;1;1\n`,
      asks: 'columns',
    }),
  ),
  ...[
    ['Qty. Outstanding', 'quantity_to_ship'],
    ['Open Qty', 'quantity_to_ship'],
    ['Reste qté', 'quantity_to_ship'],
    ['Retourenmenge', 'refunded_quantity'],
    ['Cancelled Qty', 'canceled_quantity'],
  ].map(([name = '', field = '']): FileCase => ({
    title: `other quantities: more than ordered in ${name}`,
    file: `Order;SKU;Quantity;${name}\nA1;M8;2;35\nA2;M8;1;\n`,
    orders: [order('A2', line(1, 'M8'))],
    refused: { A1: 'This number cannot be a part of the ordered quantity.' },
    says: new RegExp(`Its ${field} "35" is more than its ordered_quantity "2"`),
  })),
  {
    title: 'other quantities: more than ordered is shipped',
    file: 'Order;SKU;Quantity;Qty shipped\nA1;M8;4;5\nA2;M8;1;0\n',
    orders: [order('A2', line(1, 'M8'))],
    leftOut: { 2: 'Nothing is left.' },
  },
  {
    title: 'other quantities: more than ordered is shipped, and nothing is left to ship',
    file: 'Order;SKU;Quantity;Qty to ship;Qty shipped\nA1;M8;4;0;5\nA2;M8;1;1;0\n',
    orders: [order('A2', line(1, 'M8'))],
    leftOut: { 2: 'shipped' },
  },
  {
    title: 'other quantities: all pieces are shipped and returned',
    file: 'Order;SKU;Quantity;Qty shipped;Qty returned\nA1;M8;4;4;4\nA2;M8;1;0;0\n',
    orders: [order('A2', line(1, 'M8'))],
    leftOut: { 2: 'Nothing is left.' },
  },
  {
    title: 'other quantities: some pieces are shipped and returned, so that nobody knows how many are left',
    file: 'Order;SKU;Quantity;Qty shipped;Qty returned\nA1;M8;5;3;3\nA2;M8;1;0;0\nA3;M8;5;5;2\n',
    orders: [order('A2', line(1, 'M8'))],
    refused: { A1: 'Between 0 and 2 pieces are left.' },
    leftOut: { 4: 'Nothing is left.' },
    says: /Its shipped_quantity "3" and refunded_quantity "3" are more than its ordered_quantity "5"/,
  },
  ...['Balance', 'Balance due', 'Outstanding', 'Open balance', 'Pending orders', 'Versand', 'Dispatch'].map(
    (name): FileCase => ({
      title: `other numbers that do not count: only zeros in ${name}`,
      file: `Order;SKU;Quantity;${name}\nA1;M8;4;0\nA2;M8;2;0\n`,
      orders: [order('A1', line(4, 'M8')), order('A2', line(2, 'M8'))],
    }),
  ),
  ...['To pick', 'Remaining', 'Balance Qty'].map((name): FileCase => ({
    title: `other quantities that are asked about: only zeros in ${name}`,
    file: `Order;SKU;Quantity;${name}\nA1;M8;4;0\nA2;M8;2;0\n`,
    asks: 'columns',
  })),
  {
    title: 'other numbers that do not count: the balance in a known export',
    file: 'Name,Lineitem quantity,Lineitem name,Lineitem sku,Lineitem fulfillment status,Financial Status,Outstanding Balance\nA1,4,Mug,M8,pending,paid,0\nA2,4,Mug,M8,pending,paid,2\n',
    orders: [order('A1', line(4, 'M8', { name: 'Mug' })), order('A2', line(4, 'M8', { name: 'Mug' }))],
  },
  {
    title: 'other quantities: a quantity from which refunds are already subtracted',
    file: 'Order;SKU;Quantity (- Refund);Qty Refunded\nA1;M8;2;1\n',
    given: { columns: { 'Quantity (- Refund)': 'ordered_quantity' } },
    orders: [order('A1', line(2, 'M8'))],
  },
  {
    title: 'other quantities: only the quantity that is left',
    file: 'Auftrag;SKU;Menge noch zu liefern\nA1;M8;2\nA2;M8;0\n',
    orders: [order('A1', line(2, 'M8'))],
    leftOut: { 3: 'none_left' },
  },
  {
    title: 'other quantities: fields of the documentation',
    file: 'order_number,SKU,ordered_quantity,unit,unit_pieces,stock_quantity\nA1,M8,5,box,12,60\nA2,M8,2,box,10,\n',
    orders: [order('A1', line(60, 'M8')), order('A2', line(20, 'M8'))],
    notes: [2, 3],
  },
  {
    title: 'other quantities: refunds in the other WooCommerce plug-in',
    file: 'order_id,order_number,date,status,item_name,item_sku,item_quantity,item_refunded_quantity\n7,7,2026-11-25,processing,Mug,M8,3,2\n',
    orders: [{ number: '7', lines: [{ SKU: 'M8', name: 'Mug', quantity: 1 }] }],
  },
  {
    title: 'other quantities: refunds and open pieces in a known export',
    file: 'Order Number,Order Status,Order Date,Item Name,SKU,Quantity,Qty Refunded,Qty to ship\n7,Processing,2026-11-25,Mug,M8,3,1,2\n8,Processing,2026-11-25,Mug,M8,3,3,0\n',
    orders: [{ number: '7', lines: [{ SKU: 'M8', name: 'Mug', quantity: 2 }] }],
    leftOut: { 3: 'refunded' },
  },
];

const UNIT_NAMES = `Einh.;Selling Unit;Ordering unit;UOM Name;UOM Code;Verkaufseinh.;Bestell-ME;VK-ME;Einheit Menge;Unité vente;Unidad medida;Ud. medida;Jedn. miary`;
const ASKED_UNITS = `Packaging;Package Type;Verpackungseinheit;Gebinde;Qty Type;Conditionnement;Unit Type;Unit Name;VPE;Foo`;

const GOODS = 'Edition;Version;Presentation;Wrapping;Gift wrap;Geschenkverpackung;Shape;Cut;Box type';

/** Files with units in columns of any name. */
export const UNIT_CASES: readonly FileCase[] = [
  ...UNIT_NAMES.split(';').map((name): FileCase => ({
    title: `a column of units: ${name}`,
    file: `Auftrag;Artikelnummer;Menge;${name}\nA1;M8;2;Dutzend\nA2;M8;3;Karton\nA3;M8;4;Stk\n`,
    orders: [order('A1', line(24, 'M8')), order('A3', line(4, 'M8'))],
    refused: { A2: 'How many pieces a carton has is not known.' },
    notes: [2],
  })),
  ...ASKED_UNITS.split(';').map((name): FileCase => ({
    title: `a column that can be one of units: ${name}`,
    file: `Auftrag;Artikelnummer;Menge;${name}\nA1;M8;2;Dutzend\nA2;M8;3;Karton\n`,
    asks: 'columns',
  })),
  ...'Type;Typ;Tipo;Format;Container'.split(';').map((name): FileCase => ({
    title: `a column that can be one of units, if all values are units: ${name}`,
    file: `Order;SKU;Qty;${name}\nA1;M8;2;Box\nA2;M8;3;Bag\n`,
    asks: 'columns',
  })),
  {
    title: 'a column that can be one of units: one word is not known',
    file: 'Order;SKU;Qty;Sold as\nA1;M8;2;Dozen\nA2;M8;3;Carton\nA3;M8;3;Glorp\n',
    asks: 'columns',
  },
  {
    title: 'a column that can be one of units: a person says that it is',
    file: 'Order;SKU;Qty;Sold as\nA1;M8;2;Dozen\n',
    given: { columns: { 'Sold as': 'unit' } },
    orders: [order('A1', line(24, 'M8'))],
    notes: [2],
  },
  ...(
    [
      ['Preiseinheit', 'kg', 'Karton'],
      ['Price Unit', 'Dozen', 'Box'],
      ['Weight unit', 'kg', 'lbs'],
      ['Size', 'M', 'L'],
      ['State', 'CT', 'PR'],
      ['Sold as', 'pcs', 'each'],
      ['Shipping package', 'Box', 'Pallet'],
      ['Product type', 'Box', 'Bottle'],
      ['Variant', 'Pair', 'Box'],
      ['Color', 'Gros', 'Red'],
      ['Farbe', 'Rot', 'Blau'],
    ] as const
  ).map(([name, one, other]): FileCase => ({
    title: `a column that is not one of units: ${name}`,
    file: `Order;SKU;Qty;${name}\nA1;M8;2;${one}\nA2;M8;3;${other}\n`,
    orders: [order('A1', line(2, 'M8')), order('A2', line(3, 'M8'))],
  })),
  ...(
    [
      ['UOM Code', 'UOM Name', 'EA', 'Each'],
      ['Unit', 'UOM Code', 'pcs', 'EA'],
      ['UOM', 'UOM Description', 'EA', 'Each'],
      ['Einheit', 'ME', 'Stück', 'Stk'],
    ] as const
  ).map(([name, other, one, same]): FileCase => ({
    title: `two columns of one unit: ${name} and ${other}`,
    file: `Order;SKU;Qty;${name};${other}\nA1;M8;2;${one};${same}\nA2;M8;3;dozen;DZN\n`,
    orders: [order('A1', line(2, 'M8')), order('A2', line(36, 'M8'))],
    notes: [3],
  })),
  ...['Box', ''].map((other): FileCase => ({
    title: `two columns of different units: pieces and "${other}"`,
    file: `Order;SKU;Qty;UOM Code;UOM Name\nA1;M8;2;EA;${other}\nA2;M8;2;EA;Each\n`,
    asks: 'columns',
  })),
  ...GOODS.split(';').map((name): FileCase => ({
    title: `a column that describes the goods: ${name}`,
    file: `Order;SKU;Qty;${name}\nA1;M8;2;Box\nA2;M8;3;Bag\n`,
    orders: [order('A1', line(2, 'M8')), order('A2', line(3, 'M8'))],
  })),
  {
    title: 'a column of units beside a second one that describes the goods',
    file: 'Order;SKU;Qty;Unit;Packaging\nA1;M8;2;dozen;Box\n',
    orders: [order('A1', line(24, 'M8'))],
    notes: [2],
  },
  ...(
    [
      ['Order - Number,Item - SKU,Item - Name,Item - Qty', '7,M8,Mug,2'],
      ['Order Number,Order Status,Order Date,Item Name,SKU,Quantity', '7,Processing,2026-11-25,Mug,M8,2'],
      [
        'order_number,SKU,name,ordered_quantity,warehouse_location,deviceid,callback_nonce,seconds,due_time',
        '7,M8,Mug,2,,,,,',
      ],
    ] as const
  ).map(([head, row]): FileCase => ({
    title: `a column of units in a known export: ${head}`,
    file: `${head},Unit\n${row},Dozen\n`,
    orders: [{ number: '7', lines: [{ SKU: 'M8', name: 'Mug', quantity: 24 }] }],
    notes: [2],
  })),
  {
    title: 'a column that can be one of units in a known export',
    file: 'Order Number,Order Status,Order Date,Item Name,SKU,Quantity,Sold as\n7,Processing,2026-11-25,Mug,M8,2,Carton\n',
    asks: 'columns',
  },
];

/** A workbook with one order of two units, whose name is in the number format only. */
const formatted = (format: string): Uint8Array => {
  const texts = ['Order', 'SKU', 'Qty', 'A1', 'M8'].map((text) => `<si><t>${text}</t></si>`).join('');
  const head = '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="C1" t="s"><v>2</v></c></row>';
  const row = '<row r="2"><c r="A2" t="s"><v>3</v></c><c r="B2" t="s"><v>4</v></c><c r="C2" s="1"><v>2</v></c></row>';
  const xml = `<sheetData>${head}${row}</sheetData>`;
  return workbookOf({ sheets: [{ name: 'Orders', xml }], texts, formats: [format] });
};

const text = (value: string): string => `<c t="inlineStr"><is><t>${value}</t></is></c>`;

/** A workbook with one order of three units, one of which is refunded with a negative number. */
const refunded = (): Uint8Array => {
  const head = `<row>${['Order', 'SKU', 'Qty', 'Refunded Qty'].map(text).join('')}</row>`;
  const row = `<row>${text('A1')}${text('M8')}<c><v>3</v></c><c><v>-1</v></c></row>`;
  return workbookOf({ sheets: [{ name: 'Orders', xml: `<sheetData>${head}${row}</sheetData>` }] });
};

/** Workbooks, whose numbers have formats and signs. */
export const FORMAT_CASES: readonly FileCase[] = [
  {
    title: 'a negative number of refunded pieces in a workbook',
    file: refunded(),
    orders: [order('A1', line(2, 'M8'))],
  },
  {
    title: 'a number format with a dozen',
    file: formatted('0" dz"'),
    orders: [order('A1', line(24, 'M8'))],
    notes: [2],
  },
  {
    title: 'a number format with cartons',
    file: formatted('0" Karton"'),
    refused: { A1: 'How many pieces a carton has is not known.' },
    says: /Karton/,
  },
  {
    title: 'a number format with pieces',
    file: formatted('0" Stk"'),
    orders: [order('A1', line(2, 'M8'))],
    quiet: [2],
  },
];
