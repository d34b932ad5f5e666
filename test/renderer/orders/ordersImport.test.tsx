import { act, fireEvent, screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import type { ImportEntry, ImportRow, ImportWithUndo, OrderImport } from '#shared/api/imports.ts';
import type { RememberedColumns } from '#shared/api/importColumns.ts';
import { ApiError } from '../../../renderer/src/words/apiError.ts';
import type { ImportSource } from '../../../renderer/src/station/calls/importApi.ts';
import { orderAddress } from '../../../renderer/src/station/addresses.ts';
import { ImportPage } from '../../../renderer/src/features/import/ImportPage.tsx';
import { userOf } from '../../helpers/snapshots.ts';
import { show, type Stubs } from '../support.tsx';
import { item, openWork, order, press, progress, rowsShown, type } from './workSupport.tsx';

const path = '/import?what=orders';
const LIST = 'order_number\tSKU\tname\tordered_quantity\tbox\n1\tM8\tNut\t12\tred\n2\tGL\tGlove\tfive\tblue';
const loadOrders = () => Promise.resolve([progress('9000')]);

const row = (line: number, given: Partial<ImportRow> = {}): ImportRow => ({
  line,
  outcome: 'new',
  message: '',
  conflict: false,
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
  kind: 'orders',
  id: 5,
  dry_run: true,
  delimiter: '\t',
  encoding: 'utf-8',
  sheet: null,
  sheets: [],
  profile: null,
  mapping: [
    { name: 'order_number', field: 'order_number', samples: ['1', '2'] },
    { name: 'SKU', field: 'SKU', samples: ['M8', 'GL'] },
    { name: 'name', field: 'name', samples: ['Nut', 'Glove'] },
    { name: 'ordered_quantity', field: 'ordered_quantity', samples: ['12', 'five'] },
    { name: 'box', field: null, samples: ['red', 'blue'] },
  ],
  questions: [],
  remembered: null,
  asks_date_order: false,
  asks_unpaid: false,
  asks_states: [],
  asks_units: [],
  asks_place_paths: [],
  skipped: { hidden_rows: 0, hidden_columns: 0 },
  notes: [],
  columns: ['order_number', 'SKU', 'name', 'ordered_quantity'],
  ignored: ['box'],
  counts: COUNTS,
  rows: [
    row(2),
    row(3, { outcome: 'refused', message: '"five" is not a quantity.', ordered_quantity: 'five', quantity: null }),
    row(4, { outcome: 'held', message: 'Line 3 of this order is wrong.' }),
    row(5, { outcome: 'known', message: 'Order 5 already exists and stays unchanged.' }),
  ],
};
const AT = new Date().toISOString();
const entry = (id: number, state: ImportEntry['state']): ImportWithUndo => ({
  id,
  state,
  kind: 'orders',
  source: 'api',
  name: '',
  at: AT,
  by: 'Ann',
  counts: COUNTS,
  undoable: 1,
  undone_time: null,
  redo_until: null,
  rows: [],
  undo: {
    removed: { count: 1, names: ['4'] },
    restored: { count: 0, names: [] },
    kept: { count: 1, reasons: [{ message: 'It was launched since.', count: 1, names: ['5'] }] },
  },
});

const LAST = entry(5, 'imported');
/** Fakes a station that reports this state for every import. */
const stateOf =
  (state: ImportEntry['state']): Stubs['getImport'] =>
  ({ path: { id } }) =>
    Promise.resolve(entry(Number(id), state));

const asked = (option: string, ...values: string[]) =>
  new ApiError('invalid', `Give the ${option}.`, [
    { path: `/${option}`, message: `Give the ${option}.` },
    ...values.map((value) => ({ path: `/${option}/${value}`, message: `as ${value}` })),
  ]);

type Answer = Partial<OrderImport> | ApiError;

/** Returns a function that answers with these previews in turn, and then repeats the last one. */
function readings(...answers: Answer[]) {
  let next = 0;
  return vi.fn<Stubs['previewImport']>(() => {
    const answer = answers[Math.min(next, answers.length - 1)] ?? {};
    next += 1;
    return answer instanceof ApiError ? Promise.reject(answer) : Promise.resolve({ ...PREVIEW, ...answer });
  });
}

const fileOf = (source: ImportSource | undefined) =>
  source !== undefined && 'file' in source ? source.file : undefined;
const optionsOf = (previewImport: ReturnType<typeof readings>) =>
  previewImport.mock.calls.map(([{ options }]) => options);

const open = (api: Partial<Stubs>) => openWork('orders', { loadOrders, ...api }, { path, scope: 'admin' });

async function look(text = LIST): Promise<void> {
  await type('Or paste from a spreadsheet', text);
  await press('Preview');
}

async function choose(field: string, option: string): Promise<void> {
  await press(new RegExp(`${field}$`));
  await press(option, 'option');
}

test('the preview shows the result of each row with the full reason, and filters by result', async () => {
  await open({ previewImport: readings({}) });
  await look();
  expect(rowsShown()).toEqual([
    '2New212NutM8A-2No device yet',
    '3Invalid3fiveNutM8A-2"five" is not a quantity.',
    '4Held back412NutM8A-2Line 3 of this order is wrong.',
    '5Exists512NutM8A-2Order 5 already exists and stays unchanged.',
  ]);
  expect(screen.getByText('3 rows will not be imported.')).toBeDefined();
  await press('Invalid 1', 'radio');
  expect(rowsShown()).toEqual(['3Invalid3fiveNutM8A-2"five" is not a quantity.']);
});

test('distinguishes rows that conflict with the station from invalid rows', async () => {
  const rows = [
    row(2, { outcome: 'refused', message: '"five" is not a quantity.' }),
    row(3, { outcome: 'refused', message: 'Order 3 exists and was launched.', conflict: true }),
  ];
  await open({ previewImport: readings({ counts: { ...COUNTS, new: 0, known: 0, held: 0, refused: 2 }, rows }) });
  await look();
  const filters = within(screen.getByRole('radiogroup', { name: 'Which rows' })).getAllByRole('radio');
  expect(filters.map(({ textContent }) => textContent)).toEqual(['All 2', 'Invalid 1', 'Conflict 1']);
  await press(/^Conflict/, 'radio');
  expect(rowsShown()).toEqual([expect.stringMatching(/^3Conflict.*Order 3 exists and was launched\.$/)]);
});

test('sends the bytes of a file unchanged, and rejects a file that is too large', async () => {
  const previewImport = readings({});
  await open({ previewImport });
  const input = document.querySelector<HTMLInputElement>('input[type=file]');
  if (input === null) throw new Error('There is no way to choose a file.');
  const take = (file: File) => act(async () => fireEvent.change(input, { target: { files: [file] } }));
  const tooLarge = new File(['x'], 'huge.csv');
  Object.defineProperty(tooLarge, 'size', { value: 17 * 1024 * 1024 });
  await take(tooLarge);
  // The message is beside the button, not below the field for pasted text.
  expect(screen.getByText(/^The file is over 16 MB/).closest('form')).toBeNull();
  const bytes = new Uint8Array([0x50, 0x4b, 3, 4, 0xff]);
  await take(new File([bytes], 'week.xlsx'));
  const sent = previewImport.mock.calls.map(([{ source }]) => source);
  expect(sent.map(({ name }) => name)).toEqual(['week.xlsx']);
  expect(new Uint8Array((await fileOf(sent[0])?.arrayBuffer()) ?? [])).toEqual(bytes);
});

const REMEMBERED: RememberedColumns = {
  id: 4,
  kind: 'orders',
  names: ['SKU', 'box', 'name', 'order_number', 'ordered_quantity'],
  columns: { box: 'warehouse_location' },
  decimal: null,
  date_order: null,
  units: null,
  place_paths: null,
  encoding: null,
  sheet: null,
  order_prefix: 'B-',
  unpaid: null,
  states: null,
  used_time: '2026-11-26T08:00:00.000Z',
  by: 'Ann',
};

test('sends the address of an online sheet', async () => {
  const previewImport = readings({});
  await open({ previewImport });
  await type(/^Address of a sheet/, 'sheets.example/orders');
  await press('Read the sheet');
  expect(screen.getByText(/^Copy the address of the sheet/)).toBeDefined();
  await type(/^Address of a sheet/, ' https://sheets.example/orders ');
  await press('Read the sheet');
  expect(previewImport.mock.calls.map(([{ source }]) => source)).toEqual([
    { url: 'https://sheets.example/orders', name: 'sheets.example' },
  ]);
  expect(rowsShown()).toHaveLength(4);
});

test('asks about an ambiguous column', async () => {
  const asking: Answer = {
    id: null,
    rows: [],
    counts: { ...COUNTS, orders: 0 },
    questions: [{ column: 'box', fields: ['warehouse_location', 'note'], samples: ['red', 'blue'] }],
  };
  const previewImport = readings(asking, {});
  await open({ previewImport });
  await look();
  await press('Continue');
  expect(screen.getByText(/^Choose what this column means/)).toBeDefined();
  await choose('box', 'Place');
  await press('Continue');
  expect(optionsOf(previewImport)).toEqual([{}, { columns: { box: 'warehouse_location' }, remembered: false }]);
  expect(rowsShown()).toHaveLength(4);
});

test('asks how many pieces a unit has, and whether two paths lead to the same place', async () => {
  const asking: Answer = { asks_units: ['Karton', 'VE'], asks_place_paths: ['WH/Stock', 'WH2/Stock'] };
  const previewImport = readings(
    asking,
    { ...asking, asks_units: ['VE'] },
    { asks_place_paths: ['WH/Stock', 'WH2/Stock'] },
    {},
  );
  await open({ previewImport });
  await look();
  await press('Continue');
  expect(screen.getByText(/^Enter the number of pieces/)).toBeDefined();
  await type('Pieces in one “Karton”', '12');
  await press('Continue');
  await type('Pieces in one “VE”', '10');
  await press('Continue');
  expect(screen.queryByText(/not in pieces/)).toBeNull();
  await press('They are the same places');
  const units = { Karton: 12, VE: 10 };
  expect(optionsOf(previewImport)).toEqual([
    {},
    { units: { Karton: 12 }, remembered: false },
    { units, remembered: false },
    { units, place_paths: ['WH/Stock', 'WH2/Stock'], remembered: false },
  ]);
  expect(rowsShown()).toHaveLength(4);
});

test('answers about units and paths stay visible and can be corrected', async () => {
  const units = { Karton: 12, VE: 10 };
  const paths = ['WH/Stock', 'WH2/Stock'];
  const previewImport = readings({ remembered: { ...REMEMBERED, units, place_paths: paths } }, {}, {});
  await open({ previewImport });
  await look();
  expect(screen.getByRole('textbox', { name: 'Pieces in one “VE”' })).toHaveProperty('value', '10');
  await type('Pieces in one “Karton”', '21');
  await press('Change');
  expect(screen.getByRole('textbox', { name: 'Pieces in one “Karton”' })).toHaveProperty('value', '21');
  await press('They are different places');
  const known = { columns: { box: 'warehouse_location' }, order_prefix: 'B-', remembered: false };
  expect(optionsOf(previewImport)).toEqual([
    {},
    { ...known, units: { Karton: 21, VE: 10 }, place_paths: paths },
    { ...known, units: { Karton: 21, VE: 10 }, place_paths: [] },
  ]);
  expect(screen.queryByText(/are read as the same places/)).toBeNull();
});

test('says that earlier answers were reused, and sends all of them along with a new one', async () => {
  const previewImport = readings({ remembered: REMEMBERED, counts: { ...COUNTS, left_out: 1 } }, {});
  await open({ previewImport });
  await look();
  expect(screen.getByText(/Your answers from the last import with the same columns were reused/)).toBeDefined();
  await press(/^Also import lines/, 'switch');
  expect(optionsOf(previewImport)).toEqual([
    {},
    { columns: { box: 'warehouse_location' }, order_prefix: 'B-', include_left_out: true, remembered: false },
  ]);
});

test('deletes the answers stored at the station, and reads the file again', async () => {
  const previewImport = readings({ remembered: REMEMBERED }, {});
  const forgetImportColumns = vi.fn(() => Promise.resolve());
  await open({ previewImport, forgetImportColumns });
  await look();
  await press('Forget these answers');
  expect(forgetImportColumns.mock.calls).toEqual([[{ path: { id: 4 } }]]);
  expect(optionsOf(previewImport)).toEqual([{}, {}]);
  expect(screen.queryByText(/were reused/)).toBeNull();
});

test('assigning a field to a column removes it from the column that had it before', async () => {
  const previewImport = readings({});
  await open({ previewImport });
  await look();
  await press('Columns and options');
  await choose('box', 'SKU');
  await type(/^Order prefix/, 'B-');
  await press('Continue');
  expect(optionsOf(previewImport)[1]).toEqual({
    columns: { SKU: null, box: 'SKU' },
    order_prefix: 'B-',
    remembered: false,
  });
});

test.each([
  ['encoding', 'windows-1250', /Central Europe/],
  ['sheet', 'Week 2', /Week 2/],
])('asks for the %s if the station needs it', async (option, value, name) => {
  const previewImport = readings(asked(option, 'windows-1252', value), {});
  await open({ previewImport });
  await look();
  await press(name, 'radio');
  await press('Continue');
  expect(optionsOf(previewImport)).toEqual([{}, { [option]: value }]);
  expect(rowsShown()).toHaveLength(4);
});

test('asks about ambiguous numbers and dates once', async () => {
  const unclear = row(3, { outcome: 'refused', message: 'Two ways.', ordered_quantity: '1.000' });
  const previewImport = readings({ rows: [unclear], asks_date_order: true }, { asks_date_order: true }, {});
  await open({ previewImport });
  await look();
  await press('Comma: 1.000,5');
  expect(screen.queryByText(/can be read two ways/)).toBeNull();
  await press('Month');
  expect(screen.queryByText(/can be several days/)).toBeNull();
  expect(optionsOf(previewImport).slice(1)).toEqual([
    { decimal: ',', remembered: false },
    { decimal: ',', date_order: 'mdy', remembered: false },
  ]);
});

test('asks once whether unpaid orders are picked and what unknown states mean, and the answers can be changed', async () => {
  const asking = { asks_unpaid: true, asks_states: [{ word: 'glurk', line: 3 }] };
  const previewImport = readings(asking, { asks_unpaid: true }, {}, {});
  await open({ previewImport });
  await look();
  expect(screen.getByRole('group', { name: 'What does the state “glurk” mean?' })).toBeDefined();
  await press('Canceled');
  await press('Leave them out');
  await press('Pick them too');
  expect(optionsOf(previewImport).slice(1)).toEqual([
    { states: { glurk: 'canceled' }, remembered: false },
    { states: { glurk: 'canceled' }, unpaid: 'leave_out', remembered: false },
    { states: { glurk: 'canceled' }, unpaid: 'pick', remembered: false },
  ]);
});

test('can include lines that are marked as done', async () => {
  const previewImport = readings({ counts: { ...COUNTS, left_out: 1 } });
  await open({ previewImport });
  await look();
  await press(/^Also import lines/, 'switch');
  expect(optionsOf(previewImport)[1]).toEqual({ include_left_out: true, remembered: false });
});

test('corrects a cell in place, and replaces only the rows that the station returns', async () => {
  const corrected = { ...COUNTS, orders: 2, new: 3, refused: 0, held: 0 };
  const correctImportRow = vi.fn<Stubs['correctImportRow']>(() =>
    Promise.resolve({ counts: corrected, rows: [row(3, { ordered_quantity: '5', quantity: 5 }), row(4)] }),
  );
  await open({ previewImport: readings({}), correctImportRow });
  await look();
  await press('Correct Quantity, line 3: five');
  const input = screen.getByRole('textbox', { name: 'Quantity, line 3' });
  await type('Quantity, line 3', '5');
  await act(async () => fireEvent.keyDown(input, { key: 'Enter' }));
  expect(correctImportRow.mock.calls).toEqual([
    [{ path: { id: 5, line: 3 }, body: { cells: { ordered_quantity: '5' } } }],
  ]);
  expect(rowsShown().slice(1, 3)).toEqual(['3New35NutM8A-2No device yet', '4New412NutM8A-2No device yet']);
  expect(screen.getByRole('button', { name: 'Import 2 orders' })).toBeDefined();

  await press('Correct SKU, line 2: M8');
  const code = screen.getByRole('textbox', { name: 'SKU, line 2' });
  await type('SKU, line 2', 'M9');
  await act(async () => fireEvent.keyDown(code, { key: 'Escape' }));
  expect(correctImportRow).toHaveBeenCalledTimes(1);
  // The place cannot be edited, because the file has no column for it.
  expect(screen.queryByRole('button', { name: /^Correct Place/ })).toBeNull();
});

test('keeps corrections when a different option changes', async () => {
  const counts = { ...COUNTS, left_out: 1 };
  const correctImportRow = vi.fn<Stubs['correctImportRow']>(() => Promise.resolve({ counts, rows: [] }));
  await open({ previewImport: readings({ counts }, { counts, id: 6 }), correctImportRow });
  await look();
  await press('Correct SKU, line 2: M8');
  await type('SKU, line 2', 'M9');
  await act(async () => fireEvent.blur(screen.getByRole('textbox', { name: 'SKU, line 2' })));
  await press(/^Also import lines/, 'switch');
  expect(correctImportRow.mock.calls).toEqual([
    [{ path: { id: 5, line: 2 }, body: { cells: { SKU: 'M9' } } }],
    [{ path: { id: 6, line: 2 }, body: { cells: { SKU: 'M9' } } }],
  ]);
});

test('keeps the previous preview if a correction cannot be repeated in a new one', async () => {
  const counts = { ...COUNTS, left_out: 1 };
  const answers = [
    () => Promise.resolve({ counts, rows: [] }),
    () => Promise.reject(new ApiError('unreachable', 'No.')),
  ];
  await open({
    previewImport: readings({ counts }, { counts, id: 6 }),
    correctImportRow: () => answers.shift()?.() ?? Promise.reject(new Error('once more')),
    runImport: ({ path: { id } }) => Promise.reject(new ApiError('conflict', `This was import ${id}.`)),
    getImport: stateOf('preview'),
  });
  await look();
  await press('Correct SKU, line 2: M8');
  await type('SKU, line 2', 'M9');
  await act(async () => fireEvent.blur(screen.getByRole('textbox', { name: 'SKU, line 2' })));
  await press(/^Also import lines/, 'switch');
  expect(screen.getByText('No.')).toBeDefined();
  await press(/^Import/);
  expect(screen.getByText(/This was import 5\./)).toBeDefined();
});

test('keeps the preview after leaving the page, but only for the user who uploaded the file', async () => {
  const { unmount, context } = await open({ previewImport: readings({}) });
  await look();
  unmount();
  const again = await act(async () => show(context, <ImportPage />));
  expect(rowsShown()).toHaveLength(4);
  again.unmount();
  const { station: known } = context.store.getState();
  if (known !== null) context.store.setState({ station: { ...known, user: userOf('Ben', 'admin') } });
  await act(async () => show(context, <ImportPage />));
  expect(screen.getByRole('textbox', { name: 'Or paste from a spreadsheet' })).toBeDefined();
});

test('saves the rejected rows with a column for the reason', async () => {
  const saved: Blob[] = [];
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    if (blob instanceof Blob) saved.push(blob);
    return 'blob:rejected';
  });
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
  await open({ previewImport: readings({}) });
  await look();
  await press('Save the rejected rows');
  expect((await saved[0]?.text())?.split('\r\n')).toEqual([
    expect.stringMatching(/order_number,shipment_number,SKU,UPC,name,ordered_quantity,warehouse_location,reason$/),
    '3,,M8,,Nut,five,A-2,"""five"" is not a quantity."',
    '4,,M8,,Nut,12,A-2,Line 3 of this order is wrong.',
    '',
  ]);
});

