/**
 * The text of a body; undefined where there is none, whatever content type announces one. Who sends that: clients that set the
 * type of JSON for each call, and have nothing to say to launch, abort and DELETE. Contract, section 2.
 */
export function textUnlessEmpty(body: unknown): string | undefined {
  return typeof body === 'string' && body !== '' ? body : undefined;
}
