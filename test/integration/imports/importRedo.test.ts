import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Article } from '#shared/api/article.ts';
import type { AuditEntry } from '#shared/api/access.ts';
import type { LocationAlias } from '#shared/api/alias.ts';
import type { DraftEntry } from '#shared/api/importDrafts.ts';
import type { AnyImport, ImportEntry, ImportRedone, OrderImportUndo } from '#shared/api/imports.ts';
import type { Order } from '#shared/api/order.ts';
import type { GoodsPlace } from '#shared/api/place.ts';
import { addArticle, articlePath, movedOf, onHand, postOne } from '../../helpers/articles.ts';
import { itemsOf, launch, orderPath } from '../../helpers/orders.ts';
import { START_MS, startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

// Contract, section 22: an undo of an import reverts fields that have the imported values, and can itself be undone for 7 days.
const ONE = '51D000:000001';
const TWO = '51D000:000002';
const DAY_MS = 24 * 3_600_000;
let station: TestStation;

beforeEach(async () => {
  station = await startTestStation({ simulate: 2, refreshMs: 0 });
});
afterEach(() => station.stop());

async function run(csv: string, options: object = {}): Promise<number> {
  const { id } = await station.post<AnyImport>('/api/imports/', { csv, ...options });
  if (id === null) throw new Error('The import has changed nothing.');
  return id;
}

const undo = (id: number) => station.post<OrderImportUndo>(`/api/imports/${id}/undo/`);
const redo = (id: number) => station.post<ImportRedone>(`/api/imports/${id}/redo/`);
const entry = (id: number) => station.get<ImportEntry>(`/api/imports/${id}/`);
const statusOf = async (id: number) => (await station.request('POST', `/api/imports/${id}/redo/`)).status;
const order = (number: string) => station.get<Order>(orderPath(number));
const contentOf = async (number: string) => {
  const { note, customer, priority, items } = await order(number);
  return [note, customer, priority, items?.map(({ SKU, ordered_quantity: quantity }) => `${quantity} ${SKU}`)];
};
const skus = async () =>
  (await station.get<Article[]>('/api/articles/?active=all')).map(({ sku, name }) => [sku, name]);

const HEAD = 'order,sku,qty,note,customer,priority\n';

test('an undo reverts the fields that an edit left as imported, and keeps the edited ones', async () => {
  await run(`${HEAD}S1,K-1,2,first,Miller,1\n`);
  const id = await run(`${HEAD}S1,K-1,5,second,Smith,2\n`);
  await station.patch(orderPath('S1'), { note: 'call first' });
  expect(await undo(id)).toEqual({
    undone: 0,
    kept: [{ order_number: 'S1', message: 'Only a part was restored: its note was changed since.' }],
  });
  expect(await contentOf('S1')).toEqual(['call first', 'Miller', 1, ['2 K-1']]);
  // The kept edit still protects the order from files.
  expect(await station.post('/api/imports/', { csv: `${HEAD}S1,K-1,9,third,Smith,2\n` })).toMatchObject({
    counts: { refused: 1 },
  });
});

test('an undo reverts an order completely if only fields were edited that the import has not changed', async () => {
  await run(`${HEAD}S1,K-1,2,,Miller,1\n`);
  const id = await run(`${HEAD}S1,K-1,5,,Miller,2\n`);
  await station.patch(orderPath('S1'), { note: 'call first' });
  expect(await undo(id)).toEqual({ undone: 1, kept: [] });
  expect(await contentOf('S1')).toEqual(['call first', 'Miller', 1, ['2 K-1']]);
});

test('an undo changes nothing in an order whose imported fields were all edited', async () => {
  await run(`${HEAD}S1,K-1,2,first,,\n`);
  const id = await run(`${HEAD}S1,K-1,2,second,,\n`);
  await station.patch(orderPath('S1'), { note: 'call first' });
  expect(await undo(id)).toEqual({
    undone: 0,
    kept: [{ order_number: 'S1', message: 'Its note was changed since.' }],
  });
  expect(await entry(id)).toMatchObject({ state: 'undone', redo_until: null });
  expect(await statusOf(id)).toBe(409);
});

test('a redo creates removed orders again and restores reverted ones, with their edits; then the import can be undone again', async () => {
  await run(`${HEAD}S1,K-1,2,,,\n`);
  const id = await run(`${HEAD}S1,K-1,5,,,\nS2,K-2,1,,,\n`);
  await station.patch(orderPath('S2'), { customer: 'Miller' });
  await undo(id);
  expect(await entry(id)).toMatchObject({
    state: 'undone',
    redo_until: new Date(START_MS + 7 * DAY_MS).toISOString(),
  });
  expect(await redo(id)).toEqual({ redone: 2, kept: [] });
  expect(await contentOf('S1')).toEqual([undefined, undefined, 0, ['5 K-1']]);
  expect(await contentOf('S2')).toEqual([undefined, 'Miller', 0, ['1 K-2']]);
  expect(await entry(id)).toMatchObject({ state: 'imported', undone_time: null, redo_until: null, undoable: 2 });
  const [audited] = await station.get<AuditEntry[]>('/api/audit/');
  expect(audited).toMatchObject({ action: 'orders.importRedone', by: 'API key', detail: { rows: { redone: 2 } } });
  expect(await statusOf(id)).toBe(409);
  expect(await undo(id)).toEqual({ undone: 2, kept: [] });
  expect(await contentOf('S1')).toEqual([undefined, undefined, 0, ['2 K-1']]);
  expect((await station.request('GET', orderPath('S2'))).status).toBe(404);
});

test('a redo keeps orders whose number was created again, and what was started or edited since the undo', async () => {
  await station.post(`/api/device/${ONE}/`, { locationoverride: 'K-1' });
  await run(`${HEAD}S1,K-1,2,a,,\nS2,K-1,2,,,\nS3,K-1,2,,,\n`);
  const id = await run(`${HEAD}S1,K-1,5,b,,\nS2,K-1,5,,,\nS3,K-1,5,,,\nS4,K-4,1,,,\nS5,K-5,1,,,\n`);
  await undo(id);
  await station.patch(orderPath('S1'), { note: 'c' });
  await launch(station, 'S2');
  await station.request('DELETE', orderPath('S3'));
  await station.post('/api/orders/', { order_number: 'S4', items: [{ name: 'X', ordered_quantity: 7 }] });
  const { redone, kept } = await redo(id);
  expect(redone).toBe(1);
  expect(kept.toSorted((a, b) => a.name.localeCompare(b.name))).toEqual([
    { name: 'S1', message: 'Only a part was restored: its note was changed since.' },
    { name: 'S2', message: 'It was launched since.' },
    { name: 'S3', message: 'It was removed since.' },
    { name: 'S4', message: 'An order with this number was created again.' },
  ]);
  expect(await contentOf('S1')).toEqual(['c', undefined, 0, ['5 K-1']]);
  expect((await itemsOf(station, 'S2'))[0]?.ordered_quantity).toBe(2);
  expect((await itemsOf(station, 'S4'))[0]?.ordered_quantity).toBe(7);
  expect((await itemsOf(station, 'S5'))[0]?.ordered_quantity).toBe(1);
  expect((await station.request('GET', orderPath('S3'))).status).toBe(404);
});

test('the undo of an older import can be redone after the undo of a newer one, in the order in which they were imported', async () => {
  const first = await run(`${HEAD}S1,K-1,2,,,\n`);
  const second = await run(`${HEAD}S1,K-1,5,,,\n`);
  await undo(second);
  await undo(first);
  expect(await redo(first)).toEqual({ redone: 1, kept: [] });
  expect(await redo(second)).toEqual({ redone: 1, kept: [] });
  expect(await contentOf('S1')).toEqual([undefined, undefined, 0, ['5 K-1']]);
});

test('an undo of places that an earlier version began reverts all of the rest, also the first place', async () => {
  const placeNames = async () => (await station.get<GoodsPlace[]>('/api/places/')).map(({ name }) => name);
  const id = await run('name;note\nA-1;\nA-2;\n', { kind: 'places' });
  const db = new Database(join(station.dataFolder, 'pickstation.sqlite'));
  db.prepare('INSERT INTO import_undone (import_id, subject, content) VALUES (?, 0, ?)').run(
    id,
    '{"places":{"renames":[],"rows":[]}}',
  );
  db.close();
  expect(await placeNames()).toEqual(['A-1', 'A-2']);
  expect(await undo(id)).toEqual({ undone: 2, kept: [] });
  expect(await placeNames()).toEqual([]);
  expect(await redo(id)).toMatchObject({ kept: [] });
  expect(await placeNames()).toEqual(['A-1', 'A-2']);
});

test('a redo creates removed articles again with stock, and restores fields and stock of others', async () => {
  await addArticle(station, 'OLD', [{ location: 'A-1-1', on_hand: 10 }], { name: 'Old name' });
  const csv = 'sku;name;location;on_hand\nOLD;New name;A-1-1;50\nOLD;;B-2-1;3\nNEW;New;A-1-1;4';
  const id = await run(csv, { kind: 'articles', stock: true });
  await postOne(station, { sku: 'OLD', location: 'A-1-1', delta: -3, key: 'k' });
  await undo(id);
  expect([await skus(), await onHand(station, 'OLD')]).toEqual([[['OLD', 'Old name']], { 'A-1-1': 7 }]);
  expect(await redo(id)).toEqual({ redone: 2, kept: [] });
  expect(await skus()).toEqual([
    ['NEW', 'New'],
    ['OLD', 'New name'],
  ]);
  expect(await onHand(station, 'OLD')).toEqual({ 'A-1-1': 47, 'B-2-1': 3 });
  expect(await onHand(station, 'NEW')).toEqual({ 'A-1-1': 4 });
  const moved = (await movedOf(station)).slice(-3).map((each) => each.slice(0, 3).join(' '));
  expect(moved.toSorted()).toEqual(['import A-1-1 4', 'import A-1-1 40', 'import B-2-1 3']);
  await undo(id);
  expect([await skus(), await onHand(station, 'OLD')]).toEqual([[['OLD', 'Old name']], { 'A-1-1': 7 }]);
});

test('a redo keeps articles whose SKU or barcode was created again, and fields and stock that were changed since', async () => {
  await addArticle(station, 'OLD', [{ location: 'A-1-1', on_hand: 10 }], { name: 'Old name' });
  const csv =
    'sku;name;location;on_hand;barcode\nOLD;New name;A-1-1;50;\nNEW;New;A-1-1;4;\nBAR;Bar;A-1-1;4;4006381333931';
  const id = await run(csv, { kind: 'articles', stock: true });
  await undo(id);
  await station.patch(articlePath('OLD'), { name: 'Third' });
  await postOne(station, { sku: 'OLD', location: 'A-1-1', count: 9 });
  await station.post('/api/articles/', { sku: 'new', name: 'Another' });
  await station.post('/api/articles/', { sku: 'OTHER', barcodes: [{ code: '4006381333931' }] });
  const { redone, kept } = await redo(id);
  expect(redone).toBe(0);
  expect(kept).toEqual(
    expect.arrayContaining([
      { name: 'NEW', message: 'An article with this SKU was created again.' },
      { name: 'OLD', message: 'name was changed since. The stock at A-1-1 has changed since.' },
      { name: 'BAR', message: expect.stringContaining('OTHER') as unknown },
    ]),
  );
  expect(await onHand(station, 'OLD')).toEqual({ 'A-1-1': 9 });
  expect((await skus()).map(([sku]) => sku)).toEqual(['new', 'OLD', 'OTHER']);
});

test('a redo creates removed aliases again, and restores changed aliases and labels; names that exist again are kept', async () => {
  const kind = { kind: 'locations' };
  await run(`name;deviceid;deviceIs\nA-1;${ONE};Above\n`, kind);
  const id = await run(
    `name;deviceid;deviceIs;label\nA-1;${ONE};Below;\nA-2;${TWO};Above;\nA-3;${TWO};Above;\nA-4;${TWO};Above;Shelf\n`,
    kind,
  );
  const state = async () => [
    (await station.get<LocationAlias[]>('/api/location-aliases/'))
      .map(({ name, deviceid, deviceIs }) => `${name} ${deviceid.slice(-1)} ${deviceIs}`)
      .toSorted(),
    (await station.device(TWO)).locationoverride,
  ];
  const imported = await state();
  await undo(id);
  expect(await state()).toEqual([['A-1 1 Above'], '']);
  expect((await redo(id)).kept).toEqual([]);
  expect(await state()).toEqual(imported);
  await undo(id);
  await station.post('/api/location-aliases/', { name: 'a-3', deviceid: ONE, deviceIs: 'Above' });
  await station.post(`/api/device/${TWO}/`, { locationoverride: 'Mine' });
  const { kept } = await redo(id);
  expect(kept.map(({ name }) => name).toSorted()).toEqual(['A-3', 'A-4']);
  expect(await state()).toEqual([['A-1 1 Below', 'A-2 2 Above', 'A-4 2 Above', 'a-3 1 Above'], 'Mine']);
});

test('a redo brings back the drafts of the import', async () => {
  const csv = `${HEAD}S1,K-1,2,,,\nS2,K-1,many,,,\n`;
  const { id } = await station.post<{ id: number }>('/api/imports/', { csv, dry_run: true });
  await station.post(`/api/imports/${id}/run/`);
  const drafts = async () =>
    (await station.get<DraftEntry[]>('/api/import-drafts/')).map(({ order_number: number }) => number);
  expect(await drafts()).toEqual(['S2']);
  await undo(id);
  expect(await drafts()).toEqual([]);
  expect(await redo(id)).toEqual({ redone: 1, kept: [] });
  expect(await drafts()).toEqual(['S2']);
});

test('a redo needs an undone import, survives a restart, ends after 7 days, and needs the right for its kind', async () => {
  const id = await run(`${HEAD}S1,K-1,2,,,\n`);
  expect([await statusOf(id), await statusOf(999)]).toEqual([409, 404]);
  await undo(id);
  const { api_key: key } = await station.post<{ api_key: string }>('/api/api-users/', { name: 'R', scope: 'read' });
  expect((await station.request('POST', `/api/imports/${id}/redo/`, undefined, { 'api-key': key })).status).toBe(403);
  await station.restart();
  await station.clock.advance(7 * DAY_MS - 60_000);
  expect(await redo(id)).toEqual({ redone: 1, kept: [] });
  await undo(id);
  await station.clock.advance(7 * DAY_MS + 7_200_000);
  expect(await entry(id)).toMatchObject({ state: 'undone', redo_until: null });
  expect(await statusOf(id)).toBe(409);
  expect(station.rows('SELECT * FROM import_undone')).toEqual([]);
});

test.each([2, 5])('a redo is offered no longer than the station keeps customers and notes: %i days', async (days) => {
  await station.patch('/api/settings/', { history_customer_days: days });
  const id = await run(`${HEAD}S1,K-1,2,,,\n`);
  await station.clock.advance(DAY_MS);
  await undo(id);
  expect((await entry(id)).redo_until).toBe(new Date(START_MS + days * DAY_MS).toISOString());
  await station.clock.advance((days - 1) * DAY_MS - 1);
  await station.patch('/api/settings/', { history_customer_days: 90 });
  // The promise follows the setting, and the station has kept the import.
  expect((await entry(id)).redo_until).toBe(new Date(START_MS + 8 * DAY_MS).toISOString());
  await station.patch('/api/settings/', { history_customer_days: days });
  await station.clock.advance(1);
  expect(await statusOf(id)).toBe(409);
});

test('an import that is undone late can be redone until it is deleted after 30 days', async () => {
  const id = await run(`${HEAD}S1,K-1,2,,,\n`);
  await station.clock.advance(28 * DAY_MS);
  await undo(id);
  expect((await entry(id)).redo_until).toBe(new Date(START_MS + 30 * DAY_MS).toISOString());
});

test('a redo renames places again with their goods, and keeps them if they have another name since', async () => {
  await station.post(`/api/device/${ONE}/`, { locationoverride: 'A-1' });
  await addArticle(station, 'X', [{ location: 'A-1', on_hand: 10 }]);
  const id = await run(`deviceid;label\n${ONE};B-1\n`, { kind: 'places', moves: 'rename' });
  const state = async () => [await onHand(station, 'X'), (await station.device(ONE)).locationoverride];
  expect(await state()).toEqual([{ 'B-1': 10 }, 'B-1']);
  await undo(id);
  expect(await state()).toEqual([{ 'A-1': 10 }, 'A-1']);
  expect(await redo(id)).toEqual({ redone: 1, kept: [] });
  expect(await state()).toEqual([{ 'B-1': 10 }, 'B-1']);
  await undo(id);
  expect(await state()).toEqual([{ 'A-1': 10 }, 'A-1']);
  await station.post('/api/places/rename/', { from: 'A-1', to: 'C-1' });
  const { redone, kept } = await redo(id);
  expect([redone, kept.map(({ name }) => name)]).toEqual([0, ['B-1']]);
  expect(await state()).toEqual([{ 'C-1': 10 }, 'C-1']);
});

test('a redo does not rename another place that has the old name since', async () => {
  await station.post(`/api/device/${ONE}/`, { locationoverride: 'A-1' });
  await addArticle(station, 'X', [{ location: 'A-1', on_hand: 10 }]);
  const id = await run(`deviceid;label\n${ONE};B-1\n`, { kind: 'places', moves: 'rename' });
  await undo(id);
  await station.post('/api/places/rename/', { from: 'A-1', to: 'C-1' });
  await station.post(`/api/device/${TWO}/`, { locationoverride: 'A-1' });
  await addArticle(station, 'Y', [{ location: 'A-1', on_hand: 5 }]);
  expect(await redo(id)).toEqual({ redone: 0, kept: [{ name: 'B-1', message: 'Its label was changed since.' }] });
  expect([await onHand(station, 'X'), await onHand(station, 'Y')]).toEqual([{ 'C-1': 10 }, { 'A-1': 5 }]);
  expect((await station.device(TWO)).locationoverride).toBe('A-1');
});

test('an undo of a rename restores the note of the place, and a redo the imported one', async () => {
  await station.post(`/api/device/${ONE}/`, { locationoverride: 'A-1' });
  await run('name;note\nA-1;Top shelf\n', { kind: 'places' });
  const id = await run(`deviceid;label;note\n${ONE};B-1;fragile\n`, { kind: 'places', moves: 'rename' });
  const places = async () =>
    (await station.get<GoodsPlace[]>('/api/places/')).map(({ name, note }) => `${name} ${note}`.trim());
  expect(await places()).toEqual(['B-1 fragile']);
  expect(await undo(id)).toEqual({ undone: 1, kept: [] });
  expect(await places()).toEqual(['A-1 Top shelf']);
  expect(await redo(id)).toEqual({ redone: 1, kept: [] });
  expect(await places()).toEqual(['B-1 fragile']);
});

test('a redo creates places without a device again, with their notes, and keeps notes that were written since', async () => {
  const id = await run('name;note\nB-1;Top shelf\nB-2;Cellar\n', { kind: 'places' });
  const places = async () =>
    (await station.get<GoodsPlace[]>('/api/places/')).map(({ name, note }) => `${name} ${note}`.trim());
  await undo(id);
  expect(await places()).toEqual([]);
  expect(await redo(id)).toEqual({ redone: 2, kept: [] });
  expect(await places()).toEqual(['B-1 Top shelf', 'B-2 Cellar']);
  await undo(id);
  await run('name;note\nB-2;Mine\n', { kind: 'places' });
  expect(await redo(id)).toEqual({ redone: 1, kept: [{ name: 'B-2', message: 'It was changed since.' }] });
  expect(await places()).toEqual(['B-1 Top shelf', 'B-2 Mine']);
});

test('an undone import outlives 50 newer ones while it can be redone', async () => {
  const id = await run(`${HEAD}S1,K-1,2,,,\n`);
  await undo(id);
  for (let index = 0; index < 55; index += 1) await run(`${HEAD}N${index},K-1,2,,,\n`);
  expect(await entry(id)).toMatchObject({ state: 'undone', redo_until: new Date(START_MS + 7 * DAY_MS).toISOString() });
  await redo(id);
  expect(await order('S1')).toMatchObject({ state: 'open' });
  // A redone import is one of the old ones again.
  await run(`${HEAD}M1,K-1,2,,,\n`);
  expect((await station.request('GET', `/api/imports/${id}/`)).status).toBe(404);
});
