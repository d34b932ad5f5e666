import { act, fireEvent, screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import type { Subject } from '../../../renderer/src/station/queries.ts';
import { useStationQuery } from '../../../renderer/src/station/useStationQuery.ts';
import { show, station, testContext } from '../support.tsx';

/** Shows a loaded value, with buttons that signal that it may have changed. */
function Reader({ load }: { load(): Promise<string> }) {
  const [version, setVersion] = useState(0);
  const [subject, setSubject] = useState<Subject>('users');
  const { value, failure, reload } = useStationQuery([subject], load, { version });
  return (
    <>
      <p>{`${value ?? 'nothing'} ${failure}`}</p>
      <button type="button" onClick={() => setVersion(version + 1)}>
        news
      </button>
      <button type="button" onClick={() => setSubject('audit')}>
        other
      </button>
      <button type="button" onClick={reload}>
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
  const said = () => screen.getByRole('paragraph').textContent;
  return { context, load, answers, press, answer, said, unmount };
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

test('a manual reload or another query does not wait for the current load', async () => {
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

test('repeats an unanswered load when the connection is back', async () => {
  const { context, load, answer, said } = await openReader();
  await act(async () => context.store.setState({ connection: { kind: 'lost', sinceAt: 0 } }));
  await act(async () => context.store.setState({ connection: { kind: 'live' } }));
  expect(load).toHaveBeenCalledTimes(2);
  await answer(0, 'of the one before');
  expect(said()).toBe('nothing ');
  await answer(1, 'new');
  expect(said()).toBe('new ');
});

test('a failure keeps the earlier data, and a closed page does not reload', async () => {
  const { load, answers, press, answer, said, unmount } = await openReader();
  await answer(0, 'first');
  await press('news');
  await act(async () => answers[1]?.reject(new Error('gone')));
  expect(said()).toMatch(/^first ./);
  await press('news');
  await press('news');
  unmount();
  await answer(2, 'late');
  expect(load).toHaveBeenCalledTimes(3);
});
