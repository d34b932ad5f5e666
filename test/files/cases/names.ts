import { A1, line, order, type FileCase } from './fileCase.ts';

const PLACED = order('A1', line(2, 'M8', { name: 'Mutter', place: 'A-1-1' }));
const ASKS = { asks: 'columns' } as const;

/** Cases of column names: their position, languages, ambiguous names, and names set by the caller. */
export const NAME_CASES: readonly FileCase[] = [
  {
    title: 'title lines above the names',
    file: 'Picking list\nShop;Example\nDate;26.11.2026\n\nOrder;SKU;Qty\nA1;M8;2\n',
    orders: [A1],
  },
  {
    title: 'names below the twentieth row',
    file: `${'title\n'.repeat(20)}Order;SKU;Qty\nA1;M8;2\n`,
    refusedFile: 'The names are the first row of twenty that has every required field.',
  },
  {
    title: 'German names',
    file: 'Auftragsnr.;Artikel-Nr.;Bezeichnung;Menge;Lagerplatz\nA1;M8;Mutter;2;A-1-1\n',
    orders: [PLACED],
  },
  {
    title: 'a town in an address',
    file: 'Auftragsnr.;Artikel-Nr.;Menge;Straße;PLZ;Ort;Land\nA1;M8;2;Am Markt 1;12345;Berlin;DE\n',
    orders: [A1],
  },
  { title: 'a town or a place', file: 'Auftragsnr.;Artikel-Nr.;Menge;Ort\nA1;M8;2;Berlin\n', ...ASKS },
  { title: 'German names without umlauts', file: 'Bestellnummer;Artikelnummer;Stueck\nA1;M8;2\n', orders: [A1] },
  {
    title: 'French names',
    file: 'N° de commande;Réf. article;Désignation;Qté;Emplacement\nA1;M8;Mutter;2;A-1-1\n',
    orders: [PLACED],
  },
  {
    title: 'Spanish names',
    file: 'Nº de pedido;Código de artículo;Denominación;Cantidad;Ubicación\nA1;M8;Mutter;2;A-1-1\n',
    orders: [PLACED],
  },
  {
    title: 'case, blanks and punctuation do not matter',
    file: ' ORDER  no. , s.k.u. , QTY: \nA1,M8,2\n',
    orders: [A1],
  },
  {
    title: 'names in a language that the table lacks',
    file: 'Číslo objednávky;Kód zboží;Množství\nA1;M8;2\n',
    ...ASKS,
    refusedFile: 'Nothing says which column is which.',
  },
  {
    title: 'names of another language, with the columns given',
    file: 'Číslo objednávky;Kód zboží;Množství\nA1;M8;2\n',
    given: { columns: { 'Číslo objednávky': 'order_number', 'Kód zboží': 'SKU', Množství: 'ordered_quantity' } },
    orders: [A1],
  },
  {
    title: 'a name in columns that the file lacks',
    file: 'Order,SKU,Qty\nA1,M8,2\n',
    given: { columns: { Quantity: 'ordered_quantity' } },
    badColumn: 'Quantity',
    refusedFile: 'The caller means another file.',
    says: /"Quantity".*"Order", "SKU", "Qty"/,
  },
  {
    title: 'the columns given win',
    file: 'Order,SKU,Qty,Old SKU\nA1,M8,2,K9\n',
    given: { columns: { 'Old SKU': 'SKU', SKU: null } },
    orders: [order('A1', line(2, 'K9'))],
  },
  {
    title: 'two columns for the quantity',
    file: 'Order,SKU,Qty,Quantity\nA1,M8,2,3\n',
    ...ASKS,
    refusedFile: 'Two or three pieces: the file does not say.',
  },
  {
    title: 'two columns for the quantity that say the same',
    file: 'Order,SKU,Qty,Quantity\nA1,M8,2,2\n',
    orders: [A1],
  },
  {
    title: 'a name that occurs twice',
    file: 'Order,SKU,Qty,Qty\nA1,M8,2,3\n',
    ...ASKS,
    refusedFile: 'Two or three pieces: the file does not say.',
  },
  {
    title: 'no quantity',
    file: 'Order,SKU,Price\nA1,M8,2.50\n',
    ...ASKS,
    refusedFile: 'There is no quantity.',
    says: /no column ordered_quantity/,
  },
  {
    title: 'no article',
    file: 'Order,Qty,Price\nA1,2,2.50\n',
    ...ASKS,
    refusedFile: 'There is no article.',
    says: /no column name, SKU or UPC/,
  },
  {
    title: 'no order number',
    file: 'SKU,Qty,Price\nM8,2,2.50\n',
    ...ASKS,
    refusedFile: 'There is no order number.',
    says: /no column order_number/,
  },
  { title: 'names without rows', file: 'Order,SKU,Qty\n', refusedFile: 'There are no items.' },
  {
    title: 'an amount of money is not a quantity',
    file: 'item,amount\nShipping,5.00\n',
    refusedFile: 'There is neither an order number nor a quantity.',
  },
  {
    title: 'an amount beside an order is not a quantity',
    file: 'Order,Item,Amount\nA1,Shipping,5.00\n',
    ...ASKS,
    refusedFile: 'Amount can be money.',
  },
  {
    title: 'a total is not a quantity',
    file: 'Order,SKU,Total\nA1,M8,2\n',
    ...ASKS,
    refusedFile: 'Total can be money.',
  },
  {
    title: 'an amount that is the quantity, as the caller says',
    file: 'Order,SKU,Amount\nA1,M8,2\n',
    given: { columns: { Amount: 'ordered_quantity' } },
    orders: [A1],
  },
  { title: 'an amount beside a quantity is money', file: 'Order,SKU,Qty,Amount\nA1,M8,2,19.00\n', orders: [A1] },
  {
    title: 'a location with known places',
    file: 'Order,SKU,Qty,Location\nA1,M8,2,A-1-1\n',
    orders: [order('A1', line(2, 'M8', { place: 'A-1-1' }))],
  },
  {
    title: 'a location without known places',
    file: 'Order,SKU,Qty,Location\nA1,M8,2,Main Street\n',
    ...ASKS,
    refusedFile: 'It may be the site.',
  },
  {
    title: 'a location that the caller ignores',
    file: 'Order,SKU,Qty,Location\nA1,M8,2,Main Street\n',
    given: { columns: { Location: null } },
    orders: [A1],
  },
  { title: 'a device that is a till', file: 'Order,SKU,Qty,Device ID\nA1,M8,2,4711\n', orders: [A1] },
  {
    title: 'devices that are all DeviceIDs',
    file: 'Order,SKU,Qty,Device\nA1,M8,2,51d000:000006\n',
    orders: [order('A1', line(2, 'M8', { deviceid: '51D000:000006' }))],
  },
  {
    title: 'devices of which some are DeviceIDs',
    file: 'Order,SKU,Qty,Device\nA1,M8,2,51D000:000006\nA2,M9,1,lamp\n',
    ...ASKS,
    refusedFile: 'Lamp is not a DeviceID.',
  },
  {
    title: 'a status that says what is shipped and canceled',
    file: 'Order,SKU,Qty,Status\nA1,M8,2,open\nA1,M9,1,shipped\nA2,M8,4,canceled\n',
    orders: [A1],
    leftOut: { 3: 'shipped', 4: 'canceled' },
  },
  {
    title: 'a status with an unknown word',
    file: 'Order,SKU,Qty,Status\nA1,M8,2,open\nA2,M9,1,kaput\n',
    ...ASKS,
    refusedFile: 'Kaput may mean canceled.',
  },
  {
    title: 'a name that is the order',
    file: 'Name,SKU,Quantity\n#7,M8,2\n',
    ...ASKS,
    refusedFile: 'The number of the order is missing, or it is the name.',
  },
  {
    title: 'a name beside the code is that of the goods',
    file: 'Order,SKU,Name,Qty\nA1,M8,Nut,2\n',
    orders: [order('A1', line(2, 'M8', { name: 'Nut' }))],
  },
  {
    title: 'one name for all lines of each order is the customer',
    file: 'Order,Name,SKU,Qty\nA1,Example Customer,M8,2\nA1,Example Customer,M9,1\n',
    orders: [{ ...order('A1', line(2, 'M8'), line(1, 'M9')), customer: 'Example Customer' }],
  },
  {
    title: 'an ID that is not said to be the order',
    file: 'ID,SKU,Qty\n7,M8,2\n',
    ...ASKS,
    refusedFile: 'The ID may be that of the article.',
  },
  {
    title: 'item and article: the code and the words',
    file: 'Order No;Artikel;Item;Qty\nA1;M8;Mutter;2\n',
    orders: [order('A1', line(2, 'M8', { name: 'Mutter' }))],
  },
  {
    title: 'columns that describe goods do not control the light',
    file: 'Order,SKU,Qty,Color,Priority,Carrier,Delivery,Tag\nA1,M8,2,red,High,Post,DHL,gift\n',
    orders: [A1],
  },
  {
    title: 'the color of goods beside our names',
    file: 'order_number,SKU,ordered_quantity,color\nA1,M8,2,red\n',
    orders: [A1],
  },
  {
    title: 'a light color',
    file: 'order_number,SKU,ordered_quantity,light_color\nA1,M8,2,r\n',
    orders: [{ ...A1, color: 'r' }],
  },
  {
    title: 'a column Title that two articles share',
    file: 'Order,SKU,Qty,Title\nA1,K-1,2,Blue mug\nA2,K-2,1,Blue mug\n',
    orders: [order('A1', line(2, 'K-1', { name: 'Blue mug' })), order('A2', line(1, 'K-2', { name: 'Blue mug' }))],
  },
  {
    title: 'a title of goods is a name',
    file: 'Order,SKU,Qty,Title\nA1,M8,2,Blue mug\n',
    orders: [order('A1', line(2, 'M8', { name: 'Blue mug' }))],
  },
  { title: 'a priority in numbers', file: 'Order,SKU,Qty,Priority\nA1,M8,2,7\n', orders: [{ ...A1, priority: 7 }] },
  {
    title: 'days of creation, payment and sale are not due times',
    file: 'Order,SKU,Qty,Created at,Paid at,Sale date\nA1,M8,2,2026-11-01,2026-11-02,2026-11-03\n',
    orders: [A1],
  },
  {
    title: 'a quantity still to ship wins over the ordered one',
    file: 'Order,SKU,Ordered,Open quantity\nA1,M8,5,2\nA1,M9,3,0\n',
    orders: [A1],
    leftOut: { 3: 'none_left' },
  },
  {
    title: 'a reference of the order, which is the same for different articles',
    file: 'Order;Product;Reference;Qty\nA1;Mug;PO-77;2\nA1;Cup;PO-77;1\nA2;Pan;PO-78;1\n',
    orders: [
      {
        number: 'A1',
        lines: [
          { name: 'Mug', quantity: 2 },
          { name: 'Cup', quantity: 1 },
        ],
      },
      { number: 'A2', lines: [{ name: 'Pan', quantity: 1 }] },
    ],
  },
  {
    title: 'a reference of the order next to the description of the article',
    file: 'Auftrag;Referenz;Bezeichnung;Menge\nA1;PO-77;Mutter;2\nA1;PO-77;Scheibe;1\n',
    orders: [
      {
        number: 'A1',
        lines: [
          { name: 'Mutter', quantity: 2 },
          { name: 'Scheibe', quantity: 1 },
        ],
      },
    ],
  },
  {
    title: 'a reference that several customers use, next to the description of the article',
    file: 'Commande;Référence;Désignation;Qté\nA1;PO-77;Écrou;2\nA2;PO-77;Vis;1\n',
    orders: [
      { number: 'A1', lines: [{ name: 'Écrou', quantity: 2 }] },
      { number: 'A2', lines: [{ name: 'Vis', quantity: 1 }] },
    ],
  },
  ...['Part', 'Product', 'Item', 'Artikel', 'Produit', 'Producto'].map((name): FileCase => ({
    title: `a reference that may be the article's code, beside ${name}`,
    file: `Order;${name};Reference;Qty\nA1;Blue mug;K-100;2\nA1;Red cup;K-200;1\nA2;Blue mug;K-100;1\n`,
    ...ASKS,
    says: /"Reference" can be SKU/,
  })),
  ...['Part', 'Item', 'Artikel', 'Teil'].map((name): FileCase => ({
    title: `a reference like a code beside the codes of ${name}`,
    file: `Order;${name};Reference;Qty\nA1;P-17;K-100;2\nA1;P-18;K-200;1\nA2;P-17;K-100;1\n`,
    ...ASKS,
    says: new RegExp(`"${name}" can be SKU.*"Reference" can be SKU`),
  })),
  {
    title: 'a reference like a code with an error of a spreadsheet program, beside the codes of the part',
    file: 'Order;Part;Reference;Qty\nA1;P-17;#N/A;2\nA1;P-18;K-200;1\nA2;P-17;K-100;1\n',
    ...ASKS,
  },
  {
    title: 'a reference of the order beside the codes of the part',
    file: 'Order;Part;Reference;Qty\nA1;P-17;PO-77;2\nA1;P-18;PO-77;1\n',
    orders: [
      {
        number: 'A1',
        lines: [
          { SKU: 'P-17', quantity: 2 },
          { SKU: 'P-18', quantity: 1 },
        ],
      },
    ],
  },
  {
    title: 'a reference beside the codes of the part that the caller maps',
    file: 'Order;Part;Reference;Qty\nA1;P-17;K-100;2\nA1;P-18;K-200;1\n',
    given: { columns: { Reference: 'SKU' } },
    orders: [
      {
        number: 'A1',
        lines: [
          { SKU: 'K-100', quantity: 2 },
          { SKU: 'K-200', quantity: 1 },
        ],
      },
    ],
  },
  {
    title: 'a reference beside the part that the caller maps',
    file: 'Order;Part;Reference;Qty\nA1;Blue mug;K-100;2\n',
    given: { columns: { Reference: 'SKU' } },
    orders: [{ number: 'A1', lines: [{ SKU: 'K-100', name: 'Blue mug', quantity: 2 }] }],
  },
  {
    title: 'a reference beside the part that the caller ignores',
    file: 'Order;Part;Reference;Qty\nA1;Blue mug;K-100;2\n',
    given: { columns: { Reference: null } },
    orders: [{ number: 'A1', lines: [{ name: 'Blue mug', quantity: 2 }] }],
  },
  ...['Title', 'Titel', 'Titre', 'Título'].map((name): FileCase => ({
    title: `a column ${name} is not an article by itself`,
    file: `Order;${name};Qty\nA1;Mr;2\nA2;Mrs;1\n`,
    ...ASKS,
  })),
  {
    title: 'a title that is a form of address beside the SKU',
    file: 'Order,SKU,Title,Qty\nA1,M8,Mr,2\nA2,M9,Mrs. Dr.,1\n',
    orders: [A1, order('A2', line(1, 'M9'))],
  },
  {
    title: 'a title of the article beside the SKU',
    file: 'Order,SKU,Title,Qty\nA1,M8,Hex nut,2\n',
    orders: [order('A1', line(2, 'M8', { name: 'Hex nut' }))],
  },
  {
    title: 'decimal commas in a file with semicolons',
    file: 'order no;article number;pieces\nA1;M8;2,00\nA2;M9;5,00\n',
    orders: [A1, order('A2', line(5, 'M9'))],
  },
  {
    title: 'decimal commas in a file with semicolons below titles with commas',
    file: 'Export, Berlin\nPrinted, Monday\norder no;article number;pieces\nA1;M8;2,00\n',
    orders: [A1],
  },
  {
    title: 'decimal commas in two columns of a file with semicolons',
    file: 'order no;article number;pieces;price\nA1;M8;2,00;9,50\nA2;M9;5,00;1,25\n',
    orders: [A1, order('A2', line(5, 'M9'))],
  },
  {
    title: 'what was already shipped is not picked',
    file: 'Auftrag;Artikelnr;Bestellmenge;Bereits geliefert\nA1;M8;5;3\nA1;M9;4;4\n',
    orders: [A1],
    leftOut: { 3: 'nothing_left' },
  },
];
