import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Delivery } from '#shared/api/callback.ts';
import type { DraftEntry } from '#shared/api/importDrafts.ts';
import type { AnyImport, ImportWithRows, OrderImportUndo } from '#shared/api/imports.ts';
import type { MailStatus } from '#shared/api/mail.ts';
import { startMailServer } from '../../helpers/servers/mailServer.ts';
import { startReceiver, type Receiver } from '../../helpers/servers/receiver.ts';
import { shopFolder } from '../../helpers/files/shopFolder.ts';
import { API_KEY, startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

// Rows of queues and imports that were changed in the database. Each affects only its own object.
const ONE = '51D000:000001';
const TWO = '51D000:000002';
const BAD = ['{not json', '[]', 'null', '7', '"x"'];
const MISSHAPEN = [...BAD, '{}', '{"headers":7,"rows":[7],"items":7,"columns":7,"line":{},"kind":"none"}'];

let station: TestStation;
let receiver: Receiver;

beforeEach(async () => {
  receiver = await startReceiver();
  station = await startTestStation({ simulate: 2, refreshMs: 0 });
  await station.patch('/api/settings/', { backup_every: 0 });
  await station.clock.advance(5_000);
});

afterEach(async () => {
  await station.stop();
  await receiver.stop();
});

/** Runs SQL on a separate connection, with the same value for each `?`. */
function damage(sql: string, text: string): void {
  const db = new Database(join(station.dataFolder, 'pickstation.sqlite'));
  const { changes } = db.prepare(sql).run(...Array.from({ length: sql.split('?').length - 1 }, () => text));
  db.close();
  expect(changes).toBeGreaterThan(0);
}

/** Lights a device and presses it. */
async function pick(deviceId: string): Promise<void> {
  await station.post(`/api/device/${deviceId}/`, { line1: 'Screws', nonce: deviceId });
  await station.clock.advance(1_000);
  await station.press(deviceId);
  await station.clock.advance(0);
  await settle();
}

async function settle(): Promise<void> {
  while (!station.started.delivered()) await station.clock.advance(0);
}

const errors = () => station.logged.filter(({ level }) => level === 'error').map(({ message }) => message);
const DAMAGED_CALLBACK = 'the stored payload of a callback is damaged; it is not sent';

test.each(BAD)(
  'a callback with the payload %s fails immediately with a reason, and the others are delivered',
  async (text) => {
    await station.patch('/api/settings/', { callback_url: `${receiver.url}?at={location}` });
    receiver.reply(503);
    await pick(ONE);
    await pick(TWO);
    damage('UPDATE outbox SET payload = ? WHERE id = (SELECT min(id) FROM outbox)', text);
    const before = receiver.requests.length;
    receiver.reply(200);
    await station.clock.advance(60_000);
    await settle();
    const listed = await station.get<Delivery[]>('/api/callbacks/');
    expect(listed.map(({ state }) => state)).toEqual(['delivered', 'dead']);
    expect(listed[1]).toMatchObject({ payload: {}, last_error: expect.stringContaining('damaged') as string });
    expect(receiver.requests).toHaveLength(before + 1);
    expect(errors()).toEqual([DAMAGED_CALLBACK]);
    const { id } = listed[1] ?? { id: '' };
    expect((await station.request('GET', `/api/callbacks/${id}/`)).status).toBe(200);
    expect((await station.request('GET', `/api/history/deliveries/${id}/`)).status).toBe(200);
    await pick(ONE);
    expect((await station.get<Delivery[]>('/api/callbacks/'))[0]).toMatchObject({ state: 'delivered' });
  },
);

test.each(BAD)(
  'the oldest callback with the payload %s does not stop early attempts to a failing receiver',
  async (text) => {
    await station.patch('/api/settings/', { callback_url: receiver.url });
    receiver.reply(503);
    await pick(ONE);
    for (let attempt = 0; attempt < 4; attempt += 1) await station.clock.advance(60_000);
    await pick(TWO);
    damage('UPDATE outbox SET payload = ? WHERE id = (SELECT min(id) FROM outbox)', text);
    receiver.reply(200);
    await station.clock.advance(3_600_000);
    await settle();
    expect((await station.get<Delivery[]>('/api/callbacks/')).map(({ state }) => state)).toEqual(['delivered', 'dead']);
  },
);

test('damaged callbacks do not delay the recovery of a receiver', async () => {
  await station.patch('/api/settings/', { callback_url: receiver.url });
  receiver.reply(503);
  for (let count = 0; count < 4; count += 1) for (const device of [ONE, TWO]) await pick(device);
  await station.clock.advance(3_600_000);
  damage(
    'UPDATE outbox SET payload = ? WHERE id BETWEEN (SELECT min(id) + 1 FROM outbox) AND (SELECT min(id) + 5 FROM outbox)',
    '7',
  );
  receiver.reply(200);
  const states = async () => (await station.get<Delivery[]>('/api/callbacks/')).map(({ state }) => state).toSorted();
  while (!(await states()).includes('delivered')) await station.clock.advance(10_000);
  await station.clock.advance(10_000);
  await settle();
  expect(await states()).toEqual([...Array.from({ length: 5 }, () => 'dead'), 'delivered', 'delivered', 'delivered']);
});

test.each(MISSHAPEN)('a delivery whose last attempt is stored as %s is listed without that attempt', async (text) => {
  await station.patch('/api/settings/', { callback_url: receiver.url });
  await pick(ONE);
  damage('UPDATE outbox_attempts SET request = ?, answer = ?', text);
  const [{ id }] = (await station.get<Delivery[]>('/api/callbacks/')) as [Delivery];
  expect((await station.request('GET', `/api/callbacks/${id}/`)).body).toMatchObject({ id, request: null });
  expect(errors()).toEqual([]);
});

test.each(MISSHAPEN)(
  'a waiting e-mail stored as %s is skipped with a log line, and the others are sent',
  async (text) => {
    const server = await startMailServer();
    await station.patch('/api/settings/', {
      mail_host: '127.0.0.1',
      mail_port: server.port,
      mail_security: 'none',
      mail_from: 'lights@shop.example',
      mail_to: ['lager@shop.example'],
    });
    const db = new Database(join(station.dataFolder, 'pickstation.sqlite'));
    db.prepare('INSERT INTO mails (notice, created_at) VALUES (?, 0)').run(text);
    db.close();
    await station.patch(`/api/simulator/devices/${ONE}/`, { battery_mv: 2_200 });
    await station.clock.advance(2_000);
    await settle();
    expect(server.mails).toHaveLength(1);
    expect(await station.get<MailStatus>('/api/mail/')).toMatchObject({ waiting: 0, last_error: null });
    expect(station.logged.map(({ message }) => message)).toContain(
      'alerts that waited for an e-mail are damaged and will not be mailed',
    );
    await server.stop();
  },
);

const FILE = 'order;sku;qty\nA;M8;2\nB;M8;3\n';

test.each(MISSHAPEN)(
  'an import with the row %s reports that row as damaged, and lists the other rows',
  async (text) => {
    const { id } = await station.post<AnyImport>('/api/imports/', { csv: FILE });
    damage('UPDATE import_rows SET answer = ? WHERE line = 2', text);
    damage('UPDATE imports SET counts = ?', text);
    const { rows } = await station.get<ImportWithRows>(`/api/imports/${id}/`);
    expect(rows).toMatchObject([
      { line: 2, outcome: 'new', message: expect.stringContaining('damaged') as string },
      { line: 3, outcome: 'new', message: '' },
    ]);
    expect(await station.get('/api/imports/')).toMatchObject([{ id }]);
    expect(await station.request('GET', '/api/order-import/')).toMatchObject({ status: 200 });
    expect(errors()).toEqual([]);
  },
);

/** Values that are invalid for their field. */
const WRONG_FIELDS = [
  ...['ordernonce', 'color', 'sound', 'due_time', 'customer', 'note'].flatMap((name) => [
    { [name]: 7 },
    { [name]: [null] },
  ]),
  ...['seconds', 'priority'].flatMap((name) => [{ [name]: 'x' }, { [name]: 1.5 }, { [name]: {} }]),
  { due_time: 'soon' },
  { scan_required: 'yes' },
  { items: undefined, shipments: [{ shipment_number: 'A', shipmentnonce: 7, items: [] }] },
].map((wrong) =>
  JSON.stringify({ order_number: 'A', items: [{ SKU: 'M8', ordered_quantity: 2 }], ...(wrong as object) }),
);

test.each([...MISSHAPEN, ...WRONG_FIELDS])(
  'undoing an import keeps the order whose previous content is %s, and undoes the others',
  async (text) => {
    await station.post('/api/imports/', { csv: FILE });
    const { id } = await station.post<AnyImport>('/api/imports/', { csv: 'order;sku;qty\nA;M8;5\nB;M8;6\n' });
    damage('UPDATE import_orders SET before = ? WHERE before IS NOT NULL AND order_id = 1', text);
    expect(await station.post<OrderImportUndo>(`/api/imports/${id}/undo/`)).toMatchObject({
      undone: 1,
      kept: [{ order_number: 'A', message: 'Its stored previous content is damaged.' }],
    });
    const quantities =
      await station.get<{ order_number: string; items: { ordered_quantity: number }[] }[]>('/api/orders/');
    expect(JSON.stringify(quantities)).toMatch(/"A".*"ordered_quantity":5.*"B".*"ordered_quantity":3/s);
  },
);

test.each(MISSHAPEN)(
  'undoing a location import keeps the place whose previous values are %s, and undoes the others',
  async (text) => {
    const csv = `name;deviceid;deviceIs\nBin 1;${ONE};Above\nBin 2;${TWO};Above\n`;
    const { id } = await station.post<AnyImport>('/api/imports/', { csv, kind: 'locations' });
    damage('UPDATE import_places SET before = ? WHERE line = 2', text);
    expect(await station.get('/api/imports/')).toMatchObject([{ id, undoable: 1 }]);
    expect(await station.request('GET', '/api/location-aliases/import/')).toMatchObject({ status: 200 });
    expect(await station.post(`/api/imports/${id}/undo/`)).toMatchObject({
      undone: 1,
      kept: [{ name: 'Bin 1', message: 'Its stored previous values are damaged.' }],
    });
    expect(await station.get('/api/location-aliases/')).toMatchObject([{ name: 'Bin 1' }]);
  },
);

test.each([7, 'A-1', {}, [7], ['X'], [null], [{ sku: 'X', place: 'A-1' }], [{ id: 1, sku: 7, place: 'A-1' }]])(
  'undoing a location import keeps the place whose stored articles are %j, and undoes the others',
  async (articles) => {
    await station.post('/api/articles/', { sku: 'X' });
    const csv = `name;deviceid;deviceIs;article\nA-1;${ONE};Above;X\nA-2;${TWO};Above;X\n`;
    const { id } = await station.post<AnyImport>('/api/imports/', { csv, kind: 'locations' });
    damage(
      "UPDATE import_places SET before = json_set(before, '$.articles', json(?)) WHERE line = 2",
      JSON.stringify(articles),
    );
    expect(await station.request('GET', '/api/imports/')).toMatchObject({ status: 200 });
    expect(await station.request('GET', `/api/imports/${id}/`)).toMatchObject({ status: 200 });
    expect(await station.post(`/api/imports/${id}/undo/`)).toMatchObject({
      undone: 1,
      kept: [{ name: 'A-1', message: 'Its stored previous values are damaged.' }],
    });
  },
);

const DRAFT = {
  head: ['order', 'sku', 'qty'],
  fields: [
    ['order_number', 0],
    ['SKU', 1],
    ['ordered_quantity', 2],
  ],
  profile: null,
  options: {},
  rows: [{ line: 2, cells: ['A', 'M8', 'many'], isHidden: false, followsGap: false }],
};
const WRONG_DRAFTS = [
  ...[7, null, {}, [7], { kind: 'number' }].map((cell) => ({
    rows: [{ line: 2, cells: [cell, 'M8', '1'], isHidden: false, followsGap: false }],
  })),
  { rows: [{ line: 2, cells: [], isHidden: 7, followsGap: false }] },
  ...[7, ['SKU'], [7, 1], ['ordered_quantity', 999_999_999], ['ordered_quantity', -1]].map((field) => ({
    fields: [['order_number', 0], field],
  })),
  ...[{ date_order: 7 }, { decimal: [] }, { order_prefix: {} }, { include_left_out: 'no' }].map((options) => ({
    options,
  })),
].map((wrong) => JSON.stringify({ ...DRAFT, ...wrong }));

test.each([...MISSHAPEN, ...WRONG_DRAFTS])(
  'a draft with the rows %s is reported as damaged, and can be discarded',
  async (text) => {
    const preview = await station.post<AnyImport>('/api/imports/', {
      csv: 'order;sku;qty\nA;M8;many\nB;M8;no\n',
      dry_run: true,
    });
    await station.post(`/api/imports/${preview.id}/run/`);
    const [second, first] = (await station.get<DraftEntry[]>('/api/import-drafts/')) as [DraftEntry, DraftEntry];
    damage(`UPDATE import_drafts SET file = ? WHERE id = ${first.id}`, text);
    const path = `/api/import-drafts/${first.id}/`;
    expect(await station.get('/api/import-drafts/')).toHaveLength(2);
    for (const [method, where, body] of [
      ['GET', path, undefined],
      ['POST', `${path}create/`, undefined],
      ['PATCH', path, { rows: [{ line: 2, cells: { ordered_quantity: '1' } }] }],
    ] as const) {
      expect(await station.request(method, where, body)).toMatchObject({
        status: 409,
        body: { detail: expect.stringContaining('damaged') as string },
      });
    }
    expect((await station.request('GET', `/api/import-drafts/${second.id}/`)).status).toBe(200);
    expect((await station.request('DELETE', path)).status).toBe(204);
    expect((await station.request('DELETE', path)).status).toBe(404);
  },
);

test.each(['', 'eJw=', '!!', 'AAAA\n{not json'])(
  'running a preview with the stored file %j is refused because the preview is damaged',
  async (text) => {
    const { id } = await station.post<AnyImport>('/api/imports/', { csv: FILE, dry_run: true });
    await station.halt();
    damage('UPDATE imports SET file = ?', text);
    await station.restart();
    expect(await station.request('POST', `/api/imports/${id}/run/`)).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('damaged') as string },
    });
    expect(await station.get('/api/orders/')).toEqual([]);
  },
);

