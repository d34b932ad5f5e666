import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import type { KioskScreen } from '#shared/api/kiosk.ts';
import { App } from '../../../renderer/src/app/App.tsx';
import { KioskPage } from '../../../renderer/src/features/kiosk/KioskPage.tsx';
import { SignInPage } from '../../../renderer/src/features/signIn/SignInPage.tsx';
import { ApiError } from '../../../renderer/src/words/apiError.ts';
import { createThemeChoice } from '../../../renderer/src/shop/theme.ts';
import { show, station, testContext, type Stubs } from '../support.tsx';

const HERE: KioskScreen = {
  kiosk: { id: '1', name: 'Bench 1' },
  people: [
    { username: 'Anna', color: 'blue' },
    { username: 'Ben', color: null },
  ],
};

/** Time on the page's clock in milliseconds. */
let nowMs = 0;

beforeEach(() => {
  window.history.replaceState(null, '', '/');
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
  return () => vi.restoreAllMocks();
});

/** Chooses a person, and waits until the person has seen the keypad. */
async function choose(name: RegExp): Promise<void> {
  fireEvent.click(button(name));
  await act(() => new Promise((next) => requestAnimationFrame(next)));
  nowMs += 1_000;
}

function open(calls: Partial<Stubs> = {}) {
  const context = testContext({ kiosk: HERE, session: 'signedOut' }, { getKioskScreen: async () => HERE, ...calls });
  show(context, <KioskPage SignIn={SignInPage} />);
  return context;
}

const button = (name: string | RegExp) => screen.getByRole('button', { name });
const field = () => screen.getByRole<HTMLInputElement>('textbox');

function type(keys: string): void {
  for (const key of keys) fireEvent.keyDown(field(), { key });
}

test('asks for a name and then for the PIN, and hides the digits of the PIN', async () => {
  const tried: object[] = [];
  open({ signInWithPin: async (by) => void tried.push(by) });
  await choose(/Anna/);
  expect(field().getAttribute('aria-label')).toBe('PIN of Anna, nothing typed');
  expect(document.activeElement).toBe(field());
  fireEvent.click(button('4'));
  type('711');
  expect(field().value).toBe('••••');
  expect(field().getAttribute('aria-label')).toBe('PIN of Anna, 4 digits typed');
  expect(document.body.textContent).not.toContain('4711');
  fireEvent.keyDown(field(), { key: 'Enter' });
  await waitFor(() => expect(tried).toEqual([{ username: 'Anna', pin: '4711' }]));
});

test("reports and clears a wrong PIN, and shows the station's message for other refusals", async () => {
  let error = new ApiError('unauthenticated', 'The name or the PIN is wrong.');
  open({ signInWithPin: () => Promise.reject(error) });
  await choose(/Ben/);
  type('1234');
  fireEvent.click(button('Sign in'));
  expect(await screen.findByText('That PIN is wrong. Try again.')).toBeTruthy();
  expect(field().value).toBe('');
  error = new ApiError('too_many_requests', 'Too many wrong PINs. Wait a minute.');
  type('1234');
  expect(screen.queryByText('That PIN is wrong. Try again.')).toBeNull();
  nowMs += 1_000;
  fireEvent.click(button('Sign in'));
  expect(await screen.findByText('Too many wrong PINs. Wait a minute.')).toBeTruthy();
});

test('rejects fewer than four digits, ignores digits after the eighth, and can delete the last digit', async () => {
  open();
  await choose(/Anna/);
  type('123');
  fireEvent.click(button('Sign in'));
  expect(screen.getByRole('alert').textContent).toBe('A PIN has at least 4 digits.');
  type('456789');
  expect(field().value).toHaveLength(8);
  fireEvent.click(button('Delete the last digit'));
  type('x+');
  expect(field().value).toHaveLength(7);
});

test('a touch that bounces, or that was made before the keypad was seen, types nothing, even if it is handled late', async () => {
  open();
  fireEvent.click(button(/Anna/));
  fireEvent.click(button('5'));
  await act(() => new Promise((next) => requestAnimationFrame(next)));
  const paintedAt = nowMs;
  /** Handles a touch one second after it was made at this time. */
  const touch = (digit: string, at: number) => {
    nowMs = at + 1_000;
    const event = new MouseEvent('click', { bubbles: true, cancelable: true });
    Object.defineProperty(event, 'timeStamp', { value: at });
    fireEvent(button(digit), event);
  };
  touch('1', paintedAt + 219);
  expect(field().value).toBe('');
  touch('1', paintedAt + 220);
  touch('1', paintedAt + 439);
  touch('2', paintedAt + 441);
  touch('1', paintedAt + 500);
  touch('1', paintedAt + 720);
  expect(field().value).toBe('••••');
});

