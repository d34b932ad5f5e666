import { act, fireEvent, screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import type { Article, ArticlePlace, ArticleQuery } from '#shared/api/article.ts';
import type { ScanResult } from '#shared/api/picking.ts';
import type { Movement, StockRow } from '#shared/api/stock.ts';
import { ArticlesPage } from '../../renderer/src/features/articles/ArticlesPage.tsx';
import type { Api } from '../../renderer/src/station/api.ts';
import { ApiError } from '../../renderer/src/words/apiError.ts';
import { AT, device, userOf } from '../helpers/snapshots.ts';
import { show, station, testContext } from './support.tsx';

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

const rows = () =>
  screen
    .getAllByRole('row')
    .slice(1)
    .map((row) =>
      within(row)
        .getAllByRole('gridcell')
        .map(({ textContent }) => textContent?.trim()),
    );
const press = (name: string | RegExp) => act(async () => fireEvent.click(screen.getByRole('button', { name })));
const fill = (name: RegExp, value: string) =>
  act(async () => {
    const input = screen.getByRole('textbox', { name });
    fireEvent.change(input, { target: { value } });
    fireEvent.blur(input);
  });
const send = (name: string) => act(async () => fireEvent.submit(screen.getByRole('form', { name })));
const one = { loadArticle: () => Promise.resolve(TIE), loadMovements: () => Promise.resolve([]) };

test('the list shows where each article is, how many there are, and what is low; the station searches', async () => {
  const asked: ArticleQuery[] = [];
  const loadArticles = async (query: ArticleQuery) => {
    asked.push(query);
    return [TIE, article('N-1', { name: 'Nut', places: [place('C-1', { on_hand: -2 })] }), article('X-9')];
  };
  await open('/articles', { loadArticles });
  expect(rows()).toEqual([
    ['Cable tie 200CT-200 · black', 'A-1-1, B-2-1', '14 pcs', 'To reorder', ''],
    ['NutN-1', 'C-1', '-2', 'Below 0', ''],
    ['X-9', 'No place', '', '', ''],
  ]);
  await act(async () => fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'tie' } }));
  expect(asked.map(({ q }) => q)).toEqual([undefined, 'tie']);
  expect(screen.getByRole('link', { name: /Cable tie 200/ }).getAttribute('href')).toBe('/articles/CT-200');
});

test('what is to be reordered is listed by place', async () => {
  const low: StockRow = { ...place('A-1-1', { on_hand: 3, minimum: 5 }), sku: 'CT-200', name: 'Cable tie', unit: null };
  const loadStock = vi.fn(async () => [low, { ...low, location: 'A-1-2' }]);
  await open('/articles?show=low', { loadStock });
  expect(loadStock).toHaveBeenCalledWith({ below_minimum: '1' });
  expect(rows().map((cells) => cells.slice(1, 4))).toEqual([
    ['A-1-1', '3', 'To reorder'],
    ['A-1-2', '3', 'To reorder'],
  ]);
  expect(screen.getByText('2 places')).toBeTruthy();
});

test('the page of a shop without articles says what they are for', async () => {
  await open('/articles', { loadArticles: async () => [] });
  expect(screen.getByText('No articles yet')).toBeTruthy();
  expect(screen.queryByRole('searchbox')).toBeNull();
});

test('a new article is sent with its barcodes, packs and counted places', async () => {
  const addArticle = vi.fn(async () => ({ ...TIE, warnings: [] }));
  await open('/articles?view=new', { loadArticles: async () => [TIE], addArticle });
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

test('a count is based on the figure that was shown; if that changed, the person counts again', async () => {
  const outdated = { status: 409, code: 'outdated', movement_id: null, on_hand: null } as const;
  const move = vi.fn(async () => ({ status: 200, movement_id: 8, on_hand: 12 }) as const);
  move.mockImplementationOnce(async () => outdated as never);
  let now = TIE;
  await open('/articles/CT-200', { ...one, move, loadArticle: () => Promise.resolve(now) });
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

test('an article with stock is deleted only if the person says so', async () => {
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

test('movements say what happened, the newest first', async () => {
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

test('a picker reads, and changes nothing', async () => {
  await open('/articles/CT-200', one, 'picker');
  expect(screen.queryByRole('button', { name: 'Count A-1-1' })).toBeNull();
  expect(screen.getByRole('button', { name: 'Edit' }).getAttribute('aria-disabled') ?? 'true').toBe('true');
});

test('Show stock lights the places and says what is not shown', async () => {
  const showStock = vi.fn(() =>
    Promise.resolve({ until: AT, green: 3, yellow: 1, red: 0, busy: ['A-1-1'], left_out: ['B-2-1'] }),
  );
  const loadArticles = () => Promise.resolve([TIE]);
  await open('/articles', { loadArticles, showStock }, 'picker');
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
