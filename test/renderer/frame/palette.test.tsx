import { act, fireEvent, screen } from '@testing-library/react';
import { useCallback, useState } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import { Palette } from '../../../renderer/src/app/search/Palette.tsx';
import { findEntries } from '../../../renderer/src/app/search/PaletteList.tsx';
import type { PaletteEntry } from '../../../renderer/src/app/search/useEntries.ts';
import { settingFields } from '../../../renderer/src/shop/settingFields.ts';
import { useSearchKey } from '../../../renderer/src/app/search/useSearchKey.ts';
import { usePaletteActions } from '../../../renderer/src/shop/paletteActions.ts';
import { createThemeChoice } from '../../../renderer/src/shop/theme.ts';
import { DEFAULT_SETTINGS } from '#shared/api/settings.ts';
import type { FoundThing } from '#shared/api/find.ts';
import { userOf } from '../../helpers/snapshots.ts';
import { cartBatch } from '../batch/cartRig.ts';
import { device, show, station, testContext, type Stubs } from '../support.tsx';

const entry = (words: string, hint = ''): PaletteEntry => ({
  id: words,
  words,
  hint,
  kind: 'device',
  run: () => undefined,
});
const found = (entries: readonly PaletteEntry[], typed: string, recent: readonly string[] = []) =>
  findEntries(entries, typed, recent).map(({ words }) => words);

test('ranks matches at the start of the name before the start of a word, and both before the middle of a word', () => {
  const entries = [entry('Cable 3'), entry('M-A-3'), entry('Xa-3'), entry('A-30'), entry('A-3')];
  expect(found(entries, 'a-3')).toEqual(['A-3', 'A-30', 'M-A-3', 'Xa-3']);
});

test('matches words in any order, in the name and in the text next to it', () => {
  const entries = [entry('Identify A-3-2', 'Station'), entry('A-3-2', '51D000:000006')];
  expect(found(entries, 'a-3-2 ident')).toEqual(['Identify A-3-2']);
  expect(found(entries, '0006')).toEqual(['A-3-2']);
  expect(found(entries, 'nothing')).toEqual([]);
});

test('finds a device by its shelf or rack, ranked below devices with a matching name', () => {
  const onShelf = { ...entry('Bench', '51D000:000009'), also: 'a-3 a rack a' };
  const entries = [onShelf, entry('B-1'), entry('A-3-2'), entry('A-3')];
  expect(found(entries, 'a-3')).toEqual(['A-3', 'A-3-2', 'Bench']);
  expect(found(entries, 'rack a')).toEqual(['Bench']);
  expect(found(entries, 'c')).toEqual(['Bench']);
});

test('ranks recent choices first among equal matches, and at the top if nothing is typed', () => {
  const entries = [entry('A-1'), entry('A-2'), entry('B-1')];
  expect(found(entries, '', ['B-1', 'A-2'])).toEqual(['B-1', 'A-2', 'A-1']);
  expect(found(entries, 'a', ['A-2'])).toEqual(['A-2', 'A-1']);
});

const PAGES = [{ id: 'today', word: 'Today', component: () => null }] as const;

function Window({ identify }: { identify: () => void }) {
  const [isOpen, setOpen] = useState(false);
  const [theme] = useState(() =>
    createThemeChoice({ root: document.documentElement, storage: { get: () => null, set: () => undefined } }),
  );
  usePaletteActions([{ id: 'identify', words: 'Identify A-3-2', run: identify }]);
  useSearchKey(
    true,
    useCallback(() => setOpen((is) => !is), []),
  );
  return <Palette isOpen={isOpen} onOpenChange={setOpen} pages={PAGES} theme={theme} />;
}

type Given = { name?: string } & Partial<Stubs>;

function open(identify: () => void = () => undefined, { name = 'admin', ...calls }: Given = {}) {
  const devices = Array.from({ length: 1_000 }, (_, index) =>
    device(`51D000:${String(index + 1).padStart(6, '0')}`, { locationoverride: `A-${index + 1}` }),
  );
  const state = {
    station: { ...station(...devices), user: userOf(name, 'admin') },
    connection: { kind: 'live' },
  } as const;
  const drawn = show(testContext(state, calls), <Window identify={identify} />);
  fireEvent.keyDown(document, { key: 'k', ctrlKey: true });
  return drawn;
}

const box = () => screen.getByRole('combobox', { name: 'Search everything' });
const marked = () => document.getElementById(box().getAttribute('aria-activedescendant') ?? '')?.textContent;

async function type(text: string): Promise<void> {
  await act(async () => fireEvent.change(box(), { target: { value: text } }));
}

beforeEach(() => {
  window.localStorage.clear();
  window.history.replaceState(null, '', '/');
});

test('Ctrl+K or Cmd+K opens the palette, and pressing it again closes it', () => {
  open();
  expect(box()).toBeTruthy();
  fireEvent.keyDown(document, { key: 'k', ctrlKey: true });
  expect(screen.queryByRole('combobox')).toBeNull();
  fireEvent.keyDown(document, { key: 'k', metaKey: true });
  expect(box()).toBeTruthy();
});

test('lists at most twenty of a thousand devices', async () => {
  open();
  expect(screen.getAllByRole('option')).toHaveLength(20);
  await type('a-9');
  expect(screen.getAllByRole('option')).toHaveLength(20);
});

