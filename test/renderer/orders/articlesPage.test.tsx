import { act, fireEvent, screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import type { Article, ArticlePlace, ArticleQuery } from '#shared/api/article.ts';
import type { ScanResult } from '#shared/api/picking.ts';
import type { Movement, StockRow } from '#shared/api/stock.ts';
import type { ArticleImport, ImportArticleRow, ImportEntry } from '#shared/api/imports.ts';
import { ArticlesPage } from '../../../renderer/src/features/articles/ArticlesPage.tsx';
import { ImportPage } from '../../../renderer/src/features/import/ImportPage.tsx';
import type { Api } from '../../../renderer/src/station/api.ts';
import { ApiError } from '../../../renderer/src/words/apiError.ts';
import { AT, device, userOf } from '../../helpers/snapshots.ts';
import { show, station, testContext } from '../support.tsx';

function place(location: string, given: Partial<ArticlePlace> = {}): ArticlePlace {
  const figures = { priority: null, minimum: null, maximum: null, on_hand: null, allocated: 0, available: null };
  return { location, ...figures, empty: false, attention: [], ...given };
}

function article(sku: string, given: Partial<Article> = {}): Article {
  const texts = { name: null, description: null, unit: null, note: null, picture: null };
  return { id: 1, sku, ...texts, barcodes: [], active: true, places: [], updated: AT, ...given };
}

const TIE = article('CT-200', {
  name: 'Cable tie 200',
  description: 'black',
  unit: 'pcs',
  barcodes: [
    { code: '4006381333931', quantity: 1 },
    { code: '4006381333948', quantity: 12 },
  ],
  places: [place('A-1-1', { on_hand: 14, allocated: 2, available: 12, minimum: 20 }), place('B-2-1')],
});

async function open(path: string, calls: Partial<Api>, scope: 'admin' | 'picker' = 'admin') {
  window.history.replaceState(null, '', path);
  const context = testContext({ station: { ...station(), user: userOf('Ann', scope) } }, calls);
  await act(async () => show(context, <ArticlesPage />));
  return context;
}

const cells = () =>
  screen
    .getAllByRole('row')
    .slice(1)
    .map((row) =>
      within(row)
        .getAllByRole('gridcell')
        .map(({ textContent }) => textContent?.trim()),
    );
/** Texts of the list, without its checkboxes. */
const rows = () => cells().map((row) => row.slice(1));
const press = (name: string | RegExp) => act(async () => fireEvent.click(screen.getByRole('button', { name })));
const fill = (name: RegExp, value: string) =>
  act(async () => {
    const input = screen.getByRole('textbox', { name });
    fireEvent.change(input, { target: { value } });
    fireEvent.blur(input);
  });
const send = (name: string) => act(async () => fireEvent.submit(screen.getByRole('form', { name })));
const one = { getArticle: () => Promise.resolve(TIE), loadMovements: () => Promise.resolve([]) };

test('the list shows places, quantities and low stock of articles, and the station does the searching', async () => {
  const asked: ArticleQuery[] = [];
  const listArticles = async (query: ArticleQuery) => {
    asked.push(query);
    return [TIE, article('N-1', { name: 'Nut', places: [place('C-1', { on_hand: -2 })] }), article('X-9')];
  };
  await open('/articles', { listArticles });
  expect(rows()).toEqual([
    ['Cable tie 200CT-200 · black', 'A-1-1, B-2-1', '14 pcs', 'To reorder', ''],
    ['NutN-1', 'C-1', '−2', 'Below 0', ''],
    ['X-9', 'No place', '', '', ''],
  ]);
  await act(async () => fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'tie' } }));
  expect(asked.map(({ q }) => q)).toEqual([undefined, 'tie']);
  expect(screen.getByRole('link', { name: /Cable tie 200/ }).getAttribute('href')).toBe('/articles/CT-200');
});

