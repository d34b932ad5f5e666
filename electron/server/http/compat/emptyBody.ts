/**
 * The bytes of a body; undefined if it is empty, whatever the content type. Who sends that: clients that set the JSON type for
 * each call, also for launch, abort and DELETE, which need no body. Contract, section 2.
 */
export function bytesUnlessEmpty(body: unknown): Buffer | undefined {
  return Buffer.isBuffer(body) && body.length > 0 ? body : undefined;
}