test('imports the preview, and Undo lists the orders that it did not remove', async () => {
  let last: ImportEntry | null = null;
  const runImport = vi.fn<Stubs['runImport']>(({ path: { id } }) => {
    last = LAST;
    return Promise.resolve(entry(Number(id), 'imported'));
  });
  const undoImport = vi.fn(() => {
    last = null;
    return Promise.resolve({ undone: 1, kept: [{ name: '5', message: 'It was launched since. Give `moves`.' }] });
  });
  await open({
    loadLastOrderImport: () => Promise.resolve(last),
    previewImport: readings({}),
    runImport,
    undoImport,
    getImport: stateOf('imported'),
  });
  await look();
  await press('Import 1 order');
  expect(runImport.mock.calls.map(([{ path }]) => path.id)).toEqual([5]);
  expect(screen.getByText(/^Imported 1 order at .* by Ann\.$/)).toBeDefined();
  await press('Undo the import');
  expect(screen.getByRole('alertdialog').textContent).toMatch(
    /Removes 1 order: 4\..*Keeps 1 order, at least in part:.*5 It was launched since\./,
  );
  expect(undoImport.mock.calls).toEqual([]);
  await act(async () =>
    fireEvent.click(within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Undo the import' })),
  );
  expect(undoImport.mock.calls).toEqual([[5]]);
  const kept = screen.getByRole('dialog', { name: 'Not undone, or only partly' });
  expect(kept.textContent).toMatch(/5 It was launched since\.(?! Give)/);
  expect(screen.queryByRole('region', { name: 'The last import' })).toBeNull();
});

test('a failed import keeps the preview and shows the reason', async () => {
  const runImport = () => Promise.reject(new ApiError('conflict', 'Import 5 is not a preview any more.'));
  await open({ previewImport: readings({}), runImport, getImport: stateOf('preview') });
  await look();
  await press('Import 1 order');
  expect(screen.getByText('Nothing was imported. Import 5 is not a preview any more.')).toBeDefined();
  expect(rowsShown()).toHaveLength(4);
});

test.each(['Import 1 order', /^Also import lines/])(
  'a correction that the station does not answer stops “%s”, because the old value would be imported',
  async (name) => {
    let fail: () => void = () => undefined;
    const runImport = vi.fn<Stubs['runImport']>(() => new Promise(() => undefined));
    const correctImportRow: Stubs['correctImportRow'] = () =>
      new Promise((_, reject) => (fail = () => reject(new ApiError('unreachable', 'The station does not answer.'))));
    const previewImport = readings({ counts: { ...COUNTS, left_out: 1 } });
    await open({ previewImport, correctImportRow, runImport, getImport: stateOf('preview') });
    await look();
    await press('Correct SKU, line 2: M8');
    await type('SKU, line 2', 'M9');
    await act(async () => fireEvent.blur(screen.getByRole('textbox', { name: 'SKU, line 2' })));
    await press(name, name === 'Import 1 order' ? 'button' : 'switch');
    await act(async () => fail());
    expect([runImport.mock.calls.length, previewImport.mock.calls.length]).toEqual([0, 1]);
    expect(screen.getAllByText(/The station does not answer\.$/).length).toBeGreaterThan(0);
    expect(rowsShown()).toHaveLength(4);
  },
);

test('exports orders as a workbook or as CSV', async () => {
  const followed: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    followed.push(this.getAttribute('href') ?? '');
  });
  await openWork('orders', { loadOrders }, { scope: 'admin' });
  await press('Export');
  await press('Excel (.xlsx)', 'menuitem');
  await press('Export');
  await press('CSV', 'menuitem');
  expect(followed).toEqual(['/api/order-export/?format=xlsx', '/api/order-export/?format=csv']);
});

