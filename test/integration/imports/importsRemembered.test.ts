import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ImportWithRows, OrderImport } from '#shared/api/imports.ts';
import type { RememberedColumns } from '#shared/api/importColumns.ts';
import type { OrderProgress } from '#shared/api/order.ts';
import { ONE } from '../../helpers/orders.ts';
import { API_KEY, startTestStation, type TestStation } from '../../helpers/startTestStation.ts';
import { textWorkbook } from '../../helpers/files/workbook.ts';

// Contract, section 22: the station remembers how to read files with the same column names.
let station: TestStation;

beforeEach(async () => {
  station = await startTestStation({ simulate: 2, refreshMs: 0 });
  await station.post(`/api/device/${ONE}/`, { locationoverride: 'A-1-1' });
});

afterEach(() => station.stop());

const run = (csv: string, options: object = {}) => station.post<OrderImport>('/api/imports/', { csv, ...options });
const remembered = () => station.get<RememberedColumns[]>('/api/import-columns/');
const numbers = async () =>
  (await station.get<OrderProgress[]>('/api/order-progress/')).map(({ order_number: number }) => number);

const HEAD = 'order_number,SKU,Amount';
const COLUMNS = { Amount: 'ordered_quantity' };

async function send(bytes: Uint8Array, options: object = {}): Promise<{ status: number; body: OrderImport }> {
  const form = new FormData();
  form.append('options', JSON.stringify(options));
  form.append('file', new Blob([new Uint8Array(bytes)]), 'orders');
  const headers = { 'api-key': API_KEY };
  const answer = await fetch(new URL('/api/imports/', station.url), { method: 'POST', headers, body: form });
  return { status: answer.status, body: (await answer.json()) as OrderImport };
}

test('an import remembers its answers for files with the same column names in any order', async () => {
  const first = await run(`${HEAD}\n1,M8,2\n`, { columns: COLUMNS, order_prefix: 'A-' });
  expect(first.remembered).toBeNull();
  const next = await run('Amount,order_number,SKU\n3,2,M8\n');
  expect(next).toMatchObject({
    remembered: { columns: COLUMNS, order_prefix: 'A-', names: ['Amount', 'SKU', 'order_number'], by: 'API key' },
    rows: [{ outcome: 'new', quantity: 3 }],
  });
  expect(await numbers()).toEqual(['A-1', 'A-2']);
  // A file with other column names does not use the stored answers.
  const others = await station.request('POST', '/api/imports/', { csv: `${HEAD},Color\n3,M8,2,red\n` });
  expect(others.status).toBe(400);
  expect(await numbers()).toEqual(['A-1', 'A-2']);
});

test('a dry run or a refused file does not store answers', async () => {
  await run(`${HEAD}\n1,M8,2\n`, { columns: COLUMNS, dry_run: true });
  await send(Buffer.from('a,b\n1,2\n'), { columns: { a: 'SKU' } });
  expect(await remembered()).toEqual([]);
});

test('an import uses and remembers the answers given for its preview, even if other answers are given later', async () => {
  const { id } = await run(`${HEAD}\n1,M8,2\n`, { columns: COLUMNS, order_prefix: 'A-', dry_run: true });
  expect(await remembered()).toEqual([]);
  await run(`${HEAD}\n9,M8,2\n`, { columns: COLUMNS, order_prefix: 'B-' });
  await station.post<ImportWithRows>(`/api/imports/${id}/run/`);
  expect(await numbers()).toEqual(['A-1', 'B-9']);
  expect(await remembered()).toMatchObject([{ order_prefix: 'A-' }]);
});

test('options in a request take precedence over remembered answers, field by field', async () => {
  await run(`${HEAD},Box\n1,M8,2,A-1-1\n`, { columns: { ...COLUMNS, Box: 'warehouse_location' }, order_prefix: 'A-' });
  const { rows, remembered: used } = await run(`${HEAD},Box\n1,M8,2,7\n`, {
    columns: { Box: 'ordered_quantity' },
    order_prefix: '',
  });
  expect(used).not.toBeNull();
  expect(rows).toMatchObject([{ order_number: '1', quantity: 7, warehouse_location: '' }]);
  expect(await numbers()).toEqual(['1', 'A-1']);
  expect(await remembered()).toMatchObject([{ columns: { Box: 'ordered_quantity' }, order_prefix: null }]);
});

