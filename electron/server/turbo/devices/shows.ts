import type { Show } from '../../ports.ts';
import { CAN_DRAW_FIELDS } from '../frames/protocol/messages.ts';

/** Tolerance for a command's remaining time. A difference within it does not require a new show. */
const SECONDS_TOLERANCE = 3;

/** When a displayed command ends on its own. `seconds` is the duration that was sent, or undefined if only the device knows it. */
export type Deadline = {
  token: number;
  seconds: number | undefined;
  /** Monotonic time in milliseconds; Infinity if the command does not end on its own. */
  atMs: number;
};

/**
 * Whether two shows look and sound the same, ignoring their duration. Also ignores the quantity, because a device that displays a command
 * keeps its own count.
 */
export function sameShow(a: Show, b: Show): boolean {
  return a === b || (isSame(a, b, NO_LOOK) && isSame(a.led, b.led, []));
}

/**
 * Fields that are not compared directly. The screen is compared by its checksum and the LED by its parts; duration and quantity are
 * ignored.
 */
const NO_LOOK: readonly (keyof Show)[] = ['screen', 'led', 'seconds', 'quantity'];

function isSame<Of extends object>(a: Of, b: Of, but: readonly (keyof Of)[]): boolean {
  for (const field in a) if (a[field] !== b[field] && !but.includes(field)) return false;
  return true;
}

/** Whether a device that received `sent` will end it when `wish` requires, because the duration is equal or the remaining time matches. */
export function sameSeconds(sent: Show, wish: Show, deadline: Deadline | undefined, nowMs: number): boolean {
  if (sent.seconds === wish.seconds) return true;
  if (deadline?.token !== sent.token || wish.seconds === 0) return false;
  return Math.abs((deadline.atMs - nowMs) / 1_000 - wish.seconds) <= SECONDS_TOLERANCE;
}

/**
 * Returns the duration in seconds to send with a show: the remaining time if the device has already displayed this command, otherwise the
 * full time.
 */
export function leftSeconds(wish: Show, deadline: Deadline | undefined, nowMs: number): number {
  if (wish.seconds === 0 || deadline?.token !== wish.token) return wish.seconds;
  if (deadline.seconds !== undefined && deadline.seconds !== wish.seconds) return wish.seconds;
  return Math.min(wish.seconds, Math.max(1, Math.ceil((deadline.atMs - nowMs) / 1_000)));
}

/** Known contents of a device. `reported` is the checksum of the screen that the device reports. */
export type Contents = { sent: Show | undefined; background: Show | undefined; reported: number | undefined };

/** Whether the device already has the content of the wanted show. */
export function hasContent(wish: Show, has: Contents, { capabilities }: { capabilities: number }): boolean {
  const shows = [has.sent, has.background];
  if ((capabilities & CAN_DRAW_FIELDS) !== 0) {
    return has.reported === wish.checksum || shows.some((shown) => shown?.checksum === wish.checksum);
  }
  // A bitmap includes the quantity, which a worker may have adjusted during a command with another token.
  return shows.some(
    (shown) =>
      shown?.checksum === wish.checksum &&
      shown.quantity === wish.quantity &&
      (wish.quantity === null || shown.token === wish.token),
  );
}