const packed = (lines: readonly string[], corrections = ''): string =>
  deflateSync(lines.join('\n')).toString('base64') + corrections;
const SOUND_HEAD = JSON.stringify({
  encoding: 'utf-8',
  sheets: [],
  table: { sheet: null, delimiter: ';', hiddenRows: 0, hiddenColumns: 0, notes: [] },
  options: {},
  remembered: null,
  said: null,
  corrections: {},
});
const SOUND_ROWS = [
  ['order', 'sku', 'qty'],
  ['A', 'M8', '2'],
].map((cells, index) => JSON.stringify({ line: index + 1, cells, isHidden: false, followsGap: false }));

test('a preview with an intact stored file can be imported', async () => {
  const { id } = await station.post<AnyImport>('/api/imports/', { csv: FILE, dry_run: true });
  await station.halt();
  damage('UPDATE imports SET file = ?', packed([SOUND_HEAD, ...SOUND_ROWS]));
  await station.restart();
  await station.post(`/api/imports/${id}/run/`);
  expect(await station.get('/api/orders/')).toMatchObject([{ order_number: 'A' }]);
});

test.each([
  ['a head without fields', packed(['{"table":{}}', ...SOUND_ROWS])],
  ['options of the wrong type', packed([SOUND_HEAD.replace('"options":{}', '"options":{"columns":7}'), ...SOUND_ROWS])],
  ['rows of the wrong type', packed([SOUND_HEAD, ...SOUND_ROWS, '{"line":3,"cells":7}'])],
  [
    'cells of the wrong type',
    packed([SOUND_HEAD, ...SOUND_ROWS.map((row) => row.replace('"M8"', '{"kind":"number"}'))]),
  ],
  ['corrections of the wrong type', packed([SOUND_HEAD, ...SOUND_ROWS], '\n{"2":7}')],
  [
    'a correction of a column with far too high a number',
    packed([SOUND_HEAD, ...SOUND_ROWS], '\n{"2":{"999999999":"x"}}'),
  ],
])('running a preview with %s is refused because the preview is damaged', async (_, text) => {
  const { id } = await station.post<AnyImport>('/api/imports/', { csv: FILE, dry_run: true });
  await station.halt();
  damage('UPDATE imports SET file = ?', text);
  await station.restart();
  for (const [method, path, body] of [
    ['POST', `/api/imports/${id}/run/`, undefined],
    ['PATCH', `/api/imports/${id}/rows/2/`, { cells: { ordered_quantity: '1' } }],
  ] as const) {
    expect(await station.request(method, path, body)).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('damaged') as string },
    });
  }
  expect(await station.get('/api/orders/')).toEqual([]);
});

