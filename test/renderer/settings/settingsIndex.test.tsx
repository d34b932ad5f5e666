import { act, fireEvent, screen, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { readGroup } from '../../../renderer/src/features/settings/groups.ts';
import { settingsApi, open, field, fill, save } from './settingsPageSupport.tsx';

beforeEach(() => window.history.replaceState(null, '', '/settings'));

const index = () => within(screen.getByRole('navigation', { name: 'Groups of settings' }));
const linked = () =>
  index()
    .getAllByRole('link')
    .map((link) => link.textContent);
const find = (value: string) =>
  act(async () => fireEvent.change(screen.getByRole('searchbox', { name: 'Search settings' }), { target: { value } }));

test('the index has lists for the shop, picking, the system and the user', async () => {
  await open(settingsApi().api);
  const lists = index().getAllByRole('list');
  expect(lists.map((list) => document.getElementById(list.getAttribute('aria-labelledby') ?? '')?.textContent)).toEqual(
    ['Shop', 'Picking', 'System', 'You'],
  );
  expect(
    lists.map((list) =>
      within(list)
        .getAllByRole('link')
        .map(({ textContent }) => textContent),
    ),
  ).toEqual([
    ['Name and address', 'Alerts', 'Devices'],
    ['Orders', 'Pickers'],
    [
      'Network and security',
      'Automatic backups',
      'Backup and restore',
      'Retention',
      'Updates',
      'Defaults',
      'About and diagnostics',
    ],
    ['Sounds', 'Account'],
  ]);
});

test('the index links to every group that this user can see', async () => {
  await open(settingsApi().api);
  const headings = screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent);
  expect(linked()).toEqual(headings);
  for (const link of index().getAllByRole('link')) {
    const section = document.getElementById(link.getAttribute('href')?.slice(1) ?? '');
    expect(section?.querySelector('h2')?.textContent).toBe(link.textContent);
  }
  expect(index().getByRole('link', { current: 'location' })).toBeTruthy();
});

test('a user who is not an admin sees only some groups', async () => {
  await open(settingsApi().api, 'control');
  expect(linked()).toEqual(['About and diagnostics', 'Sounds', 'Account']);
});

test('the search shows and highlights matching groups, and keeps the input in hidden ones', async () => {
  const { api, calls } = settingsApi();
  await open(api);
  fill('Port', '4999');
  fireEvent.blur(field('Port'));
  await find('gateway offline');
  expect(linked()).toEqual(['Alerts']);
  expect(screen.queryByRole('form', { name: 'Network and security' })).toBeNull();
  expect(screen.getByRole('form', { name: 'Alerts' }).querySelector('mark')?.textContent).toBe('Gateway offline');
  await find('zebra');
  expect(screen.getByText('No setting matches')).toBeTruthy();
  const [clear] = screen.getAllByRole('button', { name: 'Show all settings' }).slice(-1);
  await act(async () => fireEvent.click(clear ?? document.body));
  expect(linked().length).toBeGreaterThan(9);
  await save('Network and security');
  expect(calls).toEqual([{ port: 4999 }]);
});

test('scrolls to the group in the address once the settings are loaded', async () => {
  window.history.replaceState(null, '', '/settings#kept');
  const seen: string[] = [];
  vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(function (this: Element) {
    seen.push(this.id);
  });
  await open(settingsApi().api);
  expect(seen).toEqual(['kept']);
  vi.restoreAllMocks();
});

test('the current group is the last one that starts near the top edge, or the last group at the end of the page', () => {
  const tops = (...all: [number, number, number]) =>
    (['callbacks', 'orders', 'mail'] as const).map((id, at) => ({ id, top: all[at] ?? 0 }));
  expect(readGroup(tops(0, 500, 900), false)).toBe('callbacks');
  expect(readGroup(tops(-600, 40, 500), false)).toBe('orders');
  expect(readGroup(tops(300, 800, 900), false)).toBe('callbacks');
  expect(readGroup(tops(-600, -100, 300), true)).toBe('mail');
  expect(readGroup([], false)).toBeUndefined();
});
