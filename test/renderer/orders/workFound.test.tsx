import type { FoundThing } from '#shared/api/find.ts';
import { act, fireEvent, screen } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { Palette } from '../../../renderer/src/app/search/Palette.tsx';
import { StationPage } from '../../../renderer/src/features/station/StationPage.tsx';
import { createThemeChoice } from '../../../renderer/src/shop/theme.ts';
import { show, station, testContext } from '../support.tsx';
import { DEVICES } from './workSupport.tsx';

beforeEach(() => window.history.replaceState(null, '', '/'));

/** Opens the palette. Returns a function that types into it and lists what it shows. */
async function openPalette(find: (q: string) => FoundThing[]) {
  const context = testContext(
    { station: station(...DEVICES), connection: { kind: 'live' } },
    { find: ({ query: { q = '' } }) => Promise.resolve(find(q)) },
  );
  const theme = createThemeChoice({
    root: document.documentElement,
    storage: { get: () => null, set: () => undefined },
  });
  await act(async () => show(context, <Palette isOpen onOpenChange={() => undefined} pages={[]} theme={theme} />));
  const box = screen.getByRole('combobox', { name: 'Search everything' });
  const look = async (typed: string) => {
    await act(async () => fireEvent.change(box, { target: { value: typed } }));
    return (await screen.findAllByRole('option')).map((option) => option.textContent);
  };
  return { box, look };
}

test('the palette finds orders and sequences, and opens them', async () => {
  const { box, look } = await openPalette((q) =>
    q === 'kit'
      ? [{ kind: 'sequence', sequenceid: 'kit 10', text: 'kit 10', matched: 'name' }]
      : [{ kind: 'order', order_number: '10418', text: '10418', matched: 'name' }],
  );
  expect(await look('kit')).toEqual(['kit 10Sequence']);
  expect(await look('104')).toEqual(['10418Order']);
  await act(async () => fireEvent.keyDown(box, { key: 'Enter' }));
  expect(window.location.pathname).toBe('/orders/10418');
});

test('the palette shows the customer or the note of an order that was found by it', async () => {
  const order = { kind: 'order', order_number: '10418', text: '10418', customer: 'Miller, Leipzig' } as const;
  const { box, look } = await openPalette((q) =>
    q === 'gift' ? [{ ...order, note: 'Gift wrap', matched: 'note' }] : [{ ...order, matched: 'customer' }],
  );
  expect(await look('leipzig')).toEqual(['Miller, LeipzigOrder 10418']);
  expect(await look('gift')).toEqual(['Gift wrapOrder 10418']);
  await act(async () => fireEvent.keyDown(box, { key: 'Enter' }));
  expect(window.location.pathname).toBe('/orders/10418');
  const stored = Object.keys(localStorage).map((key) => localStorage.getItem(key));
  expect(JSON.stringify(stored)).toContain('10418');
  expect(JSON.stringify(stored)).not.toMatch(/Miller|Gift/);
});

test('the map highlights the devices of the order in the address', async () => {
  window.history.replaceState(null, '', '/?find=10418');
  const context = testContext({ station: station(...DEVICES), connection: { kind: 'live' } });
  await act(async () => show(context, <StationPage />));
  expect(screen.getByText('1 of 2 devices')).toBeDefined();
  const seen = screen
    .getAllByRole('link')
    .filter((link) => link.closest('[data-faded]') === null)
    .map((link) => link.textContent);
  expect(seen).toContain('A-1');
  expect(seen).not.toContain('A-2');
});
