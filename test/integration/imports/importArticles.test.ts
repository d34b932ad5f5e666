import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Article } from '#shared/api/article.ts';
import type { ArticleImport, ImportArticleRow } from '#shared/api/imports.ts';
import type { StockRow } from '#shared/api/stock.ts';
import { addArticle, getArticle, movedOf, onHand } from '../../helpers/articles.ts';
import { type Answer, API_KEY, startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

// Contract, sections 20 and 22: article files.
let station: TestStation;

beforeEach(async () => {
  station = await startTestStation({ simulate: 2, refreshMs: 0 });
});
afterEach(() => station.stop());

const send = (csv: string, options: object = {}): Promise<Answer> =>
  station.request('POST', '/api/imports/', { kind: 'articles', csv, ...options });

async function run(csv: string, options: object = {}): Promise<ArticleImport> {
  const answer = await send(csv, options);
  expect(answer).toMatchObject({ status: 200 });
  return answer.body as ArticleImport;
}

const brief = (rows: readonly ImportArticleRow[]): unknown[] =>
  rows.map(({ line, outcome, message }) => [line, outcome, ...(message === '' ? [] : [message])]);
const list = (): Promise<Article[]> => station.get<Article[]>('/api/articles/?active=all');

test('a file creates articles with the places and barcodes of their rows, and books the stock as imported', async () => {
  const csv = [
    'sku;name;unit;barcode;barcode_quantity;location;minimum;on_hand',
    'CT-200;Cable tie;pcs;4006381333931;;A-1-1;5;20',
    'ct-200;;;BOX;100;Loft;;',
    'N-1;Nut;;;;A-1-1;;0',
  ].join('\n');
  const preview = await run(csv, { dry_run: true });
  expect(preview).toMatchObject({ kind: 'articles', counts: { orders: 2, new: 3 } });
  expect(brief(preview.rows)).toEqual([
    [2, 'new'],
    [3, 'new'],
    [4, 'new'],
  ]);
  expect(preview.rows.map((row) => row.without_light)).toEqual([true, true, true]);
  expect(preview.rows[0]).toMatchObject({ SKU: 'CT-200', location: 'A-1-1', stock: 20, stock_before: null });
  expect(preview.rows[0]).toMatchObject({ minimum: '5', level: 5, level_before: null });
  expect(await list()).toEqual([]);
  const made = await run(csv);
  expect(made).toMatchObject({ counts: { orders: 2, new: 3 } });
  expect(made.rows).toEqual(preview.rows);
  expect(await getArticle(station, 'CT-200')).toMatchObject({
    sku: 'CT-200',
    name: 'Cable tie',
    unit: 'pcs',
    barcodes: [
      { code: '4006381333931', quantity: 1 },
      { code: 'BOX', quantity: 100 },
    ],
    places: [
      { location: 'A-1-1', minimum: 5, on_hand: 20 },
      { location: 'Loft', minimum: null, on_hand: null },
    ],
  });
  expect(await movedOf(station)).toEqual([
    ['import', 'A-1-1', 20, 20],
    ['import', 'A-1-1', 0, 0],
  ]);
  expect(brief((await run(csv)).rows)).toEqual([
    [2, 'known'],
    [3, 'known'],
    [4, 'known'],
  ]);
});

test('blank cells do not clear values or barcodes, and the stock changes only on request', async () => {
  await addArticle(station, 'CT-200', [{ location: 'A-1-1', minimum: 5, on_hand: 20 }], {
    name: 'Cable tie',
    note: 'Order early',
    barcodes: [{ code: 'BOX', quantity: 100 }],
  });
  const csv = 'sku;name;note;barcode;location;minimum;on_hand\nCT-200;Tie 200;;BAG;A-1-1;;7';
  const first = await run(csv);
  expect(brief(first.rows)).toEqual([[2, 'changed', 'Its name was "Cable tie". The stock at A-1-1 stays 20.']]);
  expect(await getArticle(station, 'CT-200')).toMatchObject({
    name: 'Tie 200',
    note: 'Order early',
    barcodes: [
      { code: 'BOX', quantity: 100 },
      { code: 'BAG', quantity: 1 },
    ],
    places: [{ location: 'A-1-1', minimum: 5, on_hand: 20 }],
  });
  expect(brief((await run(csv)).rows)).toEqual([[2, 'known', 'The stock at A-1-1 stays 20.']]);
  const ticked = await run(csv, { stock: true, dry_run: true });
  expect(brief(ticked.rows)).toEqual([[2, 'changed']]);
  expect(ticked.rows[0]).toMatchObject({ stock: 7, stock_before: 20 });
  await run(csv, { stock: true });
  expect((await movedOf(station)).at(-1)).toEqual(['import', 'A-1-1', -13, 7]);
});

test.for([
  [
    'sku;name\nA;One\nA;Two',
    [
      [2, /different values in name/],
      [3, /different values in name/],
    ],
  ],
  [
    'sku;location;on_hand\nA;X;1\nA;X;2',
    [
      [2, /Lines 2 and 3 .* different values in on_hand/],
      [3, /on_hand/],
    ],
  ],
  [
    'sku;barcode\nA;111\nB;111',
    [
      [2, /Article B in this file has the barcode 111 too/],
      [3, /Article A/],
    ],
  ],
  ['sku;barcode\nA;TAKEN', [[2, /The barcode "TAKEN" belongs to article 00123/]]],
  ['sku;name\n123;Other', [[2, /There is no article 123\. Did you mean 00123\?/]]],
  ['sku;name\n000123;Other', [[2, /There is no article 000123\. Did you mean 00123\?/]]],
  ['sku;name\n;Nothing', [[2, /It has no SKU/]]],
  ['sku;name\n4,00638E+12;Short', [[2, /shortened by a spreadsheet/]]],
  ['sku;location;on_hand\nA;X;1.000', [[2, /can be 1000 or 1 pieces/]]],
  ['sku;name\n..;Dots', [[2, /sku/]]],
  ['sku;name\nA;="=1+1"\nB;=1+1', [[3, /is a formula/]]],
] as const)('invalid rows are refused without affecting other articles: %s', async ([csv, wanted]) => {
  await addArticle(station, '00123', [], { barcodes: [{ code: 'TAKEN' }] });
  const { rows } = await run(`${csv}\nGOOD;Good;`);
  const refused = rows.filter(({ outcome }) => outcome === 'refused');
  expect(refused.map(({ line, message }) => [line, message])).toEqual(
    wanted.map(([line, message]) => [line, expect.stringMatching(message) as string]),
  );
  expect((await list()).map(({ sku }) => sku)).toContain('GOOD');
});

test('an invalid row holds back the other rows of its article, but invalid numbers are ignored', async () => {
  const { rows } = await run('sku;location;on_hand;minimum\nA;X;-2;few\nB;Oct-12;1;\nB;Y;1;');
  expect(brief(rows)).toEqual([
    [2, 'new', expect.stringMatching(/^minimum is left out: "few".*on_hand is left out: "-2"/)],
    [3, 'refused', expect.stringMatching(/is a date/)],
    [4, 'held', expect.stringMatching(/^Line 3 of this article is wrong: /)],
  ]);
  expect(await onHand(station, 'A')).toEqual({ X: null });
});

describe('exports of other programs are recognized:', () => {
  const sample = (name: string): string =>
    readFileSync(join(import.meta.dirname, '../../files/articles', name), 'utf8');

  test('Shopify products', async () => {
    const { profile, rows } = await run(sample('shopify-products.csv'));
    expect(rows.map(({ name }) => name)).toEqual(['T-shirt S / Red', 'T-shirt M / Red', '', 'Mug', 'Gift card']);
    expect(profile).toBe('Shopify products');
    expect(brief(rows)).toEqual([
      [2, 'new'],
      [3, 'new'],
      [4, 'left_out', 'It names no article.'],
      [5, 'new'],
      [6, 'refused', 'It has no SKU.'],
    ]);
    const found = (await list()).map(({ sku, name, barcodes, places }) => [sku, name, barcodes.length, places.length]);
    expect(found).toEqual([
      ['MUG-1', 'Mug', 0, 0],
      ['TS-M-R', 'T-shirt M / Red', 1, 0],
      ['TS-S-R', 'T-shirt S / Red', 1, 0],
    ]);
  });

  test('Shopify products: the bin is the place, and the quantity is the stock only if its column is mapped', async () => {
    const file =
      'Handle,Title,Option1 Value,Variant SKU,Variant Price,Variant Inventory Qty,Bin\nmug,Mug,,MUG-1,8,12,A-1-2\n';
    const { notes } = await run(file);
    expect(notes).toEqual([expect.stringMatching(/^"Variant Inventory Qty" is not read: .* choose that meaning/)]);
    expect(await onHand(station, 'MUG-1')).toEqual({ 'A-1-2': null });
    const mapped = await run(file, { columns: { 'Variant Inventory Qty': 'on_hand' }, stock: true });
    expect([mapped.profile, mapped.notes]).toEqual(['Shopify products', []]);
    expect(await onHand(station, 'MUG-1')).toEqual({ 'A-1-2': 12 });
  });

  test('Shopify inventory: the bin is the place, and only On hand is the stock', async () => {
    const { profile, rows } = await run(sample('shopify-inventory.csv'));
    expect(profile).toBe('Shopify inventory');
    expect(brief(rows).at(-1)).toEqual([4, 'left_out', expect.stringMatching(/^on_hand is left out: "not stocked"/)]);
    expect(await onHand(station, 'TS-S-R')).toEqual({ 'A-1-1': 7 });
    expect(await onHand(station, 'MUG-1')).toEqual({ 'A-1-2': 12 });
  });

  test('WooCommerce products: a variable product is not an article, and its stock needs a place', async () => {
    await addArticle(station, 'MUG-1', [{ location: 'A-1-2' }]);
    const { profile, rows } = await run(sample('woocommerce-products.csv'), { stock: true });
    expect(profile).toBe('WooCommerce products');
    expect(brief(rows)).toEqual([
      [2, 'left_out', 'Only the variants of this product are articles.'],
      [3, 'new', 'Its minimum and stock are left out, since it has no place. Add a column with the place.'],
      [4, 'changed'],
    ]);
    expect(rows.map((row) => [row.stock_left_out, row.stock, row.stock_before])).toEqual([
      [false, null, null],
      [true, null, null],
      [false, 12, null],
    ]);
    expect(await onHand(station, 'MUG-1')).toEqual({ 'A-1-2': 12 });
  });

  test('Odoo products, and Odoo stock by location', async () => {
    expect((await run(sample('odoo-products.csv'))).profile).toBe('Odoo products');
    await station.post('/api/device/51D000:000001/', { locationoverride: 'A-1-1' });
    await station.post('/api/device/51D000:000002/', { locationoverride: 'A-1-2' });
    const stock = await run(sample('odoo-stock.csv'), { stock: true });
    expect(stock.profile).toBe('Odoo stock by location');
    expect(stock.rows.map(({ name }) => name)).toContain('Office Lamp');
    expect(await onHand(station, 'E-COM07')).toEqual({ 'A-1-1': 12, 'A-1-2': 5 });
    expect(await getArticle(station, 'FURN_8888')).toMatchObject({ name: 'Office Lamp', unit: 'Units' });
  });
});

test('a preview can be corrected and imported', async () => {
  const { id, rows } = await run('sku;barcode\nA;111\nB;111', { dry_run: true });
  expect(rows.map(({ outcome }) => outcome)).toEqual(['refused', 'refused']);
  const corrected = await station.request('PATCH', `/api/imports/${id}/rows/3/`, { cells: { UPC: '222' } });
  expect(corrected).toMatchObject({ status: 200, body: { counts: { new: 2, refused: 0 } } });
  await station.post(`/api/imports/${id}/run/`, {});
  expect((await list()).map(({ sku, barcodes }) => [sku, barcodes[0]?.code])).toEqual([
    ['A', '111'],
    ['B', '222'],
  ]);
});

test('an export can be imported again without changes in both formats, into this station and into an empty one', async () => {
  await addArticle(
    station,
    '00123',
    [
      { location: 'A/1-1', priority: 2, minimum: 1, maximum: 9, on_hand: 4 },
      { location: '1-2' },
      { location: '1-2, L-9' },
    ],
    {
      name: '=Danger',
      description: '\'quoted; "text"\nand a line',
      unit: '5 m',
      note: '+1',
      barcodes: [{ code: '4006381333931' }, { code: '0012345', quantity: 12 }, { code: '1E5' }],
    },
  );
  await addArticle(station, 'Total', [], { active: false });
  await addArticle(station, '4E12', [{ location: 'L-9' }]);
  const plain = (articles: Article[]): unknown[] => articles.map((article) => ({ ...article, id: 0, updated: '' }));
  const before = plain(await list());
  for (const [format, type] of [
    ['csv', 'text/csv'],
    ['xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  ] as const) {
    const file = await station.request('GET', `/api/article-export/?format=${format}`);
    const bytes = typeof file.body === 'string' ? Buffer.from(file.body) : Buffer.from(file.body as Uint8Array);
    const headers = { 'api-key': API_KEY, 'content-type': type };
    const again = await station.request('POST', '/api/imports/?kind=articles&stock=1', bytes, headers);
    expect(again).toMatchObject({ status: 200, body: { counts: { known: 5, refused: 0, changed: 0, new: 0 } } });
    await using empty = await startTestStation();
    for (const name of ['1-2', 'L-9']) await empty.post('/api/places/', { name });
    expect((await empty.request('POST', '/api/imports/?kind=articles', bytes, headers)).status).toBe(200);
    expect({ format, articles: plain(await empty.get<Article[]>('/api/articles/?active=all')) }).toEqual({
      format,
      articles: before,
    });
  }
});

test('the preview of a changed article names previous values of its places, and new places', async () => {
  await addArticle(station, 'M8', [
    { location: 'A-1', minimum: 6, on_hand: 3 },
    { location: 'A-2', maximum: 9 },
  ]);
  const csv = 'sku;place;minimum;maximum\nM8;A-1;10;\nM8;A-2;;8\nM8;A-3;2;20\n';
  const { rows } = await run(csv, { dry_run: true });
  expect(rows.map(({ outcome, message, level_before, level }) => [outcome, message, level_before, level])).toEqual([
    ['changed', 'At A-2, the maximum was 9. A-3 is a new place of this article.', 6, 10],
    ['changed', '', null, null],
    ['changed', '', null, 2],
  ]);
  expect(rows.map((row) => row.without_light)).toEqual([false, false, true]);
});

test('stock without a place belongs to the only place of its article; otherwise it is skipped with a note', async () => {
  await addArticle(station, 'ONE', [{ location: 'A-1', minimum: 6 }]);
  await addArticle(station, 'TWO', [{ location: 'B-1' }, { location: 'B-2' }]);
  const { rows } = await run('sku;name;minimum\nONE;One;10\nTWO;Two;10\nNEW;New;10\n');
  const why = (text: string) => `Its minimum is left out, since it has ${text}. Add a column with the place.`;
  expect(rows.map((row) => [row.outcome, row.message, row.level_before, row.level])).toEqual([
    ['changed', '', 6, 10],
    ['changed', why('2 places'), null, null],
    ['new', why('no place'), null, null],
  ]);
  expect(await getArticle(station, 'ONE')).toMatchObject({ places: [{ location: 'A-1', minimum: 10 }] });
});

test('a row that contains only stock, which is skipped, does not count as new or changed', async () => {
  await addArticle(station, 'OLD', [{ location: 'B-1' }, { location: 'B-2' }], { name: 'Old' });
  const csv = 'sku;name;place;on_hand\nA;Tie;A-1;5\nA;;;"2,5"\nB;Nut;;7\nOLD;;;9\nC;Cap;C-1;1\nC;;C-2;many\n';
  const { rows, counts } = await run(csv, { stock: true });
  expect(rows.map((row) => [row.SKU, row.outcome, row.stock_left_out])).toEqual([
    ['A', 'new', false],
    ['A', 'left_out', true],
    ['B', 'new', true],
    ['OLD', 'left_out', true],
    ['C', 'new', false],
    ['C', 'new', true],
  ]);
  expect(counts).toMatchObject({ orders: 3, new: 4, left_out: 2, known: 0, changed: 0 });
});

test('distinguishes rows that conflict from rows that cannot be read, and counts both as refused', async () => {
  await addArticle(station, 'OWNER', [], { barcodes: [{ code: 'TAKEN', quantity: 1 }] });
  const csv = 'sku;name;barcode\nA;One;\nA;Two;\nB;;TAKEN\nC;;"4,00638E+12"\n;Nameless;\nSumme;;\n';
  const { rows, counts } = await run(csv, { dry_run: true });
  expect(rows.map((row) => [row.outcome, row.conflict])).toEqual([
    ['refused', true],
    ['refused', true],
    ['refused', true],
    ['refused', false],
    ['refused', false],
    ['left_out', false],
  ]);
  expect(counts).toMatchObject({ refused: 5, left_out: 1 });
});

test('an export can be limited to places at or below their minimum, places below 0, or places to reorder', async () => {
  await addArticle(station, 'LOW', [
    { location: 'L-1', minimum: 5, on_hand: 5 },
    { location: 'L-2', on_hand: 50 },
  ]);
  await addArticle(station, 'FULL', [{ location: 'F-1', minimum: 5, on_hand: 6 }]);
  await addArticle(station, 'GONE', [{ location: 'G-1', minimum: 5, on_hand: 1 }], { active: false });
  await addArticle(station, 'NEG', [{ location: 'N-1', on_hand: 1 }]);
  await station.post('/api/stock/', { movements: [{ sku: 'NEG', location: 'N-1', delta: -3 }] });
  await addArticle(station, 'BARE');
  await addArticle(station, 'NEW', [{ location: 'W-1', minimum: 2 }, { location: 'W-2' }], { name: 'Wire' });
  const exported = async (query: string): Promise<string[]> => {
    const { body } = await station.request('GET', `/api/article-export/?format=csv${query}`);
    return String(body)
      .trim()
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(/[,;]/))
      .map((row) => `${row[0]} ${row[8]}`);
  };
  expect(await exported('&below_minimum=1')).toEqual(['LOW L-1']);
  expect(await exported('&negative=1')).toEqual(['NEG N-1']);
  expect(await exported('&negative=1&below_minimum=1')).toEqual([]);
  expect(await exported('')).toHaveLength(8);
  // The export contains the same rows as the stock list with the same filters.
  for (const query of ['&to_reorder=1', '&to_reorder=1&q=wire', '&to_reorder=1&q=l-1', '&to_reorder=1&q=none']) {
    const listed = await station.get<StockRow[]>(`/api/stock/?${query}`);
    expect(await exported(query)).toEqual(listed.map(({ sku, location }) => `${sku} ${location}`));
  }
  expect(await exported('&to_reorder=1')).toEqual(['LOW L-1', 'NEW W-1']);
  expect(await exported('&to_reorder=1&q=wire')).toEqual(['NEW W-1']);
  expect(await exported('&q=WIRE')).toEqual(['NEW W-1', 'NEW W-2']);
});

test.each(['sku', 'SKU', 'Sku'])('a column can be mapped to the field %s', async (field) => {
  const made = await run('Art;name\nA;Apple', { columns: { Art: field } });
  expect(made.rows).toMatchObject([{ SKU: 'A', outcome: 'new' }]);
  const csv = 'order;Art;qty\nSO-1;A;2';
  const order = await station.post('/api/order-import/', { csv, columns: { Art: field } });
  expect(order).toMatchObject({ counts: { new: 1 } });
});

test('asks about ambiguous columns, and refuses imports by users who can only read articles', async () => {
  const asked = await run('sku;Location;name\nA;Somewhere;Thing\nB;Else;Other', { dry_run: true });
  expect(asked.questions).toMatchObject([{ column: 'Location', fields: ['location'] }]);
  expect((await send('sku;Location\nA;Somewhere')).status).toBe(400);
  const columns = { Location: 'location' };
  expect(await run('sku;Location\nA;Somewhere', { columns })).toMatchObject({ counts: { new: 1 } });
  // The station remembers the answer.
  expect(await run('sku;Location\nB;Elsewhere')).toMatchObject({ counts: { new: 1 } });
  const { api_key: key } = await station.post<{ api_key: string }>('/api/api-users/', { name: 'r', scope: 'read' });
  const body = { kind: 'articles', csv: 'sku;name\nA;B' };
  expect(
    (await station.request('POST', '/api/imports/', body, { 'api-key': key, 'content-type': 'application/json' }))
      .status,
  ).toBe(403);
});
