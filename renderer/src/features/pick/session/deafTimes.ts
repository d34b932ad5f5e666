/**
 * Times in which touches and Enter are ignored, so that a bounce or a late finger books nothing unseen. Milliseconds of
 * `performance.now()`.
 */
export type DeafState = { until: number };

/** After the person's own touch or Enter, and for a button that replaces another: fingers bounce for up to 200 ms. */
export const DEAF_AFTER_OWN_MS = 220;
/** After a shelf press, a scan or another person changed the page: people need this long to notice. */
export const DEAF_AFTER_CHANGE_MS = 600;
/** Before Next order of a completed order, because the finger may still be aiming at Picked. */
export const DEAF_NEXT_ORDER_MS = 800;

export const LISTENING: DeafState = { until: -Infinity };

export function isDeaf({ until }: DeafState, now: number): boolean {
  return now < until;
}

/** Extends the time, but never shortens it. */
export function deafFor({ until }: DeafState, now: number, ms: number): DeafState {
  return { until: Math.max(until, now + ms) };
}

/** Starts the time of the changed page (`drawnMs`) again when the page is drawn. */
export function deafSinceDrawn<State extends { deaf: DeafState; drawnMs: number }>(state: State, now: number): State {
  return state.drawnMs === 0 ? state : { ...state, deaf: deafFor(state.deaf, now, state.drawnMs), drawnMs: 0 };
}

/** What the page shows. */
export type ShownPart = 'line' | 'question' | 'done' | 'other';

/** How long to ignore touches after the page changed to another part. `isOwn`: changed by the person's own touch or key. */
export function deafMsOf(part: ShownPart, isOwn: boolean, isFirst: boolean): number {
  if (part === 'done') return DEAF_NEXT_ORDER_MS;
  return isOwn || isFirst || part === 'other' ? DEAF_AFTER_OWN_MS : DEAF_AFTER_CHANGE_MS;
}

/** A bouncing finger must not type a digit twice. */
export const SAME_KEY_MS = 220;
