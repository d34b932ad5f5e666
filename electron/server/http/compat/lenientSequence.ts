import { newSequenceSchema, newStepSchema } from '#shared/api/sequence.ts';
import { kindsOf, lenientFields, MAX_NAMED, unknownFields } from './lenientFields.ts';
import { isObject } from './looseValues.ts';

const readSequence = lenientFields({ sequenceid: 'text', sequencenonce: 'text' });
const readStep = lenientFields(kindsOf(newStepSchema.shape));

const SEQUENCE_FIELDS = new Set(Object.keys(newSequenceSchema.shape));
const STEP_FIELDS = new Set(Object.keys(newStepSchema.shape));

/**
 * Converts a sequence of old clients to the canonical form: numeric strings to numbers, numbers in text fields to text. An empty
 * string or null means "not given", in its steps as well. Who sends it: an ERP that fills a template from any row, so that each
 * step has both `device` and `location`, one of them empty. Contract, sections 2, 4 and 7.
 */
export function lenientSequence(body: unknown): unknown {
  const read = readSequence(body);
  if (!isObject(read) || !Array.isArray(read['steps'])) return read;
  return { ...read, steps: read['steps'].map(readStep) };
}

/** The first unknown fields of a sequence and its steps, for warnings about typing errors. */
export function unknownSequenceFields(body: unknown): string[] {
  if (!isObject(body)) return [];
  const steps: unknown[] = Array.isArray(body['steps']) ? body['steps'] : [];
  const unknown = new Set(unknownFields(body, (field) => SEQUENCE_FIELDS.has(field)));
  for (const step of steps) {
    if (unknown.size >= MAX_NAMED) break;
    for (const field of unknownFields(step, (each) => STEP_FIELDS.has(each))) unknown.add(field);
  }
  return [...unknown].slice(0, MAX_NAMED);
}