test('`remembered: false` ignores the answers, and the station asks again after answers are deleted', async () => {
  await run(`${HEAD}\n1,M8,2\n`, { columns: COLUMNS });
  const dry = { dry_run: true };
  const asked = await run(`${HEAD}\n2,M8,2\n`, { ...dry, remembered: false });
  expect(asked).toMatchObject({ remembered: null, questions: [{ column: 'Amount' }] });
  const [entry] = await remembered();
  await station.request('DELETE', `/api/import-columns/${entry?.id}/`);
  expect(await remembered()).toEqual([]);
  expect(await run(`${HEAD}\n2,M8,2\n`, dry)).toMatchObject({ questions: [{ column: 'Amount' }] });
});

test('removes an entry whose answers are all empty', async () => {
  await run(`${HEAD}\n1,M8,2\n`, { columns: COLUMNS });
  await run('order_number,SKU,qty\n1,M8,2\n', { order_prefix: 'A-' });
  await run('order_number,SKU,qty\n1,M8,2\n', { order_prefix: '' });
  expect(await remembered()).toMatchObject([{ columns: COLUMNS }]);
});

test('a remembered encoding is used only for the same column names', async () => {
  const bytes = (head: string) => Buffer.from(`${head}\n1;Schl\u00FCssel;2\n`, 'latin1');
  await send(bytes('order_number;name;ordered_quantity'), { encoding: 'windows-1252' });
  expect(await remembered()).toMatchObject([{ encoding: 'windows-1252' }]);
  const same = await send(bytes('order_number;name;ordered_quantity'), { dry_run: true });
  expect(same.body).toMatchObject({ encoding: 'windows-1252', rows: [{ name: 'Schl\u00FCssel' }] });
  expect((await send(bytes('order_number;name;qty'), { dry_run: true })).status).toBe(400);
  // The remembered encoding takes precedence over the setting.
  await station.patch('/api/settings/', { file_encoding: 'macintosh' });
  const again = await send(bytes('order_number;name;ordered_quantity'), { dry_run: true });
  expect(again.body.encoding).toBe('windows-1252');
});

test('a file that needs no encoding or sheet keeps the answers remembered for other files', async () => {
  const head = 'order_number;name;Amount';
  const latin = Buffer.from(`${head}\n1;Schl\u00FCssel;2\n`, 'latin1');
  await send(latin, { encoding: 'windows-1252', columns: COLUMNS });
  for (const options of [{ order_prefix: 'A-' }, { columns: COLUMNS, remembered: false }]) {
    await send(Buffer.from(`${head}\n2;Mug;2\n`), options);
    expect(await remembered()).toMatchObject([{ columns: COLUMNS, encoding: 'windows-1252' }]);
  }
  expect((await send(latin, { dry_run: true })).body.encoding).toBe('windows-1252');
  const sheet = [head.split(';'), ['3', 'Mug', '2']];
  await send(textWorkbook({ Open: sheet, Done: sheet }), { sheet: 'Open' });
  await send(textWorkbook({ Other: sheet }), { order_prefix: 'B-' });
  expect(await remembered()).toMatchObject([{ encoding: 'windows-1252', sheet: 'Open', order_prefix: 'B-' }]);
});

test('the older endpoint for location imports also uses and stores remembered columns', async () => {
  const older = (csv: string, options: object = {}) =>
    station.request('POST', '/api/location-aliases/import/', { csv, ...options });
  const csv = (name: string) => `tag;spot;side\n${name};${ONE};Above\n`;
  const columns = { tag: 'name', spot: 'deviceid', side: 'deviceIs' };
  expect(await older(csv('B-1'))).toMatchObject({ status: 400 });
  expect(await older(csv('B-1'), { columns, dry_run: true })).toMatchObject({ status: 200 });
  expect(await remembered()).toEqual([]);
  expect(await older(csv('B-1'), { columns })).toMatchObject({ status: 200, body: { counts: { new: 1 } } });
  expect(await remembered()).toMatchObject([{ kind: 'locations', columns }]);
  expect(await older(csv('B-2'))).toMatchObject({ status: 200, body: { counts: { new: 1 } } });
});

