import { act, fireEvent, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { ImportedRow, LastImport, LocationImport } from '#shared/api/locationImport.ts';
import type { Api } from '../../renderer/src/station/api.ts';
import { ApiError } from '../../renderer/src/station/apiError.ts';
import type { StationContext } from '../../renderer/src/station/context.ts';
import { AT } from '../helpers/snapshots.ts';
import { ONE, openLocations, TWO } from './locationsSupport.tsx';

const row = (line: number, given: Partial<ImportedRow>): ImportedRow => ({
  line,
  outcome: 'new',
  name: `B-${line}`,
  deviceid: ONE,
  deviceIs: 'Above',
  label: null,
  message: '',
  id: line + 100,
  before: null,
  label_before: null,
  ...given,
});

const ROWS: ImportedRow[] = [
  row(2, {}),
  row(3, { outcome: 'changed', before: { name: 'b-3', deviceid: TWO, deviceIs: 'Below' } }),
  row(4, { outcome: 'unchanged' }),
  row(5, { outcome: 'refused', id: null, deviceid: 'nowhere', message: 'No DeviceID or label is "nowhere".' }),
];

function answer(dry_run: boolean, rows = ROWS): LocationImport {
  const count = (outcome: ImportedRow['outcome']) => rows.filter((each) => each.outcome === outcome).length;
  const counts = {
    new: count('new'),
    changed: count('changed'),
    unchanged: count('unchanged'),
    refused: count('refused'),
  };
  const columns = { name: 'Place', deviceid: 'Device', deviceIs: 'Where', label: null };
  return { id: dry_run ? null : 7, dry_run, delimiter: '\t', columns, ignored: ['Remark'], counts, rows };
}

const press = (name: string | RegExp, role = 'button') =>
  act(async () => fireEvent.click(screen.getByRole(role, { name })));

async function look(api: Partial<Api>, csv = 'Place\tDevice\tWhere'): Promise<StationContext> {
  const context = await openLocations(api, {}, '/locations/import');
  fireEvent.change(screen.getByRole('textbox'), { target: { value: csv } });
  await act(async () => fireEvent.submit(screen.getByRole('form')));
  return context;
}

test('previews the result of each row before anything is imported', async () => {
  const asked: unknown[] = [];
  await look({
    importAliases(csv, { dry }) {
      asked.push([csv, dry]);
      return Promise.resolve(answer(dry));
    },
  });
  expect(asked).toEqual([['Place\tDevice\tWhere', true]]);
  expect(screen.getByText(/Read as tab separated. Place from “Place”.*Ignored: “Remark”/)).toBeTruthy();
  const cells = screen.getAllByRole('row').slice(1);
  expect(cells.map(({ textContent }) => textContent)).toEqual([
    `2NewB-2${ONE}Above`,
    `3ChangedB-3was b-3${ONE}was ${TWO}, BelowAbove`,
    `4UnchangedB-4${ONE}Above`,
    '5Left outB-5No DeviceID or label is "nowhere".nowhere, Above',
  ]);
  expect(screen.getByText('1 row will be left out.')).toBeTruthy();
  await press(/^Left out/, 'radio');
  expect(screen.getAllByRole('row')).toHaveLength(2);
});

const LAST: LastImport = {
  id: 7,
  at: AT,
  by: 'Ann',
  counts: { new: 1, changed: 1, unchanged: 1, refused: 1 },
};

/** Changes the last import, as the station announces it to every window. */
function tell(context: StationContext, last_import: LastImport | null): void {
  const { station } = context.store.getState();
  if (station !== null) act(() => context.store.setState({ station: { ...station, last_import } }));
}

test('imports the good rows, and Undo reverses them and names those it kept', async () => {
  const undone: number[] = [];
  const context = await look({
    importAliases: (_csv, { dry }) => Promise.resolve(answer(dry)),
    undoImport(id) {
      undone.push(id);
      return Promise.resolve({ undone: 1, kept: [{ name: 'B-3', message: 'It was changed since.' }] });
    },
  });
  await press('Import 2 places');
  expect(window.location.pathname).toBe('/locations');
  tell(context, LAST);
  expect(screen.getByText(/^Imported 2 rows (at|on) .* by Ann\.$/)).toBeTruthy();
  expect(screen.getByText('1 new, 1 changed. 1 row was left out.')).toBeTruthy();
  await press('Undo the import');
  expect(undone).toEqual([7]);
  tell(context, null);
  expect(screen.getByText('Undone: 1 row.')).toBeTruthy();
  expect(screen.getByText('Not undone, because they have changed since: B-3.')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Undo the import' })).toBeNull();
});

test('an import of another window can be undone here, also from the menu after hiding the notice', async () => {
  const undone: number[] = [];
  const context = await openLocations({
    undoImport(id) {
      undone.push(id);
      return Promise.resolve({ undone: 2, kept: [] });
    },
  });
  tell(context, LAST);
  await press('Hide');
  expect(screen.queryByRole('button', { name: 'Undo the import' })).toBeNull();
  await press('CSV: import and export');
  await press('Undo the last import', 'menuitem');
  expect(undone).toEqual([7]);
  tell(context, { ...LAST, id: 8 });
  expect(screen.getByRole('button', { name: 'Undo the import' })).toBeTruthy();
});

test('a read-only user sees the last import and cannot undo it', async () => {
  const context = await openLocations({}, { scope: 'read' });
  tell(context, { ...LAST, id: 9 });
  expect(screen.getByText(/^Imported 2 rows/)).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Undo the import' })).toBeNull();
});

test('cancelling the preview keeps the pasted text', async () => {
  await look({
    importAliases: (_csv, { signal }) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(new ApiError('unreachable', 'No.')))),
  });
  await press('Cancel');
  expect(screen.getByRole('textbox')).toHaveProperty('value', 'Place\tDevice\tWhere');
  expect(screen.queryByText('No.')).toBeNull();
});

