import { useState } from 'react';
import { useAct } from '../../useAct.ts';
import { ApiError, sentenceOf } from '../../words/apiError.ts';
import type { FieldProblems } from './fieldProblems.ts';

export type FieldMessages = Readonly<Record<string, string>>;

type Options<Input> = {
  /** The values of the fields, as plain data. */
  draft: unknown;
  /** Validates before saving. Returns errors by field. */
  check?: ((input: Input) => FieldMessages) | undefined;
  save(input: Input): Promise<void>;
  /** Assigns an error to fields, if their names differ from those in requests or some are missing here. */
  problemsOf?: ((error: unknown) => FieldProblems) | undefined;
};

const NOTHING = { byField: {}, rest: '' } as const;

/**
 * Checks and saves what is typed in a form, once at a time. `problems`: errors by field; `failure`: a sentence about the rest. Both are
 * hidden once the values have changed since the last submit.
 */
export function useSubmit<Input = void>({ draft, check, save, problemsOf = problemsByPath }: Options<Input>) {
  const typed = JSON.stringify(draft);
  const [said, setSaid] = useState<{ typed: string; problems: FieldProblems }>({ typed, problems: NOTHING });
  const { busy, run } = useAct(async (input: Input) => {
    try {
      await save(input);
    } catch (error) {
      setSaid({ typed, problems: problemsOf(error) });
    }
  });
  const { byField: problems, rest: failure }: FieldProblems = said.typed === typed ? said.problems : NOTHING;
  return {
    problems,
    failure,
    busy,
    submit(input: Input): void {
      if (busy) return;
      const byField = check?.(input) ?? {};
      setSaid({ typed, problems: { byField, rest: '' } });
      if (Object.keys(byField).length === 0) run(input);
    },
  };
}

/** The station's messages by field. For a conflict, shows the message of the whole error, which names the taken value. */
function problemsByPath(error: unknown): FieldProblems {
  const { code, fields, message } = error instanceof ApiError ? error : { code: '', fields: [], message: '' };
  const byField = Object.fromEntries(
    fields.map((field) => [field.path.slice(1), code === 'conflict' ? message : field.message]),
  );
  return { byField, rest: fields.length > 0 ? '' : sentenceOf(error) };
}