test('opens a device with the keyboard only, and lists it first the next time', async () => {
  open();
  await type('a-77');
  expect(marked()).toContain('A-77');
  fireEvent.keyDown(box(), { key: 'ArrowDown' });
  expect(marked()).toContain('A-770');
  fireEvent.keyDown(box(), { key: 'ArrowUp' });
  fireEvent.keyDown(box(), { key: 'Enter' });
  expect(`${window.location.pathname}${window.location.search}`).toBe('/today?device=51D000:000077');
  expect(screen.queryByRole('combobox')).toBeNull();
  fireEvent.keyDown(document, { key: 'k', ctrlKey: true });
  expect(marked()).toContain('A-77');
});

test('includes the actions of the open page', async () => {
  const identify = vi.fn();
  open(identify);
  await type('ident');
  fireEvent.keyDown(box(), { key: 'Enter' });
  expect(identify).toHaveBeenCalledTimes(1);
});

test('says that nothing matches, and ignores Enter', async () => {
  open();
  await type('xyzzy');
  expect(screen.getByText(/^Nothing matches/)).toBeTruthy();
  fireEvent.keyDown(box(), { key: 'Enter' });
  expect(box()).toBeTruthy();
});

/** Settings with separately labeled switches, or without a field. */
const WITHOUT_A_FIELD = ['callback_families', 'mail_kinds', 'picker_rights', 'turbo_plain_passwords', 'updates'];

test('finds a setting by its label, explanation or API name, and opens its field', async () => {
  const found = new Set(settingFields().map(({ field }): string => field));
  expect(Object.keys(DEFAULT_SETTINGS).filter((key) => !found.has(key) && !WITHOUT_A_FIELD.includes(key))).toEqual([]);
  open();
  for (const typed of ['name of the shop', 'page titles', 'shop_name']) {
    await type(typed);
    expect(marked(), typed).toBe('Name of the shopSettings, Name and address');
  }
  fireEvent.keyDown(box(), { key: 'Enter' });
  expect(window.location.href).toContain('/settings?field=shop_name#shop');
});

test('finds Help tasks by words in their titles', async () => {
  open();
  await type('tablets');
  expect(marked()).toBe('Add people and tabletsHelp');
  fireEvent.keyDown(box(), { key: 'Enter' });
  expect(window.location.pathname + window.location.hash).toBe('/help#add-people-and-tablets');
});

test('starts with the entries that this person used last, including orders', async () => {
  const find = () => Promise.resolve([{ kind: 'order', order_number: '7001', text: '7001', matched: 'name' } as const]);
  const { unmount } = open(undefined, { find });
  await type('7001');
  await screen.findByRole('option', { name: /^7001/ });
  fireEvent.keyDown(box(), { key: 'Enter' });
  expect(window.location.pathname).toBe('/orders/7001');
  fireEvent.keyDown(document, { key: 'k', ctrlKey: true });
  expect(marked()).toContain('7001');
  unmount();
  open(undefined, { name: 'Ben' });
  expect(marked()).not.toContain('7001');
});

test('Enter pressed before the station has answered opens the first result', async () => {
  let answer: (found: FoundThing[]) => void = () => undefined;
  open(undefined, { find: () => new Promise((resolve) => (answer = resolve)) });
  await type('7002');
  fireEvent.keyDown(box(), { key: 'Enter' });
  expect(box()).toBeTruthy();
  await vi.waitFor(() => {
    answer([{ kind: 'order', order_number: '7002', text: '7002', matched: 'name' }]);
    expect(window.location.pathname).toBe('/orders/7002');
  });
});

test.each([
  [{ kind: 'cart', cart: 3, slot: 'A1', text: 'C3-A1 · Cart 3 A1', matched: 'code' }, '/pick/carts/3'],
  [{ kind: 'wall', wall: 4, text: 'Wall 4 · found', matched: 'name' }, '/pack/4'],
  [{ kind: 'batch', batch: 7, text: 'Batch 7 · Cart 3', matched: 'batch' }, '/places/carts/batches/7'],
] as const)('the result %j opens %s', async (found, path) => {
  open(undefined, { find: () => Promise.resolve([found]) });
  await type(found.text);
  await screen.findByRole('option', { name: new RegExp(`^${found.text}`) });
  fireEvent.keyDown(box(), { key: 'Enter' });
  expect(window.location.pathname).toBe(path);
});

test('signing out asks first if the person holds pieces of a cart', async () => {
  const signOut = vi.fn<Stubs['signOut']>(async () => undefined);
  const shares = [{ slot: 'A1', order_number: 'SO-1', item_id: 1, quantity: 2 }];
  const batch = cartBatch([], { hands: [{ by: 'admin', shares }] });
  open(undefined, {
    signOut,
    listBatches: async ({ query }) => (query.holder === 'admin' ? [batch] : []),
    getBatch: async () => batch,
  });
  await type('sign out');
  await act(async () => fireEvent.keyDown(box(), { key: 'Enter' }));
  await screen.findByRole('alertdialog', { name: 'First put the pieces you hold into their slots' });
  expect(signOut).not.toHaveBeenCalled();
  await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Sign out anyway' })));
  expect(signOut).toHaveBeenCalledOnce();
});
