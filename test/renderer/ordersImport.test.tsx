import { screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { LastOrderImport, OrderImport } from '#shared/api/imports.ts';
import { ApiError } from '../../renderer/src/station/apiError.ts';
import { orderAddress } from '../../renderer/src/station/addresses.ts';
import { item, openWork, order, press, progress, rowsShown, type } from './workSupport.tsx';

const path = '/orders/import';
const LIST = 'order_number\tSKU\tname\tordered_quantity\tbox\n1\tM8\tNut\t12\tred\n2\tGL\tGlove\tfive\tblue';
const loadOrders = () => Promise.resolve([progress('9000')]);

const row = (line: number, given: Partial<OrderImport['rows'][number]>): OrderImport['rows'][number] => ({
  line,
  outcome: 'new',
  message: '',
  order_number: String(line),
  shipment_number: '',
  SKU: 'M8',
  UPC: '',
  name: 'Nut',
  ordered_quantity: '12',
  quantity: 12,
  warehouse_location: 'A-2',
  deviceid: null,
  ...given,
});
const COUNTS = { orders: 1, new: 1, changed: 0, known: 1, held: 1, refused: 1, left_out: 0 };
const PREVIEW: OrderImport = {
  id: null,
  dry_run: true,
  delimiter: '\t',
  encoding: 'utf-8',
  sheet: null,
  profile: null,
  mapping: [],
  questions: [],
  asks_date_order: false,
  skipped: { hidden_rows: 0, hidden_columns: 0 },
  notes: [],
  columns: ['order_number', 'SKU'],
  ignored: ['box'],
  counts: COUNTS,
  rows: [
    row(2, {}),
    row(3, { outcome: 'refused', message: '"five" is not a quantity.', ordered_quantity: 'five' }),
    row(4, { outcome: 'held', message: 'Line 3 of this order is wrong.' }),
    row(5, { outcome: 'known', message: 'Order 5 already exists and stays unchanged.' }),
  ],
};
const LAST: LastOrderImport = { id: 7, at: new Date().toISOString(), by: 'Ann', counts: COUNTS, undoable: 1 };

beforeEach(() => window.localStorage.clear());
afterEach(() => void vi.restoreAllMocks());

async function look(text = LIST): Promise<void> {
  await type('Or paste from a spreadsheet', text);
  await press('Preview');
}

test('the preview shows the dry run of the station, with the full reason for each row left out', async () => {
  const importOrders = vi.fn(() => Promise.resolve(PREVIEW));
  await openWork('orders', { loadOrders, importOrders }, { path, scope: 'admin' });
  await look();
  expect(importOrders.mock.calls).toEqual([[LIST, expect.objectContaining({ dry: true })]]);
  expect(rowsShown()).toEqual([
    '2New212 × NutM8A-2No device yet',
    '3Invalid3five × NutM8"five" is not a quantity.',
    '4Held back412 × NutM8Line 3 of this order is wrong.',
    '5Exists512 × NutM8Order 5 already exists and stays unchanged.',
  ]);
  expect(screen.getByText('3 rows will be left out.')).toBeDefined();
});

test('saves the rejected rows as in the file, with a column for the reason', async () => {
  const saved: Blob[] = [];
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    if (blob instanceof Blob) saved.push(blob);
    return 'blob:rejected';
  });
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
  const importOrders = () => Promise.resolve(PREVIEW);
  await openWork('orders', { loadOrders, importOrders }, { path, scope: 'admin' });
  await look();
  await press('Save the rejected rows');
  expect((await saved[0]?.text())?.split('\r\n').slice(-3)).toEqual([
    expect.stringMatching(/order_number,SKU,name,ordered_quantity,box,reason$/),
    '2,GL,Glove,five,blue,"""five"" is not a quantity."',
    '',
  ]);
});

test('imports the file, and Undo says what it kept', async () => {
  let last: LastOrderImport | null = null;
  const importOrders = vi.fn((_csv: string, { dry }: { dry: boolean }) => {
    if (!dry) last = LAST;
    return Promise.resolve(PREVIEW);
  });
  const undoOrderImport = vi.fn(() => {
    last = null;
    return Promise.resolve({ undone: 1, kept: [{ order_number: '5', message: 'It was launched since.' }] });
  });
  const loadLastOrderImport = () => Promise.resolve(last);
  await openWork(
    'orders',
    { loadOrders, loadLastOrderImport, importOrders, undoOrderImport },
    { path, scope: 'admin' },
  );
  await look();
  await press('Import 1 order');
  expect(importOrders.mock.calls.map(([, { dry }]) => dry)).toEqual([true, false]);
  expect(screen.getByText(/^Imported 1 order at .* by Ann\.$/)).toBeDefined();
  await press('Undo the import');
  expect(undoOrderImport.mock.calls).toEqual([[7]]);
  expect(screen.getByRole('dialog').textContent).toMatch(/5 It was launched since\./);
  expect(screen.queryByRole('region', { name: 'The last import' })).toBeNull();
});

test('without the right to import, Undo explains why it is not allowed', async () => {
  const undoOrderImport = vi.fn();
  const read = { loadOrders, loadLastOrderImport: () => Promise.resolve(LAST), undoOrderImport };
  await openWork('orders', read, { scope: 'read' });
  expect(screen.getByText(/^Imported 1 order/)).toBeDefined();
  await press('Undo the import');
  expect(screen.getByRole('dialog').textContent).toContain('admin');
  expect(undoOrderImport).not.toHaveBeenCalled();
});

test('an import that cannot be undone offers no Undo', async () => {
  const read = { loadOrders, loadLastOrderImport: () => Promise.resolve({ ...LAST, undoable: 0 }) };
  await openWork('orders', read, { scope: 'admin' });
  expect(screen.getByText(/^Imported 1 order/)).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Undo the import' })).toBeNull();
});

test('a refused list is reported where it was pasted', async () => {
  const importOrders = () => Promise.reject(new ApiError('invalid', 'There is no column order_number.'));
  await openWork('orders', { loadOrders, importOrders }, { path, scope: 'admin' });
  await press('Preview');
  expect(screen.getByText('Paste a list or choose a file.')).toBeDefined();
  await look('just some words');
  expect(screen.getByText(/^There is no column order_number/)).toBeDefined();
});

test('the import address of earlier versions leads to the import', async () => {
  await openWork('orders', { loadOrders }, { path: '/orders?view=import', scope: 'admin' });
  expect(window.location.pathname).toBe('/orders/import');
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Import orders');
});

test('a user without the right to import sees the reason, and an order numbered "import" still has its page', async () => {
  const { unmount } = await openWork('orders', { loadOrders }, { path, scope: 'control' });
  expect(screen.getByText(/Your role control does not allow you to import files/)).toBeDefined();
  unmount();
  const loadOrder = vi.fn(() => Promise.resolve(order('import', [item(1)])));
  await openWork('orders', { loadOrder }, { path: orderAddress('import'), scope: 'admin' });
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Order import');
  expect(loadOrder.mock.calls).toEqual([['import']]);
});