const untilCancelled: Api['importAliases'] = (_csv, { dry, signal }) =>
  dry
    ? Promise.resolve(answer(true))
    : new Promise((_, reject) => signal.addEventListener('abort', () => reject(new ApiError('unreachable', 'No.'))));

test('an import cancelled before the station has it says that nothing was imported', async () => {
  await look({ importAliases: untilCancelled, loadLastImport: () => Promise.resolve(null) });
  await press('Import 2 places');
  await press('Cancel');
  expect(screen.getByRole('alert').textContent).toBe('Nothing was imported. The import was canceled.');
  expect(screen.getByRole('button', { name: 'Import 2 places' })).toBeTruthy();
});

test('an import cancelled too late says that it was already complete', async () => {
  await look({ importAliases: untilCancelled, loadLastImport: () => Promise.resolve(LAST) });
  await press('Import 2 places');
  await press('Cancel');
  expect(window.location.pathname).toBe('/locations');
  expect(screen.getByText('The import was already complete. You can undo it.')).toBeTruthy();
});

test('the preview of labels shows the old label and any warning', async () => {
  const labels = [
    row(2, { outcome: 'changed', name: '', deviceIs: '', label: 'C-1', label_before: 'C-0', id: null }),
    row(3, { outcome: 'changed', name: '', deviceIs: '', label: '', label_before: 'C-9', id: null }),
    row(4, {
      outcome: 'changed',
      name: '',
      deviceIs: '',
      label: 'C-1',
      label_before: '',
      id: null,
      message: `${ONE} has this label too.`,
    }),
    row(5, { label: 'C-4', label_before: 'C-3' }),
  ];
  await look({ importAliases: (_csv, { dry }) => Promise.resolve(answer(dry, labels)) });
  const cells = screen.getAllByRole('row').slice(1);
  expect(cells.map(({ textContent }) => textContent)).toEqual([
    `2ChangedC-1was C-0${ONE}At the place`,
    `3ChangedLabel clearedwas C-9${ONE}At the place`,
    `4ChangedC-1had no label${ONE}${ONE} has this label too.`,
    `5NewB-5${ONE}Label of the device: C-4, was C-3Above`,
  ]);
});

test('reads a Windows-encoded file correctly', async () => {
  const asked: string[] = [];
  await openLocations(
    {
      importAliases(csv, { dry }) {
        asked.push(csv);
        return Promise.resolve(answer(dry));
      },
    },
    {},
    '/locations/import',
  );
  const file = new File([Uint8Array.from(Buffer.from('Räck 3;Größe', 'latin1'))], 'places.csv');
  const input = document.querySelector<HTMLInputElement>('input[type="file"]');
  if (input === null) throw new Error('There is nothing to choose a file with');
  await act(async () => {
    fireEvent.change(input, { target: { files: [file] } });
    await file.arrayBuffer();
  });
  expect(asked).toEqual(['Räck 3;Größe']);
});

test('an unreadable list is reported on the same page, and the pasted text stays', async () => {
  const message = 'There is no column deviceIs. Line 1 has "name", "device".';
  await look({ importAliases: () => Promise.reject(new ApiError('invalid', message)) }, 'name,device');
  expect(screen.getByText(message)).toBeTruthy();
  expect(screen.getByRole('textbox')).toHaveProperty('value', 'name,device');
});

test('a failed import keeps the preview and says that nothing was imported', async () => {
  await look({
    importAliases: (_csv, { dry }) =>
      dry ? Promise.resolve(answer(true)) : Promise.reject(new ApiError('unreachable', 'The station does not answer.')),
  });
  await press('Import 2 places');
  expect(screen.getByRole('alert').textContent).toBe('Nothing was imported. The station does not answer.');
  expect(screen.getByRole('button', { name: 'Import 2 places' })).toBeTruthy();
});

test('without a good row there is nothing to import', async () => {
  const refused = ROWS.filter(({ outcome }) => outcome === 'refused');
  await look({ importAliases: (_csv, { dry }) => Promise.resolve(answer(dry, refused)) });
  expect(screen.getByText(/No row can be imported/)).toBeTruthy();
  expect(screen.queryByRole('button', { name: /^Import/ })).toBeNull();
});
