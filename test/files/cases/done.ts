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

/** Returns a file of the orders A1 and A2 with one more column. */
const doneFile = (name: string, first = '', second = ''): string =>
  `Order;SKU;Quantity;${name}\nA1;M8;4;${first}\nA2;M9;1;${second}`;

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
  // A name that says that something is done, with dates and without.
  ...[
    ['Delivered Date', '2026-11-25', 'shipped'],
    ['Date Delivered', '2026-11-26', 'shipped'],
    ['Date Fulfilled', '2026-11-25', 'shipped'],
    ['Despatched Date', '2026-11-25', 'shipped'],
    ['Actual ship date', '2026-11-25', 'shipped'],
    ['Lieferung erfolgt am', '25.11.2026', 'shipped'],
    ['Refund date', '2026-11-25', 'refunded'],
    ['Date Refunded', '2026-11-25', 'refunded'],
    ['Erstattungsdatum', '25.11.2026', 'refunded'],
    ['Date remboursement', '25/11/2026', 'refunded'],
    ['Completed', 'Yes', 'shipped'],
    ['is_closed', 'true', 'shipped'],
    ['Done', 'x', 'shipped'],
    ['Abgeschlossen', 'ja', 'shipped'],
    ['Terminé', 'oui', 'shipped'],
    ['Cerrado', 'sí', 'shipped'],
    ['Completado', 'x', 'shipped'],
    ['Zamknięte', 'tak', 'shipped'],
    ['Wysłano', '25.11.2026', 'shipped'],
    ['Archived', 'TRUE', 'shipped'],
    ['Gelöscht am', '25.11.2026', 'canceled'],
    ['Refund', 'Yes', 'refunded'],
    ['Reason for rejection', '01 Customer cancelled', 'canceled'],
    ['Absagegrund', 'Kunde', 'canceled'],
    ['Vollständig geliefert', 'ja', 'shipped'],
    ['Account on hold', 'Yes', 'on_hold'],
    ['Konto gesperrt', 'ja', 'on_hold'],
    ['Store order status', 'Shipped', 'shipped'],
  ].map(([name = '', cell = '', reason = '']): FileCase => ({
    title: `a column ${name} with ${cell} says that the order is ${reason}`,
    file: doneFile(name, cell, ''),
    orders: [order('A2', line(1, 'M9'))],
    leftOut: { 2: reason },
  })),
  // A name that can mean something else, or a date that can be a plan.
  ...[
    ['Deleted', 'Yes', ''],
    ['Retoure', 'ja', ''],
    ['Retourendatum', '25.11.2026', ''],
    ['Locked', 'Yes', 'No'],
    ['Stop', 'X', ''],
    ['Document type', 'Credit note', 'Order'],
    ['Document type', 'Return', 'Return'],
    ['Doc. type', 'Order', 'Quote'],
    ['Type de document', 'Avoir', 'Commande'],
    ['Delivered Date', '2026-12-24', ''],
    ['Shipped at', '2026-12-24', '2026-11-25'],
    ['Versanddatum', '25.11.2026', ''],
    ['Ship Date', '2026-11-25', ''],
    ["Date d'expédition", '25/11/2026', ''],
    ['Fecha de envío', '25/11/2026', ''],
    ['Versanddatum', '2026-11-24', '2026-11-25'],
    ['Lieferdatum', '2026-11-24', ''],
    ['Data wysyłki', '25.11.2026', ''],
    ['Verzenddatum', '2026-11-25', ''],
    ['Goods issue date', '2026-11-25', ''],
    // Deliver it as a whole, all of it is in stock, it is made, or the cash is collected.
    ['Complete', 'Yes', 'No'],
    ['Komplett', 'Ja', ''],
    ['Vollständig', 'Ja', 'Nein'],
    ['Complète', 'oui', ''],
    ['Livraison complète', 'Oui', 'Non'],
    ['Commande complète', 'Oui', 'Non'],
    ['Completo', 'sí', ''],
    ['Pedido completo', 'Sí', 'No'],
    ['Ordine completo', 'sì', ''],
    ['Fertig', 'ja', 'nein'],
    ['Finished', 'Yes', ''],
    ['Collected', 'Yes', ''],
    ['Gelöscht', 'ja', ''],
    ['Supprimé', 'oui', ''],
    ['Eliminado', 'sí', ''],
    ['Fecha de devolución', '25/11/2026', ''],
    ['Credit', 'Yes', ''],
    ['Abonado', 'sí', ''],
    ['Refusé', 'oui', ''],
    ['Failed', 'Yes', 'No'],
    ['Nicht lieferbar', 'ja', ''],
    // About something else than the order.
    ['Mail', 'versendet', ''],
    ['SMS', 'Delivered', ''],
    ['Delivery type', 'Delivered', 'Collected'],
    ['Lieferart', 'Geliefert', 'Abgeholt'],
    ['Delivery terms', 'Delivered', ''],
    ['Membership', 'Cancelled', ''],
    ['Membership cancelled', 'Yes', ''],
    ['Account status', 'Closed', 'Active'],
    ['Store status', 'Closed', 'Open'],
    ['Void label', 'Yes', ''],
    ['Versandbestätigung', 'versendet', ''],
    ['Notification', 'Delivered', ''],
    ['Fax', 'Versendet', ''],
    ['Incoterms', 'Delivered', ''],
    ['Verzendwijze', 'Geleverd', ''],
    ['Abo gekündigt', 'ja', ''],
    ['Vertragsstatus', 'Storniert', 'Aktiv'],
    ['Lieferantenstatus', 'geliefert', 'offen'],
    ['Customer status', 'Cancelled', 'Active'],
    ['Previous order status', 'Shipped', ''],
    ['Letzte Bestellung', 'geliefert', ''],
    ['Return status', 'Cancelled', ''],
  ].map(([name = '', ...cells]): FileCase => ({
    title: `a column ${name} with ${cells.join(' and ')} is asked about`,
    file: doneFile(name, ...cells),
    asks: 'columns',
  })),
  // What does not say that an order has ended.
  ...[
    ['Completed', 'No', ''],
    ['Return', 'R-17', ''],
    ['Stop', '3', '4'],
    ['Refund', '0.00', '12.50'],
    ['Review', 'nice', ''],
    ['Document type', 'Order', 'Order'],
    ['Teillieferung', 'ja', ''],
    ['Data wysyłki', '24.12.2026', ''],
    ['Komplett', 'Nein', ''],
    ['Ship Complete', 'Yes', 'No'],
    ['Complete delivery', 'Yes', 'No'],
    ['Annulation possible', 'Yes', 'No'],
    ['Stornierung möglich', 'ja', 'nein'],
    ['Account status', 'Active', 'New'],
    ['Void label', 'No', ''],
    ['Frozen', 'Yes', 'No'],
    ['Gelée', 'oui', 'non'],
    ['Annullierbar', 'ja', 'nein'],
  ].map(([name = '', ...cells]): FileCase => ({
    title: `a column ${name} with ${cells.join(' and ')} says nothing`,
    file: doneFile(name, ...cells),
    orders: [order('A1', line(4, 'M8')), order('A2', line(1, 'M9'))],
  })),
  ...[
    ['Versanddatum', '2026-12-24', ''],
    ['Ship Date', '2026-11-26', ''],
    ['Delivery date', '2026-11-25', '2026-12-24'],
    ['Lieferdatum', '2026-11-24', '2026-11-25'],
  ].map(([name = '', ...cells]): FileCase => ({
    title: `the dates ${cells.join(' and ')} in a column ${name} are due times`,
    file: doneFile(name, ...cells),
    orders: [
      { ...order('A1', line(4, 'M8')), due: cells[0] ?? '' },
      { ...order('A2', line(1, 'M9')), ...(cells[1] === '' ? {} : { due: cells[1] ?? '' }) },
    ],
  })),
  {
    title: 'with shipped_at, a date in the past says that the order is shipped, and others say no',
    file: doneFile('Versanddatum', '2026-11-25', '2026-12-24'),
    given: { columns: { Versanddatum: 'shipped_at' } },
    orders: [order('A2', line(1, 'M9'))],
    leftOut: { 2: 'shipped' },
  },
  // A state in the first row of an order that repeats its number.
  ...[
    ['Cancelled at', '2026-11-25', 'canceled_at'],
    ['On hold', 'x', 'on_hold'],
    ['Shipped', 'yes', 'shipped_at'],
    ['Status', 'Cancelled', 'order_status'],
  ].flatMap(([name = '', cell = '', field = '']): FileCase[] => {
    const rows = `A1;M8;2;${cell}\nA1;M9;1;\nA2;M7;1;`;
    const file = `Order;SKU;Qty;${name}\n${rows}`;
    const [reason = ''] = { canceled_at: ['canceled'], on_hold: ['on_hold'], shipped_at: ['shipped'] }[field] ?? [
      'canceled',
    ];
    const rest = order('A2', line(1, 'M7'));
    const withCustomer = (...customers: string[]) =>
      `Order;SKU;Qty;${name};Customer\n${rows
        .split('\n')
        .map((row, at) => `${row};${customers[at] ?? ''}`)
        .join('\n')}`;
    return [
      { title: `${name} in the first row of an order is asked about`, file, asks: 'columns' },
      {
        title: `${name} in the first row of an order that has its customer only there is of the order`,
        file: withCustomer('Ann', '', 'Bob'),
        orders: [{ ...rest, customer: 'Bob' }],
        leftOut: { 2: reason, 3: reason },
      },
      {
        title: `${name} in the first row of an order that repeats its customer is of the line`,
        file: withCustomer('Ann', 'Ann', 'Bob'),
        orders: [
          { ...order('A1', line(1, 'M9')), customer: 'Ann' },
          { ...rest, customer: 'Bob' },
        ],
        leftOut: { 2: reason },
      },
      {
        title: `${name} in the first row of an order that repeats only its mail is asked about`,
        file: `Order;Email;SKU;Qty;${name}\nA1;a@b.example;M8;2;${cell}\nA1;a@b.example;M9;1;\nA2;c@b.example;M7;1;`,
        asks: 'columns',
      },
      {
        title: `${name} in the first row of an order that has its mail only there is of the order`,
        file: `Order;Email;SKU;Qty;${name}\nA1;a@b.example;M8;2;${cell}\nA1;;M9;1;\nA2;c@b.example;M7;1;`,
        orders: [rest],
        leftOut: { 2: reason, 3: reason },
      },
      {
        title: `${name} in the first row of an order is of the order with ${field}`,
        file,
        given: { columns: { [name]: field } },
        orders: [rest],
        leftOut: { 2: reason, 3: reason },
      },
      {
        title: `${name} in the first row of an order is of the line with line_status`,
        file,
        given: { columns: { [name]: 'line_status' } },
        orders: [order('A1', line(1, 'M9')), rest],
        leftOut: { 2: reason },
      },
      {
        title: `${name} in each row for itself is of the line`,
        file: `${file}\nA3;M8;1;\nA3;M9;1;${cell}`,
        orders: [order('A1', line(1, 'M9')), rest, order('A3', line(1, 'M8'))],
        leftOut: { 2: reason, 6: reason },
      },
    ];
  }),
];
