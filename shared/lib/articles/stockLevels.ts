/** What is known of the stock at a place. `on_hand`: null if it is not counted; `minimum`: null without one. */
type PlaceStock = { on_hand: number | null; minimum: number | null };

/** Whether a place is at or below its minimum. */
export function isLow({ on_hand: pieces, minimum }: PlaceStock): boolean {
  return pieces !== null && minimum !== null && pieces <= minimum;
}

/** Whether a place has less than nothing, so that it has to be counted. */
export function isNegative({ on_hand: pieces }: Pick<PlaceStock, 'on_hand'>): boolean {
  return pieces !== null && pieces < 0;
}
