/**
 * A seed that once found a defect. `caught`: the broken promise. `picks: false`: nobody picks orders. `meets: false`: pages do not have
 * current lines.
 */
export type PinnedSeed = { seed: number; picks?: false; meets?: false; caught: string };

/**
 * Run together with the first seeds. If a change alters what seeds do, find a new seed for each entry: undo the fix in
 * the code and see which seed fails.
 */
export const PINNED_SEEDS: readonly PinnedSeed[] = [
  { seed: 514, picks: false, caught: 'what a device tells over a slow link is late, and the station counts from then' },
  {
    seed: 1826,
    picks: false,
    caught: 'what a press lights is asked for by that press, and not by one that came before it',
  },
  {
    seed: 1011,
    picks: false,
    caught: 'of two presses of one moment the one counts first that was written first, timeouts beside them',
  },
  { seed: 5112, meets: false, caught: "in an order of two people, the other person's place is the wrong place" },
  {
    seed: 44,
    meets: false,
    caught: 'a press that was made before a dark line was closed and reopened is late',
  },
  {
    seed: 68,
    meets: false,
    caught: 'a bounce on a line that has been closed is late, and does not ask for another press',
  },
  {
    seed: 48,
    meets: false,
    caught: 'a press is too early even if a pause turned off its line before the press arrived',
  },
  { seed: 24, caught: 'a line that was shown briefly counts as the previous line, even if its report is late' },
  { seed: 231, caught: 'after other content, a line has no previous line, even if the report of the content is late' },
  {
    seed: 354,
    caught: 'a press that was made before “It was mine” closed its line is late, even if the line was reopened',
  },
  { seed: 131, caught: 'a press on a line without a light records the current label of its device' },
  {
    seed: 577,
    caught: 'a quantity that is confirmed at a command that a count replaced counts from what that command showed',
  },
  {
    seed: 643,
    caught: 'work that made room restarts its time, even if the other line ended before the device showed it',
  },
  { seed: 765, caught: 'a line that is lit again but never shown does not leave the screen a second time' },
  { seed: 827, caught: 'a line that timed out is not current if it is lit again at the same device' },
  { seed: 895, caught: 'a line that was pressed before the clock was set back is not the previous line' },
  { seed: 385, caught: 'a refused launch does not pause anything, and the line on the page stays current' },
];
