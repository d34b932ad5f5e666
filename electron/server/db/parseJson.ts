/** The JSON object in a column; empty if the text is damaged. */
export function parseObject(text: string): object {
  const value = parseJson(text);
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
}

/** The value of a text; undefined if it is not JSON, as a row of a crafted backup may be. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