test('using and changing remembered columns requires permission to import that kind of file', async () => {
  await run(`${HEAD}\n1,M8,2\n`, { columns: COLUMNS });
  await run(`name,deviceid,Seite\nB-1,${ONE},Above\n`, { kind: 'locations', columns: { Seite: 'deviceIs' } });
  const both = await remembered();
  expect(both.map(({ kind }) => kind).sort()).toEqual(['locations', 'orders']);
  const { api_key: key } = await station.post<{ api_key: string }>('/api/api-users/', { name: 'C', scope: 'control' });
  const headers = { 'api-key': key };
  const path = (kind: string) => `/api/import-columns/${both.find((each) => each.kind === kind)?.id}/`;
  const listed = await station.request('GET', '/api/import-columns/', undefined, headers);
  expect(listed).toMatchObject({ status: 200, body: [{ kind: 'orders' }] });
  expect(await station.request('DELETE', path('locations'), undefined, headers)).toMatchObject({ status: 403 });
  expect(await station.request('DELETE', path('orders'), undefined, headers)).toMatchObject({ status: 204 });
  expect(await remembered()).toMatchObject([{ kind: 'locations' }]);
});

test('the station reads a sheet with remembered columns without asking', async () => {
  const rowsOf = (number: string) => [
    ['order_number', 'SKU', 'ordered_quantity'],
    [number, 'M8', '2'],
  ];
  const bytes = textWorkbook({ Open: rowsOf('1'), Done: rowsOf('2') });
  expect((await send(bytes)).status).toBe(400);
  await send(bytes, { sheet: 'Open' });
  const { body } = await send(textWorkbook({ Done: rowsOf('3'), Open: rowsOf('4') }));
  expect(body).toMatchObject({ sheet: 'Open', rows: [{ order_number: '4' }] });
});

test('the station keeps the 100 most recently used sets of column names', async () => {
  for (let index = 0; index <= 100; index += 1) {
    await station.clock.advance(1_000);
    await run(`order_number,SKU,qty,x${index}\n1,M8,2\n`, { order_prefix: 'A-' });
    if (index === 50) await run(`order_number,SKU,qty,x0\n1,M8,2\n`);
  }
  const names = (await remembered()).map(({ names: each }) => each.at(-1));
  expect(names).toHaveLength(100);
  expect([names.includes('x0'), names.includes('x1'), names.includes('x100')]).toEqual([true, false, true]);
});

test('an import remembers how many pieces a unit has and which paths are one place, also for drafts', async () => {
  const head = 'order_number,SKU,ordered_quantity,UOM,Bin\n';
  const csv = `${head}1,M8,2,Karton,WH/Stock/A-1-1\n2,M8,2,Dtzd,WH2/Stock/A-1-1\n3,M8,1,pcs,A-1-1\n4,M8,1,Karton,\n`;
  const preview = await run(csv, { dry_run: true });
  expect(preview).toMatchObject({
    asks_units: ['Karton'],
    asks_place_paths: ['WH/Stock', 'WH2/Stock'],
    rows: ['refused', 'refused', 'new', 'refused'].map((outcome) => expect.objectContaining({ outcome })),
  });
  const options = { units: { karton: 12 }, place_paths: ['WH/Stock', 'WH2/Stock'] };
  const read = await run(csv, options);
  expect(read).toMatchObject({ asks_units: [], asks_place_paths: [] });
  expect(read.rows.map(({ outcome, quantity }) => [outcome, quantity])).toEqual([
    ['new', 24],
    ['new', 24],
    ['new', 1],
    ['new', 12],
  ]);
  expect(await remembered()).toMatchObject([options]);
  const next = await run(`${head}5,M8,1,Karton,WH/Stock/A-1-1\n6,M8,1,pcs,WH2/Stock/A-1-1\n`);
  expect(next.rows.map(({ outcome, quantity }) => [outcome, quantity])).toEqual([
    ['new', 12],
    ['new', 1],
  ]);
});

