/**
 * The bytes of a body; undefined if it is empty. Some clients send the JSON content type with every request, even if launch, abort or
 * DELETE has no body. Contract, section 2.
 */
export function bytesUnlessEmpty(body: unknown): Buffer | undefined {
  return Buffer.isBuffer(body) && body.length > 0 ? body : undefined;
}