test.each([...MISSHAPEN, '{"order_number":"SO-2","state":"aborted","shipments":[]}'])(
  'a deleted order with the stored answer %s gets no file in the outbox folder, but the others do',
  async (text) => {
    using shop = shopFolder();
    const away = join(shop.path, 'away');
    await station.patch('/api/settings/', { outbox_folder: away });
    for (const order_number of ['SO-1', 'SO-2']) {
      await station.post('/api/orders/', { order_number, items: [{ SKU: 'M8', ordered_quantity: 1 }] });
      await station.post(`/api/orders/${order_number}/abort/`);
    }
    await station.request('DELETE', '/api/orders/SO-1/');
    damage("UPDATE ended_orders SET answer = ? WHERE order_number = 'SO-1'", text);
    mkdirSync(away);
    await station.clock.advance(11_000);
    expect(readdirSync(away)).toEqual(['SO-2.json']);
    expect(await station.get('/api/folders/')).toMatchObject({ outbox: { state: 'watching', waiting: 0 } });
    expect(errors()).toEqual([expect.stringContaining('it gets no file in the outbox folder')]);
  },
);

test.each([
  ['answer', '{not json'],
  ['answer', 'null'],
  ['answer', '7'],
  ['status', '0'],
  ['status', '9999'],
])('repeating a request whose stored %s is %s is refused', async (column, text) => {
  const headers = { 'api-key': API_KEY, 'content-type': 'application/json', 'idempotency-key': 'k2' };
  const body = { order_number: '7002', items: [{ name: 'Nuts', ordered_quantity: 1, deviceid: ONE }] };
  await station.request('POST', '/api/orders/', body, headers);
  await station.clock.advance(1_000);
  damage(`UPDATE keyed_requests SET ${column} = ?`, text);
  expect(await station.request('POST', '/api/orders/', body, headers)).toMatchObject({
    status: 409,
    body: { detail: expect.stringContaining('damaged') as string },
  });
});

