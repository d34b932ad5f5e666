import { useState } from 'react';
import { sentenceOf } from './words/apiError.ts';

/** How the last run of an action ended. Only a failed one has a `failure`, a sentence. */
type Outcome<Input, T> =
  | { status: 'idle' }
  | { status: 'running'; input: Input }
  | { status: 'done'; value: T }
  | { status: 'failed'; failure: string; error: unknown };

export type Act<Input, T> = Outcome<Input, T> & {
  busy: boolean;
  run(input: Input): void;
  /** Forgets how the last run ended. Does nothing while one is running. */
  clear(): void;
};

const IDLE = { status: 'idle' } as const;

/** An action that a person starts. Of several runs at once, the page shows the last one. `failed`: the first part of the failure. */
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
