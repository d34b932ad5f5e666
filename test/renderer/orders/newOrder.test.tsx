import '#shared/lib/requests/staticScreen.ts';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import type { Article } from '#shared/api/article.ts';
import { barcodeKey } from '#shared/lib/articles/barcodeKey.ts';
import { nameKey } from '#shared/lib/text/nameKey.ts';
import { article, place, TIE } from '../articles/articlesSupport.tsx';
import type { Stubs } from '../support.tsx';
import { readAddress } from '../../../renderer/src/shop/order/readAddress.ts';
import { nextNumber } from '../../../renderer/src/shop/order/nextNumber.ts';
import { item, openWork, order, press, progress, type } from './workSupport.tsx';

const FUSE = article('FU-5', { id: 2, name: 'Fuse', places: [place('A-2', { on_hand: 7 })] });
const FUSES = article('FU-50', { id: 3, name: 'Fuse box', places: [place('Z-9', { on_hand: 3 })] });
const MUG = article('MUG', { id: 4, name: 'Mug' });
const TWINS = [article('T-1', { id: 5, name: 'Twin' }), article('T-2', { id: 6, name: 'Twin' })];
const SHELF = article('TIE-1', { ...TIE, id: 7, sku: 'TIE-1', places: [place('A-1', { on_hand: 18 })] });
const ARTICLES = [FUSE, FUSES, MUG, SHELF, ...TWINS];

/** Searches like the station. */
const listArticles: Stubs['listArticles'] = async ({ query: { q = '', barcode, limit = 1_000 } }) => {
  const has = ({ sku, name }: Article) => [sku, name ?? ''].some((each) => nameKey(each).includes(nameKey(q)));
  const isCoded = ({ barcodes }: Article) =>
    barcode === undefined || barcodes.some(({ code }) => barcodeKey(code) === barcodeKey(barcode));
  return ARTICLES.filter((each) => has(each) && isCoded(each)).slice(0, limit);
};

async function openForm(calls: Partial<Stubs> = {}) {
  const addOrder = vi.fn(async () => ({ ...order('A7', [item(1)]), warnings: [] }));
  await openWork(
    'orders',
    { loadOrders: () => Promise.resolve([]), addOrder, listArticles, ...calls },
    { path: '/orders?view=new' },
  );
  await screen.findByRole('textbox', { name: /^Order number/ });
  await type(/^Order number/, 'A7');
  await press('More fields');
  return { addOrder };
}

/** Searches that wait until `answer` is called. */
function slowStation(): Pick<Stubs, 'listArticles'> & { answer(): void } {
  const answered = Promise.withResolvers<void>();
  return {
    answer: answered.resolve,
    async listArticles(...call) {
      if (call[0].query.barcode !== undefined) await answered.promise;
      return listArticles(...call);
    },
  };
}

test('the next number is suggested, and customer, address and note are sent with the order', async () => {
  const addOrder = vi.fn(async () => ({ ...order('SO-0100', [item(1)]), warnings: [] }));
  const loadOrders = async () => [
    progress('SO-0098', { id: 3 }),
    progress('SO-0099', { id: 2 }),
    progress('A7', { id: 1 }),
  ];
  await openWork('orders', { loadOrders, addOrder, listArticles }, { path: '/orders?view=new' });
  expect((await screen.findByRole<HTMLInputElement>('textbox', { name: /^Order number/ })).value).toBe('SO-0100');
  for (const name of [/^Place or DeviceID/, 'Shipment', 'Priority', 'Color', 'Seconds lit'])
    expect(screen.queryByLabelText(name), String(name)).toBeNull();
  await type('Customer', 'Erika Miller');
  await type('Note', 'Gift wrap');
  await type('Address', 'Eulenweg 7\nBack door\n04107 Leipzig\nGermany\ne@miller.example\n+49 341 5550');
  await typeArticle('fu-5');
  await create();
  expect(addOrder).toHaveBeenCalledWith({
    body: {
      order_number: 'SO-0100',
      customer: 'Erika Miller',
      note: 'Gift wrap',
      address: {
        lines: ['Eulenweg 7', 'Back door'],
        postcode: '04107',
        city: 'Leipzig',
        country: 'Germany',
        email: 'e@miller.example',
        phone: '+49 341 5550',
      },
      items: [{ SKU: 'FU-5', name: 'Fuse', ordered_quantity: 1 }],
    },
  });
});

test('a line that would not light asks for its place without More', async () => {
  await openWork('orders', { loadOrders: async () => [], listArticles }, { path: '/orders?view=new' });
  expect((await screen.findByRole<HTMLInputElement>('textbox', { name: /^Order number/ })).value).toBe('1001');
  await typeArticle('MUG');
  await says('MUG has no place: nothing lights, and no stock changes.');
  expect(screen.getByRole('combobox', { name: 'Place or DeviceID' })).toBeDefined();
});

