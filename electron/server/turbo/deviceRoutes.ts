import type { Link } from './link.ts';
import type { Body } from './protocol/messages.ts';

/** How much better another turbo must hear a device before it takes over: signals waver. */
const BETTER_BY_DB = 10;

type Status = Body<'deviceStatus'>;

/** One turbo that hears a device, and what it said of it last. */
export type DeviceRoute = { link: Link; status: Status; reachable: boolean };

/** The turbos that hear one device, and which of them serves it. */
export class DeviceRoutes {
  /** The one that serves it; where none reaches it, the one that did last. */
  current: DeviceRoute | undefined;
  private readonly all = new Map<Link, DeviceRoute>();
  /** Its count of reports began anew with this number; another one means that the device forgot everything. */
  private epoch: number | undefined;
  /** The one before: a turbo that has not heard it since may still say this one. */
  private formerEpoch: number | undefined;

  /** The one through which the device can be reached now. */
  get serving(): DeviceRoute | undefined {
    return this.current?.reachable === true ? this.current : undefined;
  }

  get isEmpty(): boolean {
    return this.all.size === 0;
  }

  /** Whether a status is the first of the device, or says that it has started anew. */
  isNews(link: Link, { epoch, reachable }: Status): boolean {
    if (this.epoch === undefined) return true;
    if (!reachable || epoch === this.epoch) return false;
    // The former one is old where another turbo says the newer one; said by the only turbo it is what the device has now.
    return epoch !== this.formerEpoch || !this.someone((route) => route.link !== link);
  }

  /** The device has started anew: who has not heard it since does not reach it. */
  begin(epoch: number): void {
    // Which of two came first is not known where the device goes back to one: a turbo that says the other is believed.
    this.formerEpoch = epoch === this.formerEpoch ? undefined : this.epoch;
    this.epoch = epoch;
    for (const route of this.all.values()) route.reachable = false;
  }

  hear(link: Link, status: Status): DeviceRoute {
    // Who says an epoch that is over has not heard the device since.
    const route = { link, status, reachable: status.reachable && status.epoch === this.epoch };
    this.all.set(link, route);
    return route;
  }

  drop(link: Link): void {
    this.all.delete(link);
  }

  /** The one that serves it does not reach it, until it says of the device again that it does. */
  giveUp(): void {
    if (this.current !== undefined) this.current.reachable = false;
  }

  /** Whether another turbo than the one that serves the device reaches it. */
  isReachedElsewhere(): boolean {
    return this.someone((route) => route.link !== this.current?.link);
  }

  /**
   * The turbo that serves the device from now on: the one that does already, while it reaches the device and, where `mayMove`, no
   * other one hears it much better; else the best. Where none reaches it, the one that did last.
   */
  choose(mayMove: boolean): DeviceRoute | undefined {
    const kept = this.current && this.all.get(this.current.link);
    if (kept?.reachable === true && !mayMove) return kept;
    let best = kept?.reachable === true ? kept : undefined;
    for (const route of this.all.values()) {
      if (!route.reachable || route === best) continue;
      const least = best === kept && best !== undefined ? BETTER_BY_DB : 0;
      if (best === undefined || route.status.rssiDbm >= best.status.rssiDbm + least) best = route;
    }
    return best ?? kept ?? this.all.values().next().value;
  }

  private someone(is: (route: DeviceRoute) => boolean): boolean {
    for (const route of this.all.values()) if (route.reachable && is(route)) return true;
    return false;
  }
}
