import { describe, expect, test } from 'vitest';
import type { SequenceState, StepState } from '#shared/api/sequence.ts';
import { next, type Run, type RunEvent, type StepEnd } from '../../../electron/server/domain/orders/sequence.ts';

const LETTERS = {
  p: 'pending',
  A: 'active',
  k: 'acknowledged',
  t: 'timed_out',
  c: 'cancelled',
} as const satisfies Record<string, StepState>;

/** Creates a run from steps written as `pp|p`: each letter is a state, and `|` separates the orders. */
function run(state: SequenceState, groups: string, orders: readonly number[] = [1, 5, 1_000]): Run {
  const steps = groups
    .split('|')
    .flatMap((group, index) =>
      Array.from(group, (letter) => ({ order: orders[index] ?? 0, state: LETTERS[letter as keyof typeof LETTERS] })),
    );
  return { state, steps };
}

const launched: RunEvent = { kind: 'launched' };
const reset: RunEvent = { kind: 'reset' };
const ended = (step: number, as: StepEnd): RunEvent => ({ kind: 'ended', step, as });

describe('the effect of an event', () => {
  test.each<[string, [SequenceState, string], RunEvent, [SequenceState, string]]>([
    ['a launch starts the lowest order together', ['unstarted', 'pp|p'], launched, ['in-progress', 'AA|p']],
    [
      'a group goes on while one of it is lit',
      ['in-progress', 'AA|p'],
      ended(0, 'acknowledged'),
      ['in-progress', 'kA|p'],
    ],
    [
      'its last acknowledgement starts the next',
      ['in-progress', 'kA|pp|p'],
      ended(1, 'acknowledged'),
      ['in-progress', 'kk|AA|p'],
    ],
    ['the very last completes it', ['in-progress', 'k|A'], ended(1, 'acknowledged'), ['completed', 'k|k']],
    ['a timeout halts it', ['in-progress', 'AA|p'], ended(1, 'timed_out'), ['stalled', 'At|p']],
    ['so does what was taken away', ['in-progress', 'A|p'], ended(0, 'cancelled'), ['stalled', 'c|p']],
    ['a sibling can be acknowledged afterwards', ['stalled', 'At|p'], ended(0, 'acknowledged'), ['stalled', 'kt|p']],
    ['or time out as well', ['stalled', 'At|p'], ended(0, 'timed_out'), ['stalled', 'tt|p']],
    ['a launch lights what halted it; what is lit stays', ['stalled', 'Atck|p'], launched, ['in-progress', 'AAAk|p']],
    ['then it goes on', ['in-progress', 'kA|p'], ended(1, 'acknowledged'), ['in-progress', 'kk|A']],
    ['a launch of what is complete begins anew', ['completed', 'kk|k'], launched, ['in-progress', 'AA|p']],
    ['a reset begins anew, wherever it stands', ['stalled', 'kt|p'], reset, ['unstarted', 'pp|p']],
    ['and of what is complete', ['completed', 'k|k'], reset, ['unstarted', 'p|p']],
  ])('%s', (_, from, event, to) => {
    expect(next(run(...from), event)).toEqual(run(...to));
  });

  test('follows the order numbers, not the positions of the steps', () => {
    const orders = [7, 0, 3];
    const first = next(run('unstarted', 'p|p|p', orders), launched);
    expect(first).toEqual(run('in-progress', 'p|A|p', orders));
    expect(next(first, ended(1, 'acknowledged'))).toEqual(run('in-progress', 'p|k|A', orders));
  });

  test('keeps the other fields of a step', () => {
    const { steps } = next({ state: 'unstarted', steps: [{ order: 1, state: 'pending', id: 7 }] }, launched);
    expect(steps).toEqual([{ order: 1, state: 'active', id: 7 }]);
  });
});

describe('events that change nothing', () => {
  test('a launch of a running sequence', () => {
    const running = run('in-progress', 'kA|p');
    expect(next(running, launched)).toBe(running);
  });

  test('a reset of a sequence that was never launched', () => {
    const unstarted = run('unstarted', 'pp');
    expect(next(unstarted, reset)).toBe(unstarted);
  });

  const ENDS: StepEnd[] = ['acknowledged', 'timed_out', 'cancelled'];
  test.each<[SequenceState, string]>([
    ['unstarted', 'p'],
    ['in-progress', 'kA|p'],
    ['stalled', 'kt|p'],
    ['stalled', 'c|p'],
    ['completed', 'k'],
  ])('the end of a step that is not lit: %s %s', (state, groups) => {
    const before = run(state, groups);
    for (const [index, step] of before.steps.entries()) {
      if (step.state === 'active') continue;
      for (const as of ENDS) expect(next(before, ended(index, as))).toBe(before);
    }
  });

  test('the end of a step that does not exist', () => {
    const running = run('in-progress', 'A');
    for (const index of [-1, 1, 0.5]) expect(next(running, ended(index, 'acknowledged'))).toBe(running);
  });
});
