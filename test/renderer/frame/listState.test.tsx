import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type Column, sortRows } from '../../../renderer/src/kit/list/columns.ts';
import { DEVICES, devicesShown, openPlaces, press, WEAK } from '../places/placesSupport.tsx';
import { device } from '../support.tsx';

const PATH = '/places';
const address = () => `${window.location.pathname}${window.location.search}`;
const search = (value: string) =>
  act(async () => fireEvent.change(screen.getByRole('searchbox'), { target: { value } }));
const check = (name: string) => screen.getByRole<HTMLInputElement>('checkbox', { name: `Select ${name}` });

/** Opens the address again with the same history entry, as a reload and Back do. */
async function reopen(): Promise<void> {
  const state: unknown = window.history.state;
  const path = address();
  cleanup();
  await openPlaces({}, { path, state });
}

type Row = { key: string; value: number | string | null };
const COLUMNS: readonly Pick<Column<Row>, 'id' | 'sort' | 'isName'>[] = [
  { id: 'value', sort: ({ value }) => value },
  { id: 'name', sort: ({ key }) => key, isName: true },
];
const rows = (...values: Row['value'][]): Row[] => values.map((value, index) => ({ key: `P-${index}`, value }));
const sorted = (given: Row[], by: string, descending: boolean) =>
  sortRows(given, COLUMNS, { by, descending }, (a, b) => (a.key < b.key ? -1 : 1));

test.each([
  [false, [1, 2, 10, null, null]],
  [true, [10, 2, 1, null, null]],
])('sorts unknown values last (descending: %s)', (descending, wanted) => {
  expect(sorted(rows(10, null, 2, null, 1), 'value', descending).map(({ value }) => value)).toEqual(wanted);
});

test('keeps the order of equal values in both directions, and sorts numbers in names by value', () => {
  const equal = rows(1, 1, 1);
  expect(sorted(equal, 'value', true)).toEqual(sorted(equal, 'value', false));
  const many = rows(...Array.from({ length: 11 }, () => null));
  expect(sorted(many, 'name', true).map(({ key }) => key)[0]).toBe('P-10');
});

test('keeps search, filter and sort order in the address, but omits defaults', async () => {
  await openPlaces({}, { path: PATH });
  await press('Battery');
  await press('Battery');
  await press(/^Offline/, 'radio');
  await search('a-1');
  expect(address()).toBe('/places?sort=-battery&show=silent&q=a-1');
  await search('');
  await press(/^All/, 'radio');
  await press('Place');
  expect(address()).toBe('/places');
});

test('applies the search, filter and sort order in the address, and ignores invalid values', async () => {
  await openPlaces({}, { path: '/places?sort=-battery' });
  expect(devicesShown()).toEqual(['A-10', WEAK, 'A-1', 'A-2', 'B-1']);
  cleanup();
  await openPlaces({}, { path: '/places?show=silent&q=a-1&columns=devices' });
  expect(devicesShown()).toEqual(['A-10']);
  expect(screen.getByRole<HTMLInputElement>('searchbox').value).toBe('a-1');
  expect(screen.getByRole('columnheader', { name: 'Uptime' })).toBeTruthy();
  cleanup();
  await openPlaces({}, { path: '/places?show=nonsense&sort=screen&columns=x' });
  expect(devicesShown()).toHaveLength(DEVICES.length);
});

test("the browser's Back button restores the state in the address, including the search", async () => {
  await openPlaces({}, { path: PATH });
  await search('returns');
  await act(async () => {
    window.history.replaceState(null, '', '/places?q=a-10');
    window.dispatchEvent(new PopStateEvent('popstate'));
  });
  expect(screen.getByRole<HTMLInputElement>('searchbox').value).toBe('a-10');
  expect(devicesShown()).toEqual(['A-10']);
});

test('keeps the selection after a reload and while the search changes', async () => {
  await openPlaces({}, { path: PATH });
  await act(async () => fireEvent.click(check('A-10')));
  await search('a-1');
  await reopen();
  expect(check('A-10').checked).toBe(true);
  expect(check('A-1').checked).toBe(false);
  await press('Clear selection');
  await reopen();
  expect(check('A-10').checked).toBe(false);
});

/** Replacement for `scrollTo`, because the test DOM has no layout and does not scroll. */
function scrollTo(this: Element, to?: ScrollToOptions | number): void {
  if (typeof to === 'object' && to.top !== undefined) this.scrollTop = to.top;
}

test('restores the scroll position after Back, but not after a link', async () => {
  Object.defineProperty(Element.prototype, 'scrollTo', { value: scrollTo, configurable: true });
  onTestFinished(() => void Reflect.deleteProperty(Element.prototype, 'scrollTo'));
  const devices = Array.from({ length: 2_000 }, (_, index) =>
    device(`51D000:${String(index).padStart(6, '0')}`, { locationoverride: `P-${index}` }),
  );
  await openPlaces({}, { path: PATH, devices });
  const grid = screen.getByRole('grid');
  grid.scrollTop = 6_400;
  fireEvent.scroll(grid);
  await vi.waitFor(() => expect(window.history.state).toMatchObject({ scroll: { 'Places and their devices': 6_400 } }));
  const state: unknown = window.history.state;
  cleanup();
  await openPlaces({}, { path: PATH, devices, state });
  expect(screen.getByRole('grid').scrollTop).toBe(6_400);
  cleanup();
  await openPlaces({}, { path: PATH, devices });
  expect(screen.getByRole('grid').scrollTop).toBe(0);
});

test('Back focuses the row whose link was followed, unless that row no longer exists', async () => {
  await openPlaces({}, { path: PATH });
  const linkOf = (id: string) => screen.getByRole('link', { name: new RegExp(`^${id}`) });
  await act(async () => fireEvent.click(linkOf(WEAK)));
  const state: unknown = window.history.state;
  expect(state).toMatchObject({ row: { 'Places and their devices': { key: WEAK, control: 'device' } } });
  cleanup();
  await openPlaces({}, { path: PATH, state });
  expect(document.activeElement).toBe(linkOf(WEAK));
  expect(linkOf(WEAK).tabIndex).toBe(0);
  cleanup();
  await openPlaces({}, { path: PATH, state, devices: DEVICES.filter(({ deviceid }) => deviceid !== WEAK) });
  expect(document.activeElement).toBe(document.body);
});
