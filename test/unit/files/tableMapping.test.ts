import { expect, test, vi } from 'vitest';
import { NAME_CASES } from '../../files/cases/names.ts';
import { csvTable } from '../../helpers/files/csvTable.ts';
import type { TableKind } from '#shared/lib/tables/fields.ts';
import { whole } from '#shared/lib/station/inParts.ts';
import { isRepeatedHead, mapColumns, type Mapping } from '#shared/lib/tables/mapping.ts';

const isPlace = (text: string) => /^[A-Z]-\d-\d$/.test(text);
const map = (text: string, columns?: Record<string, string | null>, kind: TableKind = 'orders'): Mapping =>
  whole(mapColumns(kind, csvTable(text), { ...(columns === undefined ? {} : { columns }), isPlace }));

/** Returns the mapped columns with their fields, or the message of a refusal. */
function read(text: string, columns?: Record<string, string | null>, kind: TableKind = 'orders') {
  const mapping = map(text, columns, kind);
  if (!mapping.ok) return mapping.message;
  return Object.fromEntries(mapping.columns.flatMap(({ name, field }) => (field === null ? [] : [[name, field]])));
}

/** Returns the columns about which the page asks, with their possible fields. */
function asked(text: string, columns?: Record<string, string | null>) {
  const mapping = map(text, columns);
  if (mapping.ok) return mapping.ignored;
  return Object.fromEntries(mapping.questions.map(({ column, fields }) => [column, fields.join(' ')]));
}

const BASE = { Order: 'order_number', SKU: 'SKU', Qty: 'ordered_quantity' };

test('takes the column names from the first row that has every required field, below titles and gaps', () => {
  const mapping = map('Picking list of the day\nShop,Example\n\nOrder,SKU,Qty,Price\nA1,M8,2,9.50\nA2,M9,1,1');
  expect(mapping).toMatchObject({ ok: true, headLine: 4, head: ['Order', 'SKU', 'Qty', 'Price'], ignored: ['Price'] });
  expect(mapping.ok && mapping.body.map(({ line }) => line)).toEqual([5, 6]);
});

test('does not search for column names below the twentieth row', () => {
  const titles = (count: number) => Array.from({ length: count }, (_, at) => `title ${at}`).join('\n');
  expect(map(`${titles(19)}\nOrder,SKU,Qty\nA1,M8,2`)).toMatchObject({ ok: true, headLine: 20 });
  expect(map(`${titles(20)}\nOrder,SKU,Qty\nA1,M8,2`).ok).toBe(false);
});

test.each([
  ['Auftragsnr.;Artikelnummer;Bezeichnung;Menge;Lagerplatz\nA;M8;Mutter;3;A-1-1'],
  ['N° commande;Réf. article;Désignation;Qté;Emplacement\nA;M8;Écrou;3;A-1-1'],
  ['Nº pedido;Código artículo;Denominación;Cantidad;Ubicación\nA;M8;Tuerca;3;A-1-1'],
])('finds the column names in %j', (text) => {
  expect(Object.values(read(text))).toEqual(['order_number', 'SKU', 'name', 'ordered_quantity', 'warehouse_location']);
});

test('a comma in a price creates a surplus cell, not a new column', () => {
  const mapping = map('Order,SKU,Price,Quantity\nA1,M8,2,50,3');
  expect(mapping).toMatchObject({ ok: true, head: ['Order', 'SKU', 'Price', 'Quantity'] });
  expect(mapping.ok && mapping.fields.get('ordered_quantity')).toBe(3);
});

test.each([
  ['item,amount\nShipping,5.00', {}],
  ['Order,Item,Amount\nA1,Shipping,5.00', { Amount: 'ordered_quantity quantity_to_ship' }],
  ['Order,SKU,Total\nA1,M8,2', { Total: 'ordered_quantity quantity_to_ship' }],
])('never mistakes an amount for a quantity without asking: %j', (text, questions) => {
  expect(map(text).ok).toBe(false);
  expect(asked(text)).toEqual(questions);
});

test('ignores a column of amounts if there is a column of quantities', () => {
  expect(asked('Order,SKU,Qty,Amount,Total\nA1,M8,2,9.50,19.00')).toEqual(['Amount', 'Total']);
});

