/** An input of a person. `lateMs` is how late the page handles it, and `give` gives it to the session. */
export type LateInput = { at: number; lateMs: number; give(at: number, now: number): void };

/** A session on a page that is busy from time to time. */
export type LatePage = {
  /** The number of the content, which increases with each change. */
  shows(): number;
  /** Names what the page shows to confirm, or nothing. */
  place(): string | undefined;
  /** Names of what was booked, in order. */
  booked(): readonly string[];
  draw(at: number): void;
};

/** A confirmation: what was booked, by an input made at which time, and what the page had painted until then. */
export type Booking = { booked: string; at: number; seen: string | undefined };

/** The page paints a change this many milliseconds after it was handled, unless it is busy. */
export const FRAME_MS = 16;

/**
 * Gives the inputs to a page that handles each of them late, in the order in which they were made. Returns the bookings. What the page paints
 * is recorded independently of the session.
 */
export function playLate(page: LatePage, inputs: readonly LateInput[], frameMs = FRAME_MS): Booking[] {
  const painted: { at: number; place: string | undefined }[] = [{ at: -Infinity, place: page.place() }];
  const bookings: Booking[] = [];
  let busyUntil = 0;
  let frame: number | undefined;
  const paint = (at: number): void => {
    page.draw(at);
    painted.push({ at, place: page.place() });
    frame = undefined;
  };
  for (const { at, lateMs, give } of inputs.toSorted((one, other) => one.at - other.at)) {
    const now = Math.max(busyUntil, at + lateMs);
    if (frame !== undefined && frame <= now) paint(frame);
    const [shows, before] = [page.shows(), page.booked().length];
    give(at, now);
    busyUntil = now;
    if (page.shows() !== shows) frame = now + frameMs;
    const seen = painted.findLast((each) => each.at <= at)?.place;
    bookings.push(
      ...page
        .booked()
        .slice(before)
        .map((booked) => ({ booked, at, seen })),
    );
  }
  return bookings;
}
