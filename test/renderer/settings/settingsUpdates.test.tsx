import { act, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DEFAULT_SETTINGS, type SettingsAnswer, type SettingsChange } from '#shared/api/settings.ts';
import type { UpdateStatus } from '#shared/api/updates.ts';
import { App } from '../../../renderer/src/app/App.tsx';
import { SettingsPage } from '../../../renderer/src/features/settings/SettingsPage.tsx';
import { Updates } from '../../../renderer/src/features/settings/Updates.tsx';
import { ApiError } from '../../../renderer/src/words/apiError.ts';
import { takeSnapshot } from '../../../renderer/src/station/live/store.ts';
import { newsOf } from '../../../renderer/src/station/updates.ts';
import { createThemeChoice } from '../../../renderer/src/shop/theme.ts';
import { AT, userOf } from '../../helpers/snapshots.ts';
import { show, station, testContext, type Stubs } from '../support.tsx';

const no = { listens: 'this_machine', host_argument: '', port_argument: null, certificate: null } as const;
const SAVED: SettingsAnswer = {
  ...DEFAULT_SETTINGS,
  callback_api_key_set: false,
  callback_password_set: false,
  callback_signing_secret_set: false,
  mail_password_set: false,
  mqtt_password_set: false,
  mqtt_key_set: false,
  unreadable_secrets: [],
  unreadable_others: [],
  invalid_settings: [],
  exposure: { ...no, addresses: [], next_start: [], warnings: [] },
};
const NONE: UpdateStatus = {
  version: '0.1.0',
  can: 'install',
  reason: '',
  mode: 'notify',
  policy: null,
  state: 'none',
  found: null,
  percent: null,
  checked_at: AT,
  problem: null,
  notice: null,
  failed: null,
};
const AVAILABLE: UpdateStatus = { ...NONE, state: 'available', found: '9.0.0' };
const READY: UpdateStatus = { ...AVAILABLE, state: 'ready' };
const FAILED: UpdateStatus = {
  ...NONE,
  failed: { version: '9.0.0', at: AT, problem: 'It ended before it was ready.' },
};
const ELSEWHERE: UpdateStatus = { ...AVAILABLE, can: 'check', reason: 'It was installed as a package.' };

type Opened = { changes: SettingsChange[]; context: ReturnType<typeof testContext> };

async function open(status: () => UpdateStatus, calls: Partial<Stubs> = {}): Promise<Opened> {
  const changes: SettingsChange[] = [];
  const context = testContext(
    { station: { ...station(), user: userOf('Ann', 'admin') } },
    {
      getUpdates: () => Promise.resolve(status()),
      changeSettings(change) {
        changes.push(change);
        return Promise.resolve({ ...SAVED, ...change } as SettingsAnswer);
      },
      ...calls,
    },
  );
  await act(async () => show(context, <Updates saved={SAVED} onSaved={() => undefined} />));
  return { changes, context };
}

const text = () => screen.getByRole('region', { name: 'State of updates' }).textContent;
const button = (name: string) => screen.queryByRole('button', { name });
const press = (name: string) => act(async () => fireEvent.click(screen.getByRole('button', { name })));
const choice = () => screen.queryByRole('button', { name: /Automatic updates$/ });

beforeEach(() => window.history.replaceState(null, '', '/settings'));
afterEach(() => vi.useRealTimers());

test('without a newer version, shows the running version and can check now', async () => {
  const check = vi.fn(() => Promise.resolve(AVAILABLE));
  let status = NONE;
  await open(() => status, { checkForUpdate: check });
  expect(text()).toMatch(/^No newer version found.*Version 0\.1\.0 is running\. Last check: /);
  expect(button('Install and restart…')).toBeNull();
  status = AVAILABLE;
  await press('Check now');
  expect(check).toHaveBeenCalledTimes(1);
  expect(text()).toContain('Version 9.0.0 is available');
  expect(button('Install and restart…')).toBeTruthy();
});

