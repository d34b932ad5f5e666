import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Article } from '#shared/api/article.ts';
import type { ArticleImport, ImportEntry, ImportWithUndo } from '#shared/api/imports.ts';
import type { Task } from '#shared/api/task.ts';
import type { ImportUndo } from '#shared/api/locationImport.ts';
import { addArticle, articlePath, movedOf, onHand, postOne } from '../../helpers/articles.ts';
import { addOrder, anItem, itemsOf, orderPath } from '../../helpers/orders.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

// Contract, sections 20 and 22: the undo of an article file.
let station: TestStation;

beforeEach(async () => {
  station = await startTestStation({ simulate: 2, refreshMs: 0 });
  await addArticle(station, 'OLD', [{ location: 'A-1-1', on_hand: 10 }], { name: 'Old name' });
});
afterEach(() => station.stop());

async function run(csv: string, options: object = {}): Promise<ArticleImport> {
  const answer = await station.request('POST', '/api/imports/', { kind: 'articles', csv, ...options });
  expect(answer).toMatchObject({ status: 200 });
  return answer.body as ArticleImport;
}

const undo = (id: number | null): Promise<ImportUndo> => station.post<ImportUndo>(`/api/imports/${id}/undo/`);
const list = (): Promise<Article[]> => station.get<Article[]>('/api/articles/?active=all');
const CSV = 'sku;name;location;on_hand\nOLD;New name;A-1-1;50\nNEW;New;A-1-1;4';

test('an undo removes created articles and restores names and stock; a second undo gets 409', async () => {
  const { id } = await run(CSV, { stock: true });
  expect(await station.get<ImportEntry>(`/api/imports/${id}/`)).toMatchObject({ kind: 'articles', undoable: 2 });
  expect(await undo(id)).toEqual({ undone: 2, kept: [] });
  expect((await list()).map(({ sku, name }) => [sku, name])).toEqual([['OLD', 'Old name']]);
  expect(await onHand(station, 'OLD')).toEqual({ 'A-1-1': 10 });
  expect((await movedOf(station)).slice(-2)).toEqual([
    ['import', 'A-1-1', -4, 0],
    ['import', 'A-1-1', -40, 10],
  ]);
  expect((await station.request('POST', `/api/imports/${id}/undo/`)).status).toBe(409);
});

test('an undo keeps later changes and says why', async () => {
  const { id } = await run(CSV, { stock: true });
  await station.patch(articlePath('OLD'), { name: 'Third name' });
  await postOne(station, { sku: 'OLD', location: 'A-1-1', count: 48 });
  await station.post('/api/orders/', { order_number: 'SO-1', items: [{ SKU: 'NEW', ordered_quantity: 1 }] });
  const { undone, kept } = await undo(id);
  expect(undone).toBe(0);
  expect(kept).toEqual([
    { name: 'OLD', message: 'The stock at A-1-1 has changed since. name was changed since.' },
    { name: 'NEW', message: 'Open orders need it.' },
  ]);
  expect(await onHand(station, 'OLD')).toEqual({ 'A-1-1': 48 });
});

test('an undo removes the imported pieces, even if stock has moved since', async () => {
  const { id } = await run(CSV, { stock: true });
  await postOne(station, { sku: 'OLD', location: 'A-1-1', delta: -3, key: 'k' });
  await postOne(station, { sku: 'NEW', location: 'A-1-1', delta: -1, key: 'l' });
  expect(await undo(id)).toEqual({ undone: 1, kept: [{ name: 'NEW', message: 'Its stock has moved since.' }] });
  expect(await onHand(station, 'OLD')).toEqual({ 'A-1-1': 7 });
});

test('an undo keeps stock that a picker has found empty since', async () => {
  await station.post('/api/device/51D000:000001/', { locationoverride: 'A-1-1' });
  const { id } = await run(CSV, { stock: true });
  await addOrder(station, 'SO-1', [anItem({ SKU: 'OLD', ordered_quantity: 5 })]);
  const [item] = await itemsOf(station, 'SO-1');
  await station.post(orderPath('SO-1', `items/${item?.id}/short/`), { quantity_fulfilled: 2, reason: 'missing' });
  expect(await onHand(station, 'OLD')).toEqual({ 'A-1-1': 0 });
  const { kept } = await undo(id);
  expect(kept).toMatchObject([{ name: 'OLD', message: 'The stock at A-1-1 has changed since.' }]);
  expect(await onHand(station, 'OLD')).toEqual({ 'A-1-1': 0 });
});