test('reads addresses as people write them, and counts order numbers up', () => {
  const text = 'Eulenweg 7\nD-04107 Leipzig\nGermany\ne@miller.example\n+49 341 5550';
  expect(readAddress(text)).toMatchObject({ lines: ['Eulenweg 7'], postcode: 'D-04107', city: 'Leipzig' });
  expect(readAddress('12 Baker Street\nLondon NW1 6XE')).toEqual({ lines: ['12 Baker Street', 'London NW1 6XE'] });
  expect(readAddress('1015 CW Amsterdam')).toEqual({ postcode: '1015 CW', city: 'Amsterdam' });
  expect(readAddress(' \n')).toEqual({});
  expect(nextNumber([{ id: 1, order_number: 'first' }])).toBe('');
  expect(nextNumber([{ id: 1, order_number: '999' }])).toBe('1000');
});

const field = () => screen.getByRole<HTMLInputElement>('combobox', { name: 'Article' });
const focus = () => act(async () => field().focus());
const key = (name: string) => act(async () => fireEvent.keyDown(field(), { key: name }));
const typeArticle = (text: string) => type('Article', text, 'combobox');
/** Waits until the list is closed, because the rest of the page is hidden behind it. */
const create = async () => {
  await act(async () => field().blur());
  await press('Create order');
};
const sent = (addOrder: ReturnType<typeof vi.fn>): unknown =>
  (addOrder.mock.lastCall as [{ body: { items: unknown } }] | undefined)?.[0].body.items;
const says = (text: string | RegExp) => waitFor(() => expect(screen.getByText(text)).toBeTruthy());

test.each([
  { how: 'a SKU in another case', typed: 'tie-1' },
  { how: 'a barcode', typed: '4006381333931' },
  { how: 'a barcode with a leading zero', typed: '04006381333931' },
  { how: 'a name that only one article has', typed: 'cable tie 200' },
])('$how followed by Enter chooses the article, shows its stock, and stores its SKU', async ({ typed }) => {
  const { addOrder } = await openForm();
  await focus();
  await typeArticle(typed);
  await key('Enter');
  expect(addOrder, 'Enter does not submit the form').not.toHaveBeenCalled();
  await says('A-1 · 18 there');
  await waitFor(() => expect(field().value).toBe('TIE-1'));
  expect(screen.queryByRole('listbox')).toBeNull();
  await create();
  expect(sent(addOrder)).toEqual([{ SKU: 'TIE-1', name: 'Cable tie 200', ordered_quantity: 1 }]);
});

test('an Enter that arrives before the station has answered chooses the article when it answers', async () => {
  const { answer, ...slow } = slowStation();
  const { addOrder } = await openForm(slow);
  await focus();
  await typeArticle('4006381333931');
  await key('Enter');
  expect(screen.queryByText('A-1 · 18 there')).toBeNull();
  await act(async () => answer());
  await says('A-1 · 18 there');
  await waitFor(() => expect(field().value).toBe('TIE-1'));
  await create();
  expect(sent(addOrder)).toEqual([{ SKU: 'TIE-1', name: 'Cable tie 200', ordered_quantity: 1 }]);
});

test('a part of a name lists articles with their places, and the arrow keys and Enter choose one', async () => {
  const { addOrder } = await openForm();
  await focus();
  await typeArticle('use');
  await waitFor(() => expect(screen.getAllByRole('option')).toHaveLength(2));
  expect(screen.getAllByRole('option').map(({ textContent }) => textContent)).toEqual([
    'FU-5 FuseA-2 · 7 there',
    'FU-50 Fuse boxZ-9 · 3 there',
  ]);
  await key('Enter');
  expect(field().value, 'Enter chooses none of several').toBe('use');
  await key('ArrowDown');
  await key('ArrowDown');
  await key('Enter');
  expect(field().value).toBe('FU-50');
  await says('No light hangs at Z-9: nothing lights.');
  await create();
  expect(sent(addOrder)).toEqual([{ SKU: 'FU-50', name: 'Fuse box', ordered_quantity: 1 }]);
});

test('Escape closes the list and keeps the dialog and the text', async () => {
  await openForm();
  await focus();
  await typeArticle('use');
  await waitFor(() => expect(screen.getAllByRole('option')).toHaveLength(2));
  await key('Escape');
  expect(screen.queryByRole('listbox')).toBeNull();
  expect(field().value).toBe('use');
});

test('Enter on a part that only one article contains chooses that article', async () => {
  await openForm();
  await focus();
  await typeArticle('box');
  await key('Enter');
  await waitFor(() => expect(field().value).toBe('FU-50'));
});

