import { newStepSchema } from '#shared/api/sequence.ts';
import { kindsOf, lenientFields } from './lenientFields.ts';
import { isObject } from './looseValues.ts';

const readSequence = lenientFields({ sequenceid: 'text', sequencenonce: 'text' });
const readStep = lenientFields(kindsOf(newStepSchema.shape));

/**
 * Converts a sequence from an old client to the canonical form: numeric strings to numbers, and numbers in text fields to text. An empty
 * string or null means "not given", also in the steps. For ERPs that fill a template from any row, so that each step has both `device` and
 * `location`, one of them empty. Contract, sections 2, 4 and 7.
 */
export function lenientSequence(body: unknown): unknown {
  const read = readSequence(body);
  if (!isObject(read) || !Array.isArray(read['steps'])) return read;
  return { ...read, steps: read['steps'].map(readStep) };
}
