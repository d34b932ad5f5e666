/**
 * Repeats `vendor_nonce` of a payload under a second name, for receivers that expect it. Unchanged without an alias,
 * without a `vendor_nonce`, or if the payload already has a field of that name.
 */
export function withNonceAlias<T extends object>(payload: T, alias: string): T {
  if (alias === '' || !('vendor_nonce' in payload) || Object.hasOwn(payload, alias)) return payload;
  return { ...payload, [alias]: payload.vendor_nonce };
}
