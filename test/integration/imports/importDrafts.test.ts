import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Draft, DraftEntry } from '#shared/api/importDrafts.ts';
import type { AnyImport, ImportWithRows, OrderImport, OrderImportUndo } from '#shared/api/imports.ts';
import type { OrderProgress } from '#shared/api/order.ts';
import * as fc from '../../helpers/fastCheck.ts';
import { anItem, itemsOf, launch, ONE } from '../../helpers/orders.ts';
import { API_KEY, startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

// Contract, section 22: drafts of orders that an import refused or set aside.
let station: TestStation;

beforeEach(async () => {
  station = await startTestStation({ simulate: 0 });
});

afterEach(() => station.stop());

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
const FILE = 'order;sku;qty;customer\nA;M8;2;Shop\nB;M8;many;Shop\n;M10;1;\nC;M10;3;\n';

async function preview(csv: string, options: object = {}): Promise<number> {
  const { id } = await station.post<AnyImport>('/api/imports/', { csv, dry_run: true, ...options });
  return id ?? 0;
}

/** Previews the file and imports it. Returns the id of the import. */
async function importFile(csv: string, how: object = {}, options: object = {}): Promise<number> {
  const id = await preview(csv, options);
  await station.post(`/api/imports/${id}/run/`, how);
  return id;
}

const drafts = () => station.get<DraftEntry[]>('/api/import-drafts/');
const draft = (id: number | undefined) => station.get<Draft>(`/api/import-drafts/${id}/`);
const create = (id: number | undefined, headers?: Record<string, string>) =>
  station.request('POST', `/api/import-drafts/${id}/create/`, undefined, headers);
const correct = (id: number | undefined, line: number, cells: object, headers?: Record<string, string>) =>
  station.request('PATCH', `/api/import-drafts/${id}/`, { rows: [{ line, cells }] }, headers);
const numbers = async () =>
  (await station.get<OrderProgress[]>('/api/order-progress/')).map(({ order_number: number }) => number);

/** Runs SQL on a separate connection. */
function changeRows(sql: string): void {
  const db = new Database(join(station.dataFolder, 'pickstation.sqlite'));
  db.exec(sql);
  db.close();
}

async function only(): Promise<DraftEntry> {
  const [first, ...others] = await drafts();
  expect(others).toEqual([]);
  if (first === undefined) throw new Error('There is no draft.');
  return first;
}

test('a refused order is kept as one draft with all its rows, and the rest is imported', async () => {
  const sent = await fetch(new URL('/api/imports/?dry_run=true&name=monday.csv', station.url), {
    method: 'POST',
    headers: { 'api-key': API_KEY, 'content-type': 'text/csv' },
    body: FILE,
  });
  const { id } = (await sent.json()) as OrderImport;
  await station.post(`/api/imports/${id}/run/`);
  expect(await numbers()).toEqual(['A', 'C']);
  const entry = await only();
  expect(entry).toMatchObject({ import_id: id, name: 'monday.csv', order_number: 'B', exists: false });
  expect(entry.by).not.toBe('');
  expect(entry.message).toMatch(/^Line 3: .*many/);
  expect(Date.parse(entry.expires_time) - Date.parse(entry.at)).toBe(30 * DAY_MS);
  const { rows } = await draft(entry.id);
  expect(rows.map(({ line, outcome, SKU }) => [line, outcome, SKU])).toEqual([
    [3, 'refused', 'M8'],
    [4, 'held', 'M10'],
  ]);
});

test('a corrected draft creates the same order as the corrected file, and only once', async () => {
  await importFile(FILE);
  const { id } = await only();
  expect(await create(id)).toMatchObject({ status: 400, body: { detail: expect.stringContaining('many') } });
  expect(await correct(id, 3, { ordered_quantity: '4' })).toMatchObject({
    status: 200,
    body: {
      message: '',
      rows: [
        { line: 3, outcome: 'new', quantity: 4 },
        { line: 4, outcome: 'new' },
      ],
    },
  });
  await station.restart();
  const key = { 'api-key': API_KEY, 'idempotency-key': 'draft-b' };
  const first = await create(id, key);
  expect(first).toMatchObject({ status: 201, body: { order_number: 'B' } });
  expect((await create(id, key)).body).toEqual(first.body);
  expect(await create(id)).toMatchObject({ status: 404 });
  expect(await drafts()).toEqual([]);
  expect((await itemsOf(station, 'B')).map(({ SKU, ordered_quantity }) => [SKU, ordered_quantity])).toEqual([
    ['M8', 4],
    ['M10', 1],
  ]);
  const again = await station.post<OrderImport>('/api/imports/', { csv: FILE.replace('many', '4') });
  expect(again.counts).toMatchObject({ orders: 0, known: 4 });
});

test('if the corrected file has created the order, the draft is refused and nothing is booked twice', async () => {
  await importFile(FILE);
  const { id } = await only();
  const again = await station.post<OrderImport>('/api/imports/', { csv: FILE.replace('many', '4') });
  expect(again.rows.map(({ outcome }) => outcome)).toEqual(['known', 'new', 'new', 'known']);
  expect(await only()).toMatchObject({ id, exists: true });
  await correct(id, 3, { ordered_quantity: '5' });
  expect(await create(id)).toMatchObject({
    status: 409,
    body: {
      detail: 'Order B already exists and was not changed. Change the order number of the draft, or discard the draft.',
    },
  });
  expect((await itemsOf(station, 'B')).map(({ ordered_quantity: pieces }) => pieces)).toEqual([4, 1]);
  expect(await correct(id, 4, { order_number: 'B-2' })).toMatchObject({
    body: { order_number: 'B-2', exists: false, rows: [{ order_number: 'B-2' }, { order_number: 'B-2' }] },
  });
  expect(await create(id)).toMatchObject({ status: 201, body: { order_number: 'B-2' } });
  expect(await numbers()).toEqual(['A', 'B', 'B-2', 'C']);
});

test('does not create an order if an ended order with its number was deleted', async () => {
  await importFile(FILE);
  const { id } = await only();
  await correct(id, 3, { ordered_quantity: '5' });
  await station.post('/api/orders/', { order_number: 'B', items: [anItem({ SKU: 'M8', ordered_quantity: 0 })] });
  await station.clock.advance(1_000);
  await station.request(
    'DELETE',
    `/api/orders/?state=fulfilled&ended_before=${new Date(station.clock.now()).toISOString()}`,
  );
  expect(await numbers()).not.toContain('B');
  expect(await create(id)).toMatchObject({ status: 409, body: { detail: expect.stringContaining('ended') } });
});

test('orders can be set aside, and drafts of refused orders can be discarded', async () => {
  await importFile('order;sku;qty\nA;M8;2\nB;M8;1\n', { set_aside: [3] }, { order_prefix: '' });
  expect(await numbers()).toEqual(['A']);
  const { id, order_number: number, message, import_id: imported } = await only();
  expect([number, message]).toEqual(['B', '']);
  const { rows } = await station.get<ImportWithRows>(`/api/imports/${imported}/`);
  expect(rows[1]).toMatchObject({ outcome: 'held', message: 'Set aside as a draft.' });
  expect(await create(id)).toMatchObject({ status: 201 });
  await importFile('order;sku;qty\nD;M8;many\n', { drafts: false });
  expect(await drafts()).toEqual([]);
});

test('importing a file twice creates only one draft per refused order', async () => {
  await importFile(FILE);
  const { id } = await only();
  await correct(id, 3, { SKU: 'M12' });
  await importFile(FILE);
  expect(await only()).toMatchObject({ id });
  await importFile(FILE.replace('many', 'some'));
  expect(await drafts()).toHaveLength(2);
});

test('a draft can be discarded, and expires after 30 days', async () => {
  await importFile(FILE);
  await importFile('order;sku;qty\nD;M8;many\n');
  const [newest] = await drafts();
  expect((await station.request('DELETE', `/api/import-drafts/${newest?.id}/`)).status).toBe(204);
  expect((await station.request('DELETE', `/api/import-drafts/${newest?.id}/`)).status).toBe(404);
  for (const [days, left] of [
    [29.5, 1],
    [1, 0],
  ] as const) {
    changeRows(`UPDATE import_drafts SET at = at - ${days * DAY_MS}`);
    await station.clock.advance(2 * HOUR_MS);
    expect(await drafts()).toHaveLength(left);
  }
});

test('customers are removed from drafts when they are removed from the history', async () => {
  await importFile(FILE);
  await station.request('PATCH', '/api/settings/', { history_customer_days: 2 });
  changeRows(`UPDATE import_drafts SET at = at - ${3 * DAY_MS}`);
  await station.clock.advance(2 * HOUR_MS);
  expect(await drafts()).toEqual([]);
});

test("an undo also removes the import's drafts and the orders created from them, unless they were launched", async () => {
  await station.stop();
  station = await startTestStation({ simulate: 1, refreshMs: 0 });
  const csv = `order;sku;qty;deviceid\nA;M8;2;\nB;M8;many;\nC;M8;many;${ONE}\nD;M8;many;\n`;
  const imported = await importFile(csv);
  const [d, c, b] = await drafts();
  for (const each of [c, b]) {
    await correct(each?.id, each === c ? 4 : 3, { ordered_quantity: '1' });
    await create(each?.id);
  }
  await launch(station, 'C');
  const undone = await station.post<OrderImportUndo>(`/api/imports/${imported}/undo/`);
  expect(undone).toMatchObject({ undone: 2, kept: [{ order_number: 'C' }] });
  expect(await numbers()).toEqual(['C']);
  expect((await station.request('GET', `/api/import-drafts/${d?.id}/`)).status).toBe(404);
});

test('If-Match refuses correcting a draft that somebody else has corrected', async () => {
  await importFile(FILE);
  const { id } = await only();
  const read = await fetch(new URL(`/api/import-drafts/${id}/`, station.url), { headers: { 'api-key': API_KEY } });
  const headers = {
    'api-key': API_KEY,
    'content-type': 'application/json',
    'if-match': read.headers.get('etag') ?? '',
  };
  expect((await correct(id, 3, { ordered_quantity: '2' }, headers)).status).toBe(200);
  expect((await correct(id, 3, { ordered_quantity: '9' }, headers)).status).toBe(412);
  expect((await draft(id)).rows[0]).toMatchObject({ ordered_quantity: '2' });
});

test('If-Match refuses creating an order from a draft, or discarding it, if somebody else has corrected it', async () => {
  await importFile(FILE);
  const { id } = await only();
  const tagged = async () => {
    const read = await fetch(new URL(`/api/import-drafts/${id}/`, station.url), { headers: { 'api-key': API_KEY } });
    return { 'api-key': API_KEY, 'if-match': read.headers.get('etag') ?? '' };
  };
  const headers = await tagged();
  await correct(id, 3, { ordered_quantity: '2' });
  const refused = { status: 412, body: { code: 'changed', errors: [{ path: '/rows' }] } };
  expect(await create(id, headers)).toMatchObject(refused);
  expect(await station.request('DELETE', `/api/import-drafts/${id}/`, undefined, headers)).toMatchObject(refused);
  expect(await only()).toMatchObject({ id });
  expect(await numbers()).toEqual(['A', 'C']);
  expect(await create(id, await tagged())).toMatchObject({ status: 201 });
});

test('a refused correction names the problem: an unknown line or a field without a column', async () => {
  await importFile(FILE);
  const { id } = await only();
  expect(await correct(id, 2, { SKU: 'M1' })).toMatchObject({
    status: 400,
    body: { errors: [{ path: '/rows/0/line', message: 'The draft has no line 2.' }] },
  });
  expect(await correct(id, 3, { note: 'x' })).toMatchObject({
    status: 400,
    body: { errors: [{ path: '/rows/0/cells/note' }] },
  });
  expect(await correct(99, 3, { SKU: 'x' })).toMatchObject({ status: 404 });
});

test('creating the order and removing its draft is one transaction: if the draft cannot be removed, the order is not created', async () => {
  await importFile(FILE);
  const { id } = await only();
  await correct(id, 3, { ordered_quantity: '2' });
  changeRows("CREATE TRIGGER broken BEFORE DELETE ON import_drafts BEGIN SELECT RAISE(ABORT, 'a defect'); END");
  expect((await create(id)).status).toBe(500);
  expect(await numbers()).toEqual(['A', 'C']);
  await only();
});

const cell = {
  number: fc.constantFrom('1', '2', '', '12E3', '4,00638E+12'),
  sku: fc.constantFrom('M8', 'M10', '', '4,00638E+12'),
  qty: fc.constantFrom('1', '1.000', '2,50', 'many', ''),
  customer: fc.constantFrom('', 'Shop', 'Other'),
  status: fc.constantFrom('', 'shipped', 'open', 'unheard of'),
};
const row = fc.record(cell);

test('a draft has the same rows as its file', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 8 }), fc.constantFrom('', 'P-'), async (rows, prefix) => {
      const lines = rows.map(({ number, sku, qty, customer, status }) =>
        [number, sku, qty, customer, status].join(';'),
      );
      const csv = ['order_number;sku;qty;customer;order status', ...lines, ''].join('\n');
      const answer = await station.request('POST', '/api/imports/', { csv, dry_run: true, order_prefix: prefix });
      if (answer.status !== 200) return;
      for (const { id: old } of await drafts()) await station.request('DELETE', `/api/import-drafts/${old}/`);
      const { id, rows: before } = answer.body as OrderImport;
      const set_aside = before.map(({ line }) => line);
      await station.post(`/api/imports/${id}/run/`, { set_aside });
      const made = await drafts();
      const numberOf = (line: number) => before.findLast((each) => each.line <= line && each.order_number !== '');
      for (const each of made) {
        const said = ({ line, outcome, message, quantity }: OrderImport['rows'][number]) => ({
          line,
          outcome,
          message,
          quantity,
        });
        const { rows: now } = await draft(each.id);
        const expected = before.filter(
          ({ line, outcome }) =>
            outcome !== 'left_out' && prefix + (numberOf(line)?.order_number ?? '') === each.order_number,
        );
        expect(now.filter(({ outcome }) => outcome !== 'left_out').map(said)).toEqual(expected.map(said));
      }
      const refused = new Set(
        before.filter(({ outcome }) => outcome !== 'left_out').map(({ line }) => numberOf(line)?.order_number),
      );
      expect(made).toHaveLength(refused.size);
      expect(await numbers()).toEqual([]);
    }),
    { numRuns: 40 },
  );
});