test('returns to the names after a minute without input', () => {
  vi.useFakeTimers();
  try {
    open();
    fireEvent.click(button(/Anna/));
    act(() => void vi.advanceTimersByTime(50_000));
    type('12');
    act(() => void vi.advanceTimersByTime(50_000));
    expect(field().value).toBe('••');
    act(() => void vi.advanceTimersByTime(11_000));
    expect(screen.getByRole('heading', { name: 'Who are you?' })).toBeTruthy();
  } finally {
    vi.useRealTimers();
  }
});

test('stays at the keypad until the station has answered a sign-in', async () => {
  vi.useFakeTimers();
  try {
    let refuse = (): void => undefined;
    open({ signInWithPin: () => new Promise((_, reject) => (refuse = () => reject(new ApiError('unreachable', '')))) });
    fireEvent.click(button(/Anna/));
    act(() => void vi.advanceTimersByTime(300));
    nowMs += 1_000;
    type('4711');
    fireEvent.click(button('Sign in'));
    expect(button('Back to the names').hasAttribute('disabled')).toBe(true);
    fireEvent.click(button('Back to the names'));
    fireEvent.keyDown(field(), { key: 'Escape' });
    act(() => void vi.advanceTimersByTime(61_000));
    expect(screen.getByRole('heading', { name: 'Anna' })).toBeTruthy();
    await act(async () => refuse());
    act(() => void vi.advanceTimersByTime(59_000));
    expect(screen.getByRole('heading', { name: 'Anna' })).toBeTruthy();
    fireEvent.click(button('Back to the names'));
    expect(screen.getByRole('heading', { name: 'Who are you?' })).toBeTruthy();
  } finally {
    vi.useRealTimers();
  }
});

test('stays at the password form until the station has answered a sign-in', async () => {
  let refuse = (): void => undefined;
  open({ signIn: () => new Promise((_, reject) => (refuse = () => reject(new ApiError('unreachable', '')))) });
  fireEvent.click(button('Sign in with a password'));
  fireEvent.change(screen.getByLabelText('User name'), { target: { value: 'Anna' } });
  fireEvent.change(screen.getByLabelText('Password'), { target: { value: 'secret' } });
  await act(async () => fireEvent.click(button('Sign in')));
  expect(button('Back to the names').hasAttribute('disabled')).toBe(true);
  await act(async () => refuse());
  fireEvent.click(button('Back to the names'));
  expect(screen.getByRole('heading', { name: 'Who are you?' })).toBeTruthy();
});

test('if nobody has a PIN, says so and offers to sign in with a password', () => {
  const nobody = { ...HERE, people: [] };
  show(
    testContext({ kiosk: nobody, session: 'signedOut' }, { getKioskScreen: async () => nobody }),
    <KioskPage SignIn={SignInPage} />,
  );
  expect(screen.getByRole('heading', { name: 'Nobody has a PIN yet' })).toBeTruthy();
  fireEvent.click(button('Sign in with a password'));
  expect(screen.getByLabelText('User name')).toBeTruthy();
  fireEvent.click(button('Back to the names'));
  expect(button('Sign in with a password')).toBeTruthy();
});

function openApp(given: Parameters<typeof testContext>[0]) {
  const theme = createThemeChoice({
    root: document.documentElement,
    storage: { get: () => null, set: () => undefined },
  });
  const context = testContext({ session: 'signedIn', ...given }, { getKioskScreen: async () => HERE });
  return show(context, <App context={context} theme={theme} />);
}

const as = (scope: 'picker' | 'admin', rights: readonly string[]) => {
  const one = station();
  return { ...one, user: { ...one.user, scope, rights } } as typeof one;
};

test('on a kiosk, redirects pickers to Pick from any address, but not admins', async () => {
  window.history.replaceState(null, '', '/settings');
  const shown = openApp({ kiosk: HERE, station: as('picker', ['read', 'work']) });
  await waitFor(() => expect(window.location.pathname).toBe('/pick'));
  expect(screen.queryByRole('navigation')).toBeNull();
  shown.unmount();
  window.history.replaceState(null, '', '/help');
  openApp({ kiosk: HERE, station: as('admin', ['read', 'work', 'manage_people']) });
  expect(await screen.findByText('This browser is a kiosk.')).toBeTruthy();
  expect(window.location.pathname).toBe('/help');
});

test('renders nothing until it knows whether this browser is a kiosk', () => {
  openApp({ kiosk: undefined, station: as('picker', ['read', 'work']) });
  expect(screen.queryByRole('navigation')).toBeNull();
  expect(window.location.pathname).toBe('/');
});