test('without the right to import, Undo explains why it is not allowed', async () => {
  const undoImport = vi.fn();
  const read = { loadOrders, loadLastOrderImport: () => Promise.resolve(LAST), undoImport };
  await openWork('orders', read, { scope: 'read' });
  expect(screen.getByText(/^Imported 1 order/)).toBeDefined();
  await press('Undo the import');
  expect(screen.getByRole('dialog').textContent).toContain('admin');
  expect(undoImport).not.toHaveBeenCalled();
});

test('does not offer Undo for an import that cannot be undone', async () => {
  const read = { loadOrders, loadLastOrderImport: () => Promise.resolve({ ...LAST, undoable: 0 }) };
  await openWork('orders', read, { scope: 'admin' });
  expect(screen.getByText(/^Imported 1 order/)).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Undo the import' })).toBeNull();
});

test('reports a rejected list at the field where it was pasted', async () => {
  await open({ previewImport: readings(new ApiError('invalid', 'There is no column order_number.')) });
  await press('Preview');
  expect(screen.getByText('Paste a list or choose a file.')).toBeDefined();
  await look('just some words');
  expect(screen.getByText(/^There is no column order_number/)).toBeDefined();
});

test('a user without the right to import sees the reason, and an order numbered "import" can still be opened', async () => {
  const { unmount } = await openWork('orders', { loadOrders }, { path, scope: 'picker' });
  expect(screen.getByText(/Your role picker does not allow you to import order files and undo imports/)).toBeDefined();
  unmount();
  const getOrder = vi.fn(() => Promise.resolve(order('import', [item(1)])));
  await openWork('orders', { getOrder }, { path: orderAddress('import'), scope: 'admin' });
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Order import');
  expect(getOrder.mock.calls).toEqual([[{ path: { order_number: 'import' } }]]);
});

test('says beside the button why the station refused a chosen file', async () => {
  await open({ previewImport: readings(new ApiError('invalid', 'The workbook has more than 400,000 rows.')) });
  const input = document.querySelector<HTMLInputElement>('input[type=file]');
  if (input === null) throw new Error('There is no way to choose a file.');
  await act(async () => fireEvent.change(input, { target: { files: [new File(['PK'], 'week.xlsx')] } }));
  expect(screen.getByText('The workbook has more than 400,000 rows.').closest('form')).toBeNull();
});
