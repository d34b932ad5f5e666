/** Decodes UTF-8 without its byte order mark. Undefined if the bytes are not UTF-8; never replaces a character. */
export function exactText(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