const stockRow = (location: string, given: Partial<ArticlePlace>, sku = 'CT-200'): StockRow => ({
  ...place(location, given),
  sku,
  name: 'Cable tie',
  unit: null,
});
/** Places to reorder, as the station lists them. */
const LOW = [
  stockRow('A-1-0', { on_hand: null, minimum: 5 }),
  stockRow('A-1-1', { on_hand: 3, minimum: 5 }),
  stockRow('A-1-2', { on_hand: 4, minimum: 20 }),
  stockRow('A-1-3', { on_hand: 0, minimum: 5 }),
];

test('articles to reorder are listed by place, the emptiest first, and those that nobody has counted last', async () => {
  const loadStock = vi.fn(async () => LOW);
  await open('/articles?show=low', { loadStock });
  expect(loadStock).toHaveBeenCalledWith({ to_reorder: '1' });
  expect(rows().map((row) => row.slice(1, 4))).toEqual([
    ['A-1-3', '0 Reorder at 5', 'To reorder'],
    ['A-1-2', '4 Reorder at 20', 'To reorder'],
    ['A-1-1', '3 Reorder at 5', 'To reorder'],
    ['A-1-0', 'not counted Reorder at 5', 'Not counted'],
  ]);
  expect(screen.getByText('4 places, 1 not counted')).toBeTruthy();
  await act(async () => fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'tie' } }));
  expect(loadStock).toHaveBeenLastCalledWith({ to_reorder: '1', q: 'tie' });
  // The export has the same places.
  await press('Export');
  const link = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    followed.push(this.getAttribute('href') ?? '');
  });
  const followed: string[] = [];
  await act(async () => fireEvent.click(screen.getByRole('menuitem', { name: 'Export as CSV' })));
  link.mockRestore();
  expect(followed).toEqual(['/api/article-export/?format=csv&to_reorder=1&q=tie']);
});

test('labels of chosen rows are those of their articles and places', async () => {
  const other = article('N-1', { id: 2, name: 'Nut', places: [place('C-1')] });
  const tie = { ...TIE, places: LOW.map(({ location }) => place(location)) };
  const listArticles = vi.fn(async ({ after }: ArticleQuery) => (after === undefined ? [tie, other] : []));
  await open('/articles?show=low', { loadStock: async () => LOW, listArticles });
  const choose = (name: string) => act(async () => fireEvent.click(screen.getByRole('checkbox', { name })));
  await choose('Select CT-200 at A-1-2');
  await choose('Select CT-200 at A-1-0');
  const bar = screen.getByRole('region', { name: 'Selected articles' });
  expect(within(bar).getByText('2 selected')).toBeTruthy();
  await act(async () => fireEvent.click(within(bar).getByRole('button', { name: 'Print labels' })));
  await screen.findByRole('article', { name: 'Cable tie 200, black' });
  expect(screen.getAllByRole('article')).toHaveLength(1);
  // Chosen rows can be hidden articles.
  expect(listArticles).toHaveBeenLastCalledWith(expect.objectContaining({ active: 'all' }));
  await act(async () => fireEvent.click(screen.getByRole('radio', { name: 'articles at their places' })));
  const titles = () => screen.getAllByRole('article').map((each) => each.getAttribute('aria-label'));
  expect(titles()).toEqual(['A-1-0, Cable tie 200', 'A-1-2, Cable tie 200']);
});

test('all loaded articles can be chosen, and a chosen one that the search hides stays chosen', async () => {
  const listed = [TIE, article('N-1', { id: 2, name: 'Nut' })];
  const listArticles = async ({ q = '' }: ArticleQuery) => listed.filter(({ sku }) => sku.toLowerCase().includes(q));
  await open('/articles', { listArticles }, 'picker');
  await act(async () => fireEvent.click(screen.getByRole('checkbox', { name: 'Select all loaded articles' })));
  expect(screen.getByText('2 selected')).toBeTruthy();
  await act(async () => fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'n-1' } }));
  expect(screen.getByText('2 selected')).toBeTruthy();
  expect(screen.getByText(/^1 .*hidden|^1 of them/i)).toBeTruthy();
  await press('Clear selection');
  expect(screen.queryByText('2 selected')).toBeNull();
});

