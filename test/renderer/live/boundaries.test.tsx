import { act, render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import type { KioskScreen } from '#shared/api/kiosk.ts';
import { App } from '../../../renderer/src/app/App.tsx';
import { createThemeChoice } from '../../../renderer/src/shop/theme.ts';
import { station, testContext } from '../support.tsx';

test('a crash of the sign-in dialog leaves the page below it open', async () => {
  window.history.replaceState(null, '', '/nowhere');
  vi.spyOn(console, 'error').mockReturnValue();
  const kiosk: KioskScreen = {
    kiosk: { id: '1', name: 'Bench 1' },
    get people(): never {
      throw new Error('a mistake in the sign-in');
    },
  };
  const storage = { get: () => null, set: () => undefined };
  const theme = createThemeChoice({ root: document.documentElement, storage });
  const context = testContext({ station: station(), session: 'signedOut', kiosk });
  await act(async () => render(<App context={context} theme={theme} />));
  expect((await screen.findByText(/This page crashed/)).textContent).toBeTruthy();
  expect(screen.getByText('Page not found')).toBeTruthy();
  vi.restoreAllMocks();
});
