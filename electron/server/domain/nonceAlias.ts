/**
 * The same payload with its `vendor_nonce` under one more name, for receivers that know it by that. Unchanged without an
 * alias, without a `vendor_nonce`, and where the payload has a field of that name already.
 */
export function withNonceAlias<T extends object>(payload: T, alias: string): T {
  if (alias === '' || !('vendor_nonce' in payload) || Object.hasOwn(payload, alias)) return payload;
  return { ...payload, [alias]: payload.vendor_nonce };
}