test('the page of a shop without articles explains articles', async () => {
  await open('/articles', { listArticles: async () => [] });
  expect(screen.getByText('No articles yet')).toBeTruthy();
  expect(screen.queryByRole('searchbox')).toBeNull();
});

test('a new article is sent with its barcodes, packs and counted places', async () => {
  const addArticle = vi.fn(async () => ({ ...TIE, warnings: [] }));
  await open('/articles?view=new', { listArticles: async () => [TIE], addArticle });
  await send('Add an article');
  expect(screen.getByText('Enter a SKU.')).toBeTruthy();
  await fill(/^SKU/, ' CT-200 ');
  await fill(/^Barcodes/, '4006381333931\n4006381333948 × many');
  await send('Add an article');
  expect(screen.getByText('Line 2: write × and a whole number from 1 after the code of a pack.')).toBeTruthy();
  await fill(/^Barcodes/, '4006381333931\n\n4006381333948 x 12');
  await press('Add a place');
  await send('Add an article');
  expect(screen.getByText('Enter the name of the place, or remove the line.')).toBeTruthy();
  await fill(/^Place/, 'A-1-1');
  await fill(/^On hand/, '14');
  await fill(/^Reorder at/, '20');
  expect(addArticle).not.toHaveBeenCalled();
  await send('Add an article');
  const empty = { name: null, description: null, unit: null, note: null };
  expect(addArticle).toHaveBeenCalledExactlyOnceWith({
    sku: 'CT-200',
    ...empty,
    barcodes: [
      { code: '4006381333931', quantity: 1 },
      { code: '4006381333948', quantity: 12 },
    ],
    places: [{ location: 'A-1-1', on_hand: 14, minimum: 20, maximum: null }],
  });
});

test('editing sends only the changed fields, and never the stock', async () => {
  const changeArticle = vi.fn(async () => ({ ...TIE, warnings: ['The code is also a place.'] }));
  await open('/articles/CT-200', { ...one, changeArticle });
  await press('Edit');
  await fill(/^Unit/, 'bag');
  const [minimum = document.body] = screen.getAllByRole('textbox', { name: /^Reorder at/ });
  await act(async () => {
    fireEvent.change(minimum, { target: { value: '5' } });
    fireEvent.blur(minimum);
  });
  await send('Edit CT-200');
  const places = [
    { location: 'A-1-1', minimum: 5, maximum: null },
    { location: 'B-2-1', minimum: null, maximum: null },
  ];
  expect(changeArticle).toHaveBeenCalledExactlyOnceWith('CT-200', { unit: 'bag', places }, TIE);
});

test('a count is based on the displayed figure; if that has changed, the person counts again', async () => {
  const outdated = { status: 409, code: 'outdated', movement_id: null, on_hand: null } as const;
  const move = vi.fn(async () => ({ status: 200, movement_id: 8, on_hand: 12 }) as const);
  move.mockImplementationOnce(async () => outdated as never);
  let now = TIE;
  await open('/articles/CT-200', { ...one, move, getArticle: () => Promise.resolve(now) });
  await press('Count A-1-1');
  expect(screen.getByText('14 expected')).toBeTruthy();
  await send('Count CT-200 at A-1-1');
  expect(screen.getByText('Enter a whole number from 0.')).toBeTruthy();
  await fill(/^Pieces there/, '13');
  now = { ...TIE, places: [place('A-1-1', { on_hand: 11 })] };
  await send('Count CT-200 at A-1-1');
  await fill(/^Pieces there/, '12');
  await send('Count CT-200 at A-1-1');
  const sent = move.mock.calls as unknown as [{ was: number; count: number; key: string }][];
  expect(sent.map(([{ was, count }]) => [was, count])).toEqual([
    [14, 13],
    [11, 12],
  ]);
  expect(new Set(sent.map(([{ key }]) => key)).size).toBe(2);
});