test('an undo ends the tasks of an article that it removes', async () => {
  const { id } = await run('sku;location;on_hand;minimum\nNEW;A-1-1;2;10', { stock: true });
  const open = () => station.get<Task[]>('/api/tasks/?state=open');
  expect((await open()).map(({ kind, SKU: sku }) => [kind, sku])).toEqual([['replenish', 'NEW']]);
  expect(await undo(id)).toEqual({ undone: 1, kept: [] });
  expect(await open()).toEqual([]);
});

test('an undo removes a place that the import added', async () => {
  const { id } = await run('sku;location;on_hand\nOLD;B-1;9', { stock: true });
  expect(await onHand(station, 'OLD')).toEqual({ 'A-1-1': 10, 'B-1': 9 });
  expect(await undo(id)).toEqual({ undone: 1, kept: [] });
  expect(await onHand(station, 'OLD')).toEqual({ 'A-1-1': 10 });
});

/** Returns what an undo of this import would do now. */
const forecast = async (id: number | null) => (await station.get<ImportWithUndo>(`/api/imports/${id}/`)).undo;

test('GET tells beforehand what an undo would remove, restore and keep, and why', async () => {
  const { id } = await run(`${CSV}\nPEN;Pen;A-1-2;1\nCUP;Cup;A-1-3;2\nBOX;Box;A-1-4;3`, { stock: true });
  expect(await forecast(id)).toEqual({
    removed: { count: 4, names: ['BOX', 'CUP', 'PEN', 'NEW'] },
    restored: { count: 1, names: ['OLD'] },
    kept: { count: 0, reasons: [] },
  });
  await station.post('/api/orders/', { order_number: 'SO-1', items: [{ SKU: 'NEW', ordered_quantity: 1 }] });
  await postOne(station, { sku: 'PEN', location: 'A-1-2', delta: -1, key: 'k' });
  await station.patch(articlePath('CUP'), { note: 'Fragile' });
  await station.patch(articlePath('OLD'), { name: 'Third name' });
  const told = await forecast(id);
  expect(told).toMatchObject({ removed: { count: 1, names: ['BOX'] }, restored: { count: 0, names: [] } });
  const { undone, kept } = await undo(id);
  expect(undone).toBe(1);
  expect(told?.kept).toEqual({
    count: 4,
    reasons: [
      { message: 'It was changed since.', count: 1, names: ['CUP'] },
      { message: 'Its stock has moved since.', count: 1, names: ['PEN'] },
      { message: 'Open orders need it.', count: 1, names: ['NEW'] },
      { message: 'name was changed since.', count: 1, names: ['OLD'] },
    ],
  });
  expect(kept.map(({ name, message }) => `${name}: ${message}`).toSorted()).toEqual(
    told?.kept.reasons.map(({ names, message }) => `${names.join()}: ${message}`).toSorted(),
  );
  expect((await list()).map(({ sku }) => sku)).toEqual(['CUP', 'NEW', 'OLD', 'PEN']);
  expect(await onHand(station, 'OLD')).toEqual({ 'A-1-1': 10 });
  expect(await forecast(id)).toBeNull();
});

test('an undo names at most five articles of a reason, counts the others, and leaves the numbers out of later pages', async () => {
  const { id } = await run(`sku;note\n${Array.from({ length: 8 }, (_, n) => `N${n};x`).join('\n')}`);
  expect((await forecast(id))?.removed).toEqual({ count: 8, names: ['N7', 'N6', 'N5', 'N4', 'N3'] });
  for (let n = 0; n < 7; n += 1) await station.patch(articlePath(`N${n}`), { note: 'y' });
  expect(await forecast(id)).toMatchObject({
    removed: { count: 1, names: ['N7'] },
    kept: {
      count: 7,
      reasons: [{ message: 'It was changed since.', count: 7, names: ['N6', 'N5', 'N4', 'N3', 'N2'] }],
    },
  });
  expect((await station.get<ImportWithUndo>(`/api/imports/${id}/?after=4`)).undo).toBeNull();
});

test('a preview has nothing to undo', async () => {
  const { id } = await run(CSV, { dry_run: true });
  expect(await forecast(id)).toBeNull();
  expect((await station.request('POST', `/api/imports/${id}/undo/`)).status).toBe(409);
});

test('an undo takes imported stock back by a movement, and keeps a value that was changed to something else', async () => {
  const { id } = await run('sku;name;note;location;on_hand\nOLD;New name;Imported;A-1-1;50', { stock: true });
  await station.patch(articlePath('OLD'), { note: 'Mine' });
  expect(await undo(id)).toEqual({ undone: 0, kept: [{ name: 'OLD', message: 'note was changed since.' }] });
  expect(await station.get<Article>(articlePath('OLD'))).toMatchObject({ name: 'Old name', note: 'Mine' });
  expect((await movedOf(station)).at(-1)).toEqual(['import', 'A-1-1', -40, 10]);
});
