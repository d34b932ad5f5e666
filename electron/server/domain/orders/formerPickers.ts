/** A picker that a line had, or null if it had none, and the time until which it had this picker. */
export type FormerPicker = readonly [picker: string | null, until: number];

/** When something happened, and the time now. Both differ if the report of it was held. */
export type When = { at: number; now: number };

/** The number of former pickers that are stored. The time before the first of that many is unknown. */
export const MAX_FORMER = 8;

/**
 * Returns who had a line at a time, or undefined if that is unknown. Times after `now` were recorded before the clock was set back, and do
 * not count.
 */
export function pickerAt(
  { picker, former }: { picker: string | null; former: readonly FormerPicker[] },
  { at, now }: When,
): string | null | undefined {
  const index = former.findIndex(([, until]) => at < until && until <= now);
  if (index === 0 && former.length === MAX_FORMER) return undefined;
  return index === -1 ? picker : former[index]?.[0];
}