test('an article with stock is deleted only after the person confirms it', async () => {
  const removeArticle = vi.fn(async (_sku: string, force: boolean) => {
    if (!force) throw new ApiError('in_use', 'CT-200 has 14 pieces at A-1-1.', []);
  });
  await open('/articles/CT-200', { ...one, removeArticle });
  await press('More for CT-200');
  await act(async () => fireEvent.click(screen.getByRole('menuitem', { name: 'Delete…' })));
  await send('Delete CT-200?');
  expect(screen.getByText(/CT-200 has 14 pieces at A-1-1/)).toBeTruthy();
  await act(async () => fireEvent.click(screen.getByRole('switch', { name: /Delete it with its stock/ })));
  await send('Delete CT-200?');
  expect(removeArticle.mock.calls).toEqual([
    ['CT-200', false],
    ['CT-200', true],
  ]);
  expect(window.location.pathname).toBe('/articles');
});

test('lists movements, newest first', async () => {
  const moved: Movement = {
    movement_id: 2,
    kind: 'pick',
    time: AT,
    SKU: 'CT-200',
    location: 'A-1-1',
    deviceid: '',
    delta: -2,
    on_hand: 14,
    order: 'SO-1',
    shipment: null,
    item: 3,
    ordered_quantity: 2,
    quantity_fulfilled: 2,
    reason: '',
    picker: 'Ann',
    by: 'device',
    nonce: '',
  };
  const loadMovements = async () => [moved, { ...moved, movement_id: 1, delta: 1, by: 'Ann' }];
  await open('/articles/CT-200', { ...one, loadMovements });
  const table = within(screen.getByRole('region', { name: 'Movements of the last 30 days' }));
  expect(
    table
      .getAllByRole('row')
      .slice(1)
      .map((row) =>
        within(row)
          .getAllByRole('cell')
          .slice(1)
          .map(({ textContent }) => textContent?.trim()),
      ),
  ).toEqual([
    ['Picked Order SO-1', 'A-1-1', '−2', '14', 'the device'],
    ['Returned Order SO-1', 'A-1-1', '+1', '14', 'Ann'],
  ]);
});

test('a picker can read but change nothing', async () => {
  await open('/articles/CT-200', one, 'picker');
  expect(screen.queryByRole('button', { name: 'Count A-1-1' })).toBeNull();
  expect(screen.getByRole('button', { name: 'Edit' }).getAttribute('aria-disabled') ?? 'true').toBe('true');
});

test('Show stock lights the places and lists those that are not shown', async () => {
  const showStock = vi.fn(() =>
    Promise.resolve({ until: AT, green: 3, yellow: 1, red: 0, busy: ['A-1-1'], left_out: ['B-2-1'] }),
  );
  const listArticles = () => Promise.resolve([TIE]);
  await open('/articles', { listArticles, showStock }, 'picker');
  await press('Show stock');
  expect(showStock).toHaveBeenCalledTimes(1);
  expect(screen.getByText('3 green, 1 to reorder, 0 empty. Not shown: A-1-1, B-2-1.')).toBeTruthy();
});

test('Put away lights the places of the article for these pieces', async () => {
  const scan = vi.fn<Api['scan']>(() => Promise.resolve({ says: 'Put 5 Cable tie 200 at A-1-1.' } as ScanResult));
  await open('/articles/CT-200', { ...one, scan }, 'picker');
  await press('Put away');
  await fill(/^Pieces/, '5');
  await send('Put CT-200 away');
  expect(scan.mock.calls).toMatchObject([[{ code: 'CT-200', intent: 'put_away', quantity: 5, act: true }]]);
  expect(screen.queryByRole('form')).toBeNull();
});

