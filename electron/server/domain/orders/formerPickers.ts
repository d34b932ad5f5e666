/** A former picker of a line, or null for nobody, and the time until which this person had the line. */
export type FormerPicker = readonly [picker: string | null, until: number];

/** When something happened, and the time now. They differ if the report was held. */
export type When = { at: number; now: number };

/** Number of former pickers to store. Once a line has this many, nobody knows who had it before the second of them. */
export const MAX_FORMER = 8;

/**
 * Returns who had a line at a time, or undefined if that is unknown. Ignores times after `now`, which were recorded before the clock was set
 * back.
 */
export function pickerAt(
  { picker, former }: { picker: string | null; former: readonly FormerPicker[] },
  { at, now }: When,
): string | null | undefined {
  const index = former.findIndex(([, until]) => at < until && until <= now);
  if (index === 0 && former.length === MAX_FORMER) return undefined;
  return index === -1 ? picker : former[index]?.[0];
}
