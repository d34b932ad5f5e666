import { act, fireEvent, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import type { Draft, DraftEntry } from '#shared/api/importDrafts.ts';
import type { ImportRow, OrderImport } from '#shared/api/imports.ts';
import { ApiError } from '../../../renderer/src/words/apiError.ts';
import { openWork, press, progress, rowsShown, type } from './workSupport.tsx';
import type { Stubs } from '../support.tsx';

const loadOrders = () => Promise.resolve([progress('9000')]);
const AT = new Date().toISOString();

const row = (line: number, given: Partial<ImportRow> = {}): ImportRow => ({
  line,
  outcome: 'new',
  message: '',
  conflict: false,
  order_number: 'B',
  shipment_number: '',
  SKU: 'M8',
  UPC: '',
  name: 'Nut',
  ordered_quantity: '12',
  quantity: 12,
  warehouse_location: '',
  deviceid: null,
  ...given,
});
const WRONG = row(3, {
  outcome: 'refused',
  message: '"many" is not a number.',
  ordered_quantity: 'many',
  quantity: null,
});

const entry = (given: Partial<DraftEntry> = {}): DraftEntry => ({
  id: 1,
  import_id: 5,
  name: 'monday.csv',
  by: 'Ann',
  at: AT,
  expires_time: AT,
  order_number: 'B',
  message: 'Line 3: "many" is not a number.',
  exists: false,
  ...given,
});

/** Fakes a station with one draft, whose order can be created once its row is corrected. */
function stationWith(given: Partial<DraftEntry> = {}) {
  let drafts = [entry(given)];
  let rows = [WRONG];
  const now = (id: number): Draft => ({
    ...entry(given),
    ...drafts.find((each) => each.id === id),
    fields: ['SKU', 'ordered_quantity'],
    rows,
  });
  return {
    loadOrders,
    listImportDrafts: () => Promise.resolve(drafts),
    getImportDraft: ({ path: { id } }: { path: { id: string | number } }) => Promise.resolve(now(Number(id))),
    correctImportDraft: vi.fn<Stubs['correctImportDraft']>(({ id }, { line }) => {
      rows = [row(line)];
      drafts = [entry({ ...given, message: '' })];
      return Promise.resolve(now(id));
    }),
    createOrderFromDraft: vi.fn<Stubs['createOrderFromDraft']>(() => {
      drafts = [];
      return Promise.resolve('B');
    }),
    discardImportDraft: vi.fn<Stubs['discardImportDraft']>(() => {
      drafts = [];
      return Promise.resolve();
    }),
  };
}

async function openDraft(): Promise<void> {
  await press('Show drafts');
  await press('Open the draft of order B');
}

test('drafts appear above the orders, with the file, the person and the reason', async () => {
  await openWork('orders', stationWith(), { scope: 'admin' });
  expect(screen.getByRole('region', { name: 'Drafts' }).textContent).toContain('1 draft');
  await press('Show drafts');
  const said = screen.getByRole('dialog').textContent;
  expect(said).toContain('Line 3: "many" is not a number.');
  expect(said).toContain('monday.csv · Ann,');
});

test('without drafts, the page has no Drafts region', async () => {
  await openWork('orders', { loadOrders }, { scope: 'admin' });
  expect(screen.queryByRole('region', { name: 'Drafts' })).toBeNull();
});

test('corrects a draft in its cells, and then creates the order', async () => {
  const station = stationWith();
  await openWork('orders', station, { scope: 'admin' });
  await openDraft();
  const create = screen.getByRole('button', { name: 'Create order' });
  expect(create).toHaveProperty('disabled', true);
  await press(/^Correct Quantity, line 3/);
  fireEvent.change(screen.getByRole('textbox', { name: 'Quantity, line 3' }), { target: { value: '12' } });
  fireEvent.keyDown(screen.getByRole('textbox', { name: 'Quantity, line 3' }), { key: 'Enter' });
  expect(await screen.findByText('Ready to create.')).toBeDefined();
  expect(station.correctImportDraft.mock.calls).toMatchObject([
    [{ rows: [WRONG] }, { line: 3, cells: { ordered_quantity: '12' } }],
  ]);
  await press('Create order');
  expect(station.createOrderFromDraft.mock.lastCall).toMatchObject([{ rows: [row(3)] }]);
  expect(screen.queryByRole('region', { name: 'Drafts' })).toBeNull();
});

test('a draft whose order number already exists is marked, and can only be discarded', async () => {
  const station = stationWith({ exists: true, message: '' });
  await openWork('orders', station, { scope: 'admin' });
  await openDraft();
  expect(screen.getByText(/^An order with this number now exists/)).toBeDefined();
  expect(screen.getByRole('button', { name: 'Create order' })).toHaveProperty('disabled', true);
  await press('Discard');
  expect(station.discardImportDraft.mock.lastCall).toMatchObject([{ id: 1, rows: [WRONG] }]);
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('a draft whose order cannot be created stays in the list, with the reason', async () => {
  const station = stationWith({ message: '' });
  station.createOrderFromDraft.mockRejectedValue(new ApiError('conflict', 'Order B exists, and was not changed.'));
  await openWork('orders', station, { scope: 'admin' });
  await openDraft();
  await press('Create order');
  expect(await screen.findByText(/The order was not created.*Order B exists/s)).toBeDefined();
  expect(screen.getByRole('region', { name: 'Drafts', hidden: true })).toBeDefined();
});

for (const [name, call] of [
  ['Discard', 'discardImportDraft'],
  ['Create order', 'createOrderFromDraft'],
] as const) {
  test(`“${name}” on a draft that somebody else changed does nothing, shows the new rows and explains what to do`, async () => {
    const station = stationWith({ message: '' });
    let rows = [WRONG];
    station.getImportDraft = ({ path: { id } }) =>
      Promise.resolve({ ...entry({ message: '' }), id: Number(id), fields: ['SKU'], rows });
    station[call].mockRejectedValueOnce(new ApiError('changed', ''));
    await openWork('orders', station, { scope: 'admin' });
    await openDraft();
    rows = [row(3, { SKU: 'M99' })];
    await press(name);
    expect(screen.getByText(/^This draft has changed since you opened it, so nothing was done\./)).toBeDefined();
    expect(rowsShown().join()).toContain('M99');
    await press(name);
    expect(station[call].mock.lastCall).toMatchObject([{ rows }]);
    expect(screen.queryByRole('dialog')).toBeNull();
  });
}

test('a correction waits for the response to the previous correction and builds on it', async () => {
  const station = stationWith();
  const answers: (() => void)[] = [];
  station.getImportDraft = ({ path: { id } }) =>
    Promise.resolve({ ...entry(), id: Number(id), fields: ['SKU', 'ordered_quantity'], rows: [WRONG] });
  station.correctImportDraft.mockImplementation(
    (seen, { line, cells }) =>
      new Promise((resolve) => {
        const rows = seen.rows.map((each) => (each.line === line ? { ...each, ...cells } : each));
        answers.push(() => resolve({ ...seen, rows }));
      }),
  );
  await openWork('orders', station, { scope: 'admin' });
  await openDraft();
  const correct = async (name: string, value: string) => {
    await press(new RegExp(`^Correct ${name}, line 3`));
    const field = screen.getByRole('textbox', { name: `${name}, line 3` });
    fireEvent.change(field, { target: { value } });
    await act(async () => fireEvent.keyDown(field, { key: 'Enter' }));
  };
  await correct('Quantity', '12');
  await correct('SKU', 'M10');
  expect(station.correctImportDraft).toHaveBeenCalledTimes(1);
  await act(async () => answers[0]?.());
  expect(station.correctImportDraft.mock.lastCall).toMatchObject([
    { rows: [{ ordered_quantity: '12', SKU: 'M8' }] },
    { line: 3, cells: { SKU: 'M10' } },
  ]);
  await act(async () => answers[1]?.());
  expect(rowsShown().join()).toContain('M10');
});

const PREVIEW: OrderImport = {
  kind: 'orders',
  id: 5,
  dry_run: true,
  delimiter: ',',
  encoding: 'utf-8',
  sheet: null,
  sheets: [],
  profile: null,
  mapping: [{ name: 'order_number', field: 'order_number', samples: ['B', 'C'] }],
  questions: [],
  remembered: null,
  asks_date_order: false,
  asks_unpaid: false,
  asks_states: [],
  asks_units: [],
  asks_place_paths: [],
  skipped: { hidden_rows: 0, hidden_columns: 0 },
  notes: [],
  columns: ['order_number'],
  ignored: [],
  counts: { orders: 2, new: 3, changed: 0, known: 0, held: 0, refused: 0, left_out: 0 },
  rows: [row(2), row(3, { order_number: '' }), row(4, { order_number: 'C' })],
};

test('sets an order aside in the preview with all its rows, and can include it again', async () => {
  const runImport = vi.fn<Stubs['runImport']>(() => new Promise(() => undefined));
  await openWork(
    'orders',
    { loadOrders, previewImport: () => Promise.resolve(PREVIEW), runImport },
    { path: '/import?what=orders', scope: 'admin' },
  );
  await type('Or paste from a spreadsheet', 'x');
  await press('Preview');
  expect(screen.getByRole('button', { name: 'Import 2 orders' })).toBeDefined();
  const [, second] = screen.getAllByRole('button', { name: 'New: set order B aside' });
  if (second !== undefined) fireEvent.click(second);
  expect(rowsShown().map((each) => each.slice(1, 6))).toEqual(['Draft', 'Draft', 'NewC1']);
  expect(
    screen.getByText('Invalid orders and orders that you set aside are kept as drafts for 30 days.'),
  ).toBeDefined();
  fireEvent.click(screen.getByRole('button', { name: 'New: set order C aside' }));
  fireEvent.click(screen.getByRole('button', { name: 'Draft: include order C' }));
  await press('Import 1 order');
  expect(runImport.mock.calls.map(([sent]) => sent)).toEqual([{ path: { id: 5 }, body: { set_aside: [3] } }]);
});

test('an order set aside while a correction is being answered stays aside, also when an option changes', async () => {
  const runImport = vi.fn<Stubs['runImport']>(() => new Promise(() => undefined));
  let answer: () => void = () => undefined;
  const counts = { ...PREVIEW.counts, left_out: 1 };
  const correctImportRow: Stubs['correctImportRow'] = () =>
    new Promise((resolve) => (answer = () => resolve({ counts, rows: [] })));
  const mapping = [...PREVIEW.mapping, { name: 'SKU', field: 'SKU' as const, samples: ['M8'] }];
  await openWork(
    'orders',
    { loadOrders, previewImport: () => Promise.resolve({ ...PREVIEW, counts, mapping }), runImport, correctImportRow },
    { path: '/import?what=orders', scope: 'admin' },
  );
  await type('Or paste from a spreadsheet', 'x');
  await press('Preview');
  await press('Correct SKU, line 2: M8');
  const field = screen.getByRole('textbox', { name: 'SKU, line 2' });
  fireEvent.change(field, { target: { value: 'M9' } });
  await act(async () => fireEvent.blur(field));
  await press('New: set order C aside');
  await act(async () => answer());
  expect(screen.getByRole('button', { name: 'Draft: include order C' })).toBeDefined();
  await act(async () => fireEvent.click(screen.getByRole('switch', { name: /^Also import lines/ })));
  await act(async () => answer());
  await press('Import 1 order');
  expect(runImport.mock.calls.map(([{ body }]) => body)).toEqual([{ set_aside: [4] }]);
});
