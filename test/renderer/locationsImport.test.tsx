// @vitest-environment happy-dom
import { act, fireEvent, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { ImportedRow, LocationImport } from '#shared/api/locationImport.ts';
import type { Api } from '../../renderer/src/station/api.ts';
import { ApiError } from '../../renderer/src/station/apiError.ts';
import { ONE, openLocations, TWO } from './locationsSupport.tsx';

const row = (line: number, given: Partial<ImportedRow>): ImportedRow => ({
  line,
  outcome: 'new',
  name: `B-${line}`,
  deviceid: ONE,
  deviceIs: 'Above',
  message: '',
  id: line + 100,
  before: null,
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
  const columns = { name: 'Place', deviceid: 'Device', deviceIs: 'Where' };
  return { dry_run, delimiter: '\t', columns, ignored: ['Remark'], counts, rows };
}

const press = (name: string | RegExp, role = 'button') =>
  act(async () => fireEvent.click(screen.getByRole(role, { name })));

async function look(api: Partial<Api>, csv = 'Place\tDevice\tWhere'): Promise<void> {
  await openLocations(api, {}, '/locations/import');
  fireEvent.change(screen.getByRole('textbox'), { target: { value: csv } });
  await act(async () => fireEvent.submit(screen.getByRole('form')));
}

test('what each row becomes is seen before anything is done', async () => {
  const asked: unknown[] = [];
  await look({
    importAliases(csv, dry) {
      asked.push([csv, dry]);
      return Promise.resolve(answer(dry));
    },
  });
  expect(asked).toEqual([['Place\tDevice\tWhere', true]]);
  expect(screen.getByText(/Read as tab separated. Place from “Place”.*Left alone: “Remark”/)).toBeTruthy();
  const cells = screen.getAllByRole('row').slice(1);
  expect(cells.map(({ textContent }) => textContent)).toEqual([
    `2NewB-2${ONE}Above`,
    `3ChangedB-3was b-3${ONE}was ${TWO}, BelowAbove`,
    `4As it isB-4${ONE}Above`,
    '5Left outB-5No DeviceID or label is "nowhere".nowhere, Above',
  ]);
  expect(screen.getByText('1 row will be left out.')).toBeTruthy();
  await press(/^Left out/, 'radio');
  expect(screen.getAllByRole('row')).toHaveLength(2);
});

test('good rows are imported, and the whole of it is taken back', async () => {
  const undone: unknown[] = [];
  await look({
    importAliases: (_csv, dry) => Promise.resolve(answer(dry)),
    undoImport(rows) {
      undone.push(rows);
      return Promise.resolve({ undone: 1, kept: [{ name: 'B-3', message: 'It was changed since.' }] });
    },
  });
  await press('Import 2 places');
  expect(window.location.pathname).toBe('/locations');
  expect(screen.getByText('Imported: 1 new, 1 changed. 1 row was left out.')).toBeTruthy();
  await press('Undo the import');
  expect(undone).toEqual([
    [
      { id: 102, name: 'B-2', deviceid: ONE, deviceIs: 'Above', before: null },
      {
        id: 103,
        name: 'B-3',
        deviceid: ONE,
        deviceIs: 'Above',
        before: { name: 'b-3', deviceid: TWO, deviceIs: 'Below' },
      },
    ],
  ]);
  expect(screen.getByText('1 place is as before.')).toBeTruthy();
  expect(screen.getByText('Changed since, so left as they are: B-3.')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Undo the import' })).toBeNull();
});

test('a file of Windows is read as it was meant', async () => {
  const asked: string[] = [];
  await openLocations(
    {
      importAliases(csv, dry) {
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

test('a file that cannot be read is said where it was chosen, and what was pasted stays', async () => {
  const message = 'There is no column deviceIs. Line 1 has "name", "device".';
  await look({ importAliases: () => Promise.reject(new ApiError('invalid', message)) }, 'name,device');
  expect(screen.getByText(message)).toBeTruthy();
  expect(screen.getByRole('textbox')).toHaveProperty('value', 'name,device');
});

test('an import that fails leaves the preview, and says that nothing was imported', async () => {
  await look({
    importAliases: (_csv, dry) =>
      dry ? Promise.resolve(answer(true)) : Promise.reject(new ApiError('unreachable', 'The station does not answer.')),
  });
  await press('Import 2 places');
  expect(screen.getByRole('alert').textContent).toBe('Nothing was imported. The station does not answer.');
  expect(screen.getByRole('button', { name: 'Import 2 places' })).toBeTruthy();
});

test('where no row is good there is nothing to import', async () => {
  const refused = ROWS.filter(({ outcome }) => outcome === 'refused');
  await look({ importAliases: (_csv, dry) => Promise.resolve(answer(dry, refused)) });
  expect(screen.getByText(/No row can be imported/)).toBeTruthy();
  expect(screen.queryByRole('button', { name: /^Import/ })).toBeNull();
});
