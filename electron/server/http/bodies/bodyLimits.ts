import { pointerOf } from '#shared/lib/station/jsonPointer.ts';
import { StationError } from '../../errors.ts';

/** Maximum number of fields in one object. With many more fields, lookups would take quadratic time. */
export const MAX_FIELDS = 512;
/** Maximum nesting depth of objects and lists, or of elements in XML. */
export const MAX_DEPTH = 32;
/** Maximum number of elements in one list. */
export const MAX_ELEMENTS = 10_000;
/** Maximum number of fields and elements in a whole body, to limit memory. This is twice what ten thousand devices with all fields need. */
export const MAX_VALUES = 500_000;
/** Maximum number of characters in a name or a number. */
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

/**
 * Returns the error for a body that exceeds a limit or repeats a name in one object. `names` are the fields and indexes that lead to the
 * fault.
 */
export function beyondLimit(what: keyof typeof TOO_MANY, names: readonly (string | number)[]): StationError {
  const path = pointerOf(names);
  const message = TOO_MANY[what];
  return new StationError('invalid', `${path === '' ? 'The body' : path}: ${message}`, [{ path, message }]);
}
