import { act, fireEvent, renderHook, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { Palette } from '../../../renderer/src/app/search/Palette.tsx';
import { useMatches } from '../../../renderer/src/features/station/useMatches.ts';
import { StationProvider } from '../../../renderer/src/station/context.ts';
import { applyMessages } from '../../../renderer/src/station/live/store.ts';
import { createThemeChoice } from '../../../renderer/src/shop/theme.ts';
import { ALIASES, DEVICES, ONE, TWO } from './placeNamesSupport.tsx';
import { show, station, testContext } from '../support.tsx';

const context = () => testContext({ station: { ...station(...DEVICES), aliases: ALIASES } });

function OpenPalette() {
  const [theme] = useState(() =>
    createThemeChoice({ root: document.documentElement, storage: { get: () => null, set: () => undefined } }),
  );
  return <Palette isOpen onOpenChange={() => undefined} pages={[]} theme={theme} />;
}

test('the palette finds an alias and opens its device', async () => {
  await act(async () => show(context(), <OpenPalette />));
  const box = screen.getByRole('combobox', { name: 'Search everything' });
  await act(async () => fireEvent.change(box, { target: { value: 'returns' } }));
  const [first] = screen.getAllByRole('option');
  expect(first?.textContent).toBe(`ReturnsPlace at ${TWO}`);
  await act(async () => fireEvent.keyDown(box, { key: 'Enter' }));
  expect(`${window.location.pathname}${window.location.search}`).toBe(`/today?device=${TWO}`);
});

test('the map finds a device by an alias, including a new one', async () => {
  const value = context();
  const wrapper = ({ children }: { children: ReactNode }) => (
    <StationProvider value={value}>{children}</StationProvider>
  );
  const { result } = renderHook(() => useMatches('retur', undefined), { wrapper });
  expect(result.current).toEqual([TWO]);
  const alias = { id: 3, name: 'More returns', deviceid: ONE, deviceIs: 'Above' } as const;
  await act(async () =>
    applyMessages(value.store, [{ kind: 'facts', revision: 6, facts: [{ type: 'alias.changed', alias }] }]),
  );
  expect(result.current).toEqual([TWO, ONE]);
});