test('a later answer about the same state counts, in any spelling', async () => {
  const csv = 'order_number,SKU,ordered_quantity,Status\n';
  await run(`${csv}1,M8,2,glurk\n`, { states: { glurk: 'open', blorp: 'shipped' } });
  await run(`${csv}2,M8,2,Glurk\n`, { states: { Glurk: 'canceled' } });
  const { rows } = await run(`${csv}3,M8,2,glurk\n`, { states: { GLURK: 'open' } });
  expect(rows).toMatchObject([{ outcome: 'new' }]);
  expect(await remembered()).toMatchObject([{ states: { blorp: 'shipped', GLURK: 'open' } }]);
  expect((await run(`${csv}4,M8,2,glurk\n`, { states: { glurk: 'canceled' } })).rows).toMatchObject([
    { outcome: 'left_out' },
  ]);
});

test('answers about units and paths add to the remembered ones, and a later answer about the same unit counts', async () => {
  const head = 'order_number,SKU,ordered_quantity,UOM,Bin\n';
  const file = (line: string) => `${head}${line}\n`;
  await run(file('1,M8,2,Karton,'), { units: { Karton: 12 }, place_paths: ['WH/Stock', 'WH2/Stock'] });
  await run(file('2,M8,2,VE,'), { units: { VE: 5 }, place_paths: ['WH3/Stock', 'WH/Stock'] });
  const [entry] = await remembered();
  expect(entry).toMatchObject({ units: { Karton: 12, VE: 5 } });
  expect([...(entry?.place_paths ?? [])].toSorted()).toEqual(['WH/Stock', 'WH2/Stock', 'WH3/Stock']);
  const { rows } = await run(file('3,M8,2,Karton,'), { units: { karton: 10 } });
  expect(rows).toMatchObject([{ outcome: 'new', quantity: 20 }]);
  expect((await remembered())[0]?.units).toEqual({ VE: 5, karton: 10 });
  await run(file('4,M8,2,VE,'), { units: { VE: 6 }, place_paths: ['A'], remembered: false });
  expect(await remembered()).toMatchObject([{ units: { VE: 6 }, place_paths: ['A'] }]);
});

test('a unit in which the article is counted is one piece, also in the options of a file', async () => {
  await station.post('/api/articles/', { sku: 'GLOVE', unit: 'pair' });
  await station.post('/api/articles/', { sku: 'EGG', unit: 'dozen' });
  const csv =
    'order_number,SKU,ordered_quantity\n1,GLOVE,2 pairs\n2,EGG,3 dozen\n3,EGG,24 pcs\n4,NUT,2 dozen\n5,NUT,1 pair\n';
  const options = new URLSearchParams({ dry_run: 'true', units: JSON.stringify({ pair: 2 }) });
  const read = async (query: string) => {
    const answer = await fetch(new URL(`/api/imports/?${query}`, station.url), {
      method: 'POST',
      headers: { 'api-key': API_KEY, 'content-type': 'text/csv' },
      body: csv,
    });
    return ((await answer.json()) as OrderImport).rows.map(({ outcome, quantity }) =>
      outcome === 'new' ? quantity : outcome,
    );
  };
  expect(await read('dry_run=true')).toEqual([2, 3, 'refused', 24, 'refused']);
  expect((await read(options.toString())).at(-1)).toBe(2);
});

test('a draft of an order with a path that another order of its file shares is still refused', async () => {
  const csv = 'order_number,SKU,ordered_quantity,Bin\n1,M8,2,WH/Stock/A-1-1\n2,M8,2,WH2/Stock/A-1-1\n';
  const { id } = await run(csv, { dry_run: true });
  await station.post(`/api/imports/${id ?? 0}/run/`, {});
  const drafts = await station.get<{ id: number; message: string }[]>('/api/import-drafts/');
  const draft = await station.get<{ message: string }>(`/api/import-drafts/${drafts[0]?.id ?? 0}/`);
  expect([...drafts, draft].map(({ message }) => message)).toEqual([
    expect.stringContaining('place_paths'),
    expect.stringContaining('place_paths'),
    expect.stringContaining('place_paths'),
  ]);
});
