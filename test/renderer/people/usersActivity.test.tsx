import { act, cleanup, fireEvent, screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { AUDIT_ACTIONS, type AuditEntry } from '#shared/api/access.ts';
import { auditWords } from '../../../renderer/src/features/people/auditWords.ts';
import { ApiError } from '../../../renderer/src/words/apiError.ts';
import { entry, openUsers, press } from './usersSupport.tsx';
import type { Stubs } from '../support.tsx';

const told = (given: Partial<AuditEntry>) => {
  const { who, what } = auditWords(entry('1', given));
  return `${who} ${what}`;
};
const lines = () =>
  screen
    .queryAllByRole('list', { name: 'Activity, newest first' })
    .flatMap((list) => within(list).getAllByRole('listitem'))
    .map((line) => line.textContent);
const look = (text: string) =>
  act(async () => fireEvent.change(screen.getByRole('searchbox'), { target: { value: text } }));
const page = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => entry(String(from - index), { by: `person ${from - index}` }));

test('describes every action in words', () => {
  for (const action of AUDIT_ACTIONS) {
    const words = told({ action, subject: 'Jo', detail: {} });
    expect(words, action).not.toContain(action);
    expect(words, action).not.toMatch(/undefined/);
  }
  expect(told({ action: 'user.added', subject: 'Jo', detail: { role: 'picker' } })).toBe('Ann added Jo as a picker');
  const changed = { changed: ['role', 'sessions'], role: 'admin' } satisfies AuditEntry['detail'];
  expect(told({ action: 'user.changed', subject: 'Jo', detail: changed })).toBe(
    'Ann made Jo an admin and signed Jo out everywhere',
  );
  expect(told({ action: 'apiUser.rotated', subject: 'ERP', detail: { grace_seconds: 604_800 } })).toBe(
    'Ann replaced the key of ERP · the old one works for 7 days',
  );
  expect(told({ action: 'settings.changed', detail: { settings: ['callback_url', 'unheard_of'] } })).toBe(
    'Ann changed settings: callback URL, unheard_of',
  );
  expect(told({ action: 'apiUser.added', by: '', subject: 'API key', detail: { method: 'environment' } })).toBe(
    'The station created a key for API key · set by the environment',
  );
});

test('describes a refused sign-in with the user name, or says that the user does not exist', () => {
  const refused = { action: 'session.refused', by: '' } as const;
  expect(told({ ...refused, subject: 'Jo', detail: { method: 'password' } })).toBe(
    'Somebody entered a wrong password for Jo',
  );
  expect(told({ ...refused, detail: { method: 'password' } })).toBe('Somebody was refused: no such user');
  expect(told({ ...refused, detail: { method: 'key', tries: 1 } })).toBe('Somebody sent an unknown key');
  expect(told({ ...refused, detail: { method: 'key', tries: 7 } })).toBe('Somebody sent an unknown key · 7 tries');
});

test('describes changes to places with their device and the previous value', () => {
  const at = { deviceid: '51D000:000002' };
  expect(told({ action: 'alias.added', subject: 'A-1', detail: at })).toBe('Ann added the alias A-1 for 51D000:000002');
  expect(told({ action: 'alias.changed', subject: 'A-2', detail: { ...at, before: 'A-1' } })).toBe(
    'Ann changed the alias A-2, now for 51D000:000002 · it was A-1',
  );
  expect(told({ action: 'alias.removed', subject: 'A-1', detail: at })).toBe(
    'Ann deleted the alias A-1 for 51D000:000002',
  );
  expect(told({ action: 'aliases.imported', detail: { rows: { new: 1_200, changed: 3 } } })).toBe(
    'Ann imported aliases: 1,200 new, 3 changed',
  );
  expect(told({ action: 'aliases.importUndone', detail: { rows: { undone: 1 } } })).toBe(
    'Ann undid an import: 1 alias',
  );
  expect(told({ action: 'device.replaced', subject: '51D000:000001', detail: at })).toBe(
    'Ann replaced the device 51D000:000001 with 51D000:000002',
  );
});

test('lists actions with user and address, newest first', async () => {
  const listAudit = () =>
    Promise.resolve([
      entry('2', { action: 'device.removed', subject: '51D000:000001', address: '::ffff:10.0.0.9' }),
      entry('1', { address: '127.0.0.1' }),
    ]);
  await openUsers('/settings/activity', { listAudit });
  expect(lines()).toEqual([
    expect.stringMatching(/^\d\d:\d\dAnn removed the device 51D000:000001from 10\.0\.0\.9$/),
    expect.stringMatching(/Ann signed infrom this machine$/),
  ]);
  expect(screen.getByText('No more entries.')).toBeTruthy();
});

test('the search finds entries that contain every word, and a filter selects a kind of entry', async () => {
  const listAudit = () =>
    Promise.resolve([
      entry('3', { action: 'apiUser.added', subject: 'ERP', detail: { scope: 'read' } }),
      entry('2', { action: 'session.refused', by: '', subject: 'Jo', detail: { method: 'password' } }),
      entry('1'),
    ]);
  await openUsers('/settings/activity', { listAudit });
  await look('key ANN');
  expect(lines()).toEqual([expect.stringContaining('ERP')]);
  await look('');
  await act(async () => fireEvent.click(screen.getByRole('radio', { name: 'Sign-ins' })));
  expect(lines()).toHaveLength(2);
  await look('nowhere');
  expect(screen.getByText('Nothing matches')).toBeTruthy();
  expect(screen.getByText('Searched all 3 entries.')).toBeTruthy();
  expect(window.location.search).toBe('?show=signIns&q=nowhere');
  cleanup();
  await openUsers('/settings/activity?show=signIns&q=jo', { listAudit });
  expect(lines()).toEqual([expect.stringContaining('Jo')]);
});

test('loads older entries on request, and keeps the loaded entries if that fails', async () => {
  const listAudit = vi
    .fn<Stubs['listAudit']>()
    .mockResolvedValueOnce(page(250, 100))
    .mockRejectedValueOnce(new ApiError('unreachable', 'The station does not answer.'))
    .mockResolvedValueOnce(page(150, 100))
    .mockResolvedValueOnce(page(50, 50));
  await openUsers('/settings/activity', { listAudit });
  await press('Show older');
  expect(screen.getByText(/Older entries could not be loaded. The station does not answer./)).toBeTruthy();
  expect(lines()).toHaveLength(100);
  await press('Show older');
  await press('Show older');
  expect(listAudit.mock.calls.map(([{ query }]) => query.after)).toEqual([undefined, '151', '151', '51']);
  expect(lines()).toHaveLength(250);
  expect(screen.queryByRole('button', { name: 'Show older' })).toBeNull();
});

test('when more than one page is new, drops the older entries instead of leaving a gap', async () => {
  const listAudit = vi
    .fn<Stubs['listAudit']>()
    .mockResolvedValueOnce(page(200, 100))
    .mockResolvedValueOnce(page(100, 100))
    .mockResolvedValueOnce(page(450, 100));
  await openUsers('/settings/activity', { listAudit });
  await press('Show older');
  await act(async () => window.dispatchEvent(new Event('focus')));
  expect(lines()).toHaveLength(100);
  expect(lines().at(-1)).toContain('person 351');
  expect(screen.getByRole('button', { name: 'Show older' })).toBeTruthy();
});
