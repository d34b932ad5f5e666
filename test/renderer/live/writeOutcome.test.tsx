import { onlineManager } from '@tanstack/react-query';
import { act, fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, expectTypeOf, test, vi } from 'vitest';
import { type Act, useAct } from '../../../renderer/src/useAct.ts';
import { ApiError } from '../../../renderer/src/words/apiError.ts';
import { show, station, testContext } from '../support.tsx';

afterEach(() => onlineManager.setOnline(true));

function textOf(write: Act<string, number>): string {
  switch (write.status) {
    case 'idle':
      return 'idle';
    case 'running':
      return `running ${write.input}`;
    case 'done':
      return `done ${write.value}`;
    case 'failed':
      return `failed ${write.failure}`;
  }
}

function Writer({ write }: { write(what: string): Promise<number> }) {
  const last = useAct(write, 'Not saved.');
  return (
    <>
      <output>
        {textOf(last)} {last.busy && 'busy'}
      </output>
      <button type="button" onClick={() => last.run('one')}>
        one
      </button>
      <button type="button" onClick={() => last.run('two')}>
        two
      </button>
      <button type="button" onClick={last.clear}>
        clear
      </button>
    </>
  );
}

async function openWriter() {
  const answers: { resolve(value: number): void; reject(error: Error): void }[] = [];
  const write = vi.fn(() => new Promise<number>((resolve, reject) => answers.push({ resolve, reject })));
  const context = testContext({ station: station(), connection: { kind: 'live' } }, {});
  await act(async () => show(context, <Writer write={write} />));
  const press = (name: string) => act(async () => fireEvent.click(screen.getByRole('button', { name })));
  const answer = (index: number, value: number) => act(async () => answers[index]?.resolve(value));
  const refuse = (index: number, error: Error) => act(async () => answers[index]?.reject(error));
  const said = () => screen.getByRole('status').textContent.trim();
  return { write, press, answer, refuse, said };
}

test('a write is running, and then stays done or failed until the next run', async () => {
  const { press, answer, refuse, said } = await openWriter();
  expect(said()).toBe('idle');
  await press('one');
  expect(said()).toBe('running one busy');
  await refuse(0, new ApiError('internal', 'The disk is full.'));
  expect(said()).toBe('failed Not saved. The disk is full.');
  await press('two');
  expect(said()).toBe('running two busy');
  await answer(1, 2);
  expect(said()).toBe('done 2');
});

test('clearing removes the result of a finished write, but does not affect a running one', async () => {
  const { press, answer, refuse, said } = await openWriter();
  await press('one');
  await press('clear');
  expect(said()).toBe('running one busy');
  await refuse(0, new Error('gone'));
  expect(said()).toMatch(/^failed Not saved\. ./);
  await press('clear');
  expect(said()).toBe('idle');
  await press('one');
  await answer(1, 1);
  await press('clear');
  expect(said()).toBe('idle');
});

test('shows the state of the last write if several overlap', async () => {
  const { press, answer, refuse, said } = await openWriter();
  await press('one');
  await press('two');
  await refuse(0, new Error('gone'));
  expect(said()).toBe('running two busy');
  await answer(1, 2);
  expect(said()).toBe('done 2');
});

test('writes even if the browser reports that it is offline, because the station can be on this machine', async () => {
  onlineManager.setOnline(false);
  const { write, press, answer, said } = await openWriter();
  await press('one');
  expect(write).toHaveBeenCalledTimes(1);
  await answer(0, 1);
  expect(said()).toBe('done 1');
});

test('only a failed write has a failure', () => {
  expectTypeOf<Act<void, string>>().not.toHaveProperty('failure');
});
