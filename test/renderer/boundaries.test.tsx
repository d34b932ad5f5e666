import { act, render, screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { App } from '../../renderer/src/App.tsx';
import { createThemeChoice } from '../../renderer/src/ui/theme.ts';
import { station, testContext } from './support.tsx';

// Each part of the window in turn crashes when it is drawn.
const broken = vi.hoisted(() => ({ part: '' }));

vi.mock('../../renderer/src/ui/Rail.tsx', () => ({ Rail: () => crash('rail', 'the menu') }));
vi.mock('../../renderer/src/features/palette/Palette.tsx', () => ({ Palette: () => crash('search', 'the search') }));
vi.mock('../../renderer/src/ui/ToastRegion.tsx', () => ({ ToastRegion: () => crash('toast', 'a notice') }));
vi.mock('../../renderer/src/ui/ConnectionBar.tsx', () => ({ ConnectionBar: () => crash('bar', 'the bar') }));
vi.mock('../../renderer/src/features/signIn/SignInPage.tsx', () => ({
  SignInPage: () => crash('signIn', 'the sign-in'),
}));

function crash(part: string, words: string) {
  if (broken.part === part) throw new Error(`a mistake in ${words}`);
  return <p>{words}</p>;
}

beforeEach(() => {
  window.history.replaceState(null, '', '/nowhere');
  vi.spyOn(console, 'error').mockReturnValue();
});

async function openWindow(part: string, session: 'signedIn' | 'signedOut' = 'signedIn'): Promise<void> {
  broken.part = part;
  const storage = { get: () => null, set: () => undefined };
  const theme = createThemeChoice({ root: document.documentElement, storage });
  const context = testContext({ station: station(), session });
  await act(async () => render(<App context={context} theme={theme} />));
}

test.each([
  ['rail', 'The menu crashed', ['the search', 'a notice', 'the bar', 'Page not found']],
  ['search', 'The search crashed', ['the menu', 'a notice', 'the bar', 'Page not found']],
  ['toast', 'The notices crashed', ['the menu', 'the search', 'the bar', 'Page not found']],
  ['bar', 'The bar at the top crashed', ['the menu', 'the search', 'a notice', 'Page not found']],
])('a crash of the %s says so and takes nothing else down', async (part, said, others) => {
  await openWindow(part);
  expect(screen.getByRole('alert').textContent).toContain(said);
  for (const other of others) expect(screen.getByText(other), other).toBeTruthy();
});

test('a crash of the sign-in leaves the page behind it, with what was typed there', async () => {
  await openWindow('signIn', 'signedOut');
  expect(screen.getByRole('alert').textContent).toContain('This page crashed');
  expect(screen.getByText('Page not found')).toBeTruthy();
  expect(screen.getByText('a notice')).toBeTruthy();
});
