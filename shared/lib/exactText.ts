/** The text of UTF-8 bytes, without a byte order mark. Undefined if they are not UTF-8: no character is replaced. */
export function exactText(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
