/**
 * Numbers that others remember go on behind what another life of the same data folder may have given out: a backup that
 * was restored, or a copy. docs/decisions/0011-a-restored-folder-repeats-no-number.md says why this way.
 */
export type IdFloors = { commandId: number; revision: number };

/** Command ids are tokens on the wire: 2^32 of them, so a quarter of a second each lasts for 25 years at the least. */
const COMMAND_ID_MS = 250;
/** A wall clock that is wrong by decades must leave numbers for the time after it. */
const HIGHEST_COMMAND_FLOOR = 2 ** 31;

/**
 * Command ids of another data folder begin somewhere else: a press that a device holds for an older station names none of this
 * one's. A quarter of all numbers, so that the other bounds hold.
 */
export const FIRST_COMMANDS = 2 ** 30;

/**
 * What each number must exceed from a start at `now` on, in a data folder that was made at `createdAt`, epoch milliseconds, and
 * whose commands began behind `firstCommand`.
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