const PICTURE = '/api/articles/CT-200/picture/?v=a1b2c3d4e5f6';
const png = (name: string) => new File(['x'], name, { type: 'image/png' });

/** Chooses files in the last chooser of the page. */
const choose = (...files: File[]) =>
  act(async () => {
    const input = [...document.querySelectorAll<HTMLInputElement>('input[type=file]')].at(-1);
    if (input === undefined) throw new Error('There is no chooser.');
    Object.defineProperty(input, 'files', { value: files, configurable: true });
    fireEvent.change(input);
  });

test('the list shows small pictures, and the page of an article shows its picture', async () => {
  await open('/articles', { listArticles: async () => [{ ...TIE, picture: PICTURE }, article('X-9')] });
  const small = [...document.querySelectorAll('img')].map((image) => image.getAttribute('src'));
  expect(small).toEqual([`${PICTURE}&size=96`]);
});

test('adds, replaces and removes a picture; shows a refusal beside it', async () => {
  const setArticlePicture = vi.fn(async (_sku: string, file: Blob) => {
    if (file.size > 1)
      throw new ApiError('unsupported_media_type', 'The file is a GIF, which is not possible here.', []);
    return { picture: PICTURE };
  });
  const removeArticlePicture = vi.fn(async () => undefined);
  await open('/articles/CT-200', { ...one, setArticlePicture, removeArticlePicture });
  expect(screen.queryByRole('button', { name: 'Remove the picture' })).toBeNull();
  expect(screen.getByRole('button', { name: 'Add a picture' })).toBeTruthy();
  const file = png('any.png');
  await choose(file);
  expect(setArticlePicture).toHaveBeenCalledExactlyOnceWith('CT-200', file);
  await choose(new File(['many'], 'other.gif'));
  expect(screen.getByText(/The file is a GIF/)).toBeTruthy();
});

test('users who may change articles can remove the picture of an article', async () => {
  const removeArticlePicture = vi.fn(async () => undefined);
  const shown = { ...one, getArticle: async () => ({ ...TIE, picture: PICTURE }) };
  await open('/articles/CT-200', { ...shown, removeArticlePicture });
  expect(screen.getByRole('img', { name: 'Picture of Cable tie 200' }).getAttribute('src')).toBe(PICTURE);
  await press('Remove the picture');
  expect(removeArticlePicture).toHaveBeenCalledExactlyOnceWith('CT-200');
});

test('pictures are matched with articles by name, and the page lists those without a match', async () => {
  const getArticle = vi.fn<Api['getArticle']>();
  const listed = [article('CT-2000', { id: 3 }), { ...TIE, picture: PICTURE }, article('N-1', { id: 2 })];
  const listArticles = async ({ barcode, q = '' }: ArticleQuery) =>
    barcode === undefined
      ? listed.filter(({ sku }) => sku.toLowerCase().includes(q.toLowerCase()))
      : barcode === '4006381333931'
        ? [TIE]
        : [];
  const setArticlePicture = vi.fn(async (sku: string) => {
    if (sku === 'N-1') throw new ApiError('unsupported_media_type', 'The picture is incomplete or damaged.', []);
    return { picture: PICTURE };
  });
  await open('/articles', { getArticle, listArticles, setArticlePicture });
  const tie = png('ct-200.PNG');
  await choose(tie, png('4006381333931.jpg'), png('N-1.webp'), png('holiday.jpg'), new File(['x'], 'notes.txt'));
  expect(
    screen.getByText(
      /2 pictures have the name of an article\. One article already has a picture, which will be replaced\./,
    ),
  ).toBeTruthy();
  const notUsed = () =>
    within(screen.getByRole('dialog'))
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent);
  const others = [
    '4006381333931.jpg Another file is also for CT-200.',
    'holiday.jpg No article has this SKU or barcode. Rename the file.',
    'notes.txt This is not a JPEG, PNG or WebP.',
  ];
  expect(notUsed()).toEqual(others);
  expect(setArticlePicture).not.toHaveBeenCalled();
  // A browser reports each address that is not found as an error.
  expect(getArticle).not.toHaveBeenCalled();
  await press('Use 2 pictures');
  expect(setArticlePicture.mock.calls.map(([sku]) => sku)).toEqual(['CT-200', 'N-1']);
  // A toast would be behind the dialog.
  expect(within(screen.getByRole('dialog')).getByText('1 picture was added.')).toBeTruthy();
  expect(notUsed()).toEqual(['N-1.webp The picture is incomplete or damaged.', ...others]);
  expect(screen.queryByRole('button', { name: /^Use/ })).toBeNull();
});

