import type { FieldError } from '#shared/api/problem.ts';
import { LINE_FIELDS, STATIC_FIELDS } from '#shared/lib/requests/deviceFields.ts';
import { ApiError, sentenceOf } from '../../words/apiError.ts';
import * as texts from '../../words/texts.ts';

/** Error messages by field. */
export type FieldMessages = Readonly<Record<string, string>>;

export type FieldProblems = {
  byField: FieldMessages;
  /** Messages about errors that belong to no field of the form. */
  rest: string;
};

export const NO_PROBLEMS: FieldProblems = { byField: {}, rest: '' };

/**
 * Assigns the errors of a failed call to the fields of a form. At least one of `byField` and `rest` is not empty. `failed` says what did
 * not happen, and precedes errors without a field.
 */
export function problemsOf(error: unknown, fields: ReadonlySet<string>, failed = ''): FieldProblems {
  const { byField, rest } = assignErrors(error instanceof ApiError ? error.fields : [], fields);
  if (Object.keys(byField).length > 0 && rest === '') return { byField, rest };
  const said = rest === '' ? inLabels(sentenceOf(error)) : rest;
  return { byField, rest: `${failed} ${said}`.trim() };
}

/** Assigns errors to the fields of a form by the JSON Pointers of the errors. */
export function assignErrors(errors: readonly FieldError[], fields: ReadonlySet<string>): FieldProblems {
  const byField: Record<string, string> = {};
  const rest: string[] = [];
  for (const { path, message } of errors) {
    const field = path.split('/').at(-1) ?? '';
    if (fields.has(field)) byField[field] = inLabels(message);
    else rest.push(inLabels(message));
  }
  return { byField, rest: rest.join(' ') };
}

const LABELS = new Map<string, string>([
  ...LINE_FIELDS.map((field, at): [string, string] => [field, texts.form.line(at + 1)]),
  ...STATIC_FIELDS.map((field): [string, string] => [field, texts.statics.lines[field]]),
  ['qrcode', texts.form.qrcode],
  ['locationoverride', texts.deviceSettings.label],
]);
const QUOTED = /("[^"]*")/;

/** Replaces API names in a message with field labels. Quoted text stays unchanged. */
export function inLabels(sentence: string): string {
  const parts = sentence.split(QUOTED);
  return parts.map((part, at) => (at % 2 === 1 ? part : part.replaceAll(/\w+/g, labelOf))).join('');
}

function labelOf(word: string): string {
  return LABELS.get(word) ?? word;
}
