import type { TurboConnection } from '../types.ts';
import type { Body } from '../frames/protocol/messages.ts';

/** How much better, in decibels, another turbo must receive a device to take it over, so that fluctuating signals do not cause moves. */
const BETTER_BY_DB = 10;

type Status = Body<'deviceStatus'>;

/** A turbo that receives a device, and the device's last status from this turbo. */
export type DeviceRoute = { connection: TurboConnection; status: Status; reachable: boolean };

/** Changes caused by a call of `serve`. */
export type Handover = {
  /** Whether the previous connection no longer serves the device. */
  isLeft: boolean;
  /** Whether the device is now reached by a different connection, or no longer by any. */
  isMoved: boolean;
  /** Whether the device became reachable or unreachable. */
  isReachChanged: boolean;
};

/** The turbos that receive one device, and the turbo that serves it. */
export class DeviceRoutes {
  /** The turbo that serves the device or, while the device is offline, served it last. */
  current: DeviceRoute | undefined;
  /** One entry per turbo. An array, because entries are few and a Map takes more memory. */
  private all: readonly DeviceRoute[] = [];
  /** The device's current epoch. A device chooses a new epoch when it restarts. */
  private epoch: number | undefined;
  /** The previous epoch, which a turbo may still report if it has not received the device since the restart. */
  private formerEpoch: number | undefined;
  /** The connection that reached the device after the last call of `serve`. */
  private servedBy: TurboConnection | undefined;
  /** Serial number of the turbo that last reached the device, over any connection. */
  private server: string | undefined;
  /** Whether more than one turbo has served the device. Earlier turbos may still deliver shows that they accepted. */
  hasMoved = false;

  /** The route through which the device is online; undefined if the device is offline. */
  get serving(): DeviceRoute | undefined {
    return this.current?.reachable === true ? this.current : undefined;
  }

  get isEmpty(): boolean {
    return this.all.length === 0;
  }

  /** Whether a status is the first one or shows that the device restarted. */
  isNews(connection: TurboConnection, { epoch, reachable }: Status): boolean {
    if (this.epoch === undefined) return true;
    if (!reachable || epoch === this.epoch) return false;
    // The previous epoch is outdated if another turbo reports the newer one; from the only turbo it is current.
    return epoch !== this.formerEpoch || !this.someone((route) => route.connection !== connection);
  }

  /** Handles a restart of the device. Marks every turbo as not reaching the device until the turbo reports the new epoch. */
  begin(epoch: number): void {
    // If the device returns to its previous epoch, it is unknown which of the two is newer, so accept either from now on.
    this.formerEpoch = epoch === this.formerEpoch ? undefined : this.epoch;
    this.epoch = epoch;
    for (const route of this.all) route.reachable = false;
  }

  update(connection: TurboConnection, status: Status): DeviceRoute {
    // A turbo that reports an outdated epoch has not received the device since the device restarted.
    const route = { connection, status, reachable: status.reachable && status.epoch === this.epoch };
    const isKnown = this.all.some((each) => each.connection === connection);
    this.all = isKnown ? this.all.map((each) => (each.connection === connection ? route : each)) : [...this.all, route];
    return route;
  }

  drop(connection: TurboConnection): void {
    this.all = this.all.filter((route) => route.connection !== connection);
  }

  serve(route: DeviceRoute | undefined): Handover {
    const former = this.current;
    this.current = route;
    const isLeft = former !== undefined && former.connection !== route?.connection;
    const before = this.servedBy;
    const connection = this.serving?.connection;
    if (connection === before) return { isLeft, isMoved: false, isReachChanged: false };
    this.servedBy = connection;
    const server = connection?.turbo?.serialNumber ?? this.server;
    if (this.server !== undefined && server !== this.server) this.hasMoved = true;
    this.server = server;
    return { isLeft, isMoved: true, isReachChanged: (before === undefined) !== (connection === undefined) };
  }

  /** Marks the serving turbo as not reaching the device, until the turbo reports that it does. */
  giveUp(): void {
    if (this.current !== undefined) this.current.reachable = false;
  }

  /** Whether another turbo reaches the device. */
  isReachedElsewhere(): boolean {
    return this.someone((route) => route.connection !== this.current?.connection);
  }

  /**
   * Chooses the serving turbo. Keeps the current turbo while it reaches the device, unless `mayMove` is set and another turbo receives the
   * device much better; otherwise chooses the best turbo. If none reaches the device, keeps the last one.
   */
  choose(mayMove: boolean): DeviceRoute | undefined {
    const kept = this.all.find(({ connection }) => connection === this.current?.connection);
    if (kept?.reachable === true && !mayMove) return kept;
    let best = kept?.reachable === true ? kept : undefined;
    for (const route of this.all) {
      if (!route.reachable || route === best) continue;
      const least = best === kept && best !== undefined ? BETTER_BY_DB : 0;
      if (best === undefined || route.status.rssiDbm >= best.status.rssiDbm + least) best = route;
    }
    return best ?? kept ?? this.all[0];
  }

  private someone(is: (route: DeviceRoute) => boolean): boolean {
    return this.all.some((route) => route.reachable && is(route));
  }
}
