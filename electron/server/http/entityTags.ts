import { createHash } from 'node:crypto';
import { StationError } from '../errors.ts';

/** Characters of a digest: 96 bits of the whole answer, 48 bits of a field. */
const WHOLE = 16;
const FIELD = 8;

/**
 * Entity tag of an answer: a digest of the whole answer, then a digest of each field that a change can set. A change is refused only if
 * its own fields have changed, without storing older versions. Contract, section 2.
 */
export function entityTag(answer: object, fields: readonly string[]): string {
  // Only the answer to a change has warnings.
  const { warnings: _, ...whole } = answer as Record<string, unknown>;
  return `"${digest(whole, WHOLE)}${fields.map((field) => digest(valueOf(whole, field), FIELD)).join('')}"`;
}

/** Whether an `If-None-Match` header matches this tag. */
export function isNamed(header: string | undefined, tag: string): boolean {
  return header !== undefined && (header.trim() === '*' || tagsIn(header).includes(tag));
}

/**
 * Throws `changed` if no tag of an `If-Match` header matches. `current`: the current answer; `fields`: the fields in its tag; `set`: the
 * fields that the change sets.
 */
export function refuseChanged(
  header: string | undefined,
  current: object,
  { fields, set }: { fields: readonly string[]; set: readonly string[] },
): void {
  if (header === undefined || header.trim() === '*') return;
  const now = entityTag(current, fields);
  const differences = tagsIn(header).map((tag) =>
    fields.filter((field, at) => set.includes(field) && isOther(tag, now, at)),
  );
  if (differences.some((changed) => changed.length === 0)) return;
  const [changed = []] = differences;
  throw new StationError(
    'changed',
    `Changed since you read it: ${changed.join(', ')}. Nothing was done. Read it again, and repeat the change if it still fits.`,
    changed.map((field) => ({ path: `/${field}`, message: 'It has changed since you read it.' })),
  );
}

/** Whether the tags differ in the field at this index, or have different lengths. */
function isOther(tag: string, now: string, index: number): boolean {
  const from = 1 + WHOLE + index * FIELD;
  return tag.length !== now.length || tag.slice(from, from + FIELD) !== now.slice(from, from + FIELD);
}

/** The tags in a header, without the prefix `W/`. */
function tagsIn(header: string): string[] {
  return header.match(/"[^"]*"/g) ?? [''];
}

/** The value of a field. For a secret: whether it is set. */
function valueOf(answer: Readonly<Record<string, unknown>>, field: string): unknown {
  return answer[field] ?? answer[`${field}_set`] ?? null;
}

/** Sorts fields for `JSON.stringify`, so that their order does not change the digest. */
function inOrder(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

function digest(value: unknown, characters: number): string {
  return createHash('sha256').update(JSON.stringify(value, inOrder)).digest('base64url').slice(0, characters);
}
