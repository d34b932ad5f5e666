import { A1, line, order, type FileCase } from './fileCase.ts';

const MUG = line(1, 'M8');

/** A file of one order, whose columns have these names. */
const named = (title: string, names: readonly string[], extra: Partial<FileCase> = {}): FileCase => ({
  title: `names: ${title}`,
  file: `${names.join(';')}\nA1;M8;4006381333931;Kubek;2;A-1-1;2026-12-02;Ann;Wrap it\n`,
  orders: [
    {
      number: 'A1',
      customer: 'Ann',
      note: 'Wrap it',
      due: '2026-12-02',
      lines: [line(2, 'M8', { UPC: '4006381333931', name: 'Kubek', place: 'A-1-1' })],
    },
  ],
  ...extra,
});

/** A file of the orders A1, A2 and so on, with one more column. */
const columnFile = (name: string, ...cells: string[]): string =>
  [`Order;SKU;Quantity;${name}`, ...cells.map((cell, at) => `A${at + 1};M8;1;${cell}`)].join('\n');
const asks = (name: string, ...cells: string[]): FileCase => ({
  title: `asked about: ${name} with ${cells.join(' and ')}`,
  file: columnFile(name, ...cells),
  asks: 'columns',
});

/** Cases of lists as programs of shops and warehouses write them. */
export const PROGRAM_CASES: readonly FileCase[] = [
  // Lots and places of one line.
  {
    title: 'lots: each row repeats the quantity of the line, and another column has its parts',
    file: 'Order,Line,SKU,Ordered Qty,Lot,Lot Qty,Bin\nA1,1,M8,5,L1,3,A-1-1\nA1,1,M8,5,L2,2,A-1-2\nA1,2,M9,1,L9,1,A-1-1\nA2,1,M8,2,L1,2,A-1-1\n',
    orders: [order('A2', line(2, 'M8', { place: 'A-1-1' }))],
    refused: { A1: 'Five pieces are ordered, and not ten.' },
    says: /Lines 2 and 3 .*Lot Qty.*ordered_quantity/,
  },
  {
    title: 'lots: the column of parts counts if somebody says so',
    file: 'Order,Line,SKU,Ordered Qty,Lot,Lot Qty,Bin\nA1,1,M8,5,L1,3,A-1-1\nA1,1,M8,5,L2,2,A-1-2\n',
    given: { columns: { 'Ordered Qty': null, 'Lot Qty': 'ordered_quantity' } },
    orders: [order('A1', line(3, 'M8', { place: 'A-1-1' }), line(2, 'M8', { place: 'A-1-2' }))],
    quiet: [2, 3],
  },
  {
    title: 'lots: all rows are picked if somebody ignores the columns of lines and parts',
    file: 'Order,Line,SKU,Ordered Qty,Lot,Lot Qty,Bin\nA1,1,M8,5,L1,3,A-1-1\nA1,1,M8,5,L2,2,A-1-2\nA2,1,M8,2,L1,2,A-1-1\nA2,1,M8,2,L1,2,A-1-1\n',
    given: { columns: { Line: null, 'Lot Qty': null } },
    orders: [
      order('A1', line(5, 'M8', { place: 'A-1-1' }), line(5, 'M8', { place: 'A-1-2' })),
      order('A2', line(2, 'M8', { place: 'A-1-1' }), line(2, 'M8', { place: 'A-1-1' })),
    ],
  },
  {
    title: 'lots: without numbers of lines',
    file: 'Order;SKU;Ordered qty;Lot;Lot Qty\nA1;M8;5;L1;3\nA1;M8;5;L2;2\nA2;M8;5;L1;4\nA2;M8;5;L2;2\n',
    orders: [order('A2', line(5, 'M8'), line(5, 'M8'))],
    refused: { A1: 'Five pieces are ordered, and not ten.' },
  },
  {
    title: 'lots: pieces in a pack are not parts',
    file: 'Order;SKU;Qty;Qty in box\nA1;M8;2;1\nA1;M8;2;1\n',
    orders: [order('A1', line(2, 'M8'), line(2, 'M8'))],
  },
  {
    title: 'lots: a column of parts that somebody ignores',
    file: 'Order;SKU;Ordered qty;Lot Qty\nA1;M8;5;3\nA1;M8;5;2\n',
    given: { columns: { 'Lot Qty': null } },
    orders: [order('A1', line(5, 'M8'), line(5, 'M8'))],
  },
  {
    title: 'lots: parts of one size, in German and without places',
    file: 'Auftrag;Pos;Artikelnummer;Menge;Charge;Menge je Charge\nA1;10;M8;4;C1;2\nA1;10;M8;4;C2;2\n',
    refused: { A1: 'Four pieces are ordered.' },
    says: /Menge je Charge/,
  },
  {
    title: 'lots: parts of a line get a note, unless another column has their sum',
    file: 'Order;Line No;SKU;Qty;Bin;Line sum\nA1;10;M8;3;A-1-1;5\nA1;10;M8;2;A-1-2;5\nA2;10;M8;3;A-1-1;3\nA2;10;M8;2;A-1-2;2\n',
    orders: ['A1', 'A2'].map((number) =>
      order(number, line(3, 'M8', { place: 'A-1-1' }), line(2, 'M8', { place: 'A-1-2' })),
    ),
    quiet: [2, 3, 4],
    notes: [5],
  },
  {
    title: 'lots: equal parts of a line whose sum another column has',
    file: 'Order;Line No;SKU;Qty;Lot;Line sum\nA1;10;M8;2;L1;4\nA1;10;M8;2;L2;4\n',
    orders: [order('A1', line(2, 'M8'), line(2, 'M8'))],
  },
  ...['Price', 'Line total', 'Priority', 'Gesamtpreis'].map((name): FileCase => ({
    title: `lots: the same line twice, although ${name} is as large as both`,
    file: `Order;Line No;SKU;Qty;${name}\nA1;10;M8;2;4${name === 'Priority' ? '' : '.00'}\nA1;10;M8;2;4${name === 'Priority' ? '' : '.00'}\n`,
    given: { columns: { [name]: null } },
    refused: { A1: 'It is one line.' },
  })),
  {
    title: 'lots: other numbers of a line are not its parts',
    file: 'Order;Line No;SKU;Qty;Bin;Boxes;Tax\nA1;10;M8;2;A-1-1;1;19\nA1;10;M8;2;A-1-2;1;19\n',
    orders: [order('A1', line(2, 'M8', { place: 'A-1-1' }), line(2, 'M8', { place: 'A-1-2' }))],
    notes: [3],
  },
  // Dates of sending.
  ...['OXSENDDATE', 'SendDate', 'Versanddatum', 'Date sent', 'Verzenddatum', "Date d'envoi", 'Absendedatum'].map(
    (name): FileCase => ({
      title: `sent: ${name} is blank as 0000-00-00 until the order is shipped`,
      file: columnFile(name, '2026-11-25 10:00:00', '0000-00-00 00:00:00'),
      orders: [order('A2', MUG)],
      leftOut: { 2: 'shipped' },
    }),
  ),
  ...['OXSENDDATE', 'Date sent'].map((name): FileCase => ({
    title: `sent: ${name} of all orders`,
    file: columnFile(name, '2026-11-25', ''),
    orders: [order('A2', MUG)],
    leftOut: { 2: 'shipped' },
  })),
  {
    title: 'sent: no order is sent yet',
    file: columnFile('OXSENDDATE', '0000-00-00 00:00:00', '0000-00-00 00:00:00'),
    orders: [order('A1', MUG), order('A2', MUG)],
  },
  asks('SendDate', '2026-11-25', ''),
  asks('Date sent', 'yes', 'Nein danke'),
  asks('Completed', 'ja', 'Rücksprache'),
  asks('Completion date', '2026-11-25', ''),
  asks('Fulfillment date', '2026-11-25', ''),
  asks('Abschlussdatum', '25.11.2026', ''),
  asks('Date de clôture', '25/11/2026', ''),
  asks('Number shipped', '1', '0'),
  asks('Number of items shipped', '1', '0'),
  asks('Nombre expédié', '1', '0'),
  // Goods that are missing.
  ...[
    'Backordered',
    'ONBACKORDER',
    'Backorder',
    'On backorder',
    'Back ordered',
    'Rückstand',
    'Im Rückstand',
    'En rupture de stock',
    'En attente de réapprovisionnement',
    'En attente de réapprovisionnement (payé)',
    'On backorder (paid)',
    'In attesa di rifornimento (pagato)',
    'Nabestelling',
    'Brak towaru',
  ].flatMap((word) => [
    asks('Status', 'Processing', word),
    {
      title: `a state that is answered: ${word}`,
      file: columnFile('Status', 'Processing', word),
      given: { columns: { Status: 'order_status' }, states: { [word]: 'on_hold' } },
      orders: [order('A1', MUG)],
      leftOut: { 3: 'on_hold' },
    } satisfies FileCase,
  ]),
  asks('Backordered', 'yes', 'no'),
  asks('Vorbestellung', 'ja', ''),
  asks('En rupture', 'oui', 'non'),
  asks('Availability', 'Backordered', 'In stock'),
  asks('Verfügbarkeit', 'auf Lager', 'Im Rückstand'),
  asks('Order type', 'Standard', 'Test'),
  {
    title: 'goods are in stock',
    file: columnFile('Availability', 'In stock', 'Available'),
    orders: [order('A1', MUG), order('A2', MUG)],
  },
  // Orders of several channels.
  ...['Channel', 'Sales channel', 'Vertriebskanal', 'Canal de venta', 'Kanał sprzedaży'].flatMap((name): FileCase[] => [
    {
      title: `channels: equal numbers of different customers in ${name}`,
      file: `${name};Order;Customer;SKU;Qty\nWeb;A1;Ann;M8;1\nAmazon;A1;Bob;M9;1\nWeb;A2;Ann;M8;1\n`,
      orders: [{ ...order('A2', MUG), customer: 'Ann' }],
      refused: { A1: 'They are two orders.' },
      says: /channels/,
    },
    {
      title: `channels: an order with several in ${name}`,
      file: `${name};Order;Customer;SKU;Qty\nWeb;A1;Ann;M8;1\nAmazon;A1;Ann;M9;1\n`,
      orders: [{ ...order('A1', MUG, line(1, 'M9')), customer: 'Ann' }],
    },
  ]),
  {
    title: 'channels: equal numbers of different mail addresses and sources',
    file: 'Source;Order;Email;SKU;Qty\nweb;A1;a@a.example;M8;1\nebay;A1;b@b.example;M9;1\n',
    refused: { A1: 'They are two orders.' },
  },
  {
    title: 'channels: equal numbers of different days',
    file: 'Channel;Order;Order date;SKU;Qty\nWeb;A1;2026-11-24;M8;1\nAmazon;A1;2026-11-25;M9;1\n',
    refused: { A1: 'They are two orders.' },
  },
  // Orders of tests.
  asks('Test order', 'FALSE', 'TRUE'),
  asks('Testbestellung', 'ja', 'nein'),
  asks('is_test', '1', '0'),
  asks('Commande de test', 'oui', 'non'),
  asks('Pedido de prueba', 'sí', 'no'),
  {
    title: 'tests: no order is one',
    file: columnFile('Test order', 'FALSE', 'FALSE'),
    orders: [order('A1', MUG), order('A2', MUG)],
  },
  {
    title: 'tests: they wait if somebody says so',
    file: columnFile('Test order', 'FALSE', 'TRUE'),
    given: { columns: { 'Test order': 'on_hold' } },
    orders: [order('A1', MUG)],
    leftOut: { 3: 'on_hold' },
  },
  // Rows of text.
  {
    title: 'texts: a row without a code and a quantity between lines with both',
    file: 'Auftrag;Pos;Artikelnummer;Bezeichnung;Menge\nA1;1;M8;Mutter;1\nA1;2;;Lieferung bis 10 Uhr;\nA2;1;M9;Schraube;2\n',
    orders: [order('A1', line(1, 'M8', { name: 'Mutter' })), order('A2', line(2, 'M9', { name: 'Schraube' }))],
    leftOut: { 3: 'text' },
    says: /text/,
  },
  {
    title: 'texts: in French, with the number only in the first row',
    file: 'N° commande;Référence article;Désignation;Quantité\nA1;M8;Écrou;1\n;;Attention, fragile;\n',
    orders: [order('A1', line(1, 'M8', { name: 'Écrou' }))],
    leftOut: { 3: 'text' },
  },
  ...['COMMENT', 'Freitext', 'Texte'].map((code): FileCase => ({
    title: `texts: with the code ${code}`,
    file: `Order;SKU;Name;Qty\nA1;M8;Nut;1\nA1;${code};Fragile;\n`,
    orders: [order('A1', line(1, 'M8', { name: 'Nut' }))],
    leftOut: { 3: 'text' },
  })),
  {
    title: 'texts: with quantities of 0',
    file: 'Auftrag;Artikelnummer;Bezeichnung;Menge;Menge geliefert\nA1;M8;Mutter;2;0\nA1;;Bitte anrufen;0,00;0\nA1;;Danke;;0\n',
    orders: [order('A1', line(2, 'M8', { name: 'Mutter' }))],
    leftOut: { 3: 'text', 4: 'text' },
  },
  {
    title: 'texts: goods have no codes either, so that a quantity is missing',
    file: 'Order;SKU;Name;Qty\nA1;M8;Nut;1\nA1;;Bolt;2\nA1;;Washer;\nA2;;Bolt;\n',
    refused: { A1: 'How many washers?', A2: 'How many bolts?' },
  },
  {
    title: 'texts: a place is that of goods',
    file: 'Order;SKU;Name;Qty;Bin\nA1;M8;Nut;1;A-1-1\nA1;;Bolt;;A-1-2\n',
    refused: { A1: 'How many bolts?' },
  },
  // Names of columns.
  ...[
    'Document No.',
    'Document Number',
    'Doc. No.',
    'Belegnr.',
    'N° de pièce',
    'Numéro de pièce',
    'N° pièce',
    'Nº documento',
    'Numer dokumentu',
    'Documentnummer',
    'Verkaufsbeleg',
  ].map((name): FileCase => ({
    title: `names: the order in a column ${name}`,
    file: `${name};SKU;Quantity\nA1;M8;2\n`,
    orders: [A1],
  })),
  {
    title: 'names: a document beside the number of the order',
    file: 'Document No.;Order No.;SKU;Quantity\nD7;A1;M8;2\n',
    orders: [A1],
  },
  named('Dutch', [
    'Bestelnummer',
    'Artikelcode',
    'EAN',
    'Omschrijving',
    'Aantal',
    'Magazijnlocatie',
    'Uiterste verzenddatum',
    'Klant',
    'Opmerkingen',
  ]),
  named('Dutch', [
    'Ordernummer',
    'Artikelnr.',
    'Streepjescode',
    'Productnaam',
    'Besteld aantal',
    'Picklocatie',
    'Leverdatum',
    'Klantnaam',
    'Notitie',
  ]),
  named('Polish', [
    'Numer zamówienia',
    'Symbol',
    'Kod EAN',
    'Nazwa',
    'Ilość',
    'Lokalizacja',
    'Termin realizacji',
    'Klient',
    'Uwagi',
  ]),
  named('Polish', [
    'Nr zamówienia',
    'Sygnatura',
    'Kod kreskowy',
    'Nazwa produktu',
    'Liczba sztuk',
    'Miejsce składowania',
    'Termin wysyłki',
    'Kupujący',
    'Wiadomość od kupującego',
  ]),
  named('Polish', [
    'Zamówienie',
    'Kod towaru',
    'EAN',
    'Nazwa towaru',
    'Szt.',
    'Półka',
    'Wysłać do',
    'Kontrahent',
    'Komentarz',
  ]),
  named('BaseLinker', [
    'order_id',
    'product_sku',
    'product_ean',
    'product_name',
    'product_quantity',
    'product_location',
    'ship_by',
    'buyer_name',
    'buyer_comments',
  ]),
  {
    title: 'names: bol.com, whose reference is the code of the offer',
    file: 'Bestelnummer;Bestelitem-id;EAN;Referentie;Producttitel;Aantal;Status\n1043965710;2012345678;4006381333931;REF-1;Mok blauw;2;Open\n1043965711;2012345679;4006381333948;REF-2;Bord;1;Geannuleerd\n',
    orders: [order('1043965710', line(2, 'REF-1', { UPC: '4006381333931', name: 'Mok blauw' }))],
    leftOut: { 3: 'canceled' },
  },
  {
    title: 'names: Exact, with delivered pieces and units',
    file: 'Ordernummer;Regel;Artikelcode;Omschrijving;Aantal;Eenheid;Aantal geleverd;Leverdatum;Klant;Status\nA1;1;M8;Mok;10;stuk;4;02-12-2026;Jansen;Open\nA1;2;M9;Bord;2;stuk;0;02-12-2026;Jansen;Open\n',
    given: { date_order: 'dmy' },
    orders: [
      {
        number: 'A1',
        customer: 'Jansen',
        due: '2026-12-02',
        lines: [line(6, 'M8', { name: 'Mok' }), line(2, 'M9', { name: 'Bord' })],
      },
    ],
  },
  {
    title: 'states: in Polish, in a column Stan',
    file: [
      'Numer zamówienia;Symbol;Ilość;Stan',
      ...['Nowe', 'W realizacji', 'Do wysłania', 'Wysłane', 'Wysłany', 'Anulowane', 'Wstrzymane', 'Zwrot'].map(
        (state, at) => `A${at + 1};M8;1;${state}`,
      ),
    ].join('\n'),
    orders: ['A1', 'A2', 'A3'].map((number) => order(number, MUG)),
    leftOut: { 5: 'shipped', 6: 'shipped', 7: 'canceled', 8: 'on_hold', 9: 'refunded' },
  },
  {
    title: 'states: in Polish without its letters',
    file: 'Order;SKU;Qty;Stan\nA1;M8;1;Wyslane\nA2;M8;1;Przyjete\nA3;M8;1;Zakonczone\n',
    orders: [order('A2', MUG)],
    leftOut: { 2: 'shipped', 4: 'shipped' },
  },
  {
    title: 'goods: costs and discounts without a code, in Dutch',
    file: 'Bestelnummer;Artikelcode;Omschrijving;Aantal\nA1;M8;Mok;2\nA1;;Verzendkosten;1\nA1;;Administratiekosten;1\nA1;;Korting 10%;1\n',
    orders: [order('A1', line(2, 'M8', { name: 'Mok' }))],
    leftOut: { 3: 'not_shippable', 4: 'not_shippable', 5: 'not_shippable' },
  },
  {
    title: 'goods: costs and discounts without a code, in Polish',
    file: 'Numer zamówienia;Symbol;Nazwa;Ilość\nA1;M8;Kubek;2\nA1;;Koszty wysyłki;1\nA1;;Przesyłka kurierska;1\nA1;;Rabat;1\n',
    orders: [order('A1', line(2, 'M8', { name: 'Kubek' }))],
    leftOut: { 3: 'not_shippable', 4: 'not_shippable', 5: 'not_shippable' },
  },
  ...[
    ['Regeltype', 'Artikel', 'Tekst', 'Verzending'],
    ['Typ pozycji', 'Towar', 'Usługa', 'Dostawa'],
  ].map(([name = '', goods = '', ...others]): FileCase => ({
    title: `goods: types of rows in a column ${name}`,
    file: `Order;SKU;Qty;${name}\nA1;M8;1;${goods}\nA1;M9;1;${others[0] ?? ''}\nA1;M10;1;${others[1] ?? ''}\n`,
    orders: [order('A1', MUG)],
    leftOut: { 3: 'not_shippable', 4: 'not_shippable' },
  })),
  // Lists with ruled lines.
  {
    title: 'lists: SAP',
    file: '--------------------------------------\n|Verkaufsbeleg|Material|  Menge|ME|Lagerplatz|\n--------------------------------------\n|A1           |M8      |      2|ST|A-1-1     |\n|A1           |M9      |      1|ST|          |\n--------------------------------------\n|A2           |M8      |      1|ST|A-1-2     |\n--------------------------------------\n',
    orders: [
      order('A1', line(2, 'M8', { place: 'A-1-1' }), line(1, 'M9')),
      order('A2', line(1, 'M8', { place: 'A-1-2' })),
    ],
  },
  {
    title: 'lists: with a title, sums and numbers only in the first row of an order',
    file: 'Picking list 26.11.2026\n\n+-----+----+---+\n|Order|SKU |Qty|\n+-----+----+---+\n|A1   |M8  |2  |\n|     |M9  |1  |\n+=====+====+===+\n|Total|    |3  |\n+-----+----+---+\n',
    orders: [order('A1', line(2, 'M8'), line(1, 'M9'))],
    leftOut: { 9: 'total' },
  },
  {
    title: 'lists: Markdown',
    file: '| Order | SKU | Qty |\n|:------|-----|----:|\n| A1    | M8  | 2   |\n',
    orders: [A1],
  },
  {
    title: 'lists: drawn with lines around each cell',
    file: '┌─────┬───┬───┐\n│Order│SKU│Qty│\n├─────┼───┼───┤\n│A1   │M8 │  2│\n│A1   │M9 │  1│\n└─────┴───┴───┘\n',
    orders: [order('A1', line(2, 'M8'), line(1, 'M9'))],
  },
  {
    title: 'lists: drawn with lines between the cells',
    file: ' Order │ SKU │ Qty \n───────┼─────┼─────\n A1    │ M8  │   2\n',
    orders: [A1],
  },
  {
    title: 'lists: drawn with double lines',
    file: '╔═════╦═══╦═══╗\n║Order║SKU║Qty║\n╠═════╬═══╬═══╣\n║A1   ║M8 ║  2║\n╚═════╩═══╩═══╝\n',
    orders: [A1],
  },
  {
    title: 'lists: a drawn line in a name is text',
    file: 'Order;SKU;Name;Qty\nA1;M8;Mug │ blue;2\n',
    orders: [order('A1', line(2, 'M8', { name: 'Mug │ blue' }))],
  },
  {
    title: 'lists: SAP deliveries',
    file: '|Delivery|Material|Dlv.qty|\n|80000001|M8      |      2|\n',
    asks: 'columns',
  },
  {
    title: 'lists: SAP deliveries, answered',
    file: '|Delivery|Material|Dlv.qty|\n|80000001|M8      |      2|\n',
    given: { columns: { Delivery: 'order_number', 'Dlv.qty': 'ordered_quantity' } },
    orders: [order('80000001', line(2, 'M8'))],
  },
  {
    title: 'a delivery beside an order is not asked about',
    file: 'Order;SKU;Qty;Delivery\nA1;M8;2;80000001\n',
    orders: [A1],
  },
  {
    title: 'lists: a code of dashes is not a ruled line',
    file: 'Order|SKU|Qty\nA1|---|2\n',
    orders: [order('A1', line(2, '---'))],
  },
  // States of shops.
  {
    title: 'states: Lightspeed',
    file: [
      'Order;SKU;Qty;Status',
      ...[
        'processing_awaiting_shipment',
        'processing_awaiting_payment',
        'processing_awaiting_pickup',
        'completed_shipped',
        'completed_picked_up',
        'cancelled',
        'on_hold',
      ].map((state, at) => `A${at + 1};M8;1;${state}`),
    ].join('\n'),
    given: { unpaid: 'leave_out' },
    orders: ['A1'].map((number) => order(number, MUG)),
    leftOut: { 3: 'unpaid', 4: 'shipped', 5: 'shipped', 6: 'shipped', 7: 'canceled', 8: 'on_hold' },
  },
  {
    title: 'states: Ecwid',
    file: [
      'Order;SKU;Qty;Fulfillment status',
      ...['AWAITING_PROCESSING', 'PROCESSING', 'SHIPPED', 'WILL_NOT_DELIVER', 'RETURNED'].map(
        (state, at) => `A${at + 1};M8;1;${state}`,
      ),
    ].join('\n'),
    orders: ['A1', 'A2'].map((number) => order(number, MUG)),
    leftOut: { 4: 'shipped', 5: 'canceled', 6: 'refunded' },
  },
  ...[
    "En attente d'acceptation",
    'WAITING_ACCEPTANCE',
    'Awaiting acceptance',
    'Pending acceptance',
    'Wartet auf Annahme',
    'Pendiente de aceptación',
    'In attesa di accettazione',
  ].map((word): FileCase => ({
    title: `states: an order that the shop has not accepted waits: ${word}`,
    file: columnFile('Status', 'Processing', word),
    orders: [order('A1', MUG)],
    leftOut: { 3: 'on_hold' },
  })),
  // Nothing is open.
  ...['Offene Menge', 'Open qty', 'Qté restante', 'Nog te leveren aantal'].flatMap((name): FileCase[] => [
    asks(name, '0', '0,00'),
    {
      title: `nothing is open: ${name} counts if the pieces are shipped`,
      file: `Order;SKU;Qty;${name};Qty shipped\nA1;M8;2;0;2\nA2;M8;1;0;1\n`,
      leftOut: { 2: 'shipped', 3: 'shipped' },
    },
    {
      title: `nothing is open: ${name} counts if somebody says so`,
      file: columnFile(name, '0', '0'),
      given: { columns: { [name]: 'quantity_to_ship' } },
      leftOut: { 2: 'none_left', 3: 'none_left' },
    },
  ]),
  {
    title: 'nothing is open: a state says that the orders are shipped',
    file: 'Order;SKU;Qty;Open qty;Status\nA1;M8;2;0;Shipped\nA2;M8;1;0;Canceled\n',
    leftOut: { 2: 'shipped', 3: 'canceled' },
  },
  {
    title: 'nothing is open: a state says that an order is open',
    file: 'Order;SKU;Qty;Open qty;Status\nA1;M8;2;0;Open\nA2;M8;1;0;Canceled\n',
    asks: 'columns',
  },
  // Units.
  ...['Type', 'Typ', 'Tipo', 'Container', 'Behälter'].flatMap((name) => [
    asks(name, 'Box', 'Each'),
    asks(name, 'dozen', 'dozen'),
    {
      title: `units: other words in a column ${name}`,
      file: columnFile(name, 'Glass', 'Blue'),
      orders: [order('A1', MUG), order('A2', MUG)],
    } satisfies FileCase,
  ]),
  // Notes in the first row.
  {
    title: 'a note in the first row, as the customer, cancels the whole order',
    file: 'Order;Customer;SKU;Qty;Note\nA1;Ann;M8;1;storniert\nA1;;M9;1;\nA2;Bob;M8;1;\n',
    orders: [{ ...order('A2', MUG), customer: 'Bob' }],
    leftOut: { 2: 'canceled', 3: 'canceled' },
  },
  ...['on hold', 'gesperrt', 'en suspens'].flatMap((note): FileCase[] => [
    {
      title: `a note in the first row holds the whole order: ${note}`,
      file: `Order;SKU;Qty;Note\nA1;M8;1;${note}\nA1;M9;1;\nA2;M8;1;\n`,
      orders: [order('A2', MUG)],
      leftOut: { 2: 'on_hold', 3: 'on_hold' },
    },
    {
      title: `a note in the first row holds the whole order, although others have notes: ${note}`,
      file: `Order;Customer;SKU;Qty;Bemerkung\nA1;Ann;M8;1;${note}\nA1;Ann;M9;1;fragile\nA2;Bob;M8;1;\n`,
      orders: [{ ...order('A2', MUG), customer: 'Bob' }],
      leftOut: { 2: 'on_hold', 3: 'on_hold' },
    },
    {
      title: `a note in another row holds only its line: ${note}`,
      file: `Order;SKU;Qty;Note\nA1;M8;1;\nA1;M9;1;${note}\n`,
      orders: [{ ...order('A1', MUG), note }],
      leftOut: { 3: 'on_hold' },
    },
  ]),
];

