import { act, fireEvent, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { ApiError } from '../../../renderer/src/words/apiError.ts';
import { place, TIE, open, press, fill, send, one } from './articlesSupport.tsx';
import type { Stubs } from '../support.tsx';

test('creates an article with its barcodes, packs and counted places', async () => {
  const addArticle = vi.fn(async () => ({ ...TIE, warnings: [] }));
  await open('/articles?view=new', { listArticles: async () => [TIE], addArticle });
  await send('Add an article');
  expect(screen.getByText('Enter a SKU.')).toBeTruthy();
  await fill(/^SKU/, ' CT-200 ');
  await fill(/^Barcodes/, '4006381333931\n4006381333948 × many');
  await send('Add an article');
  expect(screen.getByText('Line 2: after a pack’s code, enter × and a whole number of at least 1.')).toBeTruthy();
  await fill(/^Barcodes/, '4006381333931\n\n4006381333948 x 12');
  await press('Add a place');
  await send('Add an article');
  expect(screen.getByText('Enter the name of the place, or remove the line.')).toBeTruthy();
  await fill(/^Place/, 'A-1-1', 'combobox');
  await fill(/^On hand/, '14');
  await fill(/^Reorder at/, '20');
  expect(addArticle).not.toHaveBeenCalled();
  await send('Add an article');
  const empty = { name: null, description: null, unit: null, note: null };
  expect(addArticle).toHaveBeenCalledExactlyOnceWith({
    body: {
      sku: 'CT-200',
      ...empty,
      barcodes: [
        { code: '4006381333931', quantity: 1 },
        { code: '4006381333948', quantity: 12 },
      ],
      places: [{ location: 'A-1-1', on_hand: 14, minimum: 20, maximum: null }],
    },
  });
});

test('an edit sends only the changed fields, and never the stock', async () => {
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
  expect(changeArticle).toHaveBeenCalledExactlyOnceWith({ sku: 'CT-200', change: { unit: 'bag', places }, seen: TIE });
});

test('sends a count with the displayed stock, and asks for it again if the stock has changed', async () => {
  const outdated = { status: 409, code: 'outdated', movement_id: null, on_hand: null } as const;
  const move = vi.fn(async () => ({ status: 200, movement_id: 8, on_hand: 12 }) as const);
  move.mockImplementationOnce(async () => outdated as never);
  let now = TIE;
  await open('/articles/CT-200', { ...one, move, getArticle: () => Promise.resolve(now) });
  await press('Count A-1-1');
  expect(screen.getByText('14 expected')).toBeTruthy();
  await send('Count CT-200 at A-1-1');
  expect(screen.getByText('Enter a whole number, 0 or more.')).toBeTruthy();
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

test('while a count is being saved, Cancel does not close its dialog, because the count may already be booked', async () => {
  let answer: () => void = () => undefined;
  const move = () => new Promise<never>((_, reject) => (answer = () => reject(new ApiError('outdated', 'Later.'))));
  await open('/articles/CT-200', { ...one, move });
  await press('Count A-1-1');
  await fill(/^Pieces there/, '13');
  await send('Count CT-200 at A-1-1');
  await press('Cancel');
  await act(async () => answer());
  expect(screen.getByText('Later.')).toBeTruthy();
  await press('Cancel');
  expect(screen.queryByRole('form')).toBeNull();
});

test('deletes an article with stock only after confirmation', async () => {
  const removeArticle = vi.fn<Stubs['removeArticle']>(async ({ query }) => {
    if (query.force === undefined) throw new ApiError('in_use', 'CT-200 has 14 pieces at A-1-1.', []);
  });
  await open('/articles/CT-200', { ...one, removeArticle });
  await press('More for CT-200');
  await act(async () => fireEvent.click(screen.getByRole('menuitem', { name: 'Delete…' })));
  await send('Delete CT-200?');
  expect(screen.getByText(/CT-200 has 14 pieces at A-1-1/)).toBeTruthy();
  await act(async () => fireEvent.click(screen.getByRole('switch', { name: /Delete it with its stock/ })));
  await send('Delete CT-200?');
  expect(removeArticle.mock.calls).toEqual([
    [{ path: { sku: 'CT-200' }, query: {} }],
    [{ path: { sku: 'CT-200' }, query: { force: '1' } }],
  ]);
  expect(window.location.pathname).toBe('/articles');
});

test('a picker can see an article but not change it', async () => {
  await open('/articles/CT-200', one, 'picker');
  expect(screen.queryByRole('button', { name: 'Count A-1-1' })).toBeNull();
  expect(screen.getByRole('button', { name: 'Edit' }).getAttribute('aria-disabled') ?? 'true').toBe('true');
});

test('an article that cannot be loaded still has its heading on the page', async () => {
  const getArticle = () => Promise.reject(new ApiError('not_found', 'There is no article CT-9.'));
  await open('/articles/CT-9', { ...one, getArticle });
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('CT-9');
  expect(screen.getByRole('alert').textContent).toContain('There is no article CT-9.');
  expect(screen.getByRole('alert').closest('main')).not.toBeNull();
});
