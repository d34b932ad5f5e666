import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ArticleImport, ImportRow, OrderImport } from '#shared/api/imports.ts';
import { getArticle } from '../../helpers/articles.ts';
import { getOrder, itemsOf, ONE } from '../../helpers/orders.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

// Shops write HTML entities into the texts of files: `Mugs &amp; cups`.
let station: TestStation;

beforeEach(async () => {
  station = await startTestStation({ simulate: 1, refreshMs: 0 });
});
afterEach(() => station.stop());

const read = (csv: string, options: object = {}): Promise<OrderImport> =>
  station.post<OrderImport>('/api/imports/', { csv, ...options });
const fates = (rows: readonly ImportRow[]): unknown[] => rows.map(({ outcome, message }) => [outcome, message]);

const OWN = 'order_number,ordered_quantity,name,warehouse_location,deviceid,callback_nonce,seconds,due_time,note\n';
const SHOP = 'Order,Item name,Qty,Note\n';

test('entities in the texts of article files are read as characters, but not those in codes', async () => {
  const csv = 'SKU,Name,Description,Location\nM&amp;8,Mugs &amp; cups,6&quot; &#39;red&#39;,A-1-1\n';
  const { rows } = await station.post<ArticleImport>('/api/imports/', {
    kind: 'articles',
    csv,
    columns: { Location: 'location' },
  });
  expect(rows).toMatchObject([{ SKU: 'M&amp;8', name: 'Mugs & cups', outcome: 'new' }]);
  expect(await getArticle(station, 'M&amp;8')).toMatchObject({
    name: 'Mugs & cups',
    description: `6" 'red'`,
  });
  const shopify =
    'Handle,Title,Option1 Value,Variant SKU,Variant Price\nmug,Mugs &amp; cups,Red &amp; white,K-1,2\nmug,,Blue,K-2,2\n';
  await station.post('/api/imports/', { kind: 'articles', csv: shopify });
  expect(await getArticle(station, 'K-1')).toMatchObject({ name: 'Mugs & cups Red & white' });
  expect(await getArticle(station, 'K-2')).toMatchObject({ name: 'Mugs & cups Blue' });
});

test('our own export of articles keeps its texts unchanged', async () => {
  await station.post('/api/articles/', { sku: 'K-1', name: 'How to write &amp;' });
  const head = 'sku,name,barcode,barcode_quantity,location,priority,minimum,maximum,on_hand\n';
  const csv = `${head}K-1,How to write &amp;,,,,,,,\n`;
  const { rows } = await station.post<ArticleImport>('/api/imports/', { kind: 'articles', csv });
  expect(rows).toMatchObject([{ outcome: 'known', name: 'How to write &amp;' }]);
});

test('a line finds its article by a name that an earlier import stored with entities, and the other way round', async () => {
  await station.post(`/api/device/${ONE}/`, { locationoverride: 'A-1-1' });
  await station.post('/api/articles/', {
    sku: 'K-1',
    name: `Mugs &amp; cups 6&quot; &#039;L&#039;`,
    places: [{ location: 'A-1-1' }],
  });
  await station.post('/api/articles/', { sku: 'K-2', name: 'Salt & pepper', places: [{ location: 'A-1-1' }] });
  const { rows } = await read(`${SHOP}A1,Mugs &amp; cups 6&quot; 'L',2,\n`);
  expect(rows).toMatchObject([{ outcome: 'new', deviceid: ONE }]);
  await read(`${OWN}A2,2,Salt &amp; pepper,,,,,,\n`);
  for (const number of ['A1', 'A2']) await station.post(`/api/orders/${number}/launch/`);
  expect(await itemsOf(station, 'A1')).toMatchObject([{ state: 'active' }]);
  expect(await itemsOf(station, 'A2')).toMatchObject([{ state: 'active' }]);
});

