import { act, fireEvent, screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import type { ApiUser } from '#shared/api/access.ts';
import { ApiError } from '../../../renderer/src/words/apiError.ts';
import { AT, choose, everythingLeft, openUsers, press, program, send, type } from './usersSupport.tsx';
import type { Stubs } from '../support.tsx';

const SECRETS = {
  id: '7',
  name: 'ERP',
  scope: 'control',
  api_key: 'psk_the-key',
  client_id: 'psc_the-client',
  client_secret: 'pss_the-secret',
} as const;

function programsApi(programs: readonly ApiUser[]) {
  const asked: unknown[] = [];
  const api = {
    listApiUsers: vi.fn(() => Promise.resolve(programs)),
    addApiUser({ body: user }) {
      asked.push(user);
      return Promise.resolve({ ...SECRETS, name: user.name, scope: user.scope ?? 'control' });
    },
    rotateApiUser({ path: { id }, body: { grace_seconds: graceSeconds } }) {
      asked.push([id, graceSeconds]);
      return Promise.resolve(SECRETS);
    },
    removeApiUser({ path: { id } }) {
      asked.push(id);
      return Promise.resolve();
    },
  } satisfies Partial<Stubs>;
  return { api, asked };
}

const row = (name: string) => {
  const all = within(screen.getByRole('list', { name: 'Programs with a key' })).getAllByRole('listitem');
  return all.find((each) => each.textContent.includes(name))?.textContent;
};
const shownOnce = () => within(screen.getByRole('alertdialog', { name: 'The key of ERP' }));

test('each program shows its scope, its last use and how long its old key still works', async () => {
  const soon = new Date(Date.now() + 90 * 86_400_000).toISOString();
  const { api } = programsApi([
    program('ERP', { last_used: new Date(Date.now() - 125_000).toISOString(), old_key_until: soon }),
    program('Wall', { id: '8', scope: 'read' }),
  ]);
  await openUsers('/connections/programs', api);
  expect(row('ERP')).toMatch(/Control.*Used 2 minutes ago.*The old key works until \d+ \w+, \d\d:\d\d/);
  expect(row('Wall')).toMatch(/Read.*Never used/);
});

test('disables changes to a key from the environment, and explains why', async () => {
  const { api } = programsApi([program('API key', { from_environment: true, scope: 'admin' })]);
  await openUsers('/connections/programs', api);
  for (const name of ['New key for API key', 'Remove API key']) {
    const button = screen.getByRole('button', { name });
    expect(button).toHaveProperty('disabled', true);
    const reason = document.getElementById(button.getAttribute('aria-describedby') ?? '')?.textContent;
    expect(reason).toContain('remove it from the environment');
  }
});

test('shows the key of a new program once, with an example request, until it is confirmed', async () => {
  const { api, asked } = programsApi([]);
  const { store } = await openUsers('/connections/programs', api);
  expect(screen.getByText('No programs yet')).toBeTruthy();
  await press('Add a program');
  await type('Name', 'ERP');
  await choose(/^Read/);
  await send('Add a program');
  expect(asked).toEqual([{ name: 'ERP', scope: 'read' }]);
  for (const secret of [SECRETS.api_key, SECRETS.client_id, SECRETS.client_secret]) {
    expect(shownOnce().getByText(secret)).toBeTruthy();
  }
  const line = `curl -H "API-KEY: psk_the-key" "${window.location.origin}/api/device/"`;
  expect(shownOnce().getByText(line)).toBeTruthy();

  await act(async () => fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Escape' }));
  await act(async () => fireEvent.keyUp(document.activeElement ?? document.body, { key: 'Escape' }));
  expect(shownOnce().getByText(SECRETS.api_key)).toBeTruthy();
  expect(shownOnce().queryByRole('button', { name: 'Close' })).toBeNull();

  await press('I have copied it');
  expect(screen.queryByRole('alertdialog')).toBeNull();
  const left = everythingLeft();
  for (const secret of ['psk_', 'pss_']) {
    expect(left).not.toContain(secret);
    expect(JSON.stringify(store.getState())).not.toContain(secret);
  }
  expect(api.listApiUsers).toHaveBeenCalledTimes(2);
});

test('each secret has its own copy button, and without a clipboard it is selected for manual copying', async () => {
  const copied: string[] = [];
  const clipboard = vi.spyOn(navigator.clipboard, 'writeText').mockImplementation((text) => {
    copied.push(text);
    return copied.length < 2 ? Promise.resolve() : Promise.reject(new Error('refused'));
  });
  document.execCommand = () => false;
  await openUsers('/connections/programs', programsApi([program('ERP')]).api);
  await press('New key for ERP');
  await send('A new key for ERP');
  const button = (name: string) => shownOnce().getByRole('button', { name });
  await act(async () => fireEvent.click(button('Copy: API key')));
  expect(button('Copy: API key').textContent).toBe('Copied');
  await act(async () => fireEvent.click(button('Copy: Client secret')));
  expect(copied).toEqual(['psk_the-key', 'pss_the-secret']);
  expect(shownOnce().getByText('Selected: press Ctrl+C.')).toBeTruthy();
  expect(String(getSelection())).toContain('pss_the-secret');
  clipboard.mockRestore();
});

test('a turbo key has no example request, because it allows no requests', async () => {
  const { api } = programsApi([]);
  await openUsers('/connections/programs', api);
  await press('Add a program');
  await type('Name', 'ERP');
  await choose(/^Gateway/);
  await send('Add a program');
  expect(shownOnce().getByText('psk_the-key')).toBeTruthy();
  expect(shownOnce().queryByText(/curl/)).toBeNull();
});

test.each([
  [/^Stops immediately/, 0],
  [/one more hour/, 3_600],
  [/one more day/, 86_400],
  [/one more week/, 604_800],
])('keeps the old key valid for the chosen time: %s', async (choice, seconds) => {
  const { api, asked } = programsApi([program('ERP')]);
  await openUsers('/connections/programs', api);
  await press('New key for ERP');
  await choose(choice);
  await send('A new key for ERP');
  expect(asked).toEqual([['7', seconds]]);
});

test('the confirmation to remove a program lists what stops working, and shows a refusal', async () => {
  const refusal = new ApiError('conflict', 'The key of ERP comes from PICKSTATION_API_KEY.');
  const { api } = programsApi([program('ERP')]);
  await openUsers('/connections/programs', { ...api, removeApiUser: () => Promise.reject(refusal) });
  await press('Remove ERP');
  const question = within(screen.getByRole('alertdialog', { name: 'Remove ERP?' }));
  expect(question.getByText(/access tokens of ERP stop working/)).toBeTruthy();
  await act(async () => fireEvent.click(question.getByRole('button', { name: 'Remove' })));
  expect(question.getByRole('alert').textContent).toBe(refusal.message);
});

test('a removed program disappears from the list', async () => {
  let programs = [program('ERP', { created: AT })];
  const removeApiUser = () => {
    programs = [];
    return Promise.resolve();
  };
  await openUsers('/connections/programs', { listApiUsers: () => Promise.resolve(programs), removeApiUser });
  await press('Remove ERP');
  await press('Remove');
  expect(screen.getByText('No programs yet')).toBeTruthy();
});