test('shows that no check has been made yet, or that a check failed', async () => {
  let status: UpdateStatus = { ...NONE, checked_at: null };
  await open(() => status, { checkForUpdate: () => Promise.resolve(status) });
  expect(text()).toContain('Not checked yet');
  status = { ...status, problem: 'The releases could not be reached (no network).' };
  await press('Check now');
  expect(text()).toContain('The check failed');
  expect(text()).toContain('The releases could not be reached (no network).');
});

test('saves the update mode, and explains what happens automatically', async () => {
  const { changes } = await open(() => ({ ...AVAILABLE, mode: 'auto' }));
  expect(text()).toContain('The station installs it automatically once nothing is lit');
  await act(async () => fireEvent.click(choice() ?? document.body));
  expect(screen.getAllByRole('option').map(({ textContent }) => textContent)).toEqual([
    'Install when nobody is working',
    'Check every day and notify me',
    'Off: check only when I ask',
  ]);
  await act(async () => fireEvent.click(screen.getByRole('option', { name: 'Off: check only when I ask' })));
  await press('Save');
  expect(changes).toEqual([{ updates: 'off' }]);
});

test("shows a mode fixed by the machine's administrator, which cannot be changed", async () => {
  await open(() => ({ ...NONE, mode: 'off', policy: 'off' }));
  expect(choice()).toHaveProperty('disabled', true);
  expect(choice()?.textContent).toContain('Off: check only when I ask');
  expect(screen.getByText(/^The administrator of this machine has set this/)).toBeTruthy();
});

test('follows a running check or download, and then stops polling', async () => {
  vi.useFakeTimers();
  let status: UpdateStatus = { ...NONE, state: 'checking' };
  const load = vi.fn(() => Promise.resolve(status));
  await open(() => status, { getUpdates: load });
  expect(button('Checking…')).toBeTruthy();
  status = { ...AVAILABLE, state: 'downloading', percent: 40 };
  await act(() => vi.advanceTimersByTimeAsync(1_100));
  expect(screen.getByRole('progressbar', { name: 'Downloading version 9.0.0' }).textContent).toContain('40 %');
  expect(button('Check now')).toBeNull();
  expect(button('Install and restart…')).toBeNull();
  status = READY;
  await act(() => vi.advanceTimersByTimeAsync(1_100));
  expect(text()).toContain('Version 9.0.0 is ready to install');
  const asked = load.mock.calls.length;
  await act(() => vi.advanceTimersByTimeAsync(60_000));
  expect(load).toHaveBeenCalledTimes(asked);
});

test('asks before installing, and shows the progress until the station is back', async () => {
  vi.useFakeTimers();
  let status: UpdateStatus = AVAILABLE;
  const insisted: unknown[] = [];
  const { context } = await open(() => status, {
    installUpdate({ body: { insist } }) {
      insisted.push(insist);
      status = { ...AVAILABLE, state: 'installing' };
      return Promise.resolve(status);
    },
  });
  await press('Install and restart…');
  const dialog = screen.getByRole('alertdialog', { name: 'Install version 9.0.0?' });
  for (const sentence of [/downloaded first/, /restarts within a minute/, /stays lit/, /does not start/])
    expect(within(dialog).getByText(sentence)).toBeTruthy();
  await press('Cancel');
  expect(insisted).toEqual([]);
  await press('Install and restart…');
  await press('Install and restart');
  expect(insisted).toEqual([false]);
  expect(screen.queryByRole('alertdialog')).toBeNull();
  const installing = /^Version 9\.0\.0 is being installed.*The station will be back within a minute\./;
  expect(text()).toMatch(installing);
  await act(async () => context.store.setState({ connection: { kind: 'lost', sinceAt: 0 } }));
  await act(() => vi.advanceTimersByTimeAsync(30_000));
  expect(text()).toMatch(installing);
  status = { ...NONE, version: '9.0.0' };
  await act(async () => {
    context.store.setState({ connection: { kind: 'live' } });
    takeSnapshot(context.store, { station: { ...station(), user: userOf('Ann', 'admin') }, clockSkewMs: 0 });
  });
  expect(text()).toMatch(/^No newer version found.*Version 9\.0\.0 is running/);
});

