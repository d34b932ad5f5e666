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

/** Creates a run from steps written as `pp|p`. Each letter is a state, and `|` separates steps of different orders. */
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
    ['a launch lights all steps of the lowest order', ['unstarted', 'pp|p'], launched, ['in-progress', 'AA|p']],
    [
      'a group continues while one of its steps is lit',
      ['in-progress', 'AA|p'],
      ended(0, 'acknowledged'),
      ['in-progress', 'kA|p'],
    ],
    [
      'the last acknowledgement in a group starts the next group',
      ['in-progress', 'kA|pp|p'],
      ended(1, 'acknowledged'),
      ['in-progress', 'kk|AA|p'],
    ],
    [
      'the last acknowledgement completes the sequence',
      ['in-progress', 'k|A'],
      ended(1, 'acknowledged'),
      ['completed', 'k|k'],
    ],
    ['a timeout stalls the sequence', ['in-progress', 'AA|p'], ended(1, 'timed_out'), ['stalled', 'At|p']],
    ['a canceled step stalls the sequence', ['in-progress', 'A|p'], ended(0, 'cancelled'), ['stalled', 'c|p']],
    [
      'a different step in a stalled group can be acknowledged',
      ['stalled', 'At|p'],
      ended(0, 'acknowledged'),
      ['stalled', 'kt|p'],
    ],
    [
      'a different step in a stalled group can time out',
      ['stalled', 'At|p'],
      ended(0, 'timed_out'),
      ['stalled', 'tt|p'],
    ],
    [
      'a launch of a stalled sequence lights the failed steps again, and lit steps stay lit',
      ['stalled', 'Atck|p'],
      launched,
      ['in-progress', 'AAAk|p'],
    ],
    [
      'a relaunched sequence continues after the acknowledgement',
      ['in-progress', 'kA|p'],
      ended(1, 'acknowledged'),
      ['in-progress', 'kk|A'],
    ],
    ['a launch of a completed sequence starts it again', ['completed', 'kk|k'], launched, ['in-progress', 'AA|p']],
    ['a reset returns a stalled sequence to the beginning', ['stalled', 'kt|p'], reset, ['unstarted', 'pp|p']],
    ['a reset returns a completed sequence to the beginning', ['completed', 'k|k'], reset, ['unstarted', 'p|p']],
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