test('the barcode of a pack sets the quantity, unless somebody has entered one', async () => {
  await openForm();
  const quantity = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Quantity' }).value;
  await focus();
  await typeArticle('4006381333948');
  await key('Enter');
  await waitFor(() => expect(field().value).toBe('TIE-1'));
  expect(quantity()).toBe('12');
  await act(async () => field().blur());
  await type('Quantity', '5');
  await focus();
  await typeArticle('4006381333948');
  await key('Enter');
  await waitFor(() => expect(field().value).toBe('TIE-1'));
  expect(quantity()).toBe('5');
});

test('a text without an article says before Create what the line will not do, and is stored as a name', async () => {
  const { addOrder } = await openForm();
  await typeArticle('Gift wrap');
  await says('No article is “Gift wrap”: nothing lights, and no stock changes.');
  await type(/^Place or DeviceID$/, 'a-2', 'combobox');
  await says('No article is “Gift wrap”: no stock changes.');
  await create();
  expect(sent(addOrder)).toEqual([{ name: 'Gift wrap', ordered_quantity: 1, warehouse_location: 'a-2' }]);
});

test('Create before the station has answered only shows that no article was found; a second Create stores the name', async () => {
  const { answer, ...slow } = slowStation();
  const { addOrder } = await openForm(slow);
  await typeArticle('Gift wrap');
  await create();
  await act(async () => answer());
  expect(addOrder).not.toHaveBeenCalled();
  expect(
    screen.getAllByText('No article is found. Choose one, or create the order again with this name.'),
  ).toHaveLength(1);
  await says('No article is “Gift wrap”: nothing lights, and no stock changes.');
  await press('Create order');
  expect(sent(addOrder)).toEqual([{ name: 'Gift wrap', ordered_quantity: 1 }]);
});

test('Create immediately after a typed SKU stores the article', async () => {
  const { addOrder } = await openForm();
  await typeArticle('fu-5');
  await create();
  expect(sent(addOrder)).toEqual([{ SKU: 'FU-5', name: 'Fuse', ordered_quantity: 1 }]);
});

test.each([
  { typed: 'MUG', place: '', notice: 'MUG has no place: nothing lights, and no stock changes.' },
  { typed: 'FU-5', place: 'A-1', notice: 'FU-5 is not kept at A-1: no stock changes there.' },
  {
    typed: 'FU-5',
    place: 'X-1',
    notice: 'No light hangs at X-1: nothing lights there. FU-5 is not kept at X-1: no stock changes there.',
  },
  {
    typed: 'Twin',
    place: '',
    notice:
      '2 articles are called “Twin”: choose one by its SKU. No article is “Twin”: nothing lights, and no stock changes.',
  },
])('a line of $typed at “$place” says: $notice', async ({ typed, place: where, notice }) => {
  await openForm();
  await typeArticle(typed);
  if (where !== '') await type(/^Place or DeviceID$/, where, 'combobox');
  await says(notice);
});

test('a shop without articles hears only what does not light', async () => {
  const { addOrder } = await openForm({ listArticles: async () => [] });
  await typeArticle('Gift wrap');
  await says('No place is called “Gift wrap”: nothing lights. Enter the place.');
  await type(/^Place or DeviceID$/, 'A-2', 'combobox');
  await waitFor(() => expect(screen.queryByText(/nothing lights/)).toBeNull());
  await create();
  expect(sent(addOrder)).toEqual([{ name: 'Gift wrap', ordered_quantity: 1, warehouse_location: 'A-2' }]);
});

test('finds the SKU among more matches than the list shows', async () => {
  const many = Array.from({ length: 30 }, (_, index) => article(`A-${index}-FU`, { id: 100 + index }));
  const last = article('FU', { id: 999, name: 'Fuse wire' });
  await openForm({
    listArticles: async ({ query: { barcode } }) => (barcode === undefined ? many : []),
    find: async () => [{ kind: 'article', sku: 'FU', text: 'FU', matched: 'sku' }],
    getArticle: async () => last,
  });
  await typeArticle('fu');
  await says('Fuse wire');
});

test('the field of a place also lists places without a light', async () => {
  const unlit = { name: 'Z-9', deviceid: null, aliases: [], articles: [], cell: null, note: '' };
  const listPlaces = vi.fn(async () => [unlit]);
  await openForm({ listPlaces });
  const input = screen.getByRole<HTMLInputElement>('combobox', { name: 'Place or DeviceID' });
  await act(async () => input.focus());
  await type(/^Place or DeviceID$/, 'z-', 'combobox');
  const option = await screen.findByRole('option');
  expect(option.textContent).toBe('Z-9no light');
  expect(listPlaces).toHaveBeenLastCalledWith({ query: { q: 'z-', light: '0', limit: 40 } });
  await act(async () => fireEvent.click(option));
  expect(input.value).toBe('Z-9');
});
