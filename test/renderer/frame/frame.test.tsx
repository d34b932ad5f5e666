import { act, fireEvent, render, screen, within } from '@testing-library/react';
import { LayoutGrid, Settings } from 'lucide-react';
import { useState } from 'react';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { DESTINATIONS } from '#shared/lib/station/pageRoutes.ts';
import { PageBoundary, PartBoundary, UnknownPage } from '../../../renderer/src/app/frame/PageBoundary.tsx';
import { destinationsOf, PAGES as ALL_PAGES } from '../../../renderer/src/app/pages.tsx';
import { ToastRegion } from '../../../renderer/src/app/frame/ToastRegion.tsx';
import { LeaveGuard, useLeaveGuard } from '../../../renderer/src/kit/dialog/leaveGuard.tsx';
import { Rail } from '../../../renderer/src/app/frame/Rail.tsx';
import { createThemeChoice } from '../../../renderer/src/shop/theme.ts';
import { show, station, testContext } from '../support.tsx';

const PAGES = [
  { id: 'today', href: '/today', word: 'Today', icon: LayoutGrid },
  { id: 'settings', href: '/settings', word: 'Settings', icon: Settings },
] as const;

const remembered = new Map<string, string>();
const storage = {
  get: (key: string) => remembered.get(key) ?? null,
  set: (key: string, value: string | null) =>
    void (value === null ? remembered.delete(key) : remembered.set(key, value)),
};
const root = document.documentElement;

beforeEach(() => {
  remembered.clear();
  delete root.dataset['theme'];
  window.history.replaceState(null, '', '/');
});

function openRail(signOut: () => Promise<void> = () => Promise.resolve()) {
  const search = vi.fn();
  const theme = createThemeChoice({ root, storage });
  show(
    testContext({ station: station() }, { signOut }),
    <Rail pages={PAGES} bell={undefined} open="settings" theme={theme} search={search} />,
  );
  return search;
}

async function openUserMenu() {
  await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Account: admin' })));
  return within(screen.getByRole('menu', { name: 'Account: admin' }));
}

test('the rail lists the pages, marks the open one, and opens pages without reloading', () => {
  openRail();
  const [first, second] = within(screen.getByRole('navigation', { name: 'Pages' })).getAllByRole('link');
  expect(first?.textContent).toBe('Today');
  expect(first?.getAttribute('aria-current')).toBeNull();
  expect(second?.getAttribute('aria-current')).toBe('page');
  window.history.replaceState(null, '', '/settings');
  if (first !== undefined) fireEvent.click(first);
  expect(window.location.pathname).toBe('/today');
});

