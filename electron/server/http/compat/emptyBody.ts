/**
 * The text of a body; undefined if it is empty, whatever the content type. Who sends that: clients that set the JSON type for
 * each call, also for launch, abort and DELETE, which need no body. Contract, section 2.
 */
export function textUnlessEmpty(body: unknown): string | undefined {
  return typeof body === 'string' && body !== '' ? body : undefined;
}
