import type { FieldError } from '#shared/api/problem.ts';
import { inWords } from '../services/commands/index.ts';
import { isObject } from './compat/looseValues.ts';
import { isRaw } from './endpoint.ts';

/** Header for the warnings of an answer without a field for them: a JSON array in ASCII. */
export const WARNINGS_HEADER = 'x-pickstation-warnings';
/** Maximum length of the header, well below what clients accept for all headers together. */
const MAX_HEADER_CHARACTERS = 6_000;

/** Whether `warnings` can be added to an answer. False for lists, files and empty answers. */
export function takesWarnings(answer: unknown): answer is Readonly<Record<string, unknown>> {
  return isObject(answer) && !isRaw(answer);
}

/** Adds warnings about the request before the answer's own warnings. */
export function withWarnings<Answer>(answer: Answer, warnings: readonly string[]): Answer {
  if (warnings.length === 0 || !takesWarnings(answer)) return answer;
  const { warnings: own } = answer;
  return { ...answer, warnings: [...warnings, ...(Array.isArray(own) ? (own as string[]) : [])] };
}

/** Adds a warning for each unknown field. */
export function withUnknown(answer: unknown, unknown: readonly FieldError[]): unknown {
  return withWarnings(answer, unknown.map(inWords));
}

/** Formats the warnings as a header value. If some do not fit, gives their number instead. */
export function warningsHeader(warnings: readonly string[]): string {
  for (let kept = warnings.length; ; kept -= 1) {
    const more = warnings.length - kept;
    const shown = more === 0 ? warnings : [...warnings.slice(0, kept), `And ${more} more.`];
    const text = JSON.stringify(shown).replace(
      /[\u007f-\uffff]/g,
      (tx) => `\\u${tx.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
    if (text.length <= MAX_HEADER_CHARACTERS || kept === 0) return text;
  }
}
