import type { Show } from '../ports.ts';
import { CAN_DRAW_FIELDS } from './protocol/messages.ts';

/** What remains of a command is known this well only: a wish within it asks for nothing new. */
const SECONDS_TOLERANCE = 3;

/** When a command that is shown ends by itself. `seconds`: what it was given; undefined where only the device knows. */
export type Deadline = {
  token: number;
  seconds: number | undefined;
  /** Monotonic milliseconds; Infinity: never. */
  atMs: number;
};

/**
 * Whether two shows make a device look and sound the same, however long they stay. What the worker made of the quantity is
 * no part of it: a device that shows this token counts by itself, and keeps its own count.
 */
export function sameShow(a: Show, b: Show): boolean {
  return (
    a === b ||
    (a.token === b.token &&
      a.checksum === b.checksum &&
      a.led.mode === b.led.mode &&
      a.led.hex === b.led.hex &&
      a.led.fixedBrightness === b.led.fixedBrightness &&
      a.brightness === b.brightness &&
      a.sound === b.sound)
  );
}

/** Whether a device that was told `told` ends it when `wish` says: with the same seconds, or with what is left of them. */
export function sameSeconds(told: Show, wish: Show, deadline: Deadline | undefined, nowMs: number): boolean {
  if (told.seconds === wish.seconds) return true;
  if (deadline?.token !== told.token || wish.seconds === 0) return false;
  return Math.abs((deadline.atMs - nowMs) / 1_000 - wish.seconds) <= SECONDS_TOLERANCE;
}

/** The seconds to send with a wish: what is left of them where the device has shown this command before. */
export function leftSeconds(wish: Show, deadline: Deadline | undefined, nowMs: number): number {
  if (wish.seconds === 0 || deadline?.token !== wish.token) return wish.seconds;
  if (deadline.seconds !== undefined && deadline.seconds !== wish.seconds) return wish.seconds;
  return Math.min(wish.seconds, Math.max(1, Math.ceil((deadline.atMs - nowMs) / 1_000)));
}

/** What a device is known to have; `reported`: the checksum of what it says that it shows. */
export type Contents = { told: Show | undefined; background: Show | undefined; reported: number | undefined };

/** Whether the device has the content of a wish already. */
export function hasContent(wish: Show, has: Contents, { capabilities }: { capabilities: number }): boolean {
  const shows = [has.told, has.background];
  if ((capabilities & CAN_DRAW_FIELDS) !== 0) {
    return has.reported === wish.checksum || shows.some((shown) => shown?.checksum === wish.checksum);
  }
  // A bitmap holds its number, and what a worker made of that nobody knows who asks under another token.
  return shows.some(
    (shown) =>
      shown?.checksum === wish.checksum &&
      shown.quantity === wish.quantity &&
      (wish.quantity === null || shown.token === wish.token),
  );
}