test.each(MISSHAPEN)('remembered columns stored as %s are ignored, and imports still work', async (text) => {
  const { id } = await station.post<AnyImport>('/api/imports/', {
    csv: 'order;what;qty\nA;M8;2\n',
    columns: { what: 'SKU' },
    dry_run: true,
  });
  await station.post(`/api/imports/${id}/run/`);
  damage('UPDATE remembered_columns SET answers = ?', text);
  expect(await station.get('/api/import-columns/')).toEqual([]);
  expect((await station.request('POST', '/api/imports/', { csv: FILE })).status).toBe(200);
  // For a file that is not Unicode, the encodings of earlier files are read.
  const latin = await fetch(new URL('/api/imports/?dry_run=true', station.url), {
    method: 'POST',
    headers: { 'api-key': API_KEY, 'content-type': 'text/csv' },
    body: Buffer.from('order;sku;qty;name\nA;M8;2;Schl\u00fcssel\n', 'latin1'),
  });
  expect(latin.status).toBeLessThan(500);
});

test.each(BAD)('repeating an interrupted request whose stored step is %s is refused', async (text) => {
  const headers = { 'api-key': API_KEY, 'content-type': 'application/json', 'idempotency-key': 'k1' };
  const body = { order_number: '7001', items: [{ name: 'Nuts', ordered_quantity: 1, deviceid: ONE }] };
  await station.request('POST', '/api/orders/', body, headers);
  await station.clock.advance(1_000);
  damage("UPDATE keyed_requests SET status = NULL, answer = ? || ''", '');
  damage('INSERT INTO keyed_steps (request_id, step, item, result) SELECT id, 7, 0, ? FROM keyed_requests', text);
  expect(await station.request('POST', '/api/orders/', body, headers)).toMatchObject({
    status: 409,
    body: { detail: expect.stringContaining('damaged') as string },
  });
});

test.each(['{not json', 'null', '7', '{}'])(
  'a stream reader that missed a commit damaged with %s gets a reset',
  async (text) => {
    await pick(ONE);
    const { revision } = await station.get<{ revision: number }>('/healthz');
    damage('UPDATE commits SET facts = ? WHERE revision = (SELECT max(revision) FROM commits)', text);
    const before = revision - 1;
    const abort = new AbortController();
    const headers = { 'api-key': API_KEY, 'last-event-id': String(before) };
    const answer = await fetch(new URL('/api/events/', station.url), { headers, signal: abort.signal });
    const { value } = (await answer.body?.getReader().read()) ?? {};
    abort.abort();
    expect(Buffer.from(value ?? []).toString()).toContain('event: reset');
  },
);