/** Cases of due times as programs write them: the text, and what it means in Europe/Berlin. */
export const PROGRAM_DATES: readonly (readonly [text: string, means: string])[] = [
  ['Mi, 02.12.2026', '2026-12-02'],
  ['Mittwoch, 2.12.2026', '2026-12-02'],
  ['Wed 2026-12-02', '2026-12-02'],
  ['jeu. 31/12/2026 14:30', '2026-12-31T14:30'],
  ['jue., 31/12/2026', '2026-12-31'],
  ['śr. 02.12.2026', '2026-12-02'],
  ['02.12.2026, 14:30 Uhr', '2026-12-02T14:30'],
  ['02.12.2026 um 14:30 Uhr', '2026-12-02T14:30'],
  ['02.12.2026 14.30 Uhr', '2026-12-02T14:30'],
  ['2. Dezember 2026, 14 Uhr', '2026-12-02T14:00'],
  ['31/12/2026 2:30 p. m.', '2026-12-31T14:30'],
  ['31/12/2026, 2:30 p.\u00a0m.', '2026-12-31T14:30'],
  ['31/12/2026 à 14h30', '2026-12-31T14:30'],
  ['2026-12-02 2 pm', '2026-12-02T14:00'],
  ['2 grudnia 2026, godz. 14:30', '2026-12-02T14:30'],
  ['2 dicembre 2026 alle 14:30', '2026-12-02T14:30'],
  ['2 december 2026 om 14:30 uur', '2026-12-02T14:30'],
  ['mercredi 2 décembre 2026 à 14 h 30', '2026-12-02T14:30'],
  ['1er décembre 2026', '2026-12-01'],
  ['le 31/12/2026', '2026-12-31'],
  ['am 02.12.2026 um 14 Uhr', '2026-12-02T14:00'],
  ['02.12.2026 (Mi)', '2026-12-02'],
  ['2.12.2026 r.', '2026-12-02'],
];
