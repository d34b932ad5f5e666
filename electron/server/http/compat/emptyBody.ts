/**
 * The bytes of a body. Undefined if it is empty: some clients set the JSON content type for every call, even launch, abort and DELETE,
 * which need no body. Contract, section 2.
 */
export function bytesUnlessEmpty(body: unknown): Buffer | undefined {
  return Buffer.isBuffer(body) && body.length > 0 ? body : undefined;
}