test('does not mistake columns that describe goods for a shipment, device, color or priority', () => {
  const text = 'Order,SKU,Qty,Delivery,Tag,Color,Priority,Carrier\nA1,M8,2,DHL,gift,red,High,Post';
  expect(read(text)).toEqual(BASE);
  expect(asked(text)).toEqual(['Delivery', 'Tag', 'Color', 'Priority', 'Carrier']);
});

test('maps a product title to the name, and whole numbers to the priority', () => {
  expect(read('Order,SKU,Qty,Title,Priority\nA1,M8,2,Blue mug,5')).toEqual({
    ...BASE,
    Title: 'name',
    Priority: 'priority',
  });
});

test('maps a location if most of its values are places', () => {
  expect(read('Order,SKU,Qty,Location\nA1,M8,2,A-1-1\nA2,M8,2,B-1-1\nA3,M8,2,Cellar')).toEqual({
    ...BASE,
    Location: 'warehouse_location',
  });
  expect(read('Order,SKU,Qty,Location\nA1,M8,2,WH/Stock/A-1-1')).toEqual({ ...BASE, Location: 'warehouse_location' });
  expect(asked('Order,SKU,Qty,Location\nA1,M8,2,Main Street')).toEqual({ Location: 'warehouse_location' });
  expect(read('Order,SKU,Qty,Location\nA1,M8,2,Main Street', { Location: null })).toEqual(BASE);
});

test('maps a device if all its values are DeviceIDs', () => {
  const text = (second: string) => `Order,SKU,Qty,Device ID\nA1,M8,2,51D000:000001\nA2,M8,2,${second}`;
  expect(read(text('51d000:00000a'))).toEqual({ ...BASE, 'Device ID': 'deviceid' });
  expect(asked(text('4711'))).toEqual({ 'Device ID': 'deviceid' });
  expect(read('Order,SKU,Qty,Device ID\nA1,M8,2,4711')).toEqual(BASE);
});

test('maps a status if every word is known', () => {
  expect(read('Order,SKU,Qty,Status\nA1,M8,2,Shipped\nA2,M8,1,offen')).toEqual({ ...BASE, Status: 'order_status' });
  expect(asked('Order,SKU,Qty,Status\nA1,M8,2,Shipped\nA2,M8,1,Kaput')).toEqual({ Status: 'order_status' });
});

test('maps an item to name, SKU or barcode by its values', () => {
  expect(read('Order,Item,Qty\nA1,Blue mug,2')).toMatchObject({ Item: 'name' });
  expect(read('Order,Item,Qty\nA1,M8,2\nA1,K-100,1')).toMatchObject({ Item: 'SKU' });
  expect(read('Order,Item,Qty\nA1,4006381333931,2')).toMatchObject({ Item: 'UPC' });
  expect(read('Order,Artikel,Item,Qty\nA1,9,Mutter,2')).toMatchObject({ Artikel: 'SKU', Item: 'name' });
  expect(asked('Order,Item,Qty\nA1,M8,2\nA1,Blue mug,1')).toEqual({ Item: 'UPC name SKU' });
  expect(asked('Order,Item,Artikel,Qty\nA1,Mug,Teapot,2')).toEqual({ Item: 'name', Artikel: 'name' });
});

test('does not mistake line numbers for article codes', () => {
  expect(read('Order,Pos.,Artikel,Qty\nA1,10,M8,2\nA1,20,M9,1')).toMatchObject({ Artikel: 'SKU' });
  expect(asked('Order,Item,Qty\nA1,1,2\nA1,2,1\nA2,1,1')).toEqual({ Item: 'UPC name SKU' });
  expect(read('Order,Item,Qty\nA1,4711,2\nA1,2,1')).toMatchObject({ Item: 'SKU' });
  expect(read('Sales Document,Item,Material,Qty\nA1,10,M8,2')).toMatchObject({ Material: 'SKU' });
});

test('maps a French or Spanish reference next to the name to the SKU', () => {
  expect(read('Commande;Référence;Désignation;Quantité\nC1;M8;Écrou;2')).toMatchObject({ Référence: 'SKU' });
  expect(read('Pedido;Referencia;Denominación;Cantidad\nC1;M8;Tuerca;2')).toMatchObject({ Referencia: 'SKU' });
  expect(asked('Commande;Référence;Client;Quantité;Désignation\nC1;X7;Exemple;2;Écrou')).toEqual(['Référence']);
});

