import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Alert } from '#shared/api/alert.ts';
import type { ImportWithRows, OrderImport, OrderImportUndo } from '#shared/api/imports.ts';
import type { NextOrder } from '#shared/api/picking.ts';
import { addBatch, addCart } from '../../helpers/batches.ts';
import { getOrder, launch, ONE, orderPath, statesOf } from '../../helpers/orders.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

// Rows that are left out still speak about orders that exist.
let station: TestStation;

beforeEach(async () => {
  station = await startTestStation({ simulate: 4, refreshMs: 0 });
  await station.post(`/api/device/${ONE}/`, { locationoverride: 'A-1-1' });
});

afterEach(() => station.stop());

const HEAD = 'Order,SKU,Qty,Bin location,Status\n';
const run = (rows: string, options: object = {}) =>
  station.post<OrderImport>('/api/imports/', { csv: HEAD + rows, ...options });
const outcomes = ({ rows }: Pick<OrderImport, 'rows'>) => rows.map(({ outcome, message }) => [outcome, message]);
const nextOrder = async () => (await station.get<NextOrder>('/api/work/next/')).order?.order_number;
const alertsOf = async () =>
  (await station.get<Alert[]>('/api/alerts/'))
    .filter(({ kind }) => kind === 'order_attention')
    .map((each) => each.problem);

test.each([
  ['canceled', 'canceled', 'It is canceled.'],
  ['erstattet', 'refunded', 'It is refunded.'],
  ['expédiée', 'shipped', 'It is already shipped.'],
])('an order that nobody has started ends if a later file says %s', async (word, ends, message) => {
  await run('A1,M8,2,A-1-1,open\nA2,M9,1,,open\n');
  expect(await nextOrder()).toBe('A1');
  const later = await run(`A1,M8,2,A-1-1,${word}\nA2,M9,1,,open\n`);
  expect(outcomes(later)).toEqual([
    ['changed', `${message} Order A1 ends here too.`],
    ['known', 'Order A2 already exists and stays unchanged.'],
  ]);
  expect(later.counts).toMatchObject({ changed: 1, known: 1, left_out: 0 });
  expect(await getOrder(station, 'A1')).toMatchObject({ state: 'aborted', ended_elsewhere: ends, attention: [] });
  expect(await nextOrder()).toBe('A2');
  // Importing the file again says nothing new.
  expect(outcomes(await run(`A1,M8,2,A-1-1,${word}\n`))).toEqual([['left_out', message]]);
});

test('a started order is refused, needs attention, raises an alert and is not offered until somebody decides', async () => {
  await run('A1,M8,2,A-1-1,open\n');
  await launch(station, 'A1');
  const later = await run('A1,M8,2,A-1-1,storniert\n');
  const message =
    'The file says that order A1 is canceled, but the order was launched. It is not offered any more: abort it, or continue it.';
  expect(outcomes(later)).toEqual([['refused', message]]);
  expect(later.rows[0]).toMatchObject({ conflict: true });
  expect(await getOrder(station, 'A1')).toMatchObject({
    state: 'in_progress',
    attention: ['ended_elsewhere'],
    ended_elsewhere: 'canceled',
  });
  expect(await alertsOf()).toEqual([
    'Order A1: A file says that it is canceled, but somebody has started it. Abort it, or continue it.',
  ]);
  expect(await station.get<NextOrder>('/api/work/next/')).toEqual({ order: null, waiting: 0 });
  expect(await station.get('/api/order-progress/?attention=1')).toMatchObject([{ order_number: 'A1' }]);

  await station.patch(orderPath('A1'), { continue: true });
  expect(await getOrder(station, 'A1')).toMatchObject({ attention: [], ended_elsewhere: 'canceled' });
  expect(await alertsOf()).toEqual([]);
  expect(await nextOrder()).toBe('A1');
  // The same file does not stop it again.
  expect(outcomes(await run('A1,M8,2,A-1-1,storniert\n'))).toEqual([
    ['known', 'The file says that order A1 is canceled. Somebody decided to continue it.'],
  ]);
  expect(await nextOrder()).toBe('A1');
});

test('aborting a started order ends the attention and the alert', async () => {
  await run('A1,M8,2,A-1-1,open\n');
  await launch(station, 'A1');
  await run('A1,M8,2,A-1-1,storniert\n');
  await station.post(orderPath('A1', 'abort/'));
  expect(await getOrder(station, 'A1')).toMatchObject({ state: 'aborted', attention: [] });
  expect(await alertsOf()).toEqual([]);
});

