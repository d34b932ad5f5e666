import { act, fireEvent, screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import type { ImportEntry, ImportLocationRow, ImportWithUndo, LocationFileImport } from '#shared/api/imports.ts';
import type { LastImport } from '#shared/api/locationImport.ts';
import { ApiError } from '../../../renderer/src/words/apiError.ts';
import type { StationContext } from '../../../renderer/src/station/context.ts';

import { ONE, openNames } from './placeNamesSupport.tsx';
import { rowsShown } from '../orders/workSupport.tsx';
import type { Stubs } from '../support.tsx';

const row = (line: number, given: Partial<ImportLocationRow> = {}): ImportLocationRow => ({
  line,
  outcome: 'new',
  message: '',
  conflict: false,
  name: `B-${line}`,
  deviceid: ONE,
  deviceIs: 'Above',
  label: '',
  note: '',
  article: '',
  rack: '',
  shelf: '',
  column: '',
  found_deviceid: ONE,
  loses: '',
  ...given,
});

const COUNTS = { orders: 0, new: 1, changed: 1, known: 1, held: 0, refused: 1, left_out: 0 };
const PREVIEW: LocationFileImport = {
  kind: 'locations',
  id: 7,
  dry_run: true,
  delimiter: '\t',
  encoding: 'utf-8',
  sheet: null,
  sheets: [],
  profile: null,
  mapping: [
    { name: 'Place', field: 'name', samples: ['B-2'] },
    { name: 'Device', field: 'deviceid', samples: [ONE] },
    { name: 'Where', field: 'deviceIs', samples: ['Above'] },
    { name: 'Remark', field: null, samples: [] },
  ],
  questions: [],
  remembered: null,
  asks_date_order: false,
  asks_units: [],
  asks_place_paths: [],
  skipped: { hidden_rows: 0, hidden_columns: 0 },
  notes: [],
  columns: ['Place', 'Device', 'Where'],
  ignored: ['Remark'],
  counts: COUNTS,
  rows: [
    row(2),
    row(3, { outcome: 'changed', deviceid: 'A-10', message: 'Was 51D000:000002, Below.' }),
    row(4, { outcome: 'known' }),
    row(5, {
      outcome: 'refused',
      conflict: true,
      deviceid: 'nowhere',
      found_deviceid: null,
      message: 'No label is "nowhere".',
    }),
  ],
};
const AT = new Date().toISOString();
const LAST: LastImport = { id: 7, at: AT, by: 'Ann', counts: { new: 1, changed: 1, unchanged: 1, refused: 1 } };

const entry = (state: ImportEntry['state']): ImportWithUndo => ({
  id: 7,
  state,
  kind: 'locations',
  source: 'api',
  name: '',
  at: AT,
  by: 'Ann',
  counts: COUNTS,
  undoable: 2,
  undone_time: null,
  redo_until: null,
  rows: [],
  undo: {
    removed: { count: 1, names: ['B-2'] },
    restored: { count: 0, names: [] },
    kept: { count: 1, reasons: [{ message: 'It was changed since.', count: 1, names: ['B-3'] }] },
  },
});
const getImport: Stubs['getImport'] = () => Promise.resolve(entry('imported'));

const press = (name: string | RegExp, role = 'button') =>
  act(async () => fireEvent.click(screen.getByRole(role, { name })));

const answers = (given: Partial<LocationFileImport> = {}) =>
  vi.fn<Stubs['previewImport']>(() => Promise.resolve({ ...PREVIEW, ...given }));

async function look(api: Partial<Stubs>, csv = 'Place\tDevice\tWhere'): Promise<StationContext> {
  const context = await openNames(api, {}, '/import?what=places');
  const field = screen.getByRole('textbox', { name: 'Or paste from a spreadsheet' });
  fireEvent.change(field, { target: { value: csv } });
  await press('Preview');
  return context;
}

test('previews the result of each row before anything is imported', async () => {
  const previewImport = answers();
  await look({ previewImport });
  expect(previewImport.mock.calls.map(([{ kind }]) => kind)).toEqual(['locations']);
  expect(screen.getByText(/Read as tab separated\..*Ignored: “Remark”/)).toBeTruthy();
  expect(rowsShown()).toEqual([
    `2NewB-2${ONE}Above`,
    `3ChangedB-3A-10= ${ONE}AboveWas 51D000:000002, Below.`,
    `4UnchangedB-4${ONE}Above`,
    '5ConflictB-5nowhereAboveNo label is "nowhere".',
  ]);
  expect(screen.getByText('1 place is new. 1 row changes a place or a label.')).toBeTruthy();
  expect(screen.getByText('1 row will not be imported.')).toBeTruthy();
  expect(screen.queryByRole('radio', { name: /^Invalid/ })).toBeNull();
  await press(/^Conflict/, 'radio');
  expect(rowsShown()).toHaveLength(1);
});

test('corrects a cell in place, and imports the corrected row', async () => {
  const corrected = { counts: { ...COUNTS, new: 2, refused: 0 }, rows: [row(5)] };
  const correctImportRow = vi.fn<Stubs['correctImportRow']>(() => Promise.resolve(corrected));
  await look({ previewImport: answers(), correctImportRow });
  await press('Correct Device, line 5: nowhere');
  const field = screen.getByRole('textbox', { name: 'Device, line 5' });
  fireEvent.change(field, { target: { value: ONE } });
  await act(async () => fireEvent.keyDown(field, { key: 'Enter' }));
  expect(correctImportRow.mock.calls).toEqual([[{ path: { id: 7, line: 5 }, body: { cells: { deviceid: ONE } } }]]);
  expect(screen.getByRole('button', { name: 'Import 3 places' })).toBeTruthy();
  // The label cannot be edited, because the file has no column for it.
  expect(screen.queryByRole('button', { name: /^Correct Label/ })).toBeNull();
});

test('replaces API names in the reason of a row with the field names of the page', async () => {
  const message = 'deviceIs says where the device is. The file has "deviceIs".';
  await look({ previewImport: answers({ rows: [row(2, { outcome: 'refused', deviceIs: 'links', message })] }) });
  expect(rowsShown()[0]).toContain('linksDirection says where the device is. The file has "deviceIs".');
});

test('asks about an unexplained column, which can be that of the devices or none', async () => {
  const mapping = [
    { name: 'Place', field: 'name' as const, samples: ['A-1-1'] },
    { name: 'Remark', field: null, samples: ['Nuts'] },
  ];
  const questions = [{ column: 'Remark', fields: ['deviceid' as const], samples: ['Nuts'] }];
  const previewImport = answers({ id: null, rows: [], mapping, questions });
  await look({ previewImport });
  await press(/Remark$/);
  await press('Not used', 'option');
  await press('Continue');
  expect(previewImport.mock.calls.at(-1)?.[0].options).toMatchObject({ columns: { Remark: null } });
  await press(/Remark$/);
  await press('Device', 'option');
  await press('Continue');
  expect(previewImport.mock.calls.at(-1)?.[0].options).toMatchObject({ columns: { Remark: 'deviceid' } });
});

test('asks once what moved labels mean if goods would lose their light, and the answer can be changed', async () => {
  const message = 'A-1 has goods and would have no light. Give `moves`.';
  const refused = row(2, { outcome: 'refused', conflict: true, name: '', label: 'B-1', loses: 'A-1', message });
  const previewImport = answers({ rows: [refused, { ...refused, line: 3 }, row(4)] });
  await look({ previewImport });
  const question = screen.getByRole('group', { name: /^A-1 has articles and would lose the last light\./ });
  expect(rowsShown()[0]).toContain('A-1 has articles and would lose its light. Answer the question above.');
  expect(document.body.textContent).not.toContain('moves`');
  const asked = within(question).getAllByRole('button');
  expect(asked.map(({ textContent }) => textContent)).toEqual([
    'The devices hang elsewhere: articles stay at their places',
    'The places have new names: articles come along',
  ]);
  previewImport.mockResolvedValue({ ...PREVIEW, rows: [row(2, { loses: 'A-1', message: 'Renames A-1 to B-1.' })] });
  await press(/^The places have new names/);
  expect(previewImport.mock.calls.at(-1)?.[0].options).toMatchObject({ moves: 'rename' });
  expect(rowsShown()[0]).toContain('Renames A-1 to B-1.');
  expect(screen.getByRole('button', { name: /^The places have new names/ }).getAttribute('aria-pressed')).toBe('true');
  await press(/^The devices hang elsewhere/);
  expect(previewImport.mock.calls.at(-1)?.[0].options).toMatchObject({ moves: 'devices' });
});

test('clears an error when a column gets a different meaning', async () => {
  const runImport = vi.fn<Stubs['runImport']>(() =>
    Promise.reject(new ApiError('conflict', 'The place is taken.', [])),
  );
  const loadImport = vi.fn<Stubs['getImport']>(() => Promise.resolve(entry('preview')));
  await look({ previewImport: answers(), runImport, getImport: loadImport });
  await press('Import 2 places');
  await press('Columns and options');
  expect(screen.getByText(/The place is taken/)).toBeTruthy();
  await press(/Remark$/);
  await press('Label of the device', 'option');
  expect(screen.queryByText(/The place is taken/)).toBeNull();
});

test('asks what a column means, without options that apply only to orders', async () => {
  const questions = [{ column: 'Remark', fields: ['label' as const], samples: [] }];
  await look({ previewImport: answers({ id: null, rows: [], questions }) });
  expect(screen.getByRole('heading', { name: 'What do these columns mean?' })).toBeTruthy();
  expect(screen.queryByText('Order prefix')).toBeNull();
  await press(/Remark$/);
  const offered = screen.getAllByRole('option').map(({ textContent }) => textContent);
  expect(offered).toEqual([
    'Label of the device',
    'Not used',
    'Place',
    'Device',
    'Direction (above, below, …)',
    'Note',
    'Article',
    'Rack',
    'Shelf',
    'Column',
  ]);
});

/** Sets the last import, as the station reports it to every window. */
function tell(context: StationContext, last_import: LastImport | null): void {
  const { station } = context.store.getState();
  if (station !== null) act(() => context.store.setState({ station: { ...station, last_import } }));
}

test('imports the valid rows, and Undo reverts them and lists the rows that it kept', async () => {
  const runImport = vi.fn<Stubs['runImport']>(() => Promise.resolve(entry('imported')));
  const undoImport = vi.fn<Stubs['undoImport']>(() =>
    Promise.resolve({ undone: 1, kept: [{ name: 'B-3', message: 'It was changed since.' }] }),
  );
  const context = await look({ previewImport: answers(), runImport, undoImport, getImport });
  await press('Import 2 places');
  expect(runImport.mock.calls.map(([{ path }]) => path.id)).toEqual([7]);
  expect(window.location.pathname).toBe('/places');
  tell(context, LAST);
  expect(screen.getByText(/^Imported 2 rows (at|on) .* by Ann\.$/)).toBeTruthy();
  expect(screen.getByText('1 new, 1 changed. 1 row was left out.')).toBeTruthy();
  await press('Undo the import');
  expect(screen.getByRole('alertdialog').textContent).toMatch(/Removes 1 row: B-2\..*B-3 It was changed since\./);
  expect(undoImport.mock.calls).toEqual([]);
  await act(async () =>
    fireEvent.click(within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Undo the import' })),
  );
  expect(undoImport.mock.calls).toEqual([[7]]);
  tell(context, null);
  expect(screen.getByText('Undone: 1 row. 1 row kept.')).toBeTruthy();
  const kept = within(screen.getByRole('dialog', { name: 'Not undone, or only partly' }));
  expect(kept.getByRole('listitem').textContent).toBe('B-3 It was changed since.');
  expect(screen.queryByRole('button', { name: 'Undo the import' })).toBeNull();
});

test('can undo an import made in another window, even from the menu after the notice is hidden', async () => {
  const undoImport = vi.fn<Stubs['undoImport']>(() => Promise.resolve({ undone: 2, kept: [] }));
  const context = await openNames({ undoImport, getImport });
  tell(context, LAST);
  await press('Hide');
  expect(screen.queryByRole('button', { name: 'Undo the import' })).toBeNull();
  await press('Files: import and export');
  await press('Undo the last import', 'menuitem');
  await act(async () =>
    fireEvent.click(within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Undo the import' })),
  );
  expect(undoImport.mock.calls).toEqual([[7]]);
  tell(context, { ...LAST, id: 8 });
  expect(screen.getByRole('button', { name: 'Undo the import' })).toBeTruthy();
});

test('a read-only user sees the last import but cannot undo it', async () => {
  const context = await openNames({}, { scope: 'read' });
  tell(context, { ...LAST, id: 9 });
  expect(screen.getByText(/^Imported 2 rows/)).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Undo the import' })).toBeNull();
});

const untilCancelled = (signal: AbortSignal | undefined): Promise<never> =>
  new Promise((_, reject) => signal?.addEventListener('abort', () => reject(new ApiError('unreachable', 'No.'))));

test('canceling the preview keeps the pasted text', async () => {
  await look({ previewImport: (_of, signal) => untilCancelled(signal) });
  await press('Cancel');
  const field = screen.getByRole('textbox', { name: 'Or paste from a spreadsheet' });
  expect(field).toHaveProperty('value', 'Place\tDevice\tWhere');
  expect(screen.queryByText('No.')).toBeNull();
});

const runImport: Stubs['runImport'] = (_of, { signal }) => untilCancelled(signal);

test('an import canceled before the station has started it reports that nothing was imported', async () => {
  await look({ previewImport: answers(), runImport, getImport: () => Promise.resolve(entry('preview')) });
  await press('Import 2 places');
  await press('Cancel');
  expect(screen.getByRole('alert').textContent).toBe('Nothing was imported. The import was canceled.');
  expect(screen.getByRole('button', { name: 'Import 2 places' })).toBeTruthy();
});

test.each(['importing', 'imported'] as const)(
  'an import canceled too late (%s) is reported as complete',
  async (state) => {
    await look({ previewImport: answers(), runImport, getImport: () => Promise.resolve(entry(state)) });
    await press('Import 2 places');
    await press('Cancel');
    expect(window.location.pathname).toBe('/places');
    expect(screen.getByText('The import had already finished. You can undo it.')).toBeTruthy();
  },
);

test('an import whose response was lost is reported as complete if the station confirms it', async () => {
  const lost = () => Promise.reject(new ApiError('unreachable', 'The station does not answer.'));
  await look({ previewImport: answers(), runImport: lost, getImport: () => Promise.resolve(entry('imported')) });
  await press('Import 2 places');
  expect(window.location.pathname).toBe('/places');
  expect(screen.getByText('The import had already finished. You can undo it.')).toBeTruthy();
});

test('if the station answers neither the import nor the check, the page says that the result is unknown', async () => {
  const lost = () => Promise.reject(new ApiError('unreachable', 'The station does not answer.'));
  await look({ previewImport: answers(), runImport: lost, getImport: lost });
  await press('Import 2 places');
  expect(screen.getByRole('alert').textContent).toMatch(
    /^The station does not answer\. The station may have started the import/,
  );
  expect(screen.getByRole('button', { name: 'Import 2 places' })).toBeTruthy();
});

test('a refused import keeps the preview and reports that nothing was imported', async () => {
  const refused = () => Promise.reject(new ApiError('conflict', 'The disk is full.'));
  await look({ previewImport: answers(), runImport: refused, getImport: () => Promise.resolve(entry('preview')) });
  await press('Import 2 places');
  expect(screen.getByRole('alert').textContent).toBe('Nothing was imported. The disk is full.');
  expect(screen.getByRole('button', { name: 'Import 2 places' })).toBeTruthy();
});

test('the preview of a list of labels has no place column, and shows which device each name refers to', async () => {
  const labels = [
    row(2, { outcome: 'changed', name: '', deviceIs: '', label: 'C-1', message: 'Was C-0.' }),
    row(3, {
      outcome: 'changed',
      name: '',
      deviceIs: '',
      label: 'C-1',
      deviceid: 'C-7',
      message: 'Another device has it.',
    }),
  ];
  await look({ previewImport: answers({ rows: labels }) });
  expect(rowsShown()).toEqual([`2Changed${ONE}C-1Was C-0.`, `3ChangedC-7= ${ONE}C-1Another device has it.`]);
});

test('the preview of places with positions has no columns that only aliases need', async () => {
  const mapping = (['deviceid', 'label', 'rack', 'shelf', 'column'] as const).map((field) => ({
    name: field,
    field,
    samples: [],
  }));
  const placed = { name: '', deviceIs: '', label: 'B-1-1', rack: 'B', shelf: '1', column: '1' };
  await look({ previewImport: answers({ rows: [row(2, placed)], mapping }) });
  expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
    'Line',
    'Becomes',
    'Device',
    'Label',
    'Rack',
    'Shelf',
    'Column',
    'Reason',
  ]);
});

test('sends the bytes of a file unchanged, even if it is not UTF-8', async () => {
  const previewImport = answers();
  await openNames({ previewImport }, {}, '/import?what=places');
  const bytes = Uint8Array.from(Buffer.from('Räck 3;Größe', 'latin1'));
  const input = document.querySelector<HTMLInputElement>('input[type="file"]');
  if (input === null) throw new Error('There is nothing to choose a file with');
  await act(async () => fireEvent.change(input, { target: { files: [new File([bytes], 'places.csv')] } }));
  const [source] = previewImport.mock.calls.map(([sent]) => sent.source);
  if (source === undefined || !('file' in source)) throw new Error('No file was sent');
  expect(new Uint8Array(await source.file.arrayBuffer())).toEqual(bytes);
});

const saidBy = (field: HTMLElement) => field.closest('[data-field]')?.textContent;

test('reports an unreadable list where it was pasted, and an unreadable sheet at its address', async () => {
  const message = 'There is no column deviceIs. Line 1 has "name", "device".';
  await look({ previewImport: () => Promise.reject(new ApiError('invalid', message)) }, 'name,device');
  const pasted = screen.getByRole('textbox', { name: 'Or paste from a spreadsheet' });
  expect(pasted).toHaveProperty('value', 'name,device');
  expect(saidBy(pasted)).toContain(message);
  const address = screen.getByRole('textbox', { name: /^Address of a sheet/ });
  fireEvent.change(address, { target: { value: 'https://sheets.example/places' } });
  await press('Read the sheet');
  const again = screen.getByRole('textbox', { name: /^Address of a sheet/ });
  expect(again).toHaveProperty('value', 'https://sheets.example/places');
  expect(saidBy(again)).toContain(message);
  expect(saidBy(screen.getByRole('textbox', { name: 'Or paste from a spreadsheet' }))).not.toContain(message);
});

test('without valid rows, offers no import', async () => {
  const counts = { ...COUNTS, new: 0, changed: 0 };
  await look({ previewImport: answers({ counts, rows: PREVIEW.rows.filter(({ outcome }) => outcome === 'refused') }) });
  expect(screen.getByText('The file changes nothing.')).toBeTruthy();
  expect(screen.queryByRole('button', { name: /^Import/ })).toBeNull();
});

test('switches between orders and places, keeps the choice in the address, and keeps the file of each', async () => {
  await look({ previewImport: answers() });
  expect(screen.queryByRole('radiogroup', { name: 'What to import' })).toBeNull();
  await act(async () => {
    window.history.replaceState(null, '', '/import?what=orders');
    window.dispatchEvent(new PopStateEvent('popstate'));
  });
  expect(screen.getByRole('heading', { name: 'Import orders' })).toBeTruthy();
  expect(screen.getByRole('radio', { name: 'Orders' }).getAttribute('aria-checked')).toBe('true');
  await press('Places', 'radio');
  expect(window.location.search).toBe('?what=places');
  expect(screen.getByRole('heading', { name: 'Import places' })).toBeTruthy();
  expect(screen.getByRole('button', { name: /^Import \d+ places?$/ })).toBeTruthy();
});
