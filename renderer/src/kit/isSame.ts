/** Whether two values are equal as JSON, including the order of their keys, which the station keeps. */
export function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
