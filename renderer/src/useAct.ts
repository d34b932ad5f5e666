import { useState } from 'react';
import { sentenceOf } from './words/apiError.ts';

/** The state of the last run. `failure` is a sentence for the user if the run failed. */
type Outcome<Input, T> =
  | { status: 'idle' }
  | { status: 'running'; input: Input }
  | { status: 'done'; value: T }
  | { status: 'failed'; failure: string; error: unknown };

export type Act<Input, T> = Outcome<Input, T> & {
  busy: boolean;
  run(input: Input): void;
  /** Forgets the result of the last run. Does nothing while a run is in progress. */
  clear(): void;
};

const IDLE = { status: 'idle' } as const;

/**
 * Tracks an action that a person starts. If the action is started several times, only the last run counts. `failed`
 * is the first part of the error message.
 */
export function useAct<T, Input = void>(act: (input: Input) => Promise<T>, failed = ''): Act<Input, T> {
  const [outcome, setOutcome] = useState<Outcome<Input, T>>(IDLE);

  async function run(input: Input): Promise<void> {
    const running: Outcome<Input, T> = { status: 'running', input };
    const end = (next: Outcome<Input, T>): void => setOutcome((last) => (last === running ? next : last));
    setOutcome(running);
    try {
      end({ status: 'done', value: await act(input) });
    } catch (error) {
      end({ status: 'failed', failure: `${failed} ${sentenceOf(error)}`.trim(), error });
    }
  }

  return {
    ...outcome,
    busy: outcome.status === 'running',
    run: (input) => void run(input),
    clear: () => setOutcome((last) => (last.status === 'running' ? last : IDLE)),
  };
}