test('maps a name to the article or the customer, depending on the rows of an order', () => {
  expect(read('Order,Name,Qty\nA1,Mug,2')).toMatchObject({ Name: 'name' });
  expect(read('Order,SKU,Name,Qty\nA1,M8,Mug,2')).toMatchObject({ Name: 'name' });
  expect(read('Order,Name,SKU,Qty\nA1,Mug,M8,2\nA1,Teapot,M9,1')).toMatchObject({ Name: 'name' });
  expect(read('Order,Name,SKU,Qty\nA1,Example Customer,M8,2\nA1,Example Customer,M9,1')).toMatchObject({
    Name: 'customer',
  });
  expect(Object.keys(asked('Order,Name,SKU,Qty\nA1,Paris,M8,2'))).toEqual(['Name']);
  expect(asked('Name,SKU,Quantity\nMug,K1,2')).toMatchObject({ Name: expect.stringContaining('order_number') });
});

test.each(['ID', 'Number', 'Nummer', 'Reference'])('asks about %s if the order number is missing', (name) => {
  expect(asked(`${name},SKU,Qty\n7,M8,2`)).toEqual({ [name]: 'order_number' });
  expect(asked(`Order,SKU,Qty,${name}\n7,M8,2,1`)).toEqual([name]);
  expect(read(`${name},SKU,Qty\n7,M8,2`, { [name]: 'order_number' })).toMatchObject({ [name]: 'order_number' });
});

test('maps notes to the order if they are the same in all its lines, otherwise to the line', () => {
  expect(read('Order,SKU,Qty,Notes\nA1,M8,2,Wrap it\nA1,M9,2,Wrap it')).toMatchObject({ Notes: 'note' });
  expect(read('Order,SKU,Qty,Notes\nA1,M8,2,Wrap it\nA1,M9,2,By hand')).toMatchObject({ Notes: 'description' });
});

test('asks about two columns for one field, unless their values are equal or one is blank', () => {
  expect(asked('Order,SKU,Qty,Menge\nA1,M8,2,3')).toEqual({ Qty: 'ordered_quantity', Menge: 'ordered_quantity' });
  expect(read('Order,SKU,Qty,Menge\nA1,M8,2,3', { Menge: 'ordered_quantity' })).toEqual({
    Order: 'order_number',
    SKU: 'SKU',
    Menge: 'ordered_quantity',
  });
  expect(read('Order,SKU,Qty,Menge\nA1,M8,2,2')).toEqual(BASE);
  expect(read('Order,SKU,Qty,Menge\nA1,M8,2,')).toEqual(BASE);
});

test('numbers a repeated column name', () => {
  expect(asked('Order,SKU,Qty,Qty\nA1,M8,2,3')).toEqual({ Qty: 'ordered_quantity', 'Qty (2)': 'ordered_quantity' });
  expect(read('Order,SKU,Qty,Qty\nA1,M8,2,3', { 'Qty (2)': 'ordered_quantity' })).toMatchObject({
    'Qty (2)': 'ordered_quantity',
  });
});

test('maps the quantity to ship in addition to the ordered quantity', () => {
  expect(read('Order,SKU,Ordered,Open quantity\nA1,M8,5,2')).toMatchObject({
    Ordered: 'ordered_quantity',
    'Open quantity': 'quantity_to_ship',
  });
  expect(read('Auftrag;Artikelnr;Restmenge\nA1;M8;2')).toMatchObject({ Restmenge: 'quantity_to_ship' });
  expect(asked('Auftrag;Artikelnr;Menge;Liefermenge\nA1;M8;2;1')).toEqual({
    Liefermenge: 'quantity_to_ship shipped_quantity',
  });
});

test("the caller's columns take precedence over a profile and synonyms", () => {
  const shop = 'Name,Lineitem quantity,Lineitem name,Lineitem sku,Tags\n#1,2,Mug,M8,A-1-1';
  expect(read(shop, { Tags: 'warehouse_location', 'Lineitem sku': null })).toEqual({
    Name: 'order_number',
    'Lineitem quantity': 'ordered_quantity',
    'Lineitem name': 'name',
    Tags: 'warehouse_location',
  });
  expect(read('A,B,C\n1,2,3', { A: 'order_number', B: 'SKU', C: 'ordered_quantity' })).toEqual({
    A: 'order_number',
    B: 'SKU',
    C: 'ordered_quantity',
  });
});

