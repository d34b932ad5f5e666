/**
 * Touches and Enter are ignored until this time, in milliseconds of `performance.now()`, so that a bounce or a late finger does not book
 * anything unseen.
 */
export type InertState = { until: number };

/**
 * Milliseconds to ignore touches after the person's own touch or Enter, and on a button that replaces another one. Fingers bounce for up to
 * 200 ms.
 */
export const INERT_AFTER_OWN_MS = 220;
/**
 * Milliseconds to ignore touches after a press at the shelf, a scan or another person changes the page. People need this long to notice.
 */
export const INERT_AFTER_CHANGE_MS = 600;
/** Milliseconds to ignore the Next order button of a completed order, because the finger may still be aiming at Picked. */
export const INERT_NEXT_ORDER_MS = 800;

export const LISTENING: InertState = { until: -Infinity };

export function isInert({ until }: InertState, now: number): boolean {
  return now < until;
}

/** Extends the time in which touches are ignored. Never shortens it. */
export function inertFor({ until }: InertState, now: number, ms: number): InertState {
  return { until: Math.max(until, now + ms) };
}

/**
 * Ignores touches for `drawnMs` from now, because people cannot react before they see the page. Call this when a changed page has been
 * drawn.
 */
export function inertSinceDrawn<State extends { inert: InertState; drawnMs: number }>(
  state: State,
  now: number,
): State {
  return state.drawnMs === 0 ? state : { ...state, inert: inertFor(state.inert, now, state.drawnMs), drawnMs: 0 };
}

export type ShownPart = 'line' | 'question' | 'done' | 'other';

/**
 * Returns how many milliseconds to ignore touches after the page changed to a different part. `isOwn` tells whether the person's own touch
 * or key changed it.
 */
export function inertMsOf(part: ShownPart, isOwn: boolean, isFirst: boolean): number {
  if (part === 'done') return INERT_NEXT_ORDER_MS;
  return isOwn || isFirst || part === 'other' ? INERT_AFTER_OWN_MS : INERT_AFTER_CHANGE_MS;
}

/** Milliseconds within which the same key counts once, because a bouncing finger must not type a digit twice. */
export const SAME_KEY_MS = 220;