test('the narrow bar shows the main pages, and More contains the other pages and the account', async () => {
  const wide = window.matchMedia('(min-width: 1px)');
  onTestFinished(() => void vi.restoreAllMocks());
  vi.spyOn(window, 'matchMedia').mockReturnValue(wide);
  const more = ['pick', 'orders', 'places', 'connections'] as const;
  const pages = [...PAGES, ...more.map((id) => ({ id, href: `/${id}`, word: id, icon: Settings }))];
  const count = { of: () => 3, words: (waiting: number) => `, ${waiting} of them` };
  const counted = pages.map((page) => (page.id === 'connections' ? { ...page, count } : page));
  show(
    testContext({ station: station() }),
    <Rail
      pages={counted}
      bell={undefined}
      open="settings"
      theme={createThemeChoice({ root, storage })}
      search={vi.fn()}
    />,
  );
  const bar = within(screen.getByRole('navigation', { name: 'Pages' }));
  expect(bar.getAllByRole('link').map(({ textContent }) => textContent)).toEqual(['pick', 'orders', 'Today']);
  expect(bar.queryByRole('button', { name: 'Account: admin' })).toBeNull();
  await act(async () => fireEvent.click(bar.getByRole('button', { name: /^More, Settings is open, 3 waiting$/ })));
  const dialog = within(screen.getByRole('dialog', { name: 'More pages' }));
  expect(dialog.getAllByRole('link').map(({ textContent }) => textContent)).toEqual([
    'Settings',
    'places',
    '3connections, 3 of them',
  ]);
  expect(dialog.getByRole('button', { name: 'Account: admin' })).toBeTruthy();
  expect(dialog.getByRole('link', { name: 'Settings' }).getAttribute('aria-current')).toBe('page');
  await act(async () => fireEvent.click(dialog.getByRole('link', { name: 'places' })));
  expect(window.location.pathname).toBe('/places');
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('the Search button opens the search', () => {
  const search = openRail();
  fireEvent.click(screen.getByRole('button', { name: 'Search' }));
  expect(search).toHaveBeenCalledTimes(1);
});

test('the theme follows the system until another is chosen, and this browser remembers the choice', async () => {
  openRail();
  expect(root.dataset['theme']).toBeUndefined();
  const menu = await openUserMenu();
  expect(menu.getByRole('menuitemradio', { name: 'Same as system' }).getAttribute('aria-checked')).toBe('true');
  await act(async () => fireEvent.click(menu.getByRole('menuitemradio', { name: 'Dark' })));
  expect(root.dataset['theme']).toBe('dark');
  delete root.dataset['theme'];
  const next = createThemeChoice({ root, storage });
  expect(root.dataset['theme']).toBe('dark');
  next.set('system');
  expect(root.dataset['theme']).toBeUndefined();
  expect(createThemeChoice({ root, storage }).get()).toBe('system');
});

test("the browser's theme color follows the chosen theme", () => {
  const bars = ['light', 'dark'].map((scheme) => {
    const bar = document.head.appendChild(document.createElement('meta'));
    bar.name = 'theme-color';
    bar.media = `(prefers-color-scheme: ${scheme})`;
    return bar;
  });
  const theme = createThemeChoice({ root, storage });
  const media = () => bars.map((bar) => bar.media);
  expect(media()).toEqual(['(prefers-color-scheme: light)', '(prefers-color-scheme: dark)']);
  theme.set('dark');
  expect(media()).toEqual(['not all', 'all']);
  theme.set('system');
  expect(media()).toEqual(['(prefers-color-scheme: light)', '(prefers-color-scheme: dark)']);
  for (const bar of bars) bar.remove();
});

test('ignores a stored theme that this version does not know', () => {
  remembered.set('pickstation.theme', 'sepia');
  expect(createThemeChoice({ root, storage }).get()).toBe('system');
});

test('a failed sign-out says that the user may still be signed in', async () => {
  openRail(() => Promise.reject(new Error('no')));
  const menu = await openUserMenu();
  await act(async () => fireEvent.click(menu.getByRole('menuitem', { name: 'Sign out' })));
  expect(screen.getByText(/^You may still be signed in/)).toBeTruthy();
});

test('an unknown path shows a message and a link to the Today page', () => {
  window.history.replaceState(null, '', '/no/such/page');
  show(testContext({ station: station() }), <UnknownPage path="/no/such/page" />);
  expect(screen.getByText(/^There is no page at \/no\/such\/page/)).toBeTruthy();
  fireEvent.click(screen.getByRole('link', { name: 'Go to Today' }));
  expect(window.location.pathname).toBe('/');
});

test('a page that crashes shows an error and can be retried, and the rest of the window keeps working', () => {
  const quiet = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  let broken = true;
  const reload = vi.fn();
  function Page() {
    if (broken) throw new Error('a mistake in the page');
    return <p>the page</p>;
  }
  function Counter() {
    const [count, setCount] = useState(0);
    return <button onClick={() => setCount(count + 1)}>{`beside: ${count}`}</button>;
  }
  show(
    testContext(),
    <>
      <Counter />
      <PageBoundary reload={reload}>
        <Page />
      </PageBoundary>
    </>,
  );
  expect(screen.getByRole('alert').textContent).toContain('This page crashed');
  fireEvent.click(screen.getByText('beside: 0'));
  expect(screen.getByText('beside: 1')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Reload the window' }));
  expect(reload).toHaveBeenCalledTimes(1);
  broken = false;
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(screen.getByText('the page')).toBeTruthy();
  quiet.mockRestore();
});

test('a page that could not be loaded while the station was away is loaded once the station is back', () => {
  const quiet = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  onTestFinished(() => quiet.mockRestore());
  const reload = vi.fn();
  function Page(): never {
    throw new Error('Failed to fetch dynamically imported module');
  }
  const context = testContext({ connection: { kind: 'lost', sinceAt: 0 } });
  show(
    context,
    <PageBoundary reload={reload}>
      <Page />
    </PageBoundary>,
  );
  expect(screen.getByRole('alert').textContent).toContain('This page could not be loaded');
  expect([screen.queryByRole('button', { name: 'Try again' }), reload.mock.calls.length]).toEqual([null, 0]);
  act(() => context.store.setState({ connection: { kind: 'connecting' } }));
  expect(reload).not.toHaveBeenCalled();
  act(() => context.store.setState({ connection: { kind: 'live' } }));
  expect(reload).toHaveBeenCalledTimes(1);
});

test('a part of the frame that crashes shows an error and can be retried, and the page keeps working', () => {
  const quiet = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  let broken = true;
  function Part() {
    if (broken) throw new Error('a mistake in the rail');
    return <p>the rail</p>;
  }
  show(
    testContext(),
    <>
      <PartBoundary part="rail">
        <Part />
      </PartBoundary>
      <p>the page</p>
    </>,
  );
  expect(screen.getByRole('alert').textContent).toContain('The menu crashed. The page still works.');
  expect(screen.getByText('the page')).toBeTruthy();
  broken = false;
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(screen.getByText('the rail')).toBeTruthy();
  quiet.mockRestore();
});

test('reloads if a file of the page is missing after an update, at most once a minute and never with unsaved input', () => {
  const reload = vi.spyOn(window.location, 'reload').mockImplementation(() => undefined);
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => {
    vi.useRealTimers();
    reload.mockRestore();
    window.sessionStorage.clear();
  });
  function Form({ unsaved }: { unsaved: boolean }) {
    useLeaveGuard(unsaved);
    return null;
  }
  const gone = (): boolean => {
    const event = new Event('vite:preloadError', { cancelable: true });
    window.dispatchEvent(event);
    return event.defaultPrevented;
  };
  const { rerender } = render(
    <LeaveGuard>
      <Form unsaved />
    </LeaveGuard>,
  );
  expect([gone(), reload.mock.calls.length]).toEqual([false, 0]);
  rerender(
    <LeaveGuard>
      <Form unsaved={false} />
    </LeaveGuard>,
  );
  expect([gone(), reload.mock.calls.length]).toEqual([true, 1]);
  expect([gone(), reload.mock.calls.length]).toEqual([false, 1]);
  vi.advanceTimersByTime(60_000);
  expect([gone(), reload.mock.calls.length]).toEqual([true, 2]);
});

test('does not reload for a missing file while the station is away, because the browser would show its error page', () => {
  const reload = vi.spyOn(window.location, 'reload').mockImplementation(() => undefined);
  onTestFinished(() => {
    reload.mockRestore();
    window.sessionStorage.clear();
  });
  const context = testContext({ station: station(), connection: { kind: 'lost', sinceAt: 0 } });
  show(context, <p>Pick</p>);
  const gone = (): boolean => {
    const event = new Event('vite:preloadError', { cancelable: true });
    window.dispatchEvent(event);
    return event.defaultPrevented;
  };
  expect([gone(), reload.mock.calls.length]).toEqual([false, 0]);
  act(() => context.store.setState({ connection: { kind: 'live' } }));
  expect([gone(), reload.mock.calls.length]).toEqual([true, 1]);
});

test('the account menu turns alert notifications on if the browser allows them, and off', async () => {
  const permit = { permission: 'denied', requestPermission: () => Promise.resolve(permit.permission) };
  vi.stubGlobal('Notification', permit);
  onTestFinished(() => {
    vi.unstubAllGlobals();
    window.localStorage.clear();
  });
  const context = testContext({ station: station() });
  show(
    context,
    <>
      <Rail
        pages={PAGES}
        bell={undefined}
        open="settings"
        theme={createThemeChoice({ root, storage })}
        search={vi.fn()}
      />
      <ToastRegion />
    </>,
  );
  const choose = async (name: string) => {
    const menu = await openUserMenu();
    await act(async () => fireEvent.click(menu.getByRole('menuitem', { name })));
  };
  await choose('Notify me of alerts');
  expect(screen.getAllByText(/^This browser blocks notifications/)).not.toEqual([]);
  permit.permission = 'granted';
  await choose('Notify me of alerts');
  expect(window.localStorage.getItem('pickstation.notify')).toBe('on');
  await choose('Stop alert notifications');
  expect(window.localStorage.getItem('pickstation.notify')).toBeNull();
});

test('Pack is in the rail only of shops with carts or walls', () => {
  const ids = (hasCarriers: boolean) => destinationsOf(ALL_PAGES, hasCarriers).map(({ id }) => id);
  expect(ids(false)).toEqual(DESTINATIONS.filter((id) => id !== 'pack'));
  expect(ids(true)).toEqual(DESTINATIONS);
});
