/**
 * When touches and Enter count again, so that a bounce or a late finger does not book anything unseen. All times are in milliseconds of
 * `performance.now`, and are compared with the time at which a person acted, not with the time at which a busy page handles it.
 */
export type InertState = {
  until: number;
  /** When what the page shows now was painted. Infinite until then: nobody confirms what they have not seen. */
  drawnAt: number;
};

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

export const LISTENING: InertState = { until: -Infinity, drawnAt: -Infinity };

/** Whether a touch or Enter made at this time is ignored. */
export function isInert({ until, drawnAt }: InertState, at: number): boolean {
  return at < until || at < drawnAt;
}

/** Whether the person acted before what the page shows now was painted. */
export function isUnseen({ drawnAt }: InertState, at: number): boolean {
  return at < drawnAt;
}

/** Adds the times of another state. */
export function mergeInert(inert: InertState, { until, drawnAt }: InertState): InertState {
  return { until: Math.max(inert.until, until), drawnAt: Math.max(inert.drawnAt, drawnAt) };
}

/** Extends the time in which touches are ignored. Never shortens it. */
export function inertFor({ until, drawnAt }: InertState, at: number, ms: number): InertState {
  return { until: Math.max(until, at + ms), drawnAt };
}

/** The part of a session that tells when touches count again. */
export type InertTimes = {
  readonly inert: InertState;
  /** How many milliseconds to ignore touches after the current content is painted. */
  readonly drawnMs: number;
  /** How often the content of the page has changed. */
  readonly shows: number;
  /** How often the messages with buttons, such as Undo, have changed. */
  readonly offers: number;
  /** When the last of them was painted. Infinite until then. */
  readonly offeredAt: number;
};

/** The times of a page that was just opened. */
export const JUST_OPENED: InertTimes = {
  inert: LISTENING,
  drawnMs: 0,
  shows: 0,
  offers: 0,
  offeredAt: -Infinity,
};

/**
 * Ignores touches until the changed content is painted, and for `ms` afterwards. On the same button, `ms` counts from the person's own touch
 * at the time `at`.
 */
export function inertAfterChange<State extends InertTimes>(
  state: State,
  { at, ms, isSameButton }: { at: number; ms: number; isSameButton: boolean },
): State {
  const until = isSameButton ? Math.max(state.inert.until, at + ms) : state.inert.until;
  const drawnMs = isSameButton ? state.drawnMs : Math.max(state.drawnMs, ms);
  return { ...state, inert: { until, drawnAt: Infinity }, drawnMs, shows: state.shows + 1 };
}

/** Ignores touches until the buttons are painted where a row above has moved them, and briefly afterwards. */
export const inertAfterMove = <State extends InertTimes>(state: State): State =>
  inertAfterChange(state, { at: -Infinity, ms: INERT_AFTER_OWN_MS, isSameButton: false });

/** Records that the messages with buttons have changed, which must be painted before a touch of such a button counts. */
export function withNewOffers<State extends InertTimes>(state: State): State {
  return { ...state, offers: state.offers + 1, offeredAt: Infinity };
}

/** Records that the content and the messages with these numbers were painted at this time. */
export function inertSinceDrawn<State extends InertTimes>(
  before: State,
  { shows = before.shows, offers = before.offers }: { shows?: number | undefined; offers?: number | undefined },
  drawnAt: number,
): State {
  const isOffered = offers === before.offers && before.offeredAt > drawnAt;
  const state = isOffered ? { ...before, offeredAt: drawnAt } : before;
  if (shows !== state.shows || state.inert.drawnAt <= drawnAt) return state;
  return { ...state, inert: { until: Math.max(state.inert.until, drawnAt + state.drawnMs), drawnAt }, drawnMs: 0 };
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