test('shows in the dialog what blocks the installation, and can install anyway', async () => {
  const sentence = '1 device has a command. Install it later, or insist.';
  const refused = new ApiError('conflict', sentence, [{ path: '/insist', message: sentence }]);
  const insisted: unknown[] = [];
  await open(() => READY, {
    installUpdate({ body: { insist } }) {
      insisted.push(insist);
      return insist ? Promise.resolve(READY) : Promise.reject(refused);
    },
  });
  await press('Install and restart…');
  expect(screen.queryByText(/downloaded first/)).toBeNull();
  await press('Install and restart');
  expect(within(screen.getByRole('alertdialog')).getByRole('alert').textContent).toBe(sentence);
  await press('Install anyway');
  expect(insisted).toEqual([false, true]);
  expect(screen.queryByRole('alertdialog')).toBeNull();
});

test.each([
  ['a station that does not answer', new ApiError('unreachable', 'The station does not answer.')],
  [
    'a version that is no longer available',
    new ApiError('conflict', 'No newer version was found. Check for one first.'),
  ],
])('does not offer “Install anyway” for %s', async (_, error) => {
  await open(() => READY, { installUpdate: () => Promise.reject(error) });
  await press('Install and restart…');
  await press('Install and restart');
  expect(screen.getByRole('alertdialog').textContent).toContain(error.message);
  expect(button('Install anyway')).toBeNull();
});

test('shows why a download or installation failed, and can repeat it', async () => {
  await open(() => ({ ...AVAILABLE, problem: 'Version 9.0.0 is not what was signed.' }));
  expect(text()).toContain('Version 9.0.0 is not what was signed.');
  expect(button('Install and restart…')).toBeTruthy();
});

test('shows that a version failed to start, and installs it only on request', async () => {
  await open(() => ({ ...FAILED, state: 'available', found: '9.0.0', mode: 'auto' }));
  expect(text()).toMatch(
    /Version 9\.0\.0 did not start on this machine.*On 20 November 2026.*, the previous version and its data were restored\. This version is not installed again automatically\. It ended before it was ready\./,
  );
  expect(text()).not.toContain('once nothing is lit');
  await press('Install and restart…');
  expect(screen.getByText('This version has already failed to start on this machine.')).toBeTruthy();
});

test('a system package can only check for updates, and explains how it is updated', async () => {
  await open(() => ({ ...ELSEWHERE, mode: 'auto' }));
  expect(text()).toContain('Version 9.0.0 is available');
  expect(text()).toContain('It was installed as a package.');
  expect(text()).not.toContain('once nothing is lit');
  expect(button('Check now')).toBeTruthy();
  expect(button('Install and restart…')).toBeNull();
  // The mode that installs automatically is not offered.
  expect(choice()?.textContent).toContain('Check every day');
  await act(async () => fireEvent.click(choice() ?? document.body));
  expect(screen.getAllByRole('option')).toHaveLength(2);
});

test('a station that cannot check for updates explains why, and offers no actions', async () => {
  await open(() => ({ ...NONE, can: 'nothing', reason: 'Only the desktop program updates itself.', checked_at: null }));
  expect(text()).toBe('Version 0.1.0 is running. Only the desktop program updates itself.');
  expect(screen.queryAllByRole('button')).toEqual([]);
});

test('if the state cannot be loaded, shows the reason and can retry', async () => {
  let isBroken = true;
  await open(() => NONE, {
    getUpdates: () =>
      isBroken ? Promise.reject(new ApiError('unreachable', 'The station does not answer.')) : Promise.resolve(NONE),
  });
  expect(screen.getByRole('alert').textContent).toContain('The station does not answer.');
  isBroken = false;
  await press('Try again');
  expect(text()).toContain('No newer version found');
});