test('pickers cannot add pictures', async () => {
  await open('/articles', { listArticles: async () => [TIE] }, 'picker');
  expect(document.querySelector('input[type=file]')).toBeNull();
});

test('the last import can be undone, and the page lists the articles that were kept', async () => {
  const counts = { orders: 60, new: 61, changed: 2, known: 0, held: 0, refused: 1, left_out: 0 };
  const made: ImportEntry = {
    id: 7,
    kind: 'articles',
    source: 'api',
    name: 'stock.xlsx',
    state: 'imported',
    at: AT,
    by: 'Ann',
    counts,
    undoable: 62,
    undone_time: null,
  };
  const undoImport = vi.fn(async () => ({ undone: 61, kept: [{ name: 'CT-200', message: 'Open orders need it.' }] }));
  await open('/articles', { listArticles: async () => [TIE], loadLastArticleImport: async () => made, undoImport });
  expect(screen.getByText(/^Imported 60 new articles/)).toBeTruthy();
  expect(screen.getByText('2 rows changed. 1 row was left out.')).toBeTruthy();
  await press(/^Undo/);
  expect(undoImport).toHaveBeenCalledExactlyOnceWith(7);
  expect(screen.getByText('Undone: 61 articles. 1 kept.')).toBeTruthy();
  const kept = within(screen.getByRole('dialog', { name: 'Not undone, or only in part' }));
  expect(kept.getByRole('listitem').textContent).toBe('CT-200 Open orders need it.');
});

/** Further rows of a preview. */
const OTHERS: readonly Partial<ImportArticleRow>[] = [
  { line: 3, outcome: 'refused', message: 'It has no SKU.' },
  { line: 4, outcome: 'refused', message: 'Keep one of them.', conflict: true },
  { line: 5, outcome: 'left_out', on_hand: '2,5', minimum: '', stock_left_out: true },
];

