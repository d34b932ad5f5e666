/** The value of a text; undefined if it is not JSON, as a row of a crafted backup may be. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
