import { act, fireEvent, screen, within } from '@testing-library/react';
import type { Article, ArticlePlace } from '#shared/api/article.ts';
import { ArticlesPage } from '../../../renderer/src/features/articles/ArticlesPage.tsx';
import { AT, userOf } from '../../helpers/snapshots.ts';
import { show, station, testContext, type Stubs } from '../support.tsx';

export function place(location: string, given: Partial<ArticlePlace> = {}): ArticlePlace {
  const figures = { priority: null, minimum: null, maximum: null, on_hand: null, allocated: 0, available: null };
  return { location, ...figures, empty: false, attention: [], ...given };
}

export function article(sku: string, given: Partial<Article> = {}): Article {
  const texts = { name: null, description: null, unit: null, note: null, picture: null };
  return { id: 1, sku, ...texts, barcodes: [], active: true, places: [], updated: AT, ...given };
}

export const TIE = article('CT-200', {
  name: 'Cable tie 200',
  description: 'black',
  unit: 'pcs',
  barcodes: [
    { code: '4006381333931', quantity: 1 },
    { code: '4006381333948', quantity: 12 },
  ],
  places: [place('A-1-1', { on_hand: 14, allocated: 2, available: 12, minimum: 20 }), place('B-2-1')],
});

export async function open(path: string, calls: Partial<Stubs>, scope: 'admin' | 'picker' = 'admin') {
  window.history.replaceState(null, '', path);
  const context = testContext({ station: { ...station(), user: userOf('Ann', scope) } }, calls);
  await act(async () => show(context, <ArticlesPage />));
  return context;
}

export const cells = () =>
  screen
    .getAllByRole('row')
    .slice(1)
    .map((row) =>
      within(row)
        .getAllByRole('gridcell')
        .map(({ textContent }) => textContent?.trim()),
    );
/** Returns the texts of the list's cells, row by row, without the column of checkboxes. */
export const rows = () => cells().map((row) => row.slice(1));
export const press = (name: string | RegExp) => act(async () => fireEvent.click(screen.getByRole('button', { name })));
export const fill = (name: RegExp, value: string, role = 'textbox') =>
  act(async () => {
    const input = screen.getByRole(role, { name });
    fireEvent.change(input, { target: { value } });
    fireEvent.blur(input);
  });
export const send = (name: string) => act(async () => fireEvent.submit(screen.getByRole('form', { name })));
export const one = { getArticle: () => Promise.resolve(TIE), loadMovements: () => Promise.resolve([]) };

export const PICTURE = '/api/articles/CT-200/picture/?v=a1b2c3d4e5f6';

/** Chooses files in the last file input of the page. */
export const choose = (...files: File[]) =>
  act(async () => {
    const input = [...document.querySelectorAll<HTMLInputElement>('input[type=file]')].at(-1);
    if (input === undefined) throw new Error('There is no chooser.');
    Object.defineProperty(input, 'files', { value: files, configurable: true });
    fireEvent.change(input);
  });
