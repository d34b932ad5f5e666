import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type {
  ImportCorrected,
  ImportEntry,
  ImportWithRows,
  OrderImport,
  OrderImportUndo,
} from '#shared/api/imports.ts';
import type { AnyImport } from '#shared/api/imports.ts';
import type { AuditEntry } from '#shared/api/access.ts';
import type { HistoryEntry } from '#shared/api/history.ts';
import type { Order, OrderProgress } from '#shared/api/order.ts';
import { sheetOf } from '../../helpers/files/workbook.ts';
import { itemsOf, launch, ONE, orderPath } from '../../helpers/orders.ts';
import { API_KEY, startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

// Contract, section 22: order files.
let station: TestStation;

beforeEach(async () => {
  station = await startTestStation({ simulate: 2, refreshMs: 0 });
  await station.post(`/api/device/${ONE}/`, { locationoverride: 'A-1-1' });
});

afterEach(() => station.stop());

const run = (csv: string, options: object = {}) => station.post<OrderImport>('/api/imports/', { csv, ...options });
const outcomes = ({ rows }: Pick<ImportCorrected, 'rows'>) => rows.map(({ line, outcome }) => [line, outcome]);
const undo = (id: number | null) => station.post<OrderImportUndo>(`/api/imports/${id}/undo/`);
const numbers = async () =>
  (await station.get<OrderProgress[]>('/api/order-progress/')).map(({ order_number: number }) => number);
const quantities = async (number: string) =>
  (await itemsOf(station, number)).map(({ SKU, ordered_quantity }) => `${ordered_quantity} ${SKU}`);

async function send(
  body: string | Uint8Array<ArrayBuffer> | FormData,
  type: string | undefined,
  query = '',
): Promise<{ status: number; body: OrderImport }> {
  const headers = { 'api-key': API_KEY, ...(type === undefined ? {} : { 'content-type': type }) };
  const answer = await fetch(new URL(`/api/imports/${query}`, station.url), { method: 'POST', headers, body });
  return { status: answer.status, body: (await answer.json()) as OrderImport };
}

/** Makes inserts into this table fail, as an internal error would. */
function breakInserts(table: string, when: string): void {
  const db = new Database(join(station.dataFolder, 'pickstation.sqlite'));

  db.exec(
    `CREATE TRIGGER broken BEFORE INSERT ON ${table} WHEN NEW.${when} BEGIN SELECT RAISE(ABORT, 'a defect'); END`,
  );
  db.close();
}

test('a corrected file changes an order that has not been started, and importing it again changes nothing', async () => {
  const first = await run('Order,Product,Quantity,Customer\nS21,Mug,2,Example Shop\n');
  expect(outcomes(first)).toEqual([[2, 'new']]);
  const corrected = 'Order,Product,Quantity,Customer\nS21,Mug,2,Example Shop\n,Cup,1,\n';
  const second = await run(corrected);
  expect([outcomes(second), second.counts.changed]).toEqual([
    [
      [2, 'changed'],
      [3, 'changed'],
    ],
    2,
  ]);
  expect((await itemsOf(station, 'S21')).map(({ name, ordered_quantity }) => [name, ordered_quantity])).toEqual([
    ['Mug', 2],
    ['Cup', 1],
  ]);
  expect(await run(corrected)).toMatchObject({ id: null, counts: { known: 2 } });
  // The order keeps its number, customer and creation time.
  expect(await station.get<Order>(orderPath('S21'))).toMatchObject({ customer: 'Example Shop', state: 'open' });

  expect(await undo(second.id)).toEqual({ undone: 1, kept: [] });
  expect((await itemsOf(station, 'S21')).map(({ name }) => name)).toEqual(['Mug']);
  expect(await undo(first.id)).toEqual({ undone: 1, kept: [] });
  expect(await numbers()).toEqual([]);
});

test.each<[string, (number: string) => Promise<unknown>, RegExp]>([
  ['launched', (number) => launch(station, number), /was launched/],
  ['aborted', (number) => station.post(orderPath(number, 'abort/')), /was aborted/],
  ['edited', (number) => station.patch(orderPath(number), { priority: 5 }), /was edited since its import/],
])('a file that differs from an order that was %s is refused', async (_what, work, why) => {
  const { id } = await run(`order,sku,qty,deviceid\nS1,K-1,2,${ONE}\n`);
  await work('S1');
  const { rows } = await run(`order,sku,qty,deviceid\nS1,K-1,5,${ONE}\n`);
  expect(rows).toMatchObject([{ outcome: 'refused', message: expect.stringMatching(why) as string }]);
  expect(rows[0]?.message).toContain('the file has 5 × K-1, and the order has 2 × K-1');
  expect(await quantities('S1')).toEqual(['2 K-1']);
  // The original file is recognized even if the order was started or edited.
  expect(outcomes(await run(`order,sku,qty,deviceid\nS1,K-1,2,${ONE}\n`))).toEqual([[2, 'known']]);
  if (_what === 'launched') expect(await undo(id)).toMatchObject({ undone: 0, kept: [{ order_number: 'S1' }] });
});

test('an undo keeps an edit in an order that the import had changed, and reverts the rest', async () => {
  await run(`order,sku,qty,deviceid\nS1,K-1,2,${ONE}\n`);
  const { id } = await run(`order,sku,qty,deviceid\nS1,K-1,3,${ONE}\n`);
  await station.patch(orderPath('S1'), { note: 'call first' });
  expect(await undo(id)).toEqual({ undone: 1, kept: [] });
  expect(await quantities('S1')).toEqual(['2 K-1']);
  expect((await station.get<Order>(orderPath('S1'))).note).toBe('call first');
  expect(await station.request('POST', `/api/imports/${id}/undo/`)).toMatchObject({ status: 409 });
});

test('an undo keeps an order that a later import has changed, until that import is undone', async () => {
  const [first, second, third] = [
    await run(`order,sku,qty,deviceid\nS1,K-1,2,${ONE}\n`),
    await run(`order,sku,qty,deviceid\nS1,K-1,3,${ONE}\n`),
    await run(`order,sku,qty,deviceid\nS1,K-1,4,${ONE}\n`),
  ];
  const kept = [{ order_number: 'S1', message: `Import ${second.id} changed it since.` }];
  expect(await undo(first.id)).toEqual({ undone: 0, kept });
  expect(await undo(third.id)).toEqual({ undone: 1, kept: [] });
  expect(await quantities('S1')).toEqual(['3 K-1']);
  expect(await undo(second.id)).toEqual({ undone: 1, kept: [] });
  expect(await quantities('S1')).toEqual(['2 K-1']);
});

test('a preview can be corrected row by row, and the import contains the corrections', async () => {
  const csv = 'order,sku,qty,place\nS1,K-1,many,A-1-1\nS1,K-2,1,A-1-1\nS2,K-3,1,A-1-1\n';
  const preview = await run(csv, { dry_run: true });
  expect(outcomes(preview)).toEqual([
    [2, 'refused'],
    [3, 'held'],
    [4, 'new'],
  ]);
  expect(await numbers()).toEqual([]);
  const correct = (line: number, cells: object) =>
    station.request('PATCH', `/api/imports/${preview.id}/rows/${line}/`, { cells });
  expect(await correct(2, { customer: 'Example Shop' })).toMatchObject({ status: 400 });
  expect(await correct(9, { ordered_quantity: '1' })).toMatchObject({ status: 404 });
  const { body } = await correct(2, { ordered_quantity: '4' });
  expect(outcomes(body as ImportCorrected)).toEqual([
    [2, 'new'],
    [3, 'new'],
  ]);
  expect(body).toMatchObject({ counts: { orders: 2, new: 3, refused: 0 }, rows: [{ quantity: 4, deviceid: ONE }, {}] });
  const held = await station.get<ImportWithRows>(`/api/imports/${preview.id}/?outcome=new&after=2&limit=1`);
  expect([held.state, outcomes(held)]).toEqual(['preview', [[3, 'new']]]);

  const done = await station.post<ImportWithRows>(`/api/imports/${preview.id}/run/`);
  expect(done).toMatchObject({ state: 'imported', counts: { orders: 2 }, undoable: 2 });
  expect(await quantities('S1')).toEqual(['4 K-1', '1 K-2']);
  expect(await station.request('POST', `/api/imports/${preview.id}/run/`)).toMatchObject({ status: 409 });
  expect(await correct(2, { ordered_quantity: '5' })).toMatchObject({ status: 409 });
  expect(await station.get<ImportEntry[]>('/api/imports/')).toMatchObject([{ id: preview.id, by: 'API key' }]);
});

test('a workbook and a form are read like text, with the options alongside the file', async () => {
  const workbook = readFileSync(new URL('../../files/tables/orders.xlsx', import.meta.url));
  const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
  const sent = await send(workbook, type, '?dry_run=true&name=orders.xlsx');
  expect(sent).toMatchObject({
    status: 200,
    body: { delimiter: null, encoding: null, sheet: expect.any(String) as string },
  });
  const csv = Buffer.from('Bestellung;Artikelnummer;Menge\nS1;M\xfctze;1.000\n', 'latin1');
  expect(await send(csv, 'text/csv')).toMatchObject({
    status: 400,
    body: { detail: expect.stringContaining('UTF-8') as string },
  });
  const query = '?encoding=windows-1252&decimal=%2C&order_prefix=W-&dry_run=false';
  expect(await send(csv, 'text/csv', query)).toMatchObject({ status: 200, body: { counts: { orders: 1 } } });
  expect(await quantities('W-S1')).toEqual(['1000 Mütze']);
  const form = new FormData();
  form.set('file', new File([csv], 'orders.csv', { type: 'text/csv' }));
  form.set('options', JSON.stringify({ encoding: 'windows-1252', decimal: '.', order_prefix: 'X-' }));
  expect(await send(form, undefined)).toMatchObject({ status: 200, body: { counts: { orders: 1 } } });
  expect(await quantities('X-S1')).toEqual(['1 Mütze']);
  // The content type can also name the encoding.
  expect(await send(csv, 'text/csv; charset=windows-1252', '?decimal=.&dry_run=true')).toMatchObject({ status: 200 });
  expect(await station.get<ImportEntry[]>('/api/imports/')).toMatchObject([
    {},
    { name: 'orders.csv' },
    {},
    { name: 'orders.xlsx' },
  ]);
  expect(await send('x', 'image/png')).toMatchObject({ status: 415 });
  expect(await send(csv, 'text/csv', '?columns=%7B%22Farbe%22%3Anull%7D&encoding=windows-1252')).toMatchObject({
    status: 400,
    body: { errors: [{ path: '/columns/Farbe' }] },
  });
});

test('every byte of a long file in a form is kept, even bytes that look like the end of a header', async () => {
  const form = new FormData();
  const note = `"a\r\n\r\n--b${'x'.repeat(70_000)}"`;
  form.append('options', JSON.stringify({ kind: 'orders', dry_run: true, unknown: 'z'.repeat(70_000) }));
  form.append('file', new Blob([`order,sku,qty,note\r\nS1,K-1,2,${note}\r\n\r\n`]), 'näme "1".csv');
  const { status, body } = await send(form, undefined);
  expect([status, body.rows.map(({ order_number: number, quantity }) => [number, quantity])]).toEqual([
    200,
    [['S1', 2]],
  ]);
  expect(body.rows[0]?.message).toContain('note');
});

test('an ambiguous column raises a question, and an import without the answer is refused', async () => {
  const csv = 'order,item,amount\nS1,Mug,5\n';
  const preview = await run(csv, { dry_run: true });
  expect(preview).toMatchObject({ rows: [], questions: [{ column: 'amount', samples: ['5'] }] });
  expect(await station.request('POST', '/api/imports/', { csv })).toMatchObject({
    status: 400,
    body: { errors: [{ path: '/columns' }] },
  });
  expect(await numbers()).toEqual([]);
  const answered = await run(csv, { columns: { amount: 'ordered_quantity' } });
  expect(answered.rows).toMatchObject([{ outcome: 'new', quantity: 5 }]);
});

test('due times without a zone use the time zone in the settings; times skipped or repeated by a clock change mean the later time', async () => {
  const due = async (zone: string | null, text: string) => {
    await station.patch('/api/settings/', { time_zone: zone });
    const { order_number: number } = (await run(`order,sku,qty,due\n${zone}${text},K-1,2,${text}\n`)).rows[0] ?? {};
    return (await station.get<Order>(orderPath(number ?? ''))).due_time;
  };
  expect(await due('America/New_York', '2026-03-08 02:30')).toBe('2026-03-08T07:30:00.000Z');
  expect(await due('America/New_York', '2026-11-01 01:30')).toBe('2026-11-01T06:30:00.000Z');
  expect(await due('Asia/Kolkata', '2026-11-26')).toBe('2026-11-26T18:29:59.000Z');
  expect(await due('Asia/Kolkata', '2026-11-26T14:30:00Z')).toBe('2026-11-26T14:30:00.000Z');
  expect(await due(null, '2026-07-01 12:00')).toBe(new Date(2026, 6, 1, 12).toISOString());
  for (const zone of ['Europe/Nowhere', '+01:00', '', 'CET1']) {
    const { status, body } = await station.request('PATCH', '/api/settings/', { time_zone: zone });
    expect([status, body], zone).toMatchObject([400, { errors: [{ path: '/time_zone' }] }]);
  }
});

test('the name of a place without a light that looks like a date is a place, in files of orders and articles', async () => {
  await station.post('/api/places/', { name: 'Oct-12' });
  await station.post('/api/articles/', { sku: 'K-1', places: [{ location: 'Oct-13' }] });
  const csv = 'order;sku;qty;location\nS1;K-1;1;Oct-12\nS2;K-1;1;Oct-13\nS3;K-1;1;Nov-12\n';
  const { rows } = await station.post<AnyImport>('/api/imports/', { csv, dry_run: true });
  expect(rows.map(({ outcome }) => outcome)).toEqual(['new', 'new', 'refused']);
  const articles = 'sku;location\nK-1;Oct-12\nK-2;Nov-12\n';
  const read = await station.post<AnyImport>('/api/imports/', { kind: 'articles', csv: articles, dry_run: true });
  expect(read.rows.map(({ outcome }) => outcome)).toEqual(['changed', 'refused']);
});

test('an export can be imported again without changes as CSV and as a workbook', async () => {
  const names = ['Oct-12', '4,00638E+12', '36000291452', "'5 pack", '=1+1', '0012', 'WH/Stock/A-1-1', 'a "b"; c', ' x'];
  await station.post('/api/orders/', {
    order_number: '1-2',
    customer: 'Example Shop',
    note: 'two\nlines',
    due_time: '2026-11-28T12:30:00.000Z',
    items: names.map((name) => ({ name, SKU: name, UPC: name, ordered_quantity: 3, warehouse_location: name })),
  });
  for (const format of ['csv', 'xlsx']) {
    const answer = await fetch(new URL(`/api/order-export/?format=${format}`, station.url), {
      headers: { 'api-key': API_KEY },
    });
    const bytes = new Uint8Array(await answer.arrayBuffer());
    const type = answer.headers.get('content-type') ?? '';
    const { body } = await send(bytes, type, '?dry_run=true');
    expect(body.rows.map(({ outcome, message }) => [outcome, message])).toEqual(
      names.map(() => ['known', 'Order 1-2 already exists and stays unchanged.']),
    );
  }
});

test('importing an export changes nothing, even if lines got their name from an article or a due time has milliseconds', async () => {
  await station.post('/api/articles/', { sku: 'K-1', name: 'Mug', description: 'Blue', places: [] });
  await run('order,sku,qty\nS1,K-1,2\n');
  await station.post('/api/orders/', {
    order_number: 'S2',
    due_time: '2026-11-28T12:30:00.123Z',
    items: [{ SKU: 'K-1', ordered_quantity: 3 }],
  });
  for (const format of ['csv', 'xlsx']) {
    const answer = await fetch(new URL(`/api/order-export/?format=${format}`, station.url), {
      headers: { 'api-key': API_KEY },
    });
    const bytes = new Uint8Array(await answer.arrayBuffer());
    const { body } = await send(bytes, answer.headers.get('content-type') ?? '', '?dry_run=true');
    expect(body.rows.map(({ outcome, name }) => [outcome, name])).toEqual([
      ['known', 'Mug'],
      ['known', 'Mug'],
    ]);
  }
  // With a different item name, the file differs from the order.
  expect(outcomes(await run('order,sku,qty,item name\nS1,K-1,2,Cup\n'))).toEqual([[2, 'changed']]);
});

test('if a formula in a required column of a workbook has no result, the row is refused along with its order', async () => {
  const text = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`;
  const formula = '<c><f>A1</f></c>';
  const row = (...cells: string[]) => `<row>${cells.join('')}</row>`;
  const file = (cells: string[]) =>
    sheetOf(
      `<sheetData>${row(...['Order', 'SKU', 'Quantity'].map(text))}${row(text('S1'), text('K-1'), text('1'))}${row(...cells)}</sheetData>`,
    );
  const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
  for (const [cells, others] of [
    [[formula, text('K-2'), text('2')], ['new']],
    [[text('S1'), formula, text('2')], ['held']],
    [[text('S1'), formula, formula], ['held']],
    [[text('S2'), text('K-2'), formula], ['new']],
  ] as const) {
    const { body } = await send(new Uint8Array(file([...cells])), type, '?dry_run=true');
    expect(body.rows.map(({ outcome }) => outcome)).toEqual([...others, 'refused']);
    expect(body.rows[1]?.message).toContain('has no stored result');
  }
});

test('the history and the activity log record what a file changed, and a preview can be imported only once', async () => {
  await run('order,sku,qty\nS1,K-1,2\n');
  await run('order,sku,qty,note\nS1,K-1,3,fragile\n');
  const entries = await station.get<HistoryEntry[]>('/api/history/');
  expect(entries.filter(({ kind }) => kind === 'order_changed')).toMatchObject([
    { kind: 'order_changed', order_number: 'S1', by: 'API key', changed: ['note', 'items'] },
  ]);
  const audit = await station.get<AuditEntry[]>('/api/audit/');
  expect(audit.find(({ action }) => action === 'orders.imported')).toMatchObject({
    detail: { rows: { new: 0, changed: 1 } },
  });

  const { id } = await run('order,sku,qty\nS2,K-1,2\n', { dry_run: true });
  const both = await Promise.all([1, 2].map(() => station.request('POST', `/api/imports/${id}/run/`)));
  expect(both.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409]);
  expect(await station.get<ImportWithRows>(`/api/imports/${id}/`)).toMatchObject({
    state: 'imported',
    counts: { orders: 1 },
  });
});

test('an export accepts the filters of the order list', async () => {
  await run(`order,sku,qty,deviceid\nS1,K-1,2,${ONE}\nS2,K-2,1,\n`);
  await launch(station, 'S1');
  const { updated_time: since } = await station.get<Order>(orderPath('S1'));
  const exported = async (query: string) => {
    const url = new URL(`/api/order-export/${query}`, station.url);
    const text = await (await fetch(url, { headers: { 'api-key': API_KEY } })).text();
    return text
      .split('\r\n')
      .slice(1, -1)
      .map((row) => row.split(',')[0]);
  };
  expect(await exported('')).toEqual(['S1', 'S2']);
  expect(await exported('?state=open')).toEqual(['S2']);
  await station.clock.advance(1_000);
  await station.patch(orderPath('S2'), { priority: 1 });
  const { updated_time: later } = await station.get<Order>(orderPath('S2'));
  expect(later > since).toBe(true);
  expect(await exported(`?updated_after=${encodeURIComponent(later)}`)).toEqual(['S2']);
});

test('a correction is included in the import, or refused if its preview has already been imported', async () => {
  const lines = Array.from({ length: 200 }, (_, line) => `K-${line},1`);
  const statuses: number[] = [];
  for (let round = 0; round < 6; round += 1) {
    const csv = `order,sku,qty\n${lines.map((line) => `S${round},${line}`).join('\n')}\n`;
    const { id } = await run(csv, { dry_run: true });
    const corrected = station.request('PATCH', `/api/imports/${id}/rows/2/`, { cells: { ordered_quantity: '4' } });
    // Alternate which request arrives first.
    if (round % 2 === 0) await station.get('/api/imports/');
    const imported = station.request('POST', `/api/imports/${id}/run/`, {});
    expect((await imported).status).toBe(200);
    const { status } = await corrected;
    statuses.push(status);
    expect((await quantities(`S${round}`))[0]).toBe(status === 200 ? '4 K-0' : '1 K-0');
  }
  expect(statuses).toContain(200);
});

test('only the author of a preview can correct or import it', async () => {
  const { id } = await run('order,sku,qty\nS1,K-1,1\n', { dry_run: true });
  const other = await station.post<{ api_key: string }>('/api/api-users/', { name: 'Other', scope: 'control' });
  const headers = { 'api-key': other.api_key, 'content-type': 'application/json' };
  const cells = { ordered_quantity: '4' };
  expect(await station.request('PATCH', `/api/imports/${id}/rows/2/`, { cells }, headers)).toMatchObject({
    status: 404,
  });
  expect(await station.request('POST', `/api/imports/${id}/run/`, {}, headers)).toMatchObject({ status: 404 });
  expect(await numbers()).toEqual([]);
});

test('an internal error stops an import halfway, which is reported and can be undone', async () => {
  const csv = ['order,sku,qty', ...Array.from({ length: 9 }, (_, index) => `S${index},K-1,1`), ''].join('\n');
  breakInserts('orders', "order_number = 'S5'");
  expect(await station.request('POST', '/api/imports/', { csv })).toMatchObject({ status: 500 });
  expect(await numbers()).toEqual(['S0', 'S1', 'S2', 'S3', 'S4']);
  const [entry] = await station.get<ImportEntry[]>('/api/imports/');
  expect(entry).toMatchObject({ state: 'importing', undoable: 5 });
  expect(await undo(entry?.id ?? 0)).toEqual({ undone: 5, kept: [] });
  expect(await numbers()).toEqual([]);
});

/** Returns a file of 90 orders, each with this text in this column. */
const wide = (column: string, text: () => string) =>
  ['order,sku,qty,' + column, ...Array.from({ length: 90 }, (_, row) => `W${row},K-1,1,${text()}`), ''].join('\n');

test('a file with too much text in the imported columns is refused before its rows are read; other columns do not count', async () => {
  const long = 'x'.repeat(90_000);
  expect(
    await send(
      wide('note', () => long),
      'text/csv',
    ),
  ).toMatchObject({
    status: 400,
    body: {
      detail: 'The columns that are read have more than 8,000,000 characters. Shorten long texts, or split the file.',
    },
  });
  expect(await numbers()).toEqual([]);
  const other = await send(
    wide('Internal blob', () => long),
    'text/csv',
    '?dry_run=true',
  );
  expect(other).toMatchObject({ status: 200, body: { counts: { orders: 90 } } });
});

test('a file that compresses badly cannot be previewed, but can be imported', async () => {
  const csv = wide('Internal blob', () => randomBytes(70_000).toString('base64'));
  expect(await send(csv, 'text/csv', '?dry_run=true')).toMatchObject({
    status: 400,
    body: { detail: expect.stringMatching(/^The file is too large for a preview\. Remove columns/) },
  });
  expect(await station.get('/api/imports/')).toEqual([]);
  expect(await send(csv, 'text/csv')).toMatchObject({ status: 200, body: { counts: { orders: 90 } } });
});

test('distinguishes an order that conflicts with the station from an order that cannot be read', async () => {
  await station.post('/api/articles/', { sku: '00123', name: 'Nut' });
  await run('order;sku;qty\n1;M8;2\n2;GL;1\n');
  await station.post('/api/orders/1/abort/');
  const csv = 'order;sku;qty\n1;M8;3\n1;GL;1\n2;GL;1\n3;M8;many\n3;GL;1\n4;123;1\n4,00638E+12;GL;1\n';
  const { rows, counts } = await run(csv, { dry_run: true });
  expect(rows.map((row) => [row.line, row.outcome, row.conflict])).toEqual([
    [2, 'refused', true],
    [3, 'refused', true],
    [4, 'known', false],
    [5, 'refused', false],
    [6, 'held', false],
    [7, 'refused', true],
    [8, 'refused', false],
  ]);
  expect(counts).toMatchObject({ refused: 5, held: 1, known: 1 });
});
