/**
 * When touches and Enter are dropped, so that a bounce or a finger that comes late books nothing unseen. Times are in
 * milliseconds on the clock of `performance.now()`.
 */
export type DeafState = { until: number };

/** After a person's own touch or Enter, and for a button that appears where another was: fingers bounce for up to 200 ms. */
export const DEAF_AFTER_OWN_MS = 220;
/** After a shelf press, a scan or somebody else changed what is shown: so long takes a look at it. */
export const DEAF_AFTER_CHANGE_MS = 600;
/** Before Next order of a completed order: the finger was on its way to Picked. */
export const DEAF_NEXT_ORDER_MS = 800;

export const LISTENING: DeafState = { until: -Infinity };

export function isDeaf({ until }: DeafState, now: number): boolean {
  return now < until;
}

/** Never shorter than before. */
export function deafFor({ until }: DeafState, now: number, ms: number): DeafState {
  return { until: Math.max(until, now + ms) };
}

/** What the page shows, and since when it does: what one saw of it before. */
export type ShownPart = 'line' | 'question' | 'done' | 'other';

/** How long to be deaf after the page began to show another part. `isOwn`: by a touch or key of the person. */
export function deafMsOf(part: ShownPart, isOwn: boolean, isFirst: boolean): number {
  if (part === 'done') return DEAF_NEXT_ORDER_MS;
  return isOwn || isFirst || part === 'other' ? DEAF_AFTER_OWN_MS : DEAF_AFTER_CHANGE_MS;
}

/** A finger that bounces must not type a digit twice. */
export const SAME_KEY_MS = 220;
