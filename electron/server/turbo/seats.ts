import type { Link } from './link.ts';
import type { Body } from './protocol/messages.ts';

/** How much better another turbo must hear a device before it takes over: signals waver. */
const BETTER_BY_DB = 10;

/** One turbo that hears a device, and what it said of it last. */
export type Seat = { link: Link; status: Body<'deviceStatus'>; reachable: boolean };

/**
 * The turbo that serves a device from now on: the one that does already, while it reaches the device and, where `mayMove`, no
 * other one hears it much better; else the best. Where none reaches it, the one that did last.
 */
export function chooseSeat(
  seats: ReadonlyMap<Link, Seat>,
  current: Seat | undefined,
  mayMove: boolean,
): Seat | undefined {
  const kept = current && seats.get(current.link);
  if (kept?.reachable === true && !mayMove) return kept;
  let best = kept?.reachable === true ? kept : undefined;
  for (const seat of seats.values()) {
    if (!seat.reachable || seat === best) continue;
    const least = best === kept && best !== undefined ? BETTER_BY_DB : 0;
    if (best === undefined || seat.status.rssiDbm >= best.status.rssiDbm + least) best = seat;
  }
  return best ?? kept ?? seats.values().next().value;
}