test.each([
  [{ Foo: 'SKU' }, 'Foo', 'The file has no column "Foo". Line 1 has "Order", "SKU", "Qty".'],
  [{ Qty: 'bogus' }, 'Qty', '"bogus" is not a field.'],
  [{ SKU: 'name', Order: 'name' }, 'Order', '"SKU" and "Order" cannot both be name.'],
  [{ Foo: null }, 'Foo', 'The file has no column "Foo".'],
])('refuses the columns %j and names the wrong column', (columns, badColumn, message) => {
  const mapping = map('Order,SKU,Qty\nA1,M8,2', columns);
  expect(mapping).toMatchObject({ ok: false, badColumn, questions: [] });
  expect(mapping.ok ? '' : mapping.message).toContain(message);
});

test('a refusal names the line, the columns and the remedy', () => {
  expect(read('Order,SKU,Price\nA1,M8,2.50')).toBe(
    'There is no column ordered_quantity. Line 1 has "Order", "SKU", "Price". It must name the columns order_number, ordered_quantity, and name, SKU or UPC; or say in columns which column is which.',
  );
  expect(read('Order,Qty,Price\nA1,2,2.50')).toContain('There is no column name, SKU or UPC.');
  expect(read('item,amount\nShipping,5.00')).toBe(
    'No column names were found. Line 1 has "item", "amount". Name at least the columns order_number, ordered_quantity, and one of name, SKU and UPC.',
  );
  expect(read('')).toContain('The file is empty.');
});

test('asks about column names in an unknown language', () => {
  const text = 'Číslo objednávky;Kód zboží;Množství\nA1;M8;2';
  expect(Object.keys(asked(text))).toEqual(['Číslo objednávky', 'Kód zboží', 'Množství']);
  expect(asked('A1;M8;2\nA2;M9;1')).toEqual({});
});

test.each(NAME_CASES.filter(({ asks }) => asks === 'columns'))(
  'an answer to each question completes the mapping: $title',
  (each) => {
    const table = csvTable(String(each.file));
    const first = whole(mapColumns('orders', table, { isPlace }));
    if (first.ok) throw new Error('It does not ask.');
    const columns: Record<string, string | null> = {};
    const taken = new Set<string>();
    for (const { column, fields } of first.questions) {
      const field = fields.find((one) => !taken.has(one)) ?? null;
      columns[column] = field;
      if (field !== null) taken.add(field);
      if (field === 'ordered_quantity') taken.add('quantity_to_ship');
    }
    expect(whole(mapColumns('orders', table, { columns, isPlace }))).toMatchObject({ ok: true });
  },
);

test('reports whether the first row is recognized as column names', () => {
  expect(map('Order,SKU,Total\nA1,M8,2')).toMatchObject({ ok: false, hasNames: true });
  expect(map('Prepared by,Approved by,Remarks\nx,y,z')).toMatchObject({ ok: false, hasNames: false });
});

test('recognizes a row that repeats the column names', () => {
  const mapping = map('Order,SKU,Qty,Device\nA1,M8,2,51D000:000001\norder,SKU,QTY,Device\nA2,M8,1,51D000:000002');
  if (!mapping.ok) throw new Error(mapping.message);
  expect(mapping.fields.has('deviceid')).toBe(true);
  expect(mapping.body.map((row) => isRepeatedHead(row, mapping))).toEqual([false, true, false]);
});

test('ignores a hidden row of column names', () => {
  const table = csvTable('Order,SKU,Qty\nBestellung,SKU,Menge\nA1,M8,2');
  const rows = table.rows.map((row, at) => ({ ...row, isHidden: at === 0 }));
  expect(whole(mapColumns('orders', { ...table, rows }, { isPlace }))).toMatchObject({ ok: true, headLine: 2 });
});

