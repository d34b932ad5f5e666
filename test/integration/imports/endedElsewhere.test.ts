import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Alert } from '#shared/api/alert.ts';
import type { ImportWithRows, OrderImport, OrderImportUndo } from '#shared/api/imports.ts';
import type { OrderResult } from '#shared/api/order.ts';
import type { NextOrder } from '#shared/api/picking.ts';
import { addArticle } from '../../helpers/articles.ts';
import { addBatch, addCart } from '../../helpers/batches.ts';
import { getOrder, itemsOf, launch, ONE, orderPath, statesOf } from '../../helpers/orders.ts';
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
    'The file says that order A1 is canceled, but the order was launched. It is no longer offered: abort it, or continue it.';
  expect(outcomes(later)).toEqual([['refused', message]]);
  expect(later.rows[0]).toMatchObject({ conflict: true });
  expect(await getOrder(station, 'A1')).toMatchObject({
    state: 'in_progress',
    attention: ['ended_elsewhere'],
    ended_elsewhere: 'canceled',
  });
  expect(await alertsOf()).toEqual([
    'Order A1: A file says that it or a part of it is canceled. Abort it, or change it and continue it.',
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

test('a marked order cannot be loaded into a cart until somebody decides, and a launch warns', async () => {
  await run('A1,M8,2,A-1-1,open\n');
  await launch(station, 'A1');
  await run('A1,M8,2,A-1-1,storniert\n');
  const warnings = async () => (await station.post<OrderResult>(orderPath('A1', 'launch/'))).warnings;
  const said = expect.stringContaining('An imported file says that order A1 or a part of it is canceled.');
  expect(await warnings()).toContainEqual(said);
  const cart = await addCart(station);
  const load = { mode: 'cart', cart: cart.id, slots: [{ order_number: 'A1' }] };
  expect(await station.request('POST', '/api/batches/', load)).toMatchObject({
    status: 409,
    body: {
      detail:
        'Order A1 or a part of it is canceled in an imported file. Abort it, or continue it before you load it. Nothing was loaded.',
    },
  });
  await station.patch(orderPath('A1'), { continue: true });
  expect(await warnings()).not.toContainEqual(said);
  expect(await station.request('POST', '/api/batches/', load)).toMatchObject({ status: 201 });
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

test.each([
  ['wx-1', 'canceled', 'It is canceled.'],
  ['WX–1', 'shipped', 'It is already shipped.'],
  ['wx 1', 'on hold', 'It is on hold.'],
])('a row with the number %s of no order names the open order with a similar number', async (number, state, said) => {
  await run('WX-1,M8,2,A-1-1,open\n');
  const note = `"${number}" looks like "WX-1", the number of an order, which stays open. If you mean that one, correct the file.`;
  expect(outcomes(await run(`${number},M8,2,A-1-1,${state}\n${number},M9,1,,${state}\n`))).toEqual([
    ['left_out', `${said} ${note}`],
    ['left_out', said],
  ]);
  expect(await getOrder(station, 'WX-1')).toMatchObject({ state: 'open' });
  // An order that has ended is not named.
  await run('WX-1,M8,2,A-1-1,canceled\n');
  expect(outcomes(await run(`${number},M8,2,A-1-1,${state}\n`))).toEqual([['left_out', said]]);
});

test('an order of another shop with the same number stays open', async () => {
  await run('A1,M8,2,A-1-1,open\n');
  const later = await run('A1,OTHER,2,,canceled\n');
  expect(outcomes(later)).toEqual([['refused', expect.stringContaining('has other articles and stays open')]]);
  expect(await getOrder(station, 'A1')).toMatchObject({ state: 'open', attention: [] });
});

const CODED = 'Order,SKU,EAN,Item name,Qty,Status\n';
const runCoded = (rows: string, options: object = {}) =>
  station.post<OrderImport>('/api/imports/', { csv: CODED + rows, ...options });

test.each([
  ['its barcode', 'A1,,4006381333931,,2,', 'A1,K-100,,,2,'],
  ['the SKU, later its barcode', 'A1,K-100,,,2,', 'A1,,4006381333931,,2,'],
  ['its barcode as SKU', 'A1,4006381333931,,,2,', 'A1,K-100,,,2,'],
  ['its name', 'A1,,,Mug blue,2,', 'A1,K-100,,,2,'],
  ['its name, later its barcode', 'A1,,,Mug blue,2,', 'A1,,4006381333931,,2,'],
  ['its SKU, later without zeros', 'A1,00123,,,2,', 'A1,123,,,2,'],
])('an order ends if a later file names its article by another code: %s', async (_what, first, later) => {
  await addArticle(station, 'K-100', [{ location: 'A-1-1' }], {
    name: 'Mug blue',
    barcodes: [{ code: '4006381333931' }],
  });
  await addArticle(station, '00123', [{ location: 'A-1-1' }]);
  await runCoded(`${first}open\n`);
  expect(outcomes(await runCoded(`${later}storniert\n`))).toEqual([
    ['changed', 'It is canceled. Order A1 ends here too.'],
  ]);
  expect(await getOrder(station, 'A1')).toMatchObject({ state: 'aborted', ended_elsewhere: 'canceled' });
});

test('pieces are counted across the codes of an article, and another article does not end', async () => {
  await addArticle(station, 'K-100', [{ location: 'A-1-1' }], { barcodes: [{ code: '4006381333931' }] });
  await addArticle(station, 'K-101', [{ location: 'A-1-2' }], { barcodes: [{ code: '036000291452' }] });
  await runCoded('A1,,4006381333931,,5,open\nA2,,036000291452,,2,open\n');
  const later = await runCoded('A1,K-100,,,2,canceled\nA1,,4006381333931,,1,canceled\nA2,K-100,,,2,canceled\n');
  expect(later.rows.map(({ message }) => message)).toEqual([
    expect.stringContaining('a part of order A1 is canceled: 3 × 4006381333931.'),
    expect.stringContaining('a part of order A1 is canceled: 3 × 4006381333931.'),
    expect.stringContaining('order A2 here has other articles and stays open'),
  ]);
  expect(await getOrder(station, 'A1')).toMatchObject({ state: 'open', attention: ['ended_elsewhere'] });
});

test('a canceled line of a started order is found by another code', async () => {
  await addArticle(station, 'K-100', [{ location: 'A-1-1' }], { barcodes: [{ code: '4006381333931' }] });
  await runCoded('A1,M8,,,2,open\nA1,,4006381333931,,1,open\n');
  await launch(station, 'A1');
  const later = await runCoded('A1,M8,,,2,open\nA1,K-100,,,1,canceled\n');
  expect(later.rows[0]?.message).toContain('a part of order A1 is canceled: 1 × 4006381333931.');
});

test('what is left out for another reason ends nothing', async () => {
  await run('A1,M8,2,A-1-1,open\n');
  expect(outcomes(await run('A1,M8,2,A-1-1,on hold\n'))).toEqual([
    ['left_out', 'It is on hold. Order A1 exists here and stays open.'],
  ]);
  expect(await getOrder(station, 'A1')).toMatchObject({ state: 'open', attention: [] });
});

test.each([
  ['on hold', 'A1,M8,2,A-1-1,on hold\nA1,M9,1,,on hold\n', 'It is on hold.'],
  ['its buyer asks to cancel it', 'A1,M8,2,A-1-1,cancellation requested\n', 'The buyer asked to cancel it.'],
])(
  'the first row of an open order that a later file calls waiting says that it stays open: %s',
  async (_what, later, said) => {
    await run('X-A1,M8,2,A-1-1,open\nX-A1,M9,1,,open\n');
    const { rows, counts } = await run(later, { order_prefix: 'X-', dry_run: true });
    expect(rows.map(({ message }) => message)).toEqual([
      `${said} Order X-A1 exists here and stays open.`,
      ...rows.slice(1).map(() => said),
    ]);
    expect(counts).toMatchObject({ left_out: rows.length, refused: 0, known: 0 });
    await run(later, { order_prefix: 'X-' });
    expect(await getOrder(station, 'X-A1')).toMatchObject({ state: 'open', attention: [] });
    // Neither an unknown order nor one that has ended is named.
    expect((await run(later, { order_prefix: 'Y-' })).rows[0]?.message).toBe(said);
    await station.post(orderPath('X-A1', 'abort/'));
    expect((await run(later, { order_prefix: 'X-' })).rows[0]?.message).toBe(said);
  },
);

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

test('an undo opens the order again, a redo ends it again, and a file never does', async () => {
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
  const ended = `Import ${id} ended it, because its file says that the order is canceled.`;
  expect(outcomes(await run('A1,M8,2,A-1-1,open\n'))).toEqual([
    ['refused', `The file says that order A1 is open. ${ended} Undo that import, or launch the order.`],
  ]);
  const stateless = await station.post<OrderImport>('/api/imports/', {
    csv: 'Order,SKU,Qty,Bin location\nA1,M8,2,A-1-1\n',
  });
  expect(outcomes(stateless)).toEqual([['known', ended]]);
  expect(await getOrder(station, 'A1')).toMatchObject({ state: 'aborted', ended_elsewhere: 'canceled' });
  await station.post(`/api/imports/${id}/undo/`);
  expect(await nextOrder()).toBe('A1');
});

test('an order that a person aborts after a file has marked it stays aborted', async () => {
  await run('A1,M8,2,A-1-1,open\n');
  await addCart(station);
  await addBatch(station, ['A1']);
  await run('A1,M8,2,A-1-1,canceled\n');
  await station.post(orderPath('A1', 'abort/'));
  expect(outcomes(await run('A1,M8,2,A-1-1,open\n'))).toEqual([
    ['known', 'Order A1 already exists, was aborted and stays unchanged.'],
  ]);
  expect(await getOrder(station, 'A1')).toMatchObject({ state: 'aborted' });
});

test('a marked order that a file lists as open waits for a decision, and the answer says so', async () => {
  await run('A1,M8,2,A-1-1,open\n');
  await launch(station, 'A1');
  await run('A1,M8,2,A-1-1,canceled\n');
  expect(outcomes(await run('A1,M8,2,A-1-1,open\n'))).toEqual([
    ['refused', expect.stringContaining('is open, but an earlier file says that it or a part of it is canceled')],
  ]);
  expect(await getOrder(station, 'A1')).toMatchObject({ attention: ['ended_elsewhere'] });
  await station.patch(orderPath('A1'), { continue: true });
  expect(outcomes(await run('A1,M8,2,A-1-1,open\n'))).toEqual([
    ['known', 'Order A1 already exists and stays unchanged.'],
  ]);
});

// M8 and M9 are still to be picked.
const PARTS = [
  { of: 'a file with only this line', later: 'A1,M10,2,,refunded\n', said: '2 × M10' },
  {
    of: 'a file with fewer pieces',
    later: 'A1,M8,1,A-1-1,refunded\nA1,M9,1,,refunded\nA1,M10,2,,refunded\n',
    said: '1 × M8',
  },
  {
    of: 'lines beside held ones',
    later: 'A1,M8,2,A-1-1,on hold\nA1,M9,1,,on hold\nA1,M10,2,,refunded\n',
    said: '2 × M10',
  },
];

test.each(PARTS)(
  'an order of which a part ended keeps its lines and waits for a decision: $of',
  async ({ later, said }) => {
    await run('A1,M8,2,A-1-1,open\nA1,M9,1,,open\nA1,M10,2,,open\n');
    const { rows } = await run(later);
    expect(new Set(rows.map(({ outcome }) => outcome))).toEqual(new Set(['refused']));
    expect(rows[0]?.message).toMatch(
      /^The file says that a part of order A1 is refunded: .* change it and continue it, or abort it\.$/,
    );
    expect(rows[0]?.message).toContain(said);
    expect(await getOrder(station, 'A1')).toMatchObject({ state: 'open', attention: ['ended_elsewhere'] });
    expect((await itemsOf(station, 'A1')).map(({ state }) => state)).toEqual(['open', 'open', 'open']);
    expect(await nextOrder()).toBeUndefined();
    await station.patch(orderPath('A1'), { continue: true });
    expect((await run(later)).rows[0]).toMatchObject({ outcome: 'known' });
    expect(await nextOrder()).toBe('A1');
  },
);

test('held lines that are not in an order do not change it', async () => {
  await run('A1,M9,1,A-1-1,open\n');
  expect((await run('A1,M8,2,,shipped\nA1,M9,1,A-1-1,on hold\n')).counts).toMatchObject({ left_out: 2, refused: 0 });
  expect(await getOrder(station, 'A1')).toMatchObject({ state: 'open', attention: [] });
});

test('a canceled line of a started order is named, and the order needs attention', async () => {
  await run('A1,M8,2,A-1-1,open\nA1,M9,1,,open\n');
  await launch(station, 'A1');
  const later = await run('A1,M8,2,A-1-1,open\nA1,M9,1,,canceled\n');
  const message =
    'The file says that a part of order A1 is canceled: 1 × M9. The order is no longer offered: change it and continue it, or abort it.';
  expect(outcomes(later)).toEqual([
    ['refused', message],
    ['left_out', 'It is canceled.'],
  ]);
  expect(await getOrder(station, 'A1')).toMatchObject({
    state: 'in_progress',
    attention: ['unassigned', 'ended_elsewhere'],
  });
  expect(await alertsOf()).toContain(
    'Order A1: A file says that it or a part of it is canceled. Abort it, or change it and continue it.',
  );
});

test.each([
  ['="0123"', '="0123"'],
  ["'0123", '0123'],
  ['0123', '="0123"'],
])('articles are compared as they are read: %s, later %s', async (first, later) => {
  const cell = (text: string) => `"${text.replaceAll('"', '""')}"`;
  await run(`A1,${cell(first)},2,A-1-1,open\n`);
  await run(`A1,${cell(later)},2,A-1-1,canceled\n`);
  expect(await getOrder(station, 'A1')).toMatchObject({ state: 'aborted' });
});

test.each([
  ['[K-100] Mug', 'open'],
  ['[M8] Bolt', 'aborted'],
])('an article in the form of Odoo is compared: %s', async (article, state) => {
  await station.post('/api/orders/', { order_number: 'A1', items: [{ SKU: 'M8', ordered_quantity: 2 }] });
  const csv = `Order Reference,Order Lines/Product,Order Lines/Quantity,Status\nA1,${article},2,Cancelled\n`;
  const { rows } = await station.post<OrderImport>('/api/imports/', {
    csv,
    columns: { 'Order Lines/Product': 'sku_and_name' },
  });
  expect(rows).toMatchObject([{ outcome: state === 'open' ? 'refused' : 'changed' }]);
  expect(await getOrder(station, 'A1')).toMatchObject({ state });
});

test('pieces are not compared if the file says 0 or nothing for a canceled line', async () => {
  await run('A1,M8,2,A-1-1,open\n');
  await run('A1,M8,0,A-1-1,canceled\n');
  expect(await getOrder(station, 'A1')).toMatchObject({ state: 'aborted' });
});

test('an order that ends is left as it is if somebody sets its row aside', async () => {
  await run('A1,M8,2,A-1-1,open\n');
  const preview = await run('A1,M8,2,A-1-1,canceled\nA2,M9,1,,open\n', { dry_run: true });
  const done = await station.post<ImportWithRows>(`/api/imports/${preview.id}/run/`, { set_aside: [2] });
  expect(done.counts).toMatchObject({ held: 0, known: 1, new: 1 });
  expect((await station.get<ImportWithRows>(`/api/imports/${preview.id}/`)).rows[0]).toMatchObject({
    outcome: 'known',
    message: 'Left as it is.',
  });
  expect(await station.get('/api/import-drafts/')).toEqual([]);
  expect(await getOrder(station, 'A1')).toMatchObject({ state: 'open' });
});

const attentionOf = async () => (await getOrder(station, 'A1')).attention;

test('a decision to continue counts only for what the file said, so a later file that says more marks the order again', async () => {
  await run('A1,M7,4,A-1-1,open\nA1,M8,2,A-1-1,open\nA1,M9,1,A-1-1,open\n');
  await launch(station, 'A1');
  const part = 'A1,M7,4,A-1-1,open\nA1,M8,2,A-1-1,open\nA1,M9,1,A-1-1,canceled\n';
  await run(part);
  expect(await attentionOf()).toEqual(['ended_elsewhere']);
  await station.patch(orderPath('A1'), { continue: true });
  await run(part);
  expect(await attentionOf()).toEqual([]);
  // Another line.
  const more = 'A1,M7,4,A-1-1,open\nA1,M8,2,A-1-1,canceled\nA1,M9,1,A-1-1,canceled\n';
  await run(more);
  expect(await attentionOf()).toEqual(['ended_elsewhere']);
  await station.patch(orderPath('A1'), { continue: true });
  await run(more);
  await run(part);
  expect(await attentionOf()).toEqual([]);
  // The whole order.
  const whole = 'A1,M7,4,A-1-1,canceled\nA1,M8,2,A-1-1,canceled\nA1,M9,1,A-1-1,canceled\n';
  expect(outcomes(await run(whole))[0]).toEqual([
    'refused',
    expect.stringMatching(/order A1 is canceled, but the order was launched/),
  ]);
  expect(await attentionOf()).toEqual(['ended_elsewhere']);
  expect(await nextOrder()).toBeUndefined();
  await station.patch(orderPath('A1'), { continue: true });
  expect(outcomes(await run(whole))[0]?.[0]).toBe('known');
  await run(more);
  expect(await attentionOf()).toEqual([]);
});

test('a decision counts for what was said before it, even if the mark was for less at first', async () => {
  await run('A1,M8,2,A-1-1,open\nA1,M9,1,A-1-1,open\n');
  await launch(station, 'A1');
  await run('A1,M8,2,A-1-1,open\nA1,M9,1,A-1-1,canceled\n');
  await run('A1,M8,2,A-1-1,canceled\nA1,M9,1,A-1-1,canceled\n');
  await station.patch(orderPath('A1'), { continue: true });
  expect(outcomes(await run('A1,M8,2,A-1-1,canceled\nA1,M9,1,A-1-1,canceled\n'))[0]?.[0]).toBe('known');
  expect(await attentionOf()).toEqual([]);
});

test.each([
  ['in the last row', 'A2,M9,1,,open\nA1,,,,canceled\n'],
  ['above lines', 'A1,,,,canceled\nA2,M9,1,,open\n'],
  ['as the only row', 'A1,,,,canceled\n'],
])('an order ends if a row without an article says so, %s', async (_where, rows) => {
  await run('A1,M8,2,A-1-1,open\nA1,M9,1,,open\n');
  const later = await run(rows);
  expect(later.rows.find(({ order_number: number }) => number === 'A1')).toMatchObject({
    outcome: 'changed',
    message: 'It is canceled. Order A1 ends here too.',
  });
  expect(await getOrder(station, 'A1')).toMatchObject({ state: 'aborted', ended_elsewhere: 'canceled' });
});

test('a row without an article ends no order that was started, and none that the file also lists as open', async () => {
  await run('A1,M8,2,A-1-1,open\n');
  await launch(station, 'A1');
  expect(outcomes(await run('A1,,,,canceled\n'))).toEqual([['refused', expect.stringContaining('was launched')]]);
  expect(await getOrder(station, 'A1')).toMatchObject({ attention: ['ended_elsewhere'] });
  const both = await run('A3,M8,2,A-1-1,open\nA3,,,,canceled\nA4,,,,canceled\n');
  expect(outcomes(both)).toEqual([
    ['refused', 'Line 3 says that the order is canceled, but line 2 is open. Correct one of them.'],
    ['refused', 'Line 3 says that the order is canceled, but line 2 is open. Correct one of them.'],
    ['left_out', 'It is canceled.'],
  ]);
});
