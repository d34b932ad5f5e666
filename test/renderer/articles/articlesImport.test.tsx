import { act, fireEvent, screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import type { ArticleImport, ImportArticleRow, ImportEntry, ImportUndoForecast } from '#shared/api/imports.ts';
import { ImportPage } from '../../../renderer/src/features/import/ImportPage.tsx';
import { userOf } from '../../helpers/snapshots.ts';
import { show, station, testContext, type Stubs } from '../support.tsx';
import { TIE, open, cells, press, choose } from './articlesSupport.tsx';

/** An import of articles that ended `minutes` ago. */
const importOf = (minutes: number): ImportEntry => ({
  id: 7,
  kind: 'articles',
  source: 'api',
  name: 'stock.xlsx',
  state: 'imported',
  at: new Date(Date.now() - minutes * 60_000).toISOString(),
  by: 'Ann',
  counts: { orders: 60, new: 61, changed: 2, known: 0, held: 0, refused: 1, left_out: 0 },
  undoable: 62,
  undone_time: null,
  redo_until: null,
});
const FORECAST: ImportUndoForecast = {
  removed: { count: 60, names: ['M8', 'M9', 'M10', 'M11', 'M12'] },
  restored: { count: 1, names: ['GL-M'] },
  kept: { count: 1, reasons: [{ message: 'Open orders need it.', count: 1, names: ['CT-200'] }] },
};

/** Opens the articles after an import, whose undo keeps CT-200. */
async function openImported(minutes: number, undo: ImportUndoForecast | null = FORECAST) {
  const made = importOf(minutes);
  const undoImport = vi.fn(async () => ({ undone: 61, kept: [{ name: 'CT-200', message: 'Open orders need it.' }] }));
  const getImport = async () => ({ ...made, rows: [], undo });
  await open('/articles', {
    listArticles: async () => [TIE],
    loadLastArticleImport: async () => made,
    undoImport,
    getImport,
  });
  return undoImport;
}

test('Undo asks with what goes and what is kept, reverts the import, and lists the articles that it kept', async () => {
  const undoImport = await openImported(30);
  expect(screen.getByText(/^Imported 60 new articles/)).toBeTruthy();
  expect(screen.getByText('2 rows changed. 1 row was left out.')).toBeTruthy();
  await press(/^Undo/);
  const question = within(screen.getByRole('alertdialog', { name: 'Undo the import?' }));
  expect(question.getByText('Removes 60 articles: M8, M9, M10, M11, M12 and 55 more.')).toBeTruthy();
  expect(question.getByText('Restores 1 article: GL-M.')).toBeTruthy();
  expect(question.getByText('Keeps 1 article, at least in part:')).toBeTruthy();
  expect(question.getByRole('listitem').textContent).toBe('CT-200 Open orders need it.');
  expect(undoImport).not.toHaveBeenCalled();
  await act(async () =>
    fireEvent.click(within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Undo the import' })),
  );
  expect(undoImport).toHaveBeenCalledExactlyOnceWith(7);
  expect(screen.getByText('Undone: 61 articles. 1 kept.')).toBeTruthy();
  const kept = within(screen.getByRole('dialog', { name: 'Not undone, or only partly' }));
  expect(kept.getByRole('listitem').textContent).toBe('CT-200 Open orders need it.');
});

/** An import of articles that was undone `days` ago. */
const undoneOf = (days: number): ImportEntry => {
  const undoneAt = Date.now() - days * 86_400_000;
  return {
    ...importOf(30),
    state: 'undone',
    undone_time: new Date(undoneAt).toISOString(),
    redo_until: new Date(undoneAt + 7 * 86_400_000).toISOString(),
  };
};

test('after an undo, “Undone by mistake?” offers Redo, which restores the import and lists what it did not restore', async () => {
  const made = importOf(30);
  const state = { undone: null as ImportEntry | null };
  const redoImport = vi.fn<Stubs['redoImport']>(async () => {
    state.undone = null;
    return { redone: 61, kept: [{ name: 'M8', message: 'An article with this SKU was created again.' }] };
  });
  await open('/articles', {
    listArticles: async () => [TIE],
    loadLastArticleImport: async () => (state.undone === null ? made : null),
    loadUndoneImport: async () => state.undone,
    undoImport: async () => {
      state.undone = undoneOf(0);
      return { undone: 62, kept: [] };
    },
    getImport: async () => ({ ...made, rows: [], undo: FORECAST }),
    redoImport,
  });
  expect(screen.queryByRole('button', { name: 'Redo' })).toBeNull();
  await press(/^Undo/);
  await act(async () =>
    fireEvent.click(within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Undo the import' })),
  );
  const bar = screen.getByRole('region', { name: 'The import that was undone' });
  expect(bar.textContent).toMatch(/^The last import was undone at \d\d:\d\d\. Undone by mistake\?/);
  await press('Redo');
  expect(redoImport).toHaveBeenCalledExactlyOnceWith({ path: { id: 7 } });
  expect(screen.getByText('Restored: 61 articles. 1 not, or only partly.')).toBeTruthy();
  const kept = within(screen.getByRole('dialog', { name: 'Not restored, or only partly' }));
  expect(kept.getByRole('listitem').textContent).toBe('M8 An article with this SKU was created again.');
  expect(screen.queryByRole('button', { name: 'Redo' })).toBeNull();
});

test.each([
  [6.9, 'admin', true],
  [7.1, 'admin', false],
  [1, 'picker', false],
] as const)('%s days after the undo, Redo works for the role %s: %s', async (days, role, works) => {
  const loadUndoneImport = async () => undoneOf(days);
  await open('/articles', { listArticles: async () => [TIE], loadUndoneImport }, role);
  const redo = screen.queryByRole<HTMLButtonElement>('button', { name: /^Redo/ });
  expect(redo !== null && redo.dataset['denied'] === undefined).toBe(works);
});

test('an import that was undone can be restored from the page without any articles', async () => {
  await open('/articles', { listArticles: async () => [], loadUndoneImport: async () => undoneOf(1) });
  expect(screen.getByText('No articles yet')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Redo' })).toBeTruthy();
});

test('Cancel keeps everything that was imported', async () => {
  const undoImport = await openImported(30);
  await press(/^Undo/);
  await press('Cancel');
  expect(screen.queryByRole('alertdialog')).toBeNull();
  expect(undoImport).not.toHaveBeenCalled();
});

test.each([
  [59, true],
  [61, false],
])('after %s minutes, the bar of the last import is shown: %s', async (minutes, isShown) => {
  await openImported(minutes);
  expect(screen.queryByRole('region', { name: 'The last import' }) !== null).toBe(isShown);
});

/** Further rows of a preview. */
const OTHERS: readonly Partial<ImportArticleRow>[] = [
  { line: 3, outcome: 'refused', message: 'It has no SKU.' },
  { line: 4, outcome: 'refused', message: 'Keep one of them.', conflict: true },
  { line: 5, outcome: 'left_out', on_hand: '2,5', minimum: '', stock_left_out: true },
];

test('previews and imports a file of articles, and sets the stock only if the user chooses to', async () => {
  const row: ImportArticleRow = {
    line: 2,
    outcome: 'changed',
    message: '',
    SKU: 'CT-200',
    name: 'Cable tie 200',
    UPC: '',
    location: 'A-1-1',
    minimum: '20',
    on_hand: '7',
    level: 20,
    level_before: 5,
    stock: null,
    stock_before: null,
    stock_left_out: false,
    conflict: false,
    without_light: true,
  };
  const preview: ArticleImport = {
    kind: 'articles',
    id: 3,
    dry_run: true,
    delimiter: ';',
    encoding: 'utf-8',
    sheet: null,
    sheets: [],
    profile: null,
    columns: ['sku', 'minimum', 'on_hand'],
    ignored: [],
    mapping: [
      { name: 'sku', field: 'SKU', samples: ['CT-200'] },
      { name: 'minimum', field: 'minimum', samples: ['20'] },
      { name: 'on_hand', field: 'on_hand', samples: ['7'] },
    ],
    questions: [],
    remembered: null,
    asks_date_order: false,
    asks_units: [],
    asks_place_paths: [],
    skipped: { hidden_rows: 0, hidden_columns: 0 },
    notes: [],
    counts: { orders: 0, new: 0, changed: 1, known: 0, held: 0, refused: 2, left_out: 1 },
    rows: [
      row,
      ...OTHERS.map((other) => ({ ...row, level: null, level_before: null, without_light: false, ...other })),
    ],
  };
  const previewImport = vi.fn(async ({ options: { stock } }: Parameters<Stubs['previewImport']>[0]) => ({
    ...preview,
    rows: preview.rows.map((each) =>
      stock === true && each.line === 2 ? { ...each, stock: 7, stock_before: 14 } : each,
    ),
  }));
  const runImport = vi.fn(async () => ({}) as never);
  window.history.replaceState(null, '', '/import?what=articles');
  const context = testContext(
    { station: { ...station(), user: userOf('Ann', 'admin') } },
    { previewImport, runImport },
  );
  await act(async () => show(context, <ImportPage />));
  await choose(new File(['sku;on_hand'], 'stock.csv'));
  // Barcode and place are hidden because the file has no such columns.
  expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
    'Line',
    'Becomes',
    'SKU',
    'Name',
    'Reorder at',
    'On hand',
    'Reason',
  ]);
  expect(screen.getByText('5 → 20')).toBeTruthy();
  expect(screen.getByText('1 row names a place without a light: no device or alias has its name.')).toBeTruthy();
  expect(screen.getByText('The stock of 1 row is left out.')).toBeTruthy();
  const filters = within(screen.getByRole('radiogroup', { name: 'Which rows' })).getAllByRole('radio');
  expect(filters.map(({ textContent }) => textContent)).toEqual([
    'All 4',
    'Changed 1',
    'Invalid 1',
    'Conflict 1',
    'Left out 1',
    'No light 1',
    'Stock left out 1',
  ]);
  const outcomesOf = async (filter: RegExp): Promise<(string | undefined)[]> => {
    await act(async () => fireEvent.click(screen.getByRole('radio', { name: filter })));
    return cells().map(([line, becomes]) => `${line} ${becomes}`);
  };
  expect(await outcomesOf(/^Invalid/)).toEqual(['3 Invalid']);
  expect(await outcomesOf(/^Conflict/)).toEqual(['4 Conflict']);
  expect(await outcomesOf(/^No light/)).toEqual(['2 Changed']);
  expect(await outcomesOf(/^Stock left out/)).toEqual(['5 Left out']);
  expect(screen.getByText('left out')).toBeTruthy();
  await outcomesOf(/^All/);
  expect(previewImport.mock.calls.map(([{ kind, options }]) => [kind, options])).toEqual([['articles', {}]]);
  await act(async () =>
    fireEvent.click(screen.getByRole('switch', { name: 'Also set the stock of existing articles' })),
  );
  expect(previewImport.mock.calls.at(-1)?.[0].options).toMatchObject({ stock: true });
  expect(screen.getByText('14 → 7')).toBeTruthy();
  await press('Import 1 row');
  expect(runImport.mock.calls).toHaveLength(1);
  expect(window.location.pathname).toBe('/articles');
});