test('an order that waits for its picker is not offered to this person either', async () => {
  await run('A1,M8,2,A-1-1,open\nA2,M9,1,,open\n');
  await station.post('/api/users/', { username: 'anna', password: 'a long password', role: 'picker' });
  await station.post(orderPath('A1', 'launch/'), { picker: 'anna' });
  await station.post(orderPath('A1', 'pause/'), { picker: 'anna' });
  const next = async () => (await station.get<NextOrder>('/api/work/next/?picker=anna')).order?.order_number;
  expect(await next()).toBe('A1');
  await run('A1,M8,2,A-1-1,canceled\n');
  expect(await next()).toBe('A2');
});

test('an order in a cart counts as started', async () => {
  await run('A1,M8,2,A-1-1,open\n');
  await addCart(station);
  await addBatch(station, ['A1']);
  expect(outcomes(await run('A1,M8,2,A-1-1,canceled\n'))[0]?.[0]).toBe('refused');
  expect(await getOrder(station, 'A1')).toMatchObject({ attention: ['ended_elsewhere'] });
});

test('a fulfilled order is shipped in the next file, which changes nothing', async () => {
  await run('A1,M8,2,A-1-1,open\n');
  await launch(station, 'A1');
  await station.press(ONE);
  await station.clock.advance(3_000);
  expect(await statesOf(station, 'A1')).toContain('fulfilled');
  expect(outcomes(await run('A1,M8,2,A-1-1,shipped\n'))).toEqual([['left_out', 'It is already shipped.']]);
  expect(await getOrder(station, 'A1')).toMatchObject({ state: 'fulfilled', attention: [] });
});

test('an order of another shop with the same number stays open', async () => {
  await run('A1,M8,2,A-1-1,open\n');
  const later = await run('A1,OTHER,2,,canceled\n');
  expect(outcomes(later)).toEqual([['refused', expect.stringContaining('has other articles, and stays open')]]);
  expect(await getOrder(station, 'A1')).toMatchObject({ state: 'open', attention: [] });
});

test('what is left out for another reason ends nothing', async () => {
  await run('A1,M8,2,A-1-1,open\n');
  expect(outcomes(await run('A1,M8,2,A-1-1,on hold\n'))).toEqual([['left_out', 'It is on hold.']]);
  expect(await getOrder(station, 'A1')).toMatchObject({ state: 'open', attention: [] });
});

test('a preview shows what ends, a dry run ends nothing, and lines of the file can be included', async () => {
  await run('A1,M8,2,A-1-1,open\n');
  const preview = await run('A1,M8,2,A-1-1,canceled\n', { dry_run: true });
  expect(outcomes(preview)).toEqual([['changed', 'It is canceled. Order A1 ends here too.']]);
  expect(await getOrder(station, 'A1')).toMatchObject({ state: 'open' });
  expect(outcomes(await run('A1,M8,2,A-1-1,canceled\n', { include_left_out: true }))).toEqual([
    ['known', 'Order A1 already exists and stays unchanged.'],
  ]);
  await station.post(`/api/imports/${preview.id}/run/`);
  expect(await getOrder(station, 'A1')).toMatchObject({ state: 'aborted' });
});

test('an undo opens the order again, a redo ends it again, and a file that lists it as open reopens it', async () => {
  await run('A1,M8,2,A-1-1,open\n');
  const { id } = await run('A1,M8,2,A-1-1,canceled\n');
  expect(await station.get(`/api/imports/${id}/`)).toMatchObject({
    undoable: 1,
    undo: { restored: { count: 1, names: ['A1'] } },
  });
  expect(await station.post<OrderImportUndo>(`/api/imports/${id}/undo/`)).toEqual({ undone: 1, kept: [] });
  expect(await getOrder(station, 'A1')).toMatchObject({ state: 'open', attention: [] });
  expect(await nextOrder()).toBe('A1');
  await station.post<ImportWithRows>(`/api/imports/${id}/redo/`);
  expect(await getOrder(station, 'A1')).toMatchObject({ state: 'aborted', ended_elsewhere: 'canceled' });
  expect(outcomes(await run('A1,M8,2,A-1-1,open\n'))).toEqual([['changed', '']]);
  expect(await nextOrder()).toBe('A1');
});