test('an article with exactly the name of the line precedes one with entities, and two such names mean none', async () => {
  await station.post(`/api/device/${ONE}/`, { locationoverride: 'A-1-1' });
  await station.post('/api/articles/', { sku: 'K-1', name: 'Mugs & cups', places: [{ location: 'A-1-1' }] });
  await station.post('/api/articles/', { sku: 'K-2', name: 'Mugs &amp; cups' });
  const places = async () =>
    (await read(`${SHOP}A1,Mugs &amp; cups,2,\n`, { dry_run: true })).rows.map(({ deviceid }) => deviceid);
  expect(await places()).toEqual([ONE]);
  await station.post('/api/articles/', { sku: 'K-3', name: 'Mugs & cups' });
  expect(await places()).toEqual([null]);
});

test('an order that was imported with entities is known, and what changes in it is named alone', async () => {
  await station.post(`/api/device/${ONE}/`, { locationoverride: 'Bolt' });
  await read(`${OWN}A1,2,Mugs &amp; cups,,,,,,Fish &amp; chips\nA1,1,Bolt,,,,,,\n`);
  const file = `${SHOP}A1,Mugs &amp; cups,2,Fish &amp; chips\nA1,Bolt,1,\n`;
  const again = await read(file);
  expect(again.rows.map(({ outcome }) => outcome)).toEqual(['known', 'known']);
  const fewer = await read(file.replace('A1,Bolt,1,\n', ''), { dry_run: true });
  expect(fates(fewer.rows)).toEqual([['changed', 'The file removes 1 × Bolt from the order.']]);
  await station.post('/api/orders/A1/launch/');
  const started = await read(file.replace('Bolt,1', 'Bolt,3'), { dry_run: true });
  expect(started.rows[0]?.message).toContain('the file has 3 × Bolt, and the order has 1 × Bolt');
  expect((await read(file)).rows.map(({ outcome }) => outcome)).toEqual(['known', 'known']);
});

test('an order that was imported with entities ends with a file that calls it shipped', async () => {
  await read(`${OWN}A1,2,Mugs &amp; cups,,,,,,\n`);
  const { rows } = await read('Order,Item name,Qty,Status\nA1,Mugs &amp; cups,2,Shipped\n');
  expect(rows).toMatchObject([{ outcome: 'changed' }]);
  expect(await getOrder(station, 'A1')).toMatchObject({ state: 'aborted' });
});

test('names of letters in texts are read as letters, in the case in which they are written', async () => {
  await read(
    `${SHOP}A1,Caf&eacute; &Uuml;bergr&ouml;&szlig;e &ndash; 5&nbsp;&euro; &frac12; &oelig;uf &lstrok;,2,&Eacute;t&eacute; &unknown; &EACUTE; &AMP;\n`,
  );
  expect(await getOrder(station, 'A1')).toMatchObject({ note: 'Été &unknown; &EACUTE; &' });
  expect(await itemsOf(station, 'A1')).toMatchObject([{ name: 'Café Übergröße – 5 € ½ œuf ł' }]);
});

test.each([
  ['SKU', 'K&amp;100', 'K&100'],
  ['SKU', 'K&#38;100', 'K&100'],
  ['SKU', 'CAF&Eacute;', 'CAFÉ'],
  ['UPC', 'B&lt;7', 'B<7'],
])(
  'a %s with entities finds its article if no article has the code as it is written: %s',
  async (field, code, meant) => {
    await station.post(`/api/device/${ONE}/`, { locationoverride: 'A-1-1' });
    const places = [{ location: 'A-1-1' }];
    await station.post('/api/articles/', { sku: 'K&100', barcodes: [{ code: 'B<7' }], places });
    await station.post('/api/articles/', { sku: 'CAFÉ', places });
    const csv = `Order,${field},Qty\nA1,${code},2\n`;
    expect((await read(csv, { dry_run: true })).rows).toMatchObject([
      { deviceid: ONE, message: `"${code}" is read as the article ${meant}: HTML entities are replaced.` },
    ]);
    await read(csv);
    expect(await itemsOf(station, 'A1')).toMatchObject([{ [field]: meant }]);
    await station.post('/api/articles/', { sku: code });
    expect((await read(csv.replace('A1', 'A2'))).rows).toMatchObject([{ deviceid: null, message: '' }]);
  },
);

test('a code with entities of no article stays unchanged', async () => {
  const { rows } = await read('Order,SKU,Qty\nA1,M&amp;8,2\n');
  expect(rows).toMatchObject([{ SKU: 'M&amp;8', message: '' }]);
});
