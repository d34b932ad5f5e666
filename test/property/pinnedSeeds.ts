/**
 * A seed that once found a defect, and the broken promise. `picks: false`: without people who pick orders. `meets: false`: without
 * current lines of their pages.
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
  { seed: 5112, meets: false, caught: 'in an order of two people the place of the other one is the wrong place' },
  {
    seed: 44,
    meets: false,
    caught: 'a line that was closed and opened again while it was dark is over for a press from before',
  },
  {
    seed: 68,
    meets: false,
    caught: 'a bounce on a line that is over by then is late, and nobody has to press it again',
  },
  { seed: 48, meets: false, caught: 'a press is too early even if a pause turned off its line before it arrived' },
  { seed: 24, caught: 'a line that was shown for a moment was on the screen, even if its report is late' },
  { seed: 231, caught: 'other content between two lines is no line before, even if its report is late' },
  { seed: 354, caught: 'a line that It was mine closed, and that was opened again, is over for a press from before' },
  { seed: 131, caught: 'a press on a line without a light names the label that its device has by then' },
  { seed: 385, caught: 'a launch that is refused pauses nothing, and the line on the page stays the current one' },
];
