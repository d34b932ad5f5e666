/** Parses a JSON object from a column. Returns an empty object if the text is damaged. */
export function parseObject(text: string): object {
  const value = parseJson(text);
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
}

/** Parses JSON. Returns undefined for other text, which a crafted backup may contain. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
