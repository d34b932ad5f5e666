import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Alert } from '#shared/api/alert.ts';
import type { ImportRedone, ImportUndoForecast, OrderImport, OrderImportUndo } from '#shared/api/imports.ts';
import type { NextOrder } from '#shared/api/picking.ts';
import { addBatch, addCart, getBatch, tryTo } from '../../helpers/batches.ts';
import { getOrder, launch, ONE, orderPath } from '../../helpers/orders.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

// The undo and redo of an import that ended orders.
let station: TestStation;

beforeEach(async () => {
  station = await startTestStation({ simulate: 4, refreshMs: 0 });
  await station.post(`/api/device/${ONE}/`, { locationoverride: 'A-1-1' });
});

afterEach(() => station.stop());

const HEAD = 'Order,SKU,Qty,Bin location,Status,Note\n';
const run = (rows: string) => station.post<OrderImport>('/api/imports/', { csv: HEAD + rows });
const idOf = async (rows: string) => (await run(rows)).id ?? 0;
const outcomes = ({ rows }: Pick<OrderImport, 'rows'>) => rows.map(({ outcome, message }) => [outcome, message]);
const undo = (id: number) => station.post<OrderImportUndo>(`/api/imports/${id}/undo/`);
const redo = (id: number) => station.post<ImportRedone>(`/api/imports/${id}/redo/`);
const undoOf = async (id: number) => (await station.get<{ undo: ImportUndoForecast }>(`/api/imports/${id}/`)).undo;
const nextOrder = async () => (await station.get<NextOrder>('/api/work/next/')).order?.order_number;
const kept = (message: string) => [{ order_number: 'A1', message }];

const OPEN = 'A1,M8,2,A-1-1,open,\n';
const CANCELED = 'A1,M8,2,A-1-1,canceled,\n';

test('an undo keeps what people edited in the ended order', async () => {
  await run(OPEN);
  const id = await idOf(CANCELED);
  await station.patch(orderPath('A1'), { note: 'The buyer called', priority: 3 });
  expect(await undo(id)).toEqual({ undone: 1, kept: [] });
  expect(await getOrder(station, 'A1')).toMatchObject({ state: 'open', note: 'The buyer called', priority: 3 });
  expect(await nextOrder()).toBe('A1');
});

test('the file that ended an order does not end it again after the undo', async () => {
  await run(OPEN);
  await undo(await idOf(CANCELED));
  const continued = [['known', 'The file says that order A1 is canceled. Somebody decided to continue it.']];
  expect(outcomes(await run(CANCELED))).toEqual(continued);
  expect(await getOrder(station, 'A1')).toMatchObject({ state: 'open', attention: [], ended_elsewhere: 'canceled' });
  // Nor after a file has changed the order.
  expect(outcomes(await run('A1,M8,5,A-1-1,open,\n'))[0]?.[0]).toBe('changed');
  expect(outcomes(await run('A1,M8,5,A-1-1,canceled,\n'))).toEqual(continued);
  expect(await nextOrder()).toBe('A1');
});

test('an earlier change of a continued order can be undone and redone', async () => {
  await run(OPEN);
  const changed = await idOf('A1,M8,5,A-1-1,open,\n');
  await undo(await idOf(CANCELED.replace(',2,', ',5,')));
  expect(await undo(changed)).toEqual({ undone: 1, kept: [] });
  expect(await getOrder(station, 'A1')).toMatchObject({ state: 'open', items: [{ ordered_quantity: 2 }] });
  expect(await redo(changed)).toEqual({ redone: 1, kept: [] });
  expect(await getOrder(station, 'A1')).toMatchObject({ state: 'open', items: [{ ordered_quantity: 5 }] });
});

test('a redo does not end an order that was started or loaded into a cart since the undo', async () => {
  await run(`${OPEN}${OPEN.replace('A1', 'A2')}`);
  const id = await idOf(`${CANCELED}${CANCELED.replace('A1', 'A2')}`);
  expect(await undo(id)).toEqual({ undone: 2, kept: [] });
  await addCart(station);
  await addBatch(station, ['A1']);
  await launch(station, 'A2');
  expect((await redo(id)).kept).toEqual([
    { name: 'A2', message: 'It was launched since.' },
    { name: 'A1', message: 'It is in a batch.' },
  ]);
  expect(await getOrder(station, 'A1')).toMatchObject({ state: 'open' });
  expect(await getOrder(station, 'A2')).toMatchObject({ state: 'in_progress' });
});

test('an undo or redo does not remove or change an order that was loaded into a cart', async () => {
  const created = await idOf(OPEN);
  const changed = await idOf('A1,M8,5,A-1-1,open,\n');
  await undo(changed);
  await addCart(station);
  await addBatch(station, ['A1']);
  const loaded = 'It is in a batch.';
  expect(await redo(changed)).toEqual({ redone: 0, kept: [{ name: 'A1', message: loaded }] });
  expect(await undoOf(created)).toMatchObject({ removed: { count: 0 }, kept: { reasons: [{ message: loaded }] } });
  expect(await undo(created)).toEqual({ undone: 0, kept: kept(loaded) });
  expect((await getBatch(station)).slots[0]).toMatchObject({ order_number: 'A1', state: 'open' });
});

test('a marked order that is changed by a file or an undo keeps its mark and its alert until somebody decides', async () => {
  await run(OPEN);
  await addCart(station);
  await addBatch(station, ['A1']);
  await run(CANCELED);
  const marked = { state: 'open', attention: ['ended_elsewhere'] };
  expect(await getOrder(station, 'A1')).toMatchObject(marked);
  await tryTo(station, '1/abort/', {});
  const id = await idOf('A1,M8,5,A-1-1,open,\n');
  expect(await getOrder(station, 'A1')).toMatchObject({ ...marked, items: [{ ordered_quantity: 5 }] });
  expect(await undo(id)).toEqual({ undone: 1, kept: [] });
  expect(await getOrder(station, 'A1')).toMatchObject({ ...marked, items: [{ ordered_quantity: 2 }] });
  const alerts = async () => (await station.get<Alert[]>('/api/alerts/')).map(({ kind }) => kind);
  expect(await alerts()).toContain('order_attention');
  await station.patch(orderPath('A1'), { continue: true });
  expect(await alerts()).not.toContain('order_attention');
});

test('the undo of an end keeps an order that was started again since', async () => {
  await run(OPEN);
  const id = await idOf(CANCELED);
  await launch(station, 'A1');
  expect(await undo(id)).toEqual({ undone: 0, kept: kept('It was launched since.') });
  expect(await getOrder(station, 'A1')).toMatchObject({ state: 'in_progress' });
});
