import { act, fireEvent, screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import type { NewUser, User, UserChange } from '#shared/api/access.ts';
import { ApiError } from '../../../renderer/src/words/apiError.ts';
import { SAVED } from '../settings/settingsPageSupport.tsx';
import { choose, everythingLeft, manage, openUsers, person, press, send, type } from './usersSupport.tsx';
import type { Stubs } from '../support.tsx';

const PEOPLE = [
  person('Ann', { role: 'admin' }),
  person('Jo', { sessions: 2 }),
  person('Lu', { last_sign_in: null, sessions: 0 }),
];
const LAST_ADMIN = new ApiError('conflict', 'Ann is the only admin. Make somebody else one first.');

/** Returns a fake station with these users. It records the requests. */
function peopleApi(people: readonly User[] = PEOPLE) {
  let known = people;
  const added: NewUser[] = [];
  const changes: [string, UserChange][] = [];
  const api = {
    listUsers: vi.fn(() => Promise.resolve(known)),
    addUser({ body: user }) {
      added.push(user);
      const one = person(user.username, { role: user.role, last_sign_in: null, sessions: 0 });
      known = [...known, one];
      return Promise.resolve(one);
    },
    changeUser({ path: { username }, body: change }) {
      changes.push([username, change]);
      return Promise.resolve(person(username));
    },
    removeUser({ path: { username } }) {
      known = known.filter((user) => user.username !== username);
      return Promise.resolve();
    },
  } satisfies Partial<Stubs>;
  return { api, added, changes };
}

const rows = () => within(screen.getByRole('list', { name: 'People who can sign in' })).getAllByRole('listitem');
const words = () => rows().map((row) => row.textContent);
const dialog = () => within(screen.getByRole('dialog'));

test('lists each user with role, last sign-in and sessions, and marks the current user', async () => {
  await openUsers('/settings/people', peopleApi().api);
  const [ann, jo, lu] = words();
  expect(ann).toMatch(/Annyou/);
  expect(ann).toContain('Admin');
  expect(jo).toMatch(/Picker.*Signed in .*2 open sessions/);
  expect(jo).not.toContain('you');
  expect(lu).toMatch(/Never signed in/);
});

test.each(['/settings/people', '/connections/programs', '/settings/kiosks', '/settings/activity'])(
  'at %s, a user who is not an admin sees “Admins only”, and the page sends no requests',
  async (path) => {
    const load = vi.fn(() => Promise.resolve([]));
    const calls = { listUsers: load, listApiUsers: load, listKiosks: load, listAudit: load };
    await openUsers(path, calls, 'control');
    expect(screen.getByRole('heading', { name: 'Admins only' })).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Go to Settings' }).getAttribute('href')).toBe('/settings');
    expect(screen.queryByRole('tab')).toBeNull();
    expect(load).not.toHaveBeenCalled();
  },
);

test('adds a user with a role and a typed password, and lists the user immediately', async () => {
  const { api, added } = peopleApi();
  await openUsers('/settings/people', api);
  await press('Add a person');
  await type('Name', ' Mia ');
  await choose(/^Admin/);
  await type('Password', 'typed by hand');
  await send('Add a person');
  expect(added).toEqual([{ username: 'Mia', role: 'admin', password: 'typed by hand' }]);
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(words().at(-1)).toContain('Mia');
});

test('shows a generated password once and leaves no trace of it', async () => {
  const { api, added } = peopleApi();
  await openUsers('/settings/people', api);
  await press('Add a person');
  await type('Name', 'Mia');
  await press('Easy words');
  await send('Add a person');
  const password = added[0]?.password ?? '';
  expect(password).toMatch(/^[a-z]+(-[a-z]+){4}$/);
  const told = within(screen.getByRole('alertdialog', { name: 'Tell Mia' }));
  expect(told.getByText(password)).toBeTruthy();
  await press('I have passed it on');
  expect(everythingLeft()).not.toContain(password);
});

test('after adding a user, shows the address of the station, or that only this machine can open it', async () => {
  const addresses = ['http://127.0.0.1:4680/'];
  const getSettings = async () => ({ ...SAVED, exposure: { ...SAVED.exposure, addresses: [...addresses] } });
  const { api } = peopleApi();
  await openUsers('/settings/people', { ...api, getSettings });
  await addMia();
  const told = within(screen.getByRole('alertdialog', { name: 'Tell Mia' }));
  expect(told.getByText(/^Only this machine can open the station, so Mia can sign in only here\./)).toBeTruthy();
  expect(told.queryByText('Address')).toBeNull();
  await press('I have passed it on');
  addresses.push('http://192.168.2.10:4680/');
  await addMia();
  const again = within(screen.getByRole('alertdialog', { name: 'Tell Mia' }));
  expect(again.getByText('http://192.168.2.10:4680/')).toBeTruthy();
  expect(again.queryByText(/^Only this machine/)).toBeNull();
});

async function addMia(): Promise<void> {
  await press('Add a person');
  await type('Name', 'Mia');
  await press('Easy words');
  await send('Add a person');
}

test('reports invalid input at its field before it sends anything', async () => {
  const { api, added } = peopleApi();
  await openUsers('/settings/people', api);
  await press('Add a person');
  await type('Password', 'short');
  await send('Add a person');
  expect(added).toEqual([]);
  expect(dialog().getByText('Enter a name.')).toBeTruthy();
  expect(dialog().getByText('Too short: add 3 characters.')).toBeTruthy();
  await press('Random characters');
  expect(dialog().queryByText(/Too short/)).toBeNull();
});

test('asks before closing the form if something was typed', async () => {
  await openUsers('/settings/people', peopleApi().api);
  await press('Add a person');
  await press('Close');
  expect(screen.queryByRole('dialog')).toBeNull();
  await press('Add a person');
  await type('Name', 'Mia');
  await press('Close');
  await press('Stay');
  expect(dialog().getByLabelText('Name')).toHaveProperty('value', 'Mia');
});

test('reports at the field that a name is already taken', async () => {
  const taken = new ApiError('conflict', 'Jo already exists. Choose another name.', [
    { path: '/username', message: 'People and API users have different names.' },
  ]);
  await openUsers('/settings/people', { ...peopleApi().api, addUser: () => Promise.reject(taken) });
  await press('Add a person');
  await type('Name', 'jo');
  await type('Password', 'long enough');
  await send('Add a person');
  expect(screen.getByLabelText('Name').getAttribute('aria-invalid')).toBe('true');
  expect(dialog().getByText('Jo already exists. Choose another name.')).toBeTruthy();
});

test('shows in the dialog why the last admin cannot become a picker', async () => {
  await openUsers('/settings/people', { ...peopleApi().api, changeUser: () => Promise.reject(LAST_ADMIN) });
  await manage('Ann', 'Change the role…');
  await choose(/^Picker/);
  expect(dialog().getByText(/lose access to this page/)).toBeTruthy();
  await send('Role of Ann');
  expect(dialog().getByRole('alert').textContent).toBe(LAST_ADMIN.message);
});

test('shows in the confirmation why the last admin cannot be removed', async () => {
  await openUsers('/settings/people', { ...peopleApi().api, removeUser: () => Promise.reject(LAST_ADMIN) });
  await manage('Ann', 'Remove…');
  await press('Remove');
  const question = within(screen.getByRole('alertdialog', { name: 'Remove Ann?' }));
  expect(question.getByRole('alert').textContent).toBe(LAST_ADMIN.message);
});

test('an admin who becomes a picker no longer sees the lists', async () => {
  const { api, changes } = peopleApi([...PEOPLE, person('Eve', { role: 'admin' })]);
  await openUsers('/settings/people', api);
  await manage('Ann', 'Change the role…');
  await choose(/^Picker/);
  await send('Role of Ann');
  expect(changes).toEqual([['Ann', { role: 'picker' }]]);
  expect(screen.getByRole('heading', { name: 'Admins only' })).toBeTruthy();
});

test('warns that setting a password for another user signs that user out', async () => {
  const { api, changes } = peopleApi();
  await openUsers('/settings/people', api);
  await manage('Jo', 'Set a password…');
  expect(dialog().getByText(/signed out everywhere/)).toBeTruthy();
  await type('Password', 'for jo alone');
  await send('New password for Jo');
  expect(changes).toEqual([['Jo', { password: 'for jo alone' }]]);
  expect(api.listUsers).toHaveBeenCalledTimes(2);
});

test("the current user's menu links to their password in Settings, and offers to sign out other sessions", async () => {
  await openUsers('/settings/people', peopleApi([person('Ann', { role: 'admin', sessions: 2 })]).api);
  await press('Manage Ann');
  expect(screen.getByRole('menuitem', { name: 'Sign out everywhere else…' })).toBeTruthy();
  await act(async () => fireEvent.click(screen.getByRole('menuitem', { name: 'Change your password in Settings' })));
  expect(window.location.pathname).toBe('/settings');
});

test('signs a user out everywhere and removes a user, each after one confirmation', async () => {
  const { api, changes } = peopleApi();
  await openUsers('/settings/people', api);
  await manage('Jo', 'Sign out everywhere…');
  expect(changes).toEqual([]);
  await press('Sign out');
  expect(changes).toEqual([['Jo', { end_sessions: true }]]);
  await manage('Jo', 'Remove…');
  await press('Remove');
  expect(words().some((row) => row?.includes('Jo'))).toBe(false);
});

test('reloads the list when the window receives the focus', async () => {
  const { api } = peopleApi();
  await openUsers('/settings/people', api);
  await api.removeUser({ path: { username: 'Jo' } });
  expect(rows()).toHaveLength(3);
  await act(async () => window.dispatchEvent(new Event('focus')));
  expect(rows()).toHaveLength(2);
});

test('a list that cannot be loaded shows the reason and can be retried', async () => {
  const listUsers = vi
    .fn<Stubs['listUsers']>()
    .mockRejectedValueOnce(new ApiError('unreachable', 'The station does not answer.'))
    .mockResolvedValue(PEOPLE);
  await openUsers('/settings/people', { listUsers });
  expect(screen.getByText('The station does not answer.')).toBeTruthy();
  await press('Try again');
  expect(rows()).toHaveLength(3);
});
