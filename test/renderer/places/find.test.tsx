import { act, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { FoundThing } from '#shared/api/find.ts';
import { Palette } from '../../../renderer/src/app/search/Palette.tsx';
import { ApiError } from '../../../renderer/src/words/apiError.ts';
import { createThemeChoice } from '../../../renderer/src/shop/theme.ts';
import { showPage, smallShop } from '../station/stationMapSupport.tsx';
import { command, device, show, station, testContext, type Stubs } from '../support.tsx';
import { openWork, progress, rowsShown, type } from '../orders/workSupport.tsx';

const ONE = '51D000:000001';
const item = (number: string, text: string, given: Partial<FoundThing> = {}): FoundThing => ({
  kind: 'item',
  order_number: number,
  text,
  matched: 'name',
  ...given,
});

beforeEach(() => {
  vi.useFakeTimers();
  window.localStorage.clear();
  window.history.replaceState(null, '', '/');
});

afterEach(() => void vi.useRealTimers());

/** Waits longer than a pause in typing. */
const settle = (ms = 300) => act(async () => vi.advanceTimersByTimeAsync(ms));

type Find = Stubs['find'];

function openPalette(find: Find) {
  const theme = createThemeChoice({
    root: document.documentElement,
    storage: { get: () => null, set: () => undefined },
  });
  const context = testContext(
    { station: station(device(ONE, { locationoverride: 'A-1' })), connection: { kind: 'live' } },
    { find, loadOrders: () => Promise.resolve([]), loadSequences: () => Promise.resolve([]) },
  );
  show(context, <Palette isOpen onOpenChange={() => undefined} pages={[]} theme={theme} />);
  return context;
}

const box = () => screen.getByRole('combobox', { name: 'Search everything' });
const look = (typed: string) => act(async () => fireEvent.change(box(), { target: { value: typed } }));
const options = () => screen.queryAllByRole('option').map((option) => option.textContent);
const marks = () => [...document.querySelectorAll('mark')].map((mark) => mark.textContent);

test('the palette finds an article in an order, shows where it is, and marks the match', async () => {
  openPalette(() => Promise.resolve([item('10418', 'Cable tie 200', { location: 'A-4-2' })]));
  await look('cABLE');
  await settle();
  expect(options()).toEqual(['Cable tie 200Order 10418, A-4-2']);
  expect(marks()).toEqual(['Cable']);
  await act(async () => fireEvent.keyDown(box(), { key: 'Enter' }));
  expect(window.location.pathname).toBe('/orders/10418');
});

test('the palette finds a device by the text on its screen, and lists each device once', async () => {
  const lit: FoundThing = { kind: 'device', deviceid: ONE, location: 'A-1', text: 'tie for A-1', matched: 'lit' };
  openPalette(() => Promise.resolve([lit]));
  await look('tie');
  await settle();
  expect(options()).toEqual(['tie for A-1Lit at A-1']);
  await look('a-1');
  await settle();
  expect(options()).toEqual(['A-151D000:000001']);
});

test('the palette searches after a pause in typing, from two characters on', async () => {
  const find = vi.fn<Find>(() => Promise.resolve([]));
  openPalette(find);
  for (const typed of ['t', 'ti', 'tie', 'tie ']) {
    await look(typed);
    await settle(50);
  }
  expect(find).not.toHaveBeenCalled();
  await settle();
  expect(find.mock.calls.map(([{ query }]) => query.q)).toEqual(['tie']);
  await look('x');
  await settle();
  await look('nut');
  await settle(50);
  expect(find).toHaveBeenCalledTimes(1);
  await settle();
  expect(find).toHaveBeenLastCalledWith({ query: { q: 'nut' } }, { signal: expect.any(AbortSignal) });
});

test('keeps results that still match while typing, and ignores late answers to earlier searches', async () => {
  const answers = new Map<string, (found: FoundThing[]) => void>();
  openPalette(({ query }) => new Promise((resolve) => answers.set(query.q ?? '', resolve)));
  await look('cab');
  await settle();
  await act(async () => answers.get('cab')?.([item('1', 'Cable tie'), item('2', 'Cabinet')]));
  expect(options()).toEqual(['Cable tieOrder 1', 'CabinetOrder 2']);
  await look('cable');
  expect(options()).toEqual(['Cable tieOrder 1']);
  await settle();
  expect(options()).toEqual(['Cable tieOrder 1']);
  await look('screw');
  expect(options()).toEqual([]);
  await settle();
  await act(async () => answers.get('screw')?.([item('3', 'Screw M5')]));
  await act(async () => answers.get('cable')?.([item('4', 'Cable screw')]));
  await settle();
  expect(options()).toEqual(['Screw M5Order 3']);
});

test('the palette finds devices that the page knows even if the station does not answer', async () => {
  openPalette(() => Promise.reject(new ApiError('unreachable', 'The station does not answer.')));
  await look('a-1');
  await settle();
  expect(options()).toEqual(['A-151D000:000001']);
});

const unfaded = () =>
  screen
    .getAllByRole('link')
    .filter((link) => link.closest('[data-deviceid]') !== null && link.closest('[data-faded]') === null)
    .map((link) => link.textContent);
const search = (text: string) => type('Find a place or device', text, 'searchbox');

function shopWithTexts() {
  const shop = smallShop();
  const [first, second, ...others] = shop.devices;
  if (first === undefined || second === undefined) throw new Error('The shop has no devices.');
  return {
    ...shop,
    devices: [
      { ...first, statica: 'Cable tie 100' },
      { ...second, commands: [command('1', { line1: 'Cable tie 200' })] },
      ...others,
    ],
  };
}

test('the map finds devices by their screens, their statics and the order items at their places', async () => {
  const found = item('1', 'Cable tie 300', { deviceid: '51D000:000003' });
  showPage(shopWithTexts(), { find: () => Promise.resolve([found]) });
  await search('cable');
  expect(unfaded().toSorted()).toEqual(['A-2-1', 'A-2-2']);
  await settle();
  expect(unfaded().toSorted()).toEqual(['A-1-1', 'A-2-1', 'A-2-2']);
});

test('the map marks the matching part of labels, and finds devices even if the station does not answer', async () => {
  showPage(shopWithTexts(), { find: () => Promise.reject(new ApiError('unreachable', 'No answer.')) });
  await search('a-2');
  await settle();
  expect(unfaded().toSorted()).toEqual(['A-2-1', 'A-2-2']);
  expect(marks()).toEqual(['A-2', 'A-2']);
});

test('finds an order by an article in it, and shows the article', async () => {
  const loadOrders = () => Promise.resolve([progress('10417'), progress('10418'), progress('10419')]);
  const found = [item('10418', 'Cable tie 200'), item('10418', 'Black cable')];
  await openWork('orders', { loadOrders, find: () => Promise.resolve(found) });
  await type('Find orders by number, customer or article', 'cable', 'searchbox');
  await settle();
  expect(rowsShown()).toHaveLength(1);
  expect(rowsShown()[0]).toMatch(/^10418Cable tie 200/);
  expect(marks()).toEqual(['Cable']);
});