test.each([
  ['no newer version', NONE, ''],
  ['a version to install', AVAILABLE, 'Version 9.0.0 is available'],
  ['a version to be downloaded automatically', { ...AVAILABLE, mode: 'auto' }, ''],
  ['a version found by a manual check', { ...AVAILABLE, mode: 'off' }, ''],
  ['a version that is downloaded', { ...READY, mode: 'auto' }, 'Version 9.0.0 is ready to install'],
  ['a version for the package manager', { ...ELSEWHERE, mode: 'auto' }, 'Version 9.0.0 is available'],
  ['a version that failed to start', FAILED, 'Version 9.0.0 did not start on this machine'],
  [
    'a newer version after one that failed',
    { ...FAILED, state: 'available', found: '9.0.1' },
    'Version 9.0.1 is available',
  ],
] satisfies [string, UpdateStatus, string][])('returns the news, if any, about %s', (_, status, news) => {
  expect(newsOf(status, Date.parse(AT))).toBe(news);
});

test('a failure a week ago is no longer news', () => {
  expect(newsOf(FAILED, Date.parse(AT) + 7 * 86_400_000)).toBe('');
});

test('the settings index marks the group with news, and the search finds the group', async () => {
  const context = testContext(
    { station: { ...station(), user: userOf('Ann', 'admin') } },
    { getSettings: () => Promise.resolve(SAVED), getUpdates: () => Promise.resolve(AVAILABLE) },
  );
  await act(async () => show(context, <SettingsPage />));
  const index = within(screen.getByRole('navigation', { name: 'Groups of settings' }));
  expect(index.getByRole('link', { name: 'Updates Version 9.0.0 is available' })).toBeTruthy();
  await act(async () =>
    fireEvent.change(screen.getByRole('searchbox', { name: 'Search settings' }), {
      target: { value: 'newer version' },
    }),
  );
  expect(index.getAllByRole('link')).toHaveLength(1);
});

test.each([
  ['admin', '1SettingsVersion 9.0.0 is available', 1],
  ['control', 'Settings', 0],
] as const)('the rail shows update news at Settings to admins only (%s)', async (scope, words, times) => {
  vi.useFakeTimers();
  window.history.replaceState(null, '', '/help');
  let status = AVAILABLE;
  const load = vi.fn(() => Promise.resolve(status));
  const user = userOf('Ann', scope);
  const context = testContext(
    { session: 'signedIn', kiosk: { kiosk: null, people: [] }, station: { ...station(), user } },
    { getUpdates: load, getDiagnostics: () => new Promise(() => undefined) },
  );
  const storage = { get: () => null, set: () => undefined };
  const theme = createThemeChoice({ root: document.documentElement, storage });
  await act(async () => show(context, <App context={context} theme={theme} />));
  const [rail] = screen.getAllByRole('navigation', { name: 'Pages' });
  const said = () => within(rail ?? document.body).getByRole('link', { name: /Settings/ }).textContent;
  expect(said()).toBe('Settings');
  expect(load, 'what the window needs comes first').not.toHaveBeenCalled();
  await act(() => vi.advanceTimersByTimeAsync(5_000));
  expect(said()).toBe(words);
  expect(load).toHaveBeenCalledTimes(times);
  // The window checks again every hour.
  status = NONE;
  await act(() => vi.advanceTimersByTimeAsync(3_600_000));
  expect(said()).toBe('Settings');
  expect(load).toHaveBeenCalledTimes(times * 2);
});

test('reloads when the settings were changed elsewhere', async () => {
  let status: UpdateStatus = { ...READY, mode: 'notify' };
  const { context } = await open(() => status);
  expect(text()).not.toContain('installs it automatically');
  status = { ...READY, mode: 'auto' };
  await act(async () => context.store.setState({ told: [{ type: 'settings.changed' }] }));
  expect(text()).toContain('installs it automatically');
});
