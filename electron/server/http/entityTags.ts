import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { StationError } from '../errors.ts';
import type { WrittenAnswer } from './bodies/formats.ts';

/** Lengths of digests in characters: 96 bits for the whole response, 48 bits for a field. */
const WHOLE = 16;
const FIELD = 8;

/**
 * Returns the entity tag of a response: a digest of the encoded response, then a digest of each field that a change can set. JSON and XML
 * have different tags, but the same field digests. With the field digests, a change is refused only if the fields that it sets have
 * changed, and older versions need not be stored. Contract, section 2.
 */
export function entityTag(
  { chunks }: Pick<WrittenAnswer, 'chunks'>,
  answer: object,
  fields: readonly string[],
): string {
  const all = createHash('sha256');
  for (const chunk of chunks) all.update(chunk);
  const digests = fields.map((field) => fieldDigest(answer, field));
  return `"${all.digest('base64url').slice(0, WHOLE)}${digests.join('')}"`;
}

/** Whether an `If-None-Match` header matches this tag. */
export function isNamed(header: string | undefined, tag: string): boolean {
  return header !== undefined && (header.trim() === '*' || tagsIn(header).includes(tag));
}

/**
 * Throws `changed` if no tag in an `If-Match` header matches. `current` is the current response or its changeable fields, `fields` are the
 * fields in its tag, and `set` are the fields that the change sets.
 */
export function refuseChanged(
  header: string | undefined,
  current: object,
  { fields, set }: { fields: readonly string[]; set: readonly string[] },
): void {
  if (header === undefined || header.trim() === '*') return;
  const length = WHOLE + fields.length * FIELD + 2;
  if (!tagsIn(header).some((tag) => tag.length === length)) {
    throw new StationError(
      'changed',
      'The header If-Match has no ETag of this resource. Nothing was done. Read it again, and send its ETag as it came.',
    );
  }
  const now = new Map(set.map((field) => [field, fieldDigest(current, field)]));
  const digestIn = (tag: string, field: string): string | undefined => {
    const from = 1 + WHOLE + fields.indexOf(field) * FIELD;
    return tag.length === length ? tag.slice(from, from + FIELD) : undefined;
  };
  const differences = tagsIn(header).map((tag) =>
    fields.filter((field) => now.has(field) && now.get(field) !== digestIn(tag, field)),
  );
  if (differences.some((changed) => changed.length === 0)) return;
  const [changed = []] = differences;
  throw new StationError(
    'changed',
    `Changed since you read it: ${changed.join(', ')}. Nothing was done. Read it again, and repeat the change if it still fits.`,
    changed.map((field) => ({ path: `/${field}`, message: 'It has changed since you read it.' })),
  );
}

/**
 * Throws `invalid` if there is an `If-Match` header that the endpoint cannot check, because ignoring the header could overwrite somebody
 * else's change.
 */
export function refuseCondition(header: string | undefined): void {
  if (header === undefined || header.trim() === '*') return;
  throw new StationError(
    'invalid',
    'This call cannot check the header If-Match, so nothing was done. Send it without that header.',
  );
}

/** Returns warnings about conditional headers (RFC 9110, section 13.1) that are ignored for changes, because only `If-Match` is checked. */
export function ignoredConditions(headers: IncomingHttpHeaders): string[] {
  return [
    ...(headers['if-unmodified-since'] === undefined ? [] : ['If-Unmodified-Since']),
    ...(headers['if-none-match'] === undefined ? [] : ['If-None-Match']),
  ].map((name) => `The header ${name} is not checked. To change only what you have read, send its ETag in If-Match.`);
}

/** Returns the tags in a header, without the prefix `W/`. */
function tagsIn(header: string): string[] {
  return header.match(/"[^"]*"/g) ?? [''];
}

/** Returns the digest of a field's value. For a secret, this is a digest of whether the secret is set. */
function fieldDigest(answer: object, field: string): string {
  const values = answer as Readonly<Record<string, unknown>>;
  const text = JSON.stringify(values[field] ?? values[`${field}_set`] ?? null, inOrder) ?? 'null';
  return createHash('sha256').update(text).digest('base64url').slice(0, FIELD);
}

/** Replacer for `JSON.stringify` that sorts fields, so that their order does not change the digest. */
function inOrder(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
