import { useMutation } from '@tanstack/react-query';
import { sentenceOf } from '../words/apiError.ts';
import { useStationContext } from './context.ts';

/** How the last run of a write ended. Only a failed one has a `failure`, a sentence. */
type Outcome<Input, T> =
  | { status: 'idle' }
  | { status: 'running'; input: Input }
  | { status: 'done'; value: T }
  | { status: 'failed'; failure: string; error: unknown };

export type Act<Input, T> = Outcome<Input, T> & {
  busy: boolean;
  run(input: Input): void;
  /** Forgets how the last run ended. Does nothing while one is running. For handlers of events, not for the write itself. */
  clear(): void;
};

/** A write that a person starts. Of several runs at once, the page shows the last one. `failed`: the first part of the failure. */
export function useAct<T, Input = void>(act: (input: Input) => Promise<T>, failed = ''): Act<Input, T> {
  const { client } = useStationContext().queries;
  const { mutate, reset, ...last } = useMutation<T, unknown, Input>({ mutationFn: act }, client);
  return {
    ...outcomeOf(last, failed),
    busy: last.isPending,
    run: mutate,
    clear() {
      if (last.isError || last.isSuccess) reset();
    },
  };
}

type Last<Input, T> =
  | { status: 'idle' }
  | { status: 'pending'; variables: Input }
  | { status: 'success'; data: T }
  | { status: 'error'; error: unknown };

function outcomeOf<Input, T>(last: Last<Input, T>, failed: string): Outcome<Input, T> {
  switch (last.status) {
    case 'idle':
      return { status: 'idle' };
    case 'pending':
      return { status: 'running', input: last.variables };
    case 'success':
      return { status: 'done', value: last.data };
    case 'error':
      return { status: 'failed', failure: `${failed} ${sentenceOf(last.error)}`.trim(), error: last.error };
  }
}
