import { workbookOf } from '../../helpers/files/workbook.ts';
import { line, order, type FileCase } from './fileCase.ts';

const text = (value: string): string => `<c t="inlineStr"><is><t>${value}</t></is></c>`;

/** A workbook with one line, whose order number, SKU and place are numbers with these formats. */
const withCodes = (formats: readonly [order: string, sku: string, place: string]): Uint8Array => {
  const head = `<row>${['Order', 'SKU', 'Qty', 'Bin'].map(text).join('')}</row>`;
  const [number, sku, place] = [1001, 77, 1.1].map((value, at) => `<c s="${at + 1}"><v>${value}</v></c>`);
  const xml = `<sheetData>${head}<row>${number}${sku}<c s="3"><v>2</v></c>${place}</row></sheetData>`;
  return workbookOf({ sheets: [{ name: 'Orders', xml }], formats: [...formats] });
};

const MUG = line(1, 'M8');

/** Cases of rows that are not goods, and of columns that say which goods a row means. */
export const GOODS_CASES: readonly FileCase[] = [
  {
    title: 'goods: types of rows, in German',
    file: 'Auftragsnummer;Positionstyp;Artikelnummer;Artikelname;Anzahl\nA1;Artikel;M8;Mutter;1\nA1;Versandposition;;DHL Paket;1\nA1;Gutschein;;HERBST;1\nA1;Freitext;;Bitte anrufen;\n',
    orders: [order('A1', line(1, 'M8', { name: 'Mutter' }))],
    leftOut: { 3: 'not_shippable', 4: 'not_shippable', 5: 'not_shippable' },
  },
  {
    title: 'goods: types of rows, in English',
    file: 'Order,Line Type,SKU,Name,Qty\nA1,product,M8,Nut,1\nA1,shipping,,Standard,1\nA1,discount,,SALE10,1\nA1,fee,,Gift wrap,1\nA1,tax,,VAT,1\n',
    orders: [order('A1', line(1, 'M8', { name: 'Nut' }))],
    leftOut: { 3: 'not_shippable', 4: 'not_shippable', 5: 'not_shippable', 6: 'not_shippable' },
  },
  {
    title: 'goods: accounts, services and comments of an ERP',
    file: 'Order No.,Type,Item No.,Description,Quantity\nA1,Item,M8,Nut,1\nA1,G/L Account,6610,Freight,1\nA1,Resource,LIFT,Lift,2\nA1,Comment,,Door B,\n',
    orders: [order('A1', line(1, 'M8', { description: 'Nut' }))],
    leftOut: { 3: 'not_shippable', 4: 'not_shippable' },
  },
  {
    title: 'goods: what the warehouse of a marketplace ships',
    file: 'Order,SKU,Qty,Fulfillment Channel\nA1,M8,1,MFN\nA2,M9,1,AFN\n',
    orders: [order('A1', MUG)],
    leftOut: { 3: 'shipped_by_others' },
  },
  {
    title: 'goods: what the supplier ships',
    file: 'Order,SKU,Qty,Drop ship\nA1,M8,1,No\nA2,M9,1,Yes\n',
    orders: [order('A1', MUG)],
    leftOut: { 3: 'shipped_by_others' },
  },
  {
    title: 'goods: digital goods and services',
    file: 'Order,SKU,Qty,Product type\nA1,M8,1,Physical\nA1,EB,1,Digital\nA1,SV,1,Service\n',
    orders: [order('A1', MUG)],
    leftOut: { 3: 'not_shippable', 4: 'not_shippable' },
  },
  {
    title: 'goods: a column that says which goods are virtual',
    file: 'Order,SKU,Qty,Virtual\nA1,M8,1,no\nA1,EB,1,yes\n',
    orders: [order('A1', MUG)],
    leftOut: { 3: 'not_shippable' },
  },
  {
    title: 'goods: a type of orders is not a type of rows',
    file: 'Order,Type,SKU,Qty\nA1,Delivery,M8,1\nA2,Pickup,M8,1\n',
    orders: [order('A1', MUG), order('A2', MUG)],
  },
  {
    title: 'goods: costs and discounts without a code',
    file: 'Order,SKU,Name,Qty\nA1,M8,Nut,1\nA1,,Shipping,1\nA1,,Versandkosten,1\nA1,,Frais de port,1\nA1,,Gastos de envío,1\nA1,,Discount,1\nA1,,Rabatt 10%,1\n',
    orders: [order('A1', line(1, 'M8', { name: 'Nut' }))],
    leftOut: {
      3: 'not_shippable',
      4: 'not_shippable',
      5: 'not_shippable',
      6: 'not_shippable',
      7: 'not_shippable',
      8: 'not_shippable',
    },
  },
  {
    title: 'goods: costs with a code, and goods with a similar name',
    file: 'Order,SKU,Name,Qty\nA1,M8,Nut,1\nA1,PORTO,Versandkosten,1\nA1,,Shipping box,2\n',
    orders: [{ number: 'A1', lines: [line(1, 'M8', { name: 'Nut' }), { name: 'Shipping box', quantity: 2 }] }],
    leftOut: { 3: 'not_shippable' },
  },
  {
    title: 'goods: totals in the column of names',
    file: 'Auftrag;Artikelnummer;Bezeichnung;Menge\nA1;M8;Mutter;2\nA1;;Summe;2\nA2;M8;Mutter;1\nA2;;Zwischensumme:;1\n;;Gesamtsumme;3\n',
    orders: [order('A1', line(2, 'M8', { name: 'Mutter' })), order('A2', line(1, 'M8', { name: 'Mutter' }))],
    leftOut: { 3: 'total', 5: 'total', 6: 'total' },
  },
  {
    title: 'goods: variants of articles without a code',
    file: 'Order,Product,Option,Qty\nA1,Mug,Blue,2\nA1,Mug,Red,1\nA1,Plate,,1\n',
    orders: [
      {
        number: 'A1',
        lines: [
          { name: 'Mug Blue', quantity: 2 },
          { name: 'Mug Red', quantity: 1 },
          { name: 'Plate', quantity: 1 },
        ],
      },
    ],
  },
  {
    title: 'goods: colors and sizes of articles without a code',
    file: 'Auftrag;Bezeichnung;Farbe;Größe;Menge\nA1;Shirt;Blau;M;2\nA1;Shirt Rot;Rot;L;1\n',
    orders: [
      {
        number: 'A1',
        lines: [
          { name: 'Shirt Blau / M', quantity: 2 },
          { name: 'Shirt Rot L', quantity: 1 },
        ],
      },
    ],
  },
  {
    title: 'goods: a code says which variant is meant',
    file: 'Order,SKU,Product,Variant,Qty\nA1,M8,Mug,Blue,2\nA1,,Mug,Red,1\n',
    orders: [{ number: 'A1', lines: [line(2, 'M8', { name: 'Mug' }), { name: 'Mug Red', quantity: 1 }] }],
  },
  {
    title: 'goods: equal order numbers of two shops',
    file: 'Shop,Order,SKU,Qty\namazon,A1,M8,1\nebay,A1,M9,1\namazon,A2,M8,1\namazon,A2,M9,1\n',
    orders: [order('A2', MUG, line(1, 'M9'))],
    refused: { A1: 'The rows are of two orders.' },
    says: /Lines 2 and 3 .*amazon.*ebay.*order_prefix/,
  },
  {
    title: 'goods: equal order numbers of two series',
    file: 'Serie;Auftrag;Kunde;Artikelnummer;Menge\nA;15;Ana;M8;1\nB;15;Juan;M9;1\n',
    refused: { 15: 'The rows are of two orders.' },
  },
  {
    title: 'goods: a shop only in the first row of each order',
    file: 'Shop,Order,SKU,Qty\namazon,A1,M8,1\n,A1,M9,1\n',
    orders: [order('A1', MUG, line(1, 'M9'))],
  },
  {
    title: 'goods: shops that are ignored',
    file: 'Shop,Order,SKU,Qty\namazon,A1,M8,1\nebay,A1,M9,1\n',
    given: { columns: { Shop: null } },
    orders: [order('A1', MUG, line(1, 'M9'))],
  },
  {
    title: 'goods: a last name beside a first name is not an article',
    file: 'N° de commande;Quantité;Nom;Prénom;SKU offre;Libellé\nA1;1;Petit;Luc;M8;Tasse\n',
    orders: [{ number: 'A1', customer: 'Luc Petit', lines: [line(1, 'M8', { name: 'Tasse' })] }],
  },
  {
    title: 'goods: a customer beside an item',
    file: 'Order Number,Name,Item,Quantity\nA1,ACME Corp,TEE : M8,1\nA1,ACME Corp,CAP-1,1\nA2,Beta Inc,CAP-1,1\n',
    asks: 'columns',
  },
  {
    title: 'goods: the own code beside the number of a listing, in Spanish',
    file: 'Número de registro de venta;Número de pedido;Número de artículo;Título del anuncio;Etiqueta personalizada;Cantidad\n1;12-1-1;325001112223;Taza;M8;1\n',
    asks: 'columns',
  },
  {
    title: 'goods: two columns of codes are asked about',
    file: 'Order,Offer SKU,Product SKU,Qty\nA1,M8,999123,1\n',
    asks: 'columns',
  },
  {
    title: 'goods: codes and places with longer names',
    file: 'Order ID,Parent SKU Reference No.,Product Name,SKU Reference No.,Variation Name,Quantity,Bin Rack\nA1,M,Mug,M8,Blue,1,A-1-1\n',
    orders: [order('A1', line(1, 'M8', { name: 'Mug', place: 'A-1-1' }))],
  },
  ...[
    'Kommissionierte Menge',
    'Gepickte Menge',
    'Qty packed',
    'QuantityPacked',
    'Cantidad preparada',
    'Qté préparée',
    'Amount picked',
  ].map((name) => ({
    title: `goods: pieces that are picked already: ${name}`,
    file: `Order;SKU;Qty;${name}\nA1;M8;5;2\nA2;M8;3;3\n`,
    orders: [order('A1', line(3, 'M8'))],
    leftOut: { 3: 'nothing_left' },
  })),
  ...['Amount to pick', 'Menge zu kommissionieren', 'Cant. pdte.', 'Qté à préparer restante'].map((name) => ({
    title: `goods: pieces that are left: ${name}`,
    file: `Order;SKU;Qty;${name}\nA1;M8;5;2\n`,
    orders: [order('A1', line(2, 'M8'))],
  })),
  ...['Backorder Quantity', 'Backordered Qty', 'Zu kommissionieren', 'Pdte. servir', 'Picked', 'Kommissioniert'].map(
    (name) => ({
      title: `goods: asked about: ${name}`,
      file: `Order;SKU;Qty;${name}\nA1;M8;5;1\nA2;M8;3;0\n`,
      asks: 'columns' as const,
    }),
  ),
  {
    title: 'goods: nothing is on backorder',
    file: 'Order;SKU;Qty;Backorder Quantity\nA1;M8;1;0\n',
    orders: [order('A1', MUG)],
  },
  ...[
    'Picked',
    'Packed',
    'Kommissioniert',
    'Gepickt',
    'Processed',
    'Preparado',
    'Préparée',
    'Freigegeben',
    'Ready to ship',
    'Approved',
    'Lieferbar',
  ].map((name) => ({
    title: `goods: asked about if it says yes and no: ${name}`,
    file: `Order;SKU;Qty;${name}\nA1;M8;5;yes\nA2;M8;3;no\n`,
    asks: 'columns' as const,
  })),
  {
    title: 'goods: orders that are not released are on hold',
    file: 'Order;SKU;Qty;Freigegeben\nA1;M8;1;ja\nA2;M8;3;nein\n',
    given: { columns: { Freigegeben: 'on_hold' } },
    orders: [order('A1', MUG)],
    leftOut: { 3: 'on_hold' },
  },
  {
    title: 'goods: all orders are released, and none is picked',
    file: 'Order;SKU;Qty;Freigegeben;Kommissioniert\nA1;M8;1;ja;nein\n',
    orders: [order('A1', MUG)],
  },
  ...['Draft', 'Entwurf', 'Brouillon', 'Borrador', 'Quotation', 'Bozza'].map((word) => ({
    title: `goods: asked about as a state: ${word}`,
    file: `Order;SKU;Qty;Status\nA1;M8;5;Confirmed\nA2;M8;3;${word}\n`,
    asks: 'columns' as const,
  })),
  ...[
    'Expected Shipment Date',
    'Shipment Date',
    'Voraussichtliches Lieferdatum',
    "Date limite d'expédition",
    'Fecha límite de envío',
  ].map((name) => ({
    title: `goods: due at ${name}`,
    file: `Order;SKU;Qty;${name}\nA1;M8;1;2026-12-02\n`,
    orders: [{ number: 'A1', due: '2026-12-02', lines: [MUG] }],
  })),
  {
    title: 'goods: the same line of a report twice',
    file: 'Order,Line No,SKU,Qty,Tracking\nA1,10,M8,2,T1\nA1,10,M8,2,T2\nA1,20,M9,1,T1\nA2,10,M8,1,T3\n',
    orders: [order('A2', MUG)],
    refused: { A1: 'It is one line.' },
    says: /Lines 2 and 3 .*Line No.*10/,
  },
  {
    title: 'goods: the same item of a report of Amazon twice',
    file: 'order-id,order-item-id,sku,product-name,quantity-purchased\nA1,8801,M8,Nut,2\nA1,8802,M9,Bolt,1\nA1,8801,M8,Nut,2\n',
    refused: { A1: 'It is one line.' },
  },
  {
    title: 'goods: a line from two places, and equal articles in two lines',
    file: 'Order,Line No,SKU,Qty,Bin\nA1,10,M8,2,A-1-1\nA1,10,M8,2,A-1-2\nA2,10,M8,1,A-1-1\nA2,20,M8,1,A-1-1\n',
    orders: [
      order('A1', line(2, 'M8', { place: 'A-1-1' }), line(2, 'M8', { place: 'A-1-2' })),
      order('A2', line(1, 'M8', { place: 'A-1-1' }), line(1, 'M8', { place: 'A-1-1' })),
    ],
    notes: [3],
  },
  {
    title: 'goods: a column of positions without numbers',
    file: 'Order,Line,SKU,Qty\nA1,1,M8,2\nA1,1,M9,2\nA2,,M8,1\nA2,,M8,1\n',
    orders: [order('A1', line(2, 'M8'), line(2, 'M9')), order('A2', MUG, MUG)],
  },
  {
    title: 'goods: several known places in one cell',
    file: 'Order,SKU,Qty,Bin\nA1,M8,5,"A-1-1 (3), A-1-2 (2)"\nA2,M8,1,A-1-1; A-1-2\nA3,M8,1,"A-1-1, left"\n',
    orders: [order('A3', line(1, 'M8', { place: 'A-1-1, left' }))],
    refused: { A1: 'Which place?', A2: 'Which place?' },
    says: /several places/,
  },
  {
    title: 'goods: numbers that a program wrote with a decimal',
    file: 'order_number,sku,qty\n1001.0,12345.0,2.0\n1002.0,12346.0,1.0\n',
    orders: [order('1001', line(2, '12345')), order('1002', line(1, '12346'))],
  },
  {
    title: 'goods: numbers with different decimals are texts',
    file: 'order_number,sku,qty\n1001.0,7.0,2\n1001.1,7.1,1\n',
    orders: [order('1001.0', line(2, '7.0')), order('1001.1', line(1, '7.1'))],
  },
  {
    title: 'goods: codes with formats of a workbook are read as they are shown',
    file: withCodes(['"SO-"0', '"ART-"000', '0.00']),
    orders: [order('SO-1001', line(2, 'ART-077', { place: '1.10' }))],
  },
  {
    title: 'goods: formats of a workbook that show no part of a code',
    file: withCodes(['#,##0', '00000', 'General']),
    orders: [order('1001', line(2, '00077', { place: '1.1' }))],
  },
  {
    title: 'goods: a configurable product and its only variant have one code',
    file: 'Order Number,item_id,parent_item_id,product_type,sku,name,Qty Ordered\nA1,501,,configurable,M8-S,Hoodie,2\nA1,502,501,simple,M8-S,Hoodie-S,2\nA1,503,,simple,M9,Bag,1\n',
    orders: [order('A1', line(2, 'M8-S', { name: 'Hoodie' }), line(1, 'M9', { name: 'Bag' }))],
    leftOut: { 3: 'same' },
    says: /same article as line 2/,
  },
];
