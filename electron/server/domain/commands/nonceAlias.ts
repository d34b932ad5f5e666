/**
 * Repeats the payload's `vendor_nonce` under a second name for receivers that expect it. Returns the payload unchanged if `alias` is empty,
 * if it has no `vendor_nonce`, or if it already has a field of that name.
 */
export function withNonceAlias<T extends object>(payload: T, alias: string): T {
  if (alias === '' || !('vendor_nonce' in payload) || Object.hasOwn(payload, alias)) return payload;
  return { ...payload, [alias]: payload.vendor_nonce };
}
