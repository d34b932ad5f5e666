/** Parses a whole number from 0. Returns undefined if the text is empty or invalid. */
export function readWhole(typed: string): number | undefined {
  return /^\s*\d{1,15}\s*$/.test(typed) ? Number(typed) : undefined;
}
