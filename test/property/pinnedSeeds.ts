/**
 * A seed that once found a defect. `caught` is the rule that it violated then: what seeds do has changed since, so a seed may no longer reach that
 * case. With `picks: false`, nobody picks orders, and with `meets: false`, pages
 * have no current lines.
 */
export type PinnedSeed = { seed: number; picks?: false; meets?: false; caught: string };

/**
 * Pinned seeds, which run together with the first seeds. If a change alters what the seeds do, find a new seed for each entry: undo the fix
 * in the code and see which seed fails.
 */
export const PINNED_SEEDS: readonly PinnedSeed[] = [
  {
    seed: 514,
    picks: false,
    caught: 'a report over a slow link is late, and the station counts the time from its arrival',
  },
  {
    seed: 1826,
    picks: false,
    caught: 'a report that leaves no history row keeps its place among the sent messages',
  },
  {
    seed: 1011,
    picks: false,
    caught: 'of two presses at the same moment, the one written first counts first, even among timeouts',
  },
  { seed: 5112, meets: false, caught: "in an order with two pickers, the other picker's place is the wrong place" },
  {
    seed: 44,
    meets: false,
    caught: 'a press that was made before a dark line was closed and reopened is late',
  },
  {
    seed: 68,
    meets: false,
    caught: 'a bounce on a closed line is late, and does not request another press',
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
    caught: 'a quantity confirmed for a replaced command is relative to what that command showed',
  },
  {
    seed: 643,
    caught: 'work that made room restarts its time, even if the other line ended before the device showed it',
  },
  { seed: 765, caught: 'a line that is lit again but never shown cannot be the previous line a second time' },
  { seed: 827, caught: 'a line that timed out is not current if it is lit again at the same device' },
  { seed: 895, caught: 'a line that was pressed before the clock was set back is not the previous line' },
  { seed: 385, caught: 'a refused launch does not pause any order, and the line on the page stays current' },
];
