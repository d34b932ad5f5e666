import { act, fireEvent, screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import type { SettingsAnswer } from '#shared/api/settings.ts';
import { askBefore } from '../../../renderer/src/features/settings/draft.ts';
import { SAVED, settingsApi, openGroups, group, save, choose } from './settingsPageSupport.tsx';

test('Basic authentication is off, and turning it on explains the risk', async () => {
  const { calls, api } = settingsApi();
  await openGroups(api, 'network');
  const basic = screen.getByRole('switch', { name: /^User name and password with each request/ });
  expect(basic).toHaveProperty('checked', false);
  expect(screen.queryByText(/stores a person’s password/)).toBeNull();
  fireEvent.click(basic);
  expect(screen.getByText(/stores a person’s password/)).toBeTruthy();
  await save('Network and security');
  expect(calls).toEqual([{ basic_auth: true }]);
});

test('asks before opening the station to the network, and Cancel saves nothing', async () => {
  const { calls, api } = settingsApi();
  await openGroups(api, 'network');
  await choose('Who can reach the station', 'Every machine on the network');
  await save('Network and security');
  const dialog = () => within(screen.getByRole('alertdialog', { name: 'Open the station to the network?' }));
  expect(dialog().getByText(/Without encryption/)).toBeTruthy();
  await act(async () => fireEvent.click(dialog().getByRole('button', { name: 'Cancel' })));
  expect(calls).toEqual([]);
  await choose('Encryption \\(HTTPS\\)', 'On, with a self-signed certificate');
  await save('Network and security');
  expect(dialog().getByText(/opens when Pickstation restarts/)).toBeTruthy();
  await act(async () => fireEvent.click(dialog().getByRole('button', { name: 'Open' })));
  expect(calls).toEqual([{ listen: 'network', tls: 'generated' }]);
  expect(screen.queryByRole('alertdialog')).toBeNull();
});

test('shows how the station can be reached, with warnings, above the settings', async () => {
  const exposure: SettingsAnswer['exposure'] = {
    listens: 'network',
    host_argument: '0.0.0.0',
    port_argument: null,
    addresses: ['https://127.0.0.1:4680/', 'https://192.168.1.7:4680/'],
    certificate: { kind: 'generated', fingerprint: 'AB:CD:EF', ends_at: '2029-02-17T00:00:00.000Z', pem: 'PEM of it' },
    next_start: ['tls'],
    warnings: [{ code: 'basic_auth', message: 'Other machines may try passwords.' }],
  };
  const { calls, api } = settingsApi(undefined, { ...SAVED, exposure });
  await openGroups(api, 'network');
  const network = group('Network and security');
  for (const text of ['https://192.168.1.7:4680/', 'AB:CD:EF', 'Other machines may try passwords.']) {
    expect(network.getByText(text)).toBeTruthy();
  }
  expect(network.getByText(/valid until 17 February 2029/)).toBeTruthy();
  expect(network.getByText('After the next restart, this setting takes effect: encryption.')).toBeTruthy();
  expect(network.getByText(/Started with --host 0\.0\.0\.0/)).toBeTruthy();
  const saved: Blob[] = [];
  vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => {
    saved.push(file as Blob);
    return 'blob:certificate';
  });
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockReturnValue();
  await act(async () => fireEvent.click(network.getByRole('button', { name: 'Save certificate' })));
  vi.restoreAllMocks();
  expect(await saved[0]?.text()).toBe('PEM of it');
  // If the station was started with --host, the choice has no effect, so the page does not ask.
  await choose('Who can reach the station', 'Every machine on the network');
  await save('Network and security');
  expect(calls).toEqual([{ listen: 'network' }]);
});

test('asks before an admin closes the station to the network in use, or turns encryption off on an open station', () => {
  const open: SettingsAnswer = { ...SAVED, listen: 'network', exposure: { ...SAVED.exposure, listens: 'network' } };
  const titleOf = (...asked: Parameters<typeof askBefore>) => askBefore(...asked)?.title;
  expect(titleOf({ listen: 'this_machine' }, open, '192.168.1.7')).toBe('Close the station to the network?');
  for (const host of ['127.0.0.1', 'localhost', '[::1]']) {
    expect(titleOf({ listen: 'this_machine' }, open, host), host).toBeUndefined();
  }
  expect(titleOf({ tls: 'off' }, { ...open, tls: 'generated' }, 'localhost')).toBe('Turn encryption off?');
  expect(titleOf({ tls: 'off' }, { ...SAVED, tls: 'generated' }, 'localhost')).toBeUndefined();
  const certificate = { kind: 'given', fingerprint: 'AB', ends_at: '2029-02-17T00:00:00.000Z', pem: 'PEM' } as const;
  const given = { ...open, exposure: { ...open.exposure, certificate } };
  expect(titleOf({ tls: 'off' }, given, 'localhost')).toBeUndefined();
});
