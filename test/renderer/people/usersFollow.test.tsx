import { userOf } from '../../helpers/snapshots.ts';
import { act, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import type { Fact } from '#shared/api/station.ts';
import type { StationContext } from '../../../renderer/src/station/context.ts';
import { applyMessages, takeSnapshot } from '../../../renderer/src/station/live/store.ts';
import { AT, entry, openUsers, person, program } from './usersSupport.tsx';
import { station, type Stubs } from '../support.tsx';

/** Sends facts with the next revision. */
const tell = ({ store }: StationContext, ...facts: Fact[]) =>
  act(async () => {
    const revision = (store.getState().station?.revision ?? 0) + 1;
    applyMessages(store, [{ kind: 'facts', revision, facts }]);
  });

test('the list of people reloads when somebody else changes access', async () => {
  const listUsers = vi
    .fn<Stubs['listUsers']>()
    .mockResolvedValueOnce([person('Ann')])
    .mockResolvedValue([person('Ann'), person('Mia')]);
  const context = await openUsers('/settings/people', { listUsers });
  expect(screen.queryByText('Mia')).toBeNull();
  await tell(context, { type: 'settings.changed' });
  expect(listUsers).toHaveBeenCalledTimes(1);
  await tell(context, { type: 'settings.changed' }, { type: 'access.changed' });
  expect(screen.getByText('Mia')).toBeTruthy();
  expect(listUsers).toHaveBeenCalledTimes(2);
});

test('the lists of keys, kiosks and activity also reload', async () => {
  const listApiUsers = vi
    .fn<Stubs['listApiUsers']>()
    .mockResolvedValueOnce([program('ERP')])
    .mockResolvedValue([]);
  const programs = await openUsers('/connections/programs', { listApiUsers });
  await tell(programs, { type: 'access.changed' });
  expect(screen.queryByText('ERP')).toBeNull();

  const listKiosks = vi
    .fn<Stubs['listKiosks']>()
    .mockResolvedValueOnce([{ id: '1', name: 'Bench 1', created: AT, sessions: 0 }])
    .mockResolvedValue([]);
  const kiosks = await openUsers('/settings/kiosks', { listKiosks });
  expect(screen.getByText('Bench 1')).toBeTruthy();
  await tell(kiosks, { type: 'access.changed' });
  expect(screen.queryByText('Bench 1')).toBeNull();

  const listAudit = vi
    .fn<Stubs['listAudit']>()
    .mockResolvedValueOnce([])
    .mockResolvedValue([entry('1', { action: 'apiUser.removed', subject: 'ERP' })]);
  const activity = await openUsers('/settings/activity', { listAudit });
  await tell(activity, { type: 'access.changed' });
  expect(screen.getByText(/removed the key of ERP/)).toBeTruthy();
});

test('the list reloads after a snapshot', async () => {
  const listUsers = vi
    .fn<Stubs['listUsers']>()
    .mockResolvedValueOnce([person('Ann')])
    .mockResolvedValue([person('Ann'), person('Mia')]);
  const { store } = await openUsers('/settings/people', { listUsers });
  const user = userOf('Ann', 'admin');
  await act(async () => takeSnapshot(store, { station: { ...station(), user, revision: 99 }, clockSkewMs: 0 }));
  expect(screen.getByText('Mia')).toBeTruthy();
});
