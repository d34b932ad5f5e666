/** Decodes UTF-8 without its byte order mark. Returns undefined if the bytes are not UTF-8, instead of replacing characters. */
export function exactText(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
