/**
 * Lower limits for ids and revisions, above all values that a backup, a restore or a copy of this data folder may already have assigned.
 * See docs/decisions/0011-a-restored-folder-repeats-no-number.md.
 */
export type IdFloors = { commandId: number; revision: number };

/** Command ids are 32-bit tokens on the wire. One id per quarter of a second lasts for at least 25 years. */
const COMMAND_ID_MS = 250;
/** Upper limit of the part that grows with age. Leaves enough ids even if the wall clock was wrong by decades. */
const HIGHEST_COMMAND_FLOOR = 2 ** 31;

/**
 * Range of the random first command id in a data folder, so that a press that was held for another station's command does not match a
 * command here. Covers a quarter of all numbers, so that the other limits still hold.
 */
export const FIRST_COMMANDS = 2 ** 30;

/**
 * Returns the lower limits for a start at `now`, in a data folder created at `createdAt` (both in epoch milliseconds), whose command ids
 * began after `firstCommand`.
 */
export function idFloorsAt(
  { createdAt, firstCommand }: { createdAt: number; firstCommand: number },
  now: number,
): IdFloors {
  const ageMs = Math.max(0, now - createdAt);
  return {
    commandId: firstCommand + Math.min(Math.floor(ageMs / COMMAND_ID_MS), HIGHEST_COMMAND_FLOOR),
    revision: Math.floor(ageMs),
  };
}