test('a file of articles is previewed, its stock is set only if ticked, and then imported', async () => {
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
    skipped: { hidden_rows: 0, hidden_columns: 0 },
    notes: [],
    counts: { orders: 0, new: 0, changed: 1, known: 0, held: 0, refused: 2, left_out: 1 },
    rows: [
      row,
      ...OTHERS.map((other) => ({ ...row, level: null, level_before: null, without_light: false, ...other })),
    ],
  };
  const previewImport = vi.fn(async (_kind: string, _source: unknown, { stock }: { stock?: boolean }) => ({
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
  // Only the columns that the file fills.
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
  expect(screen.getByText('1 row names a place without a light: no device or alias has the name.')).toBeTruthy();
  expect(screen.getByText('The stock of 1 row is left out.')).toBeTruthy();
  const filters = within(screen.getByRole('radiogroup', { name: 'Which rows' })).getAllByRole('radio');
  expect(filters.map(({ textContent }) => textContent)).toEqual([
    'All 4',
    'Changed 1',
    'Invalid 1',
    'Contradicts 1',
    'Left out 1',
    'Without a light 1',
    'Stock left out 1',
  ]);
  const outcomesOf = async (filter: RegExp): Promise<(string | undefined)[]> => {
    await act(async () => fireEvent.click(screen.getByRole('radio', { name: filter })));
    return cells().map(([line, becomes]) => `${line} ${becomes}`);
  };
  expect(await outcomesOf(/^Invalid/)).toEqual(['3 Invalid']);
  expect(await outcomesOf(/^Contradicts/)).toEqual(['4 Contradicts']);
  expect(await outcomesOf(/^Without a light/)).toEqual(['2 Changed']);
  expect(await outcomesOf(/^Stock left out/)).toEqual(['5 Left out']);
  expect(screen.getByText('left out')).toBeTruthy();
  await outcomesOf(/^All/);
  expect(previewImport.mock.calls.map(([kind, , options]) => [kind, options])).toEqual([['articles', {}]]);
  await act(async () =>
    fireEvent.click(screen.getByRole('switch', { name: 'Also set the stock of articles that exist' })),
  );
  expect(previewImport.mock.calls.at(-1)?.[2]).toMatchObject({ stock: true });
  expect(screen.getByText('14 → 7')).toBeTruthy();
  await press('Import 1 row');
  expect(runImport.mock.calls).toHaveLength(1);
  expect(window.location.pathname).toBe('/articles');
});

test('Use the template fills the screens at the places of the article', async () => {
  const fillScreen = vi.fn(() => Promise.resolve());
  const devices = [device('51D000:000001', { locationoverride: 'a-1-1' }), device('51D000:000002')];
  window.history.replaceState(null, '', '/articles/CT-200');
  const known = { ...station(), devices, user: userOf('Ann', 'admin') };
  const context = testContext({ station: known }, { ...one, fillScreen });
  await act(async () => show(context, <ArticlesPage />));
  await press('More for CT-200');
  await act(async () => fireEvent.click(screen.getByRole('menuitem', { name: 'Use the template on its screens' })));
  expect(fillScreen.mock.calls).toEqual([['51D000:000001']]);
});

test('labels of the articles that the search found have a picture and the code of a single piece', async () => {
  const listArticles = async ({ q, after }: ArticleQuery) =>
    q === 'tie' && after === undefined ? [{ ...TIE, picture: PICTURE }] : [];
  await open('/articles?q=tie&view=labels', { listArticles });
  const label = await screen.findByRole('article', { name: 'Cable tie 200, black' });
  within(label).getByRole('img', { name: 'Barcode' });
  expect(label.querySelector('img')?.getAttribute('src')).toBe(`${PICTURE}&size=96`);
  expect(label.textContent).toContain('CT-200 · 4006381333931');
  await act(async () => fireEvent.click(screen.getByRole('radio', { name: 'articles at their places' })));
  const titles = screen.getAllByRole('article').map((each) => each.getAttribute('aria-label'));
  expect(titles).toEqual(['A-1-1, Cable tie 200', 'B-2-1, Cable tie 200']);
  await press('Back to the articles');
  expect(window.location.pathname + window.location.search).toBe('/articles?q=tie');
});

test('labels from the list of articles to reorder are only those of articles to reorder', async () => {
  const full = article('F-1', { name: 'Full', places: [place('F-1-1', { on_hand: 9, minimum: 5 })] });
  const listArticles = async ({ after }: ArticleQuery) => (after === undefined ? [full, TIE, article('X-9')] : []);
  await open('/articles?show=low&view=labels', { listArticles, loadStock: async () => LOW });
  await screen.findByRole('article', { name: 'Cable tie 200, black' });
  expect(screen.getAllByRole('article')).toHaveLength(1);
  // Of the article's places, only those of the list.
  await act(async () => fireEvent.click(screen.getByRole('radio', { name: 'articles at their places' })));
  expect(screen.getAllByRole('article').map((each) => each.getAttribute('aria-label'))).toEqual([
    'A-1-1, Cable tie 200',
  ]);
  await press('Back to the articles');
  expect(window.location.pathname + window.location.search).toBe('/articles?show=low');
});
