import type { Show } from '../../ports.ts';
import { CAN_DRAW_FIELDS } from '../frames/protocol/messages.ts';

/** Tolerance for a command's remaining time. A difference within it does not require a new show. */
const SECONDS_TOLERANCE = 3;

/** When a shown command ends on its own. `seconds`: as sent; undefined if only the device knows. */
export type Deadline = {
  token: number;
  seconds: number | undefined;
  /** Monotonic milliseconds; Infinity for never. */
  atMs: number;
};

/**
 * Whether two shows look and sound the same, ignoring their duration. Also ignores an adjusted quantity, because a device that shows the
 * token keeps its own count.
 */
export function sameShow(a: Show, b: Show): boolean {
  return a === b || (isSame(a, b, NO_LOOK) && isSame(a.led, b.led, []));
}

/** Fields that are not compared directly: the screen is compared by its checksum, the LED by its parts. */
const NO_LOOK: readonly (keyof Show)[] = ['screen', 'led', 'seconds', 'quantity'];

function isSame<Of extends object>(a: Of, b: Of, but: readonly (keyof Of)[]): boolean {
  for (const field in a) if (a[field] !== b[field] && !but.includes(field)) return false;
  return true;
}

/** Whether a device ends the show `sent` when `wish` requires: with the same seconds, or with the remaining seconds. */
export function sameSeconds(sent: Show, wish: Show, deadline: Deadline | undefined, nowMs: number): boolean {
  if (sent.seconds === wish.seconds) return true;
  if (deadline?.token !== sent.token || wish.seconds === 0) return false;
  return Math.abs((deadline.atMs - nowMs) / 1_000 - wish.seconds) <= SECONDS_TOLERANCE;
}

/** Returns the seconds to send with a wish: the remaining seconds if the device has already shown this command. */
export function leftSeconds(wish: Show, deadline: Deadline | undefined, nowMs: number): number {
  if (wish.seconds === 0 || deadline?.token !== wish.token) return wish.seconds;
  if (deadline.seconds !== undefined && deadline.seconds !== wish.seconds) return wish.seconds;
  return Math.min(wish.seconds, Math.max(1, Math.ceil((deadline.atMs - nowMs) / 1_000)));
}

/** Known contents of a device. `reported`: checksum of the screen that the device reports. */
export type Contents = { sent: Show | undefined; background: Show | undefined; reported: number | undefined };

/** Whether the device already has the content of a wish. */
export function hasContent(wish: Show, has: Contents, { capabilities }: { capabilities: number }): boolean {
  const shows = [has.sent, has.background];
  if ((capabilities & CAN_DRAW_FIELDS) !== 0) {
    return has.reported === wish.checksum || shows.some((shown) => shown?.checksum === wish.checksum);
  }
  // A bitmap includes its quantity; another token cannot know how a worker adjusted it.
  return shows.some(
    (shown) =>
      shown?.checksum === wish.checksum &&
      shown.quantity === wish.quantity &&
      (wish.quantity === null || shown.token === wish.token),
  );
}
