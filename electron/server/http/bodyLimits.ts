import { pointerOf } from '#shared/lib/jsonPointer.ts';
import { StationError } from '../errors.ts';

/** Fields of one object. With very many, lookups take quadratic time. */
export const MAX_FIELDS = 512;
/** Levels of objects and lists, counted from the outermost; in XML levels of elements. */
export const MAX_DEPTH = 32;
/** Elements of one list. */
export const MAX_ELEMENTS = 10_000;
/** Fields and elements of a whole body; bounds memory. Twice what ten thousand devices with all fields need. */
export const MAX_VALUES = 500_000;
/** Characters of a name or a number. */
export const MAX_WORD = 1_024;

export const TOO_MANY = {
  fields: `An object has at most ${MAX_FIELDS} fields. Leave out those that the station does not need.`,
  elements: `A list has at most ${MAX_ELEMENTS} elements. Send it in parts.`,
  values: `A body has at most ${MAX_VALUES} fields and elements. Send it in parts.`,
  levels: `Objects and lists are at most ${MAX_DEPTH} levels deep.`,
  name: `A field name has at most ${MAX_WORD} characters.`,
  doubled: 'This name appears twice in one object. Send each field once.',
  digits: `A number has at most ${MAX_WORD} characters.`,
} as const;

/** The refusal of a body that exceeds a limit, or has a name twice in one object. `names` are the fields and indexes that lead to the place. */
export function beyondLimit(what: keyof typeof TOO_MANY, names: readonly (string | number)[]): StationError {
  const path = pointerOf(names);
  const message = TOO_MANY[what];
  return new StationError('invalid', `${path === '' ? 'The body' : path}: ${message}`, [{ path, message }]);
}
