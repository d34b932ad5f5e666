/**
 * Returns the bytes of a body, or undefined if the body is empty. Some clients send the JSON content type with every request, even for
 * launch, abort or DELETE, which have no body. Contract, section 2.
 */
export function bytesUnlessEmpty(body: unknown): Buffer | undefined {
  return Buffer.isBuffer(body) && body.length > 0 ? body : undefined;
}
