/**
 * Lower limits of ids and revisions, above those that a backup, a restore or a copy of this data folder may have given
 * out before. docs/decisions/0011-a-restored-folder-repeats-no-number.md has the reasons.
 */
export type IdFloors = { commandId: number; revision: number };

/** Command ids are 32-bit tokens on the wire: one per quarter of a second lasts at least 25 years. */
const COMMAND_ID_MS = 250;
/** Leaves numbers for the time after a wall clock that was wrong by decades. */
const HIGHEST_COMMAND_FLOOR = 2 ** 31;

/**
 * Range of the random first command id of a data folder, so that a press held for another station's command matches
 * none of ours. A quarter of all numbers, so that the other limits hold.
 */
export const FIRST_COMMANDS = 2 ** 30;

/**
 * Lower limits for a start at `now`, in a data folder created at `createdAt` (epoch milliseconds), whose commands began
 * after `firstCommand`.
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
