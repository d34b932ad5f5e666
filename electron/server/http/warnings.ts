import type { Response } from 'express';
import type { FieldError } from '#shared/api/problem.ts';
import { inWords } from '../services/commands/index.ts';
import { isObject } from './compat/looseValues.ts';
import { isRaw } from './endpoint.ts';

/** Header for warnings, as a JSON array in ASCII. Needed for responses without a field for them. */
export const WARNINGS_HEADER = 'x-pickstation-warnings';
/** Maximum length of the header in characters, well below what clients accept for all headers together. */
const MAX_HEADER_CHARACTERS = 6_000;

/** Whether `warnings` can be added to a response. Returns false for lists, files and empty responses. */
export function takesWarnings(answer: unknown): answer is Readonly<Record<string, unknown>> {
  return isObject(answer) && !isRaw(answer);
}

/** Adds warnings about the request before those in the response. */
export function withWarnings<Answer>(answer: Answer, warnings: readonly string[]): Answer {
  if (warnings.length === 0 || !takesWarnings(answer)) return answer;
  const { warnings: own } = answer;
  return { ...answer, warnings: [...warnings, ...(Array.isArray(own) ? (own as string[]) : [])] };
}

/** Adds a warning for each unknown field to a response. */
export function withUnknown(answer: unknown, unknown: readonly FieldError[]): unknown {
  return withWarnings(answer, unknown.map(inWords));
}

/** Sets the warnings of a response that has no body. */
export function setWarnings(res: Response, warnings: readonly string[]): void {
  if (warnings.length > 0) res.setHeader(WARNINGS_HEADER, warningsHeader(warnings));
}

/** Formats the warnings as a header value. If some do not fit, the last element says how many. */
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
