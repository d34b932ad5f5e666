import { useState } from 'react';
import { useAct } from '../../useAct.ts';
import { ApiError, sentenceOf } from '../../words/apiError.ts';
import { isSame } from '../isSame.ts';
import type { FieldMessages, FieldProblems } from './fieldProblems.ts';

type Options<Input> = {
  /** The values of the fields, as plain data. */
  draft: unknown;
  /** Validates the input before saving and returns errors by field. */
  check?: ((input: Input) => FieldMessages) | undefined;
  save(input: Input): Promise<void>;
  /** Assigns an error to fields. Needed if field names differ from those in requests, or if the form lacks some of the fields. */
  problemsOf?: ((error: unknown) => FieldProblems) | undefined;
};

/**
 * Validates and saves a form, one submit at a time. `problems` contains errors by field, each hidden once its field
 * has changed since the last submit. `failure` is a sentence about all other errors, hidden once any field has
 * changed.
 */
export function useSubmit<Input = void>({ draft, check, save, problemsOf = problemsByPath }: Options<Input>) {
  const [refused, setRefused] = useState<FieldProblems & { draft: unknown }>({ draft, byField: {}, rest: '' });
  const { busy, run } = useAct(async (input: Input) => {
    try {
      await save(input);
    } catch (error) {
      setRefused({ draft, ...problemsOf(error) });
    }
  });
  const standing = Object.entries(refused.byField).filter(([name]) =>
    isSame(fieldOf(refused.draft, name), fieldOf(draft, name)),
  );
  return {
    problems: Object.fromEntries(standing),
    failure: isSame(refused.draft, draft) ? refused.rest : '',
    busy,
    submit(input: Input): void {
      if (busy) return;
      const byField = check?.(input) ?? {};
      setRefused({ draft, byField, rest: '' });
      if (Object.keys(byField).length === 0) run(input);
    },
  };
}

/**
 * Returns the value of a field, or the whole draft if it has no such field: it can also be a list or a single value.
 */
function fieldOf(draft: unknown, name: string): unknown {
  const fields: Readonly<Record<string, unknown>> = { ...(draft as object) };
  return name in fields ? fields[name] : draft;
}

/**
 * Returns the station's messages by field. For a conflict, uses the message of the whole error, because it names the
 * value that is already in use.
 */
function problemsByPath(error: unknown): FieldProblems {
  const { code, fields, message } = error instanceof ApiError ? error : { code: '', fields: [], message: '' };
  const byField = Object.fromEntries(
    fields.map((field) => [field.path.slice(1), code === 'conflict' ? message : field.message]),
  );
  return { byField, rest: fields.length > 0 ? '' : sentenceOf(error) };
}
