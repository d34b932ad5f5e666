import { screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { ApiError } from '../../../renderer/src/words/apiError.ts';
import { article, TIE, open, press, one, PICTURE, choose } from './articlesSupport.tsx';
import type { Stubs } from '../support.tsx';

const png = (name: string) => new File(['x'], name, { type: 'image/png' });

test('the list shows small pictures', async () => {
  await open('/articles', { listArticles: async () => [{ ...TIE, picture: PICTURE }, article('X-9')] });
  const small = [...document.querySelectorAll('img')].map((image) => image.getAttribute('src'));
  expect(small).toEqual([`${PICTURE}&size=96`]);
});

test('adds a picture to an article, and shows why a file is rejected', async () => {
  const setArticlePicture = vi.fn<Stubs['setArticlePicture']>(async ({ body: file }) => {
    if (file.size > 1) throw new ApiError('unsupported_media_type', 'The file is a GIF, which is not supported.', []);
    return { picture: PICTURE };
  });
  const removeArticlePicture = vi.fn(async () => undefined);
  await open('/articles/CT-200', { ...one, setArticlePicture, removeArticlePicture });
  expect(screen.queryByRole('button', { name: 'Remove the picture' })).toBeNull();
  expect(screen.getByRole('button', { name: 'Add a picture' })).toBeTruthy();
  const file = png('any.png');
  await choose(file);
  expect(setArticlePicture).toHaveBeenCalledExactlyOnceWith({ path: { sku: 'CT-200' }, body: file });
  await choose(new File(['many'], 'other.gif'));
  expect(screen.getByText(/The file is a GIF/)).toBeTruthy();
});

test('replaces the picture of an article', async () => {
  const setArticlePicture = vi.fn<Stubs['setArticlePicture']>(async () => ({ picture: `${PICTURE}2` }));
  const shown = { ...one, getArticle: async () => ({ ...TIE, picture: PICTURE }) };
  await open('/articles/CT-200', { ...shown, setArticlePicture });
  expect(screen.queryByRole('button', { name: 'Add a picture' })).toBeNull();
  expect(screen.getByRole('button', { name: 'Replace the picture' })).toBeTruthy();
  const file = png('newer.png');
  await choose(file);
  expect(setArticlePicture).toHaveBeenCalledExactlyOnceWith({ path: { sku: 'CT-200' }, body: file });
});

test('removes the picture of an article', async () => {
  const removeArticlePicture = vi.fn(async () => undefined);
  const shown = { ...one, getArticle: async () => ({ ...TIE, picture: PICTURE }) };
  await open('/articles/CT-200', { ...shown, removeArticlePicture });
  expect(screen.getByRole('img', { name: 'Picture of Cable tie 200' }).getAttribute('src')).toBe(PICTURE);
  await press('Remove the picture');
  expect(removeArticlePicture).toHaveBeenCalledExactlyOnceWith({ path: { sku: 'CT-200' } });
});

test('matches pictures to articles by file name, and lists unused files', async () => {
  const getArticle = vi.fn<Stubs['getArticle']>();
  const listed = [article('CT-2000', { id: 3 }), { ...TIE, picture: PICTURE }, article('N-1', { id: 2 })];
  const listArticles: Stubs['listArticles'] = async ({ query: { barcode, q = '' } }) =>
    barcode === undefined
      ? listed.filter(({ sku }) => sku.toLowerCase().includes(q.toLowerCase()))
      : barcode === '4006381333931'
        ? [TIE]
        : [];
  const setArticlePicture = vi.fn<Stubs['setArticlePicture']>(async ({ path: { sku } }) => {
    if (sku === 'N-1') throw new ApiError('unsupported_media_type', 'The picture is incomplete or damaged.', []);
    return { picture: PICTURE };
  });
  await open('/articles', { getArticle, listArticles, setArticlePicture });
  const tie = png('ct-200.PNG');
  await choose(tie, png('4006381333931.jpg'), png('N-1.webp'), png('holiday.jpg'), new File(['x'], 'notes.txt'));
  expect(
    screen.getByText(/2 pictures match an article\. One article already has a picture, which will be replaced\./),
  ).toBeTruthy();
  const notUsed = () =>
    within(screen.getByRole('dialog'))
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent);
  const others = [
    '4006381333931.jpg Another file is for CT-200, too.',
    'holiday.jpg No article has this SKU or barcode. Rename the file.',
    'notes.txt This is not a JPEG, PNG or WebP.',
  ];
  expect(notUsed()).toEqual(others);
  expect(setArticlePicture).not.toHaveBeenCalled();
  // Articles are found by searching, because the browser console reports each 404 response as an error.
  expect(getArticle).not.toHaveBeenCalled();
  await press('Use 2 pictures');
  expect(setArticlePicture.mock.calls.map(([{ path }]) => path.sku)).toEqual(['CT-200', 'N-1']);
  // The result is in the dialog, because a toast would be hidden by it.
  expect(within(screen.getByRole('dialog')).getByText('1 picture was added.')).toBeTruthy();
  expect(notUsed()).toEqual(['N-1.webp The picture is incomplete or damaged.', ...others]);
  expect(screen.queryByRole('button', { name: /^Use/ })).toBeNull();
});

test('pickers cannot add pictures', async () => {
  await open('/articles', { listArticles: async () => [TIE] }, 'picker');
  expect(document.querySelector('input[type=file]')).toBeNull();
});
