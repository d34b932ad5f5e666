import { StationError } from '../../errors.ts';

const MAX_CHARACTERS = 200;

/** Returns an idempotency key. Throws `invalid` if it is empty or too long. `what` names it in the message. */
export function checkedKey(key: string, what: string): string {
  if (key !== '' && key.length <= MAX_CHARACTERS) return key;
  throw invalidKey(
    `${what} has to have 1 to ${MAX_CHARACTERS} characters. Use one text for each intended action, such as launch SO-1001.`,
  );
}

/** Returns the idempotency key in `key` of a body, if any, and the body without it. Throws `invalid` for an invalid key. */
export function keyInBody(body: unknown): { key: string | undefined; rest: unknown } {
  if (typeof body !== 'object' || body === null || Array.isArray(body) || !Object.hasOwn(body, 'key')) {
    return { key: undefined, rest: body };
  }
  const { key, ...rest } = body as { key: unknown };
  if (key === null) return { key: undefined, rest };
  if (typeof key !== 'string' && typeof key !== 'number') throw invalidKey('/key: A key has to be a text or a number.');
  return { key: checkedKey(String(key), '/key: A key'), rest };
}

export function invalidKey(message: string): StationError {
  return new StationError('invalid', message, [{ path: '/key', message }]);
}
