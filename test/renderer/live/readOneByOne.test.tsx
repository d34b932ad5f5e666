import { act, fireEvent, screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, expectTypeOf, test, vi } from 'vitest';
import { LoadFailure, NotLoaded } from '../../../renderer/src/kit/feedback/EmptyState.tsx';
import type { Subject } from '../../../renderer/src/station/queries.ts';
import { type Loaded, useStationQuery } from '../../../renderer/src/station/useStationQuery.ts';
import { ApiError } from '../../../renderer/src/words/apiError.ts';
import { show, station, testContext } from '../support.tsx';

/** Shows a loaded value, with buttons that report a change, reload it or switch to a different query. */
function Reader({ load }: { load(): Promise<string> }) {
  const [version, setVersion] = useState(0);
  const [subject, setSubject] = useState<Subject>('users');
  const read = useStationQuery([subject], load, { version });
  return (
    <>
      <p>{`${read.value ?? 'nothing'} ${read.status === 'failed' ? read.failure : ''}`}</p>
      <output>{read.status}</output>
      {read.value === undefined ? (
        <NotLoaded of={read} failed="No users." />
      ) : (
        <LoadFailure of={read} failed="Not the newest." />
      )}
      <button type="button" onClick={() => setVersion(version + 1)}>
        news
      </button>
      <button type="button" onClick={() => setSubject('audit')}>
        other
      </button>
      <button type="button" onClick={read.reload}>
        reload
      </button>
    </>
  );
}

async function openReader() {
  const answers: { resolve(value: string): void; reject(error: Error): void }[] = [];
  const load = vi.fn(() => new Promise<string>((resolve, reject) => answers.push({ resolve, reject })));
  const context = testContext({ station: station(), connection: { kind: 'live' } }, {});
  const { unmount } = await act(async () => show(context, <Reader load={load} />));
  const press = (name: string) => act(async () => fireEvent.click(screen.getByRole('button', { name })));
  const answer = (index: number, value: string) => act(async () => answers[index]?.resolve(value));
  const refuse = (index: number, error: Error) => act(async () => answers[index]?.reject(error));
  const said = () => screen.getAllByRole('paragraph')[0]?.textContent;
  const status = () => screen.getByRole('status').textContent;
  const alarm = () => screen.queryByRole('alert')?.textContent;
  return { context, load, press, answer, refuse, said, status, alarm, unmount };
}

test('many changes during a load cause one reload', async () => {
  const { load, press, answer, said } = await openReader();
  for (let time = 0; time < 20; time += 1) await press('news');
  expect(load).toHaveBeenCalledTimes(1);
  await answer(0, 'first');
  expect(said()).toBe('first ');
  expect(load).toHaveBeenCalledTimes(2);
  await answer(1, 'second');
  expect(said()).toBe('second ');
  expect(load).toHaveBeenCalledTimes(2);
});

test('a manual reload or a different query does not wait for the current load', async () => {
  const { load, press, answer, said } = await openReader();
  await press('reload');
  expect(load).toHaveBeenCalledTimes(2);
  await press('other');
  expect(load).toHaveBeenCalledTimes(3);
  await answer(0, 'old');
  await answer(1, 'old too');
  expect(said()).toBe('nothing ');
  await answer(2, 'two');
  expect(said()).toBe('two ');
});

test('repeats an unanswered load once the connection is back', async () => {
  const { context, load, answer, said } = await openReader();
  await act(async () => context.store.setState({ connection: { kind: 'lost', sinceAt: 0 } }));
  await act(async () => context.store.setState({ connection: { kind: 'live' } }));
  expect(load).toHaveBeenCalledTimes(2);
  await answer(0, 'of the one before');
  expect(said()).toBe('nothing ');
  await answer(1, 'new');
  expect(said()).toBe('new ');
});

test('keeps the earlier data after a failure, and does not reload once the page is closed', async () => {
  const { load, press, answer, refuse, said, unmount } = await openReader();
  await answer(0, 'first');
  await press('news');
  await refuse(1, new Error('gone'));
  expect(said()).toMatch(/^first ./);
  await press('news');
  await press('news');
  unmount();
  await answer(2, 'late');
  expect(load).toHaveBeenCalledTimes(3);
});

test('a read is waiting until its first answer, and then stays loaded or failed until the next answer', async () => {
  const { press, answer, refuse, said, status, alarm } = await openReader();
  expect([status(), said()]).toEqual(['waiting', 'nothing ']);
  expect(screen.getByText('Loading…')).toBeDefined();
  await refuse(0, new ApiError('internal', 'The disk is full.'));
  expect([status(), said()]).toEqual(['failed', 'nothing The disk is full.']);
  expect(alarm()).toBe('No users. The disk is full.Try again');
  await press('Try again');
  expect(status()).toBe('failed');
  await answer(1, 'first');
  expect([status(), said(), alarm()]).toEqual(['loaded', 'first ', undefined]);
  await press('reload');
  expect(status()).toBe('loaded');
  await refuse(2, new ApiError('internal', 'The disk is full.'));
  expect([status(), said()]).toEqual(['failed', 'first The disk is full.']);
  expect(alarm()).toBe('Not the newest. The disk is full.Try again');
  await press('other');
  expect([status(), said()]).toEqual(['waiting', 'nothing ']);
});

test('only a failed read has a failure, and only a loaded read is sure to have a value', () => {
  type Of<S> = Extract<Loaded<string>, { status: S }>;
  expectTypeOf<Loaded<string>>().not.toHaveProperty('failure');
  expectTypeOf<Of<'waiting'>['value']>().toEqualTypeOf<undefined>();
  expectTypeOf<Of<'loaded'>['value']>().toEqualTypeOf<string>();
  expectTypeOf<Of<'failed'>>().toExtend<{ value: string | undefined; failure: string }>();
});