test.each([
  ['name,deviceid,deviceIs\nA-1-2,51D000:000001,Above', ['name', 'deviceid', 'deviceIs'], 1],
  ['Platz;Gerät;Richtung\nA-1-2;51D000:000001;Above', ['name', 'deviceid', 'deviceIs'], 1],
  ['Regal;Gerät;Richtung\nA-1-2;51D000:000001;Above', ['name', 'deviceid', 'deviceIs'], 1],
  ['Lagerplatz;Regal;Gerät;Richtung\nA-1-2;A;51D000:000001;Above', ['name', 'deviceid', 'deviceIs'], 1],
  ['Tag,Label\n51D000:000001,A-1-1', ['deviceid', 'label'], 1],
  ['51D000:000001,A-1-1\n51D000:000002,A-1-2', ['deviceid', 'label'], 0],
  ['A-1-2,51D000:000001,Above', ['deviceid', 'deviceIs', 'name'], 0],
  // Names without directions are the labels of the devices.
  ['Place;Device\nA-1-2;51D000:000001', ['deviceid', 'label'], 1],
])('reads the locations in %j', (text, fields, headLine) => {
  const mapping = map(text, undefined, 'locations');
  if (!mapping.ok) throw new Error(mapping.message);
  expect([...mapping.fields.keys()].toSorted()).toEqual(fields.toSorted());
  expect(mapping.headLine).toBe(headLine);
});

test.each([
  ['name,deviceid,label\nA-1-2,51D000:000001,x', 'There is no column deviceIs.'],
  // "side" could be the direction, so the names are not read as labels.
  ['name,deviceid,side\nA-1-2,51D000:000001,Above', 'There is no column deviceIs.'],
  ['name,where\nA-1-2,Above', 'There is no column deviceid.'],
  ['A-1-2,Above\nB-1-1,Below', 'There is no column'],
])('refuses the locations in %j', (text, message) => {
  expect(read(text, undefined, 'locations')).toContain(message);
});

test('reads names as labels only if all other columns are mapped or ignored', () => {
  const text = 'Stelle;Rack;Device\nA-1-2;Rack A;51D000:000001';
  expect(read(text, { Stelle: 'name', Rack: null }, 'locations')).toEqual({ Stelle: 'label', Device: 'deviceid' });
  expect(read(text, { Stelle: 'name' }, 'locations')).toContain('There is no column deviceIs.');
});

test('refuses a file with more than 50 columns of the same name, and reads each row in a separate part', () => {
  const named = (count: number) => csvTable(`order_number,sku,qty,${Array(count).fill('Amount').join(',')}\n1,M8,2\n`);
  const given = { isPlace: () => false };
  expect(whole(mapColumns('orders', named(50), given))).toMatchObject({ ok: true });
  const many = whole(mapColumns('orders', named(51), given));
  expect(many).toMatchObject({ ok: false, questions: [] });
  expect('message' in many && many.message).toBe(
    'Line 1 has more than 50 cells like "Amount". Export only the columns that are needed.',
  );
  // Columns with equal values do not suppress the questions about their names.
  const names = Array.from({ length: 60 }, (_, column) => `field ${column}`).join(',');
  const unclear = csvTable(`order_number,sku,Amount,${names}\n1,M8,2,${Array(60).fill('0').join(',')}\n`);
  expect(whole(mapColumns('orders', unclear, given))).toMatchObject({ questions: [{ column: 'Amount' }] });
  const noNumber = csvTable(`sku,qty,${names}\nM8,2,${Array(60).fill('0').join(',')}\n`);
  const asked = whole(mapColumns('orders', noNumber, given));
  expect('questions' in asked && asked.questions.length).toBe(60);
  const rows = csvTable('a,b,c\n'.repeat(30));
  // Parts that end only because they took long do not count.
  const clock = vi.spyOn(performance, 'now').mockReturnValue(0);
  expect([...mapColumns('orders', rows, given)]).toHaveLength(20);
  clock.mockRestore();
});

test.each([
  ['Part', 'P', { Part: 'SKU' }],
  ['Reference', 'K', { Reference: 'SKU' }],
  ['both', 'PK', { Part: 'SKU', Reference: 'SKU' }],
  ['neither', 'X', { Part: 'SKU', Reference: 'SKU' }],
])('known articles decide between the codes of Part and Reference: %s', (_which, known, expected) => {
  const table = csvTable('Order,Part,Reference,Qty\nA1,P-17,K-100,2\nA2,P-18,K-200,1\n');
  const findArticle = (text: string) => (known.includes(text.charAt(0)) ? text : undefined);
  const mapping = whole(mapColumns('orders', table, { isPlace, findArticle }));
  const found = mapping.ok
    ? mapping.columns.filter(({ field }) => field === 'SKU').map(({ name }) => [name, 'SKU'])
    : mapping.questions.map(({ column, fields }) => [column, fields.join(' ')]);
  expect(Object.fromEntries(found)).toEqual(expected);
});
