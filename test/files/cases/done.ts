import { line, order, type FileCase } from './fileCase.ts';

/** Rows of a file that a profile recognizes, with one more column. `cells` are its values, of the orders A1, A2 and so on. */
const KNOWN: Readonly<Record<string, (name: string, cells: readonly string[]) => string>> = {
  eBay: (name, cells) =>
    [
      `Sales Record Number,Order Number,Item Title,Custom Label,Quantity,Paid On Date,${name}`,
      ...cells.map((cell, at) => `${at + 1},A${at + 1},Mug,M8,2,Nov-24-26,${cell}`),
    ].join('\n'),
  Amazon: (name, cells) =>
    [
      `order-id\torder-item-id\tquantity-purchased\tsku\tproduct-name\t${name}`,
      ...cells.map((cell, at) => `A${at + 1}\t${at}\t2\tM8\tMug\t${cell}`),
    ].join('\n'),
  Shopify: (name, cells) =>
    [
      `Name,Lineitem quantity,Lineitem name,Lineitem sku,Lineitem fulfillment status,Financial Status,${name}`,
      ...cells.map((cell, at) => `A${at + 1},2,Mug,M8,pending,paid,${cell}`),
    ].join('\n'),
  'Advanced Order Export': (name, cells) =>
    [
      `Order Number,Order Status,Item Name,SKU,Quantity,Customer Note,${name}`,
      ...cells.map((cell, at) => `A${at + 1},Processing,Mug,M8,2,,${cell}`),
    ].join('\n'),
  Pickstation: (name, cells) =>
    [
      `order_number,SKU,ordered_quantity,warehouse_location,deviceid,callback_nonce,seconds,due_time,${name}`,
      ...cells.map((cell, at) => `A${at + 1},M8,2,,,,,,${cell}`),
    ].join('\n'),
};
const known = (program: string, name: string, ...cells: string[]): string => KNOWN[program]?.(name, cells) ?? '';

const SHOPIFY = 'Name,Lineitem quantity,Lineitem name,Lineitem sku,Lineitem fulfillment status,Fulfillment Status\n';

/** Cases of columns that say that orders have ended, apart from those of words in a column of states. */
export const DONE_CASES: readonly FileCase[] = [
  ...[
    ['eBay', 'Cancel Status', '', 'Canceled', 'CancelClosedForCommitment'],
    ['Amazon', 'cancellation-status', '', 'Cancelled', 'UnknownWord'],
    ['Shopify', 'Storniert', '', 'ja', 'Rücksprache'],
    ['Pickstation', 'Cancelled', '', 'yes', 'maybe'],
    ['Advanced Order Export', 'Delivery status', 'Shipped', 'Wartet auf Abruf'],
    ['Advanced Order Export', 'Delivery status', 'Wartet auf Abruf'],
  ].map(([program = '', name = '', ...cells]): FileCase => ({
    title: `${program}: a column ${name} that the export does not have, with a word that is not understood: ${cells.length}`,
    file: known(program, name, ...cells),
    asks: 'columns',
  })),
  ...[
    ['eBay', 'Cancel Status', '', 'Canceled'],
    ['Pickstation', 'Cancelled', '', 'yes'],
  ].map(([program = '', name = '', ...cells]): FileCase => ({
    title: `${program}: a column ${name} that the export does not have`,
    file: known(program, name, ...cells),
    orders: [order('A1', { ...line(2, 'M8'), ...(program === 'eBay' ? { name: 'Mug' } : {}) })],
    leftOut: { 3: 'canceled' },
  })),
  {
    title: 'eBay: a column of states that is not about the order',
    file: known('eBay', 'Authenticity Verification Status', '', 'Passed'),
    orders: ['A1', 'A2'].map((number) => order(number, line(2, 'M8', { name: 'Mug' }))),
  },
  {
    title: 'Shopify: the state of the order counts if it stops the order, or if the line has none',
    file: `${SHOPIFY}A1,2,Mug,M8,pending,unfulfilled\nA2,2,Mug,M8,pending,on_hold\nA3,2,Mug,M8,pending,restocked\nA4,2,Mug,M8,,fulfilled\nA5,2,Mug,M8,pending,partial\nA6,2,Mug,M8,,partial\n`,
    orders: ['A1', 'A5'].map((number) => order(number, line(2, 'M8', { name: 'Mug' }))),
    leftOut: { 3: 'on_hold', 4: 'canceled', 5: 'shipped' },
    refused: {
      A6: 'Line 7: Its state is "partial", and the file does not say how many pieces are left. Enter the order by hand.',
    },
  },
];
