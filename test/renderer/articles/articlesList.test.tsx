import { act, fireEvent, screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import type { ArticlePlace, ArticleQuery } from '#shared/api/article.ts';
import type { StockQuery, StockRow } from '#shared/api/stock.ts';
import { place, article, TIE, open, rows, press, PICTURE } from './articlesSupport.tsx';
import type { Stubs } from '../support.tsx';

test('lists articles with places, quantities and low stock, and searches at the station', async () => {
  const asked: ArticleQuery[] = [];
  const listArticles: Stubs['listArticles'] = async ({ query }) => {
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
  picture: null,
});
/** Places to reorder, in the station's order. */
const LOW = [
  stockRow('A-1-0', { on_hand: null, minimum: 5 }),
  stockRow('A-1-1', { on_hand: 3, minimum: 5 }),
  stockRow('A-1-2', { on_hand: 4, minimum: 20 }),
  stockRow('A-1-3', { on_hand: 0, minimum: 5 }),
];

test('lists places to reorder by urgency, with uncounted places last, and exports the same list', async () => {
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
  await press('Export');
  const link = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    followed.push(this.getAttribute('href') ?? '');
  });
  const followed: string[] = [];
  await act(async () => fireEvent.click(screen.getByRole('menuitem', { name: 'Export as CSV' })));
  link.mockRestore();
  expect(followed).toEqual(['/api/article-export/?format=csv&to_reorder=1&q=tie']);
});

test('the list of places to reorder shows article pictures, and its filters show counts', async () => {
  const [first, ...others] = LOW.map((row) => ({ ...row, picture: PICTURE }));
  const loadStock = async ({ to_reorder: low }: StockQuery) =>
    low === undefined ? [] : [{ ...first, picture: null } as StockRow, ...others];
  await open('/articles?show=low', { loadStock, listTasks: async () => [] });
  const pictures = screen.getAllByRole('row').flatMap((row) => [...row.querySelectorAll('img')]);
  expect(pictures.map((picture) => picture.getAttribute('src'))).toEqual(Array(3).fill(`${PICTURE}&size=96`));
  const filters = within(screen.getByRole('radiogroup')).getAllByRole('radio');
  expect(filters.map((each) => each.textContent)).toEqual(['All', 'To reorder 4', 'Below 0 0', 'Tasks 0', 'Hidden']);
});

test('prints labels for the articles or the places of the selected rows', async () => {
  const other = article('N-1', { id: 2, name: 'Nut', places: [place('C-1')] });
  const tie = { ...TIE, places: LOW.map(({ location }) => place(location)) };
  const listArticles = vi.fn<Stubs['listArticles']>(async ({ query: { after } }) =>
    after === undefined ? [tie, other] : [],
  );
  await open('/articles?show=low', { loadStock: async () => LOW, listArticles });
  const choose = (name: string) => act(async () => fireEvent.click(screen.getByRole('checkbox', { name })));
  await choose('Select CT-200 at A-1-2');
  await choose('Select CT-200 at A-1-0');
  const bar = screen.getByRole('region', { name: 'Selected articles' });
  expect(within(bar).getByText('2 selected')).toBeTruthy();
  await act(async () => fireEvent.click(within(bar).getByRole('button', { name: 'Print labels' })));
  await screen.findByRole('article', { name: 'Cable tie 200, black' });
  expect(screen.getAllByRole('article')).toHaveLength(1);
  // The search includes hidden articles, because they can be selected too.
  expect(listArticles).toHaveBeenLastCalledWith({ query: expect.objectContaining({ active: 'all' }) });
  await act(async () => fireEvent.click(screen.getByRole('radio', { name: 'articles at their places' })));
  const titles = () => screen.getAllByRole('article').map((each) => each.getAttribute('aria-label'));
  expect(titles()).toEqual(['A-1-0, Cable tie 200', 'A-1-2, Cable tie 200']);
});

test('can select all loaded articles, which stay selected when the search hides them', async () => {
  const listed = [TIE, article('N-1', { id: 2, name: 'Nut' })];
  const listArticles: Stubs['listArticles'] = async ({ query: { q = '' } }) =>
    listed.filter(({ sku }) => sku.toLowerCase().includes(q));
  await open('/articles', { listArticles }, 'picker');
  await act(async () => fireEvent.click(screen.getByRole('checkbox', { name: 'Select all loaded articles' })));
  expect(screen.getByText('2 selected')).toBeTruthy();
  await act(async () => fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'n-1' } }));
  expect(screen.getByText('2 selected')).toBeTruthy();
  expect(screen.getByText(/^1 .*hidden|^1 of them/i)).toBeTruthy();
  await press('Clear selection');
  expect(screen.queryByText('2 selected')).toBeNull();
});

test('without articles, shows that there are none yet, and no search field', async () => {
  await open('/articles', { listArticles: async () => [] });
  expect(screen.getByText('No articles yet')).toBeTruthy();
  expect(screen.queryByRole('searchbox')).toBeNull();
});

test('prints labels for the found articles, with a picture and the barcode of a single piece', async () => {
  const listArticles: Stubs['listArticles'] = async ({ query: { q, after } }) =>
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

test('from the list to reorder, prints labels only for its articles and places', async () => {
  const full = article('F-1', { name: 'Full', places: [place('F-1-1', { on_hand: 9, minimum: 5 })] });
  const listArticles: Stubs['listArticles'] = async ({ query: { after } }) =>
    after === undefined ? [full, TIE, article('X-9')] : [];
  await open('/articles?show=low&view=labels', { listArticles, loadStock: async () => LOW });
  await screen.findByRole('article', { name: 'Cable tie 200, black' });
  expect(screen.getAllByRole('article')).toHaveLength(1);
  // Only the places in the list get a label, not all places of the article.
  await act(async () => fireEvent.click(screen.getByRole('radio', { name: 'articles at their places' })));
  expect(screen.getAllByRole('article').map((each) => each.getAttribute('aria-label'))).toEqual([
    'A-1-1, Cable tie 200',
  ]);
  await press('Back to the articles');
  expect(window.location.pathname + window.location.search).toBe('/articles?show=low');
});
