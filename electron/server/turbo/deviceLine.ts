import type { Show } from '../ports.ts';
import type { Link } from './link.ts';
import type { Outgoing } from './protocol/exchange.ts';
import { CAN_DRAW_FIELDS, type AckStatus, type Body, type Reply, type Request } from './protocol/messages.ts';
import { showBody } from './showBody.ts';
import { leftSeconds, sameSeconds, sameShow, type Deadline } from './shows.ts';

/** How much better another turbo must hear a device before it takes over. */
const BETTER_BY_DB = 10;

/** One turbo that hears the device, and what it said of it last. */
type Seat = { link: Link; status: Body<'deviceStatus'>; reachable: boolean };

/** What the device shows by its own account, where that is nothing we know of. */
type Reported = { token: number; checksum: number | undefined };

/** A show on its way: waiting for the window until `body` is there, then waiting for its answer. */
type Sending = {
  link: Link;
  show: Show;
  body: Body<'show'> | undefined;
  /** The device has shown and ended it already: the answer is later than the report. */
  endedMeanwhile: boolean;
  /** The device has started anew, before or after it took this. */
  uncertain: boolean;
};

export type LineHost = {
  monotonic(): number;
  /** The turbo took a show and passes it on. */
  sent(deviceId: string, token: number): void;
  /** The turbo is busy: call `retry` after a while. */
  later(line: DeviceLine): void;
  /** The device cannot be shown this, whatever we try. */
  refused(deviceId: string, token: number, reason: string): void;
};

/** One device: what it should show, what it is known to show, and through which turbo one becomes the other. */
export class DeviceLine implements Outgoing {
  readonly deviceId: string;
  private readonly host: LineHost;
  private readonly seats = new Map<Link, Seat>();
  private seat: Seat | undefined;
  private wish: Show | undefined;
  /** What the device was told, or told us, that it shows. */
  private told: Show | undefined;
  /** Kept while `told` is unknown, for a wish that comes after the status: it may be what is shown already. */
  private reported: Reported | undefined;
  /** What the device goes back to by itself. */
  private background: Show | undefined;
  /** When the command that is shown ends: it must not last longer because it was sent again. */
  private deadline: Deadline | undefined;
  /** Its count of reports began anew with this number; another one means that the device forgot everything. */
  private epoch: number | undefined;
  private sending: Sending | undefined;
  /** A wish that no repetition will fulfil: refused, or of a token that the device has ended. */
  private hopeless: Show | undefined;
  /** The device lost its content: the next show brings all of it. */
  private sendWhole = false;

  constructor(deviceId: string, host: LineHost) {
    this.deviceId = deviceId;
    this.host = host;
  }

  /** The link through which the device can be reached now. */
  link(): Link | undefined {
    return this.seat?.reachable === true ? this.seat.link : undefined;
  }

  /** Whether there is nothing left to remember. */
  isForgettable(): boolean {
    return this.wish === undefined && this.seats.size === 0;
  }

  want(show: Show | undefined): void {
    this.wish = show;
    this.adopt();
    this.converge();
  }

  /** Takes note of what a turbo says of the device; `converge` acts on it. */
  heardBy(link: Link, status: Body<'deviceStatus'>): void {
    if (this.epoch !== status.epoch) this.startedAnew();
    this.epoch = status.epoch;
    this.seats.set(link, { link, status, reachable: status.reachable });
    this.chooseSeat();
    this.hopeless = undefined;
    this.compare(status);
  }

  /** The link is gone, or its turbo has started anew: it must say again which devices it hears. */
  lostBy(link: Link): void {
    this.seats.delete(link);
    if (this.sending?.link === link) {
      // Whether it came through is what the next status will tell.
      if (this.sending.body !== undefined) this.told = undefined;
      this.sending = undefined;
    }
    this.chooseSeat();
    this.converge();
  }

  /** The device shows something, for `ageMs` by now. */
  shown(token: number, checksum: number, ageMs: number): void {
    if (this.told === undefined) {
      this.reported = { token, checksum };
      this.adopt();
    }
    const shown = this.sending?.show.token === token ? this.sending.show : this.told;
    if (token === 0 || shown?.token !== token) return;
    // Shown again, it goes on to the end that it had.
    if (this.deadline?.token === token && this.deadline.seconds === shown.seconds) return;
    const atMs = shown.seconds === 0 ? Infinity : this.host.monotonic() - ageMs + shown.seconds * 1_000;
    this.deadline = { token, seconds: shown.seconds, atMs };
  }

  /** The device ended this command by itself, pressed or not, and goes back to its background. */
  ended(token: number): void {
    if (this.told?.token === token) this.told = this.background;
    if (this.sending?.show.token === token) this.sending.endedMeanwhile = true;
  }

  /** Sends what is wanted, unless it is shown or on its way. */
  converge(): void {
    const { seat, wish } = this;
    if (this.sending !== undefined || seat === undefined || wish === undefined || !this.mustSend(wish)) return;
    this.sending = { link: seat.link, show: wish, body: undefined, endedMeanwhile: false, uncertain: false };
    seat.link.send(this);
  }

  /** Another try for a wish that a busy turbo did not take. */
  retry(): void {
    this.hopeless = undefined;
    this.converge();
  }

  /** The newest wish at the moment at which the window has room for it; the same one at each repetition. */
  request(attempt: number): Request | undefined {
    const { sending } = this;
    if (sending === undefined) return undefined;
    if (attempt === 1 && !this.fill(sending)) {
      this.sending = undefined;
      // It may be wanted still, over the link that is the better one by now.
      this.converge();
      return undefined;
    }
    return sending.body === undefined ? undefined : { name: 'show', body: sending.body };
  }

  replied(reply: Reply): void {
    const { sending } = this;
    if (sending === undefined || reply.name !== 'ack') return;
    this.sending = undefined;
    this.answered(sending, reply.body.status);
    this.converge();
  }

  private fill(sending: Sending): boolean {
    const { seat, wish } = this;
    if (seat?.link !== sending.link || wish === undefined || !this.mustSend(wish)) return false;
    const same = !this.sendWhole && this.has(wish, seat.status);
    const show = { ...wish, seconds: leftSeconds(wish, this.deadline, this.host.monotonic()) };
    sending.show = wish;
    sending.body = showBody(this.deviceId, show, seat.status, same);
    if (sending.body !== undefined) return true;
    this.hopeless = wish;
    this.host.refused(this.deviceId, wish.token, 'the device draws neither fields nor bitmaps');
    return false;
  }

  private answered(sending: Sending, status: AckStatus): void {
    const { show } = sending;
    switch (status) {
      case 'ok':
        this.sendWhole = false;
        if (show.token === 0) this.background = show;
        this.reported = undefined;
        this.told = sending.uncertain ? undefined : sending.endedMeanwhile ? this.background : show;
        return this.host.sent(this.deviceId, show.token);
      case 'alreadyEnded':
        // Its report is on the way; until it has arrived the wish is older than the worker's press.
        this.hopeless = show;
        return;
      case 'contentMissing':
        // Said of a show that brought its content it would go on for ever.
        if (sending.body?.screen.form === 'same') this.sendWhole = true;
        else this.hopeless = show;
        return;
      case 'busy':
        this.hopeless = show;
        return this.host.later(this);
      case 'unreachable':
      case 'unknownDevice':
        if (this.seat?.link === sending.link) this.seat.reachable = false;
        return this.chooseSeat();
      default:
        this.hopeless = show;
        this.host.refused(this.deviceId, show.token, status);
    }
  }

  private mustSend(wish: Show): boolean {
    if (this.seat?.reachable !== true) return false;
    if (this.hopeless !== undefined && sameShow(this.hopeless, wish)) return false;
    const { told } = this;
    if (told === undefined || !sameShow(told, wish)) return true;
    return !sameSeconds(told, wish, this.deadline, this.host.monotonic());
  }

  /** Whether the device has the content of a wish already. */
  private has(wish: Show, { capabilities }: Body<'deviceStatus'>): boolean {
    const { told, background, reported } = this;
    if ((capabilities & CAN_DRAW_FIELDS) !== 0) {
      return [told, background, reported].some((shown) => shown?.checksum === wish.checksum);
    }
    // A bitmap holds its number, and what a worker made of that nobody knows who asks under another token.
    return [told, background].some(
      (shown) =>
        shown?.checksum === wish.checksum &&
        shown.quantity === wish.quantity &&
        (wish.quantity === null || shown.token === wish.token),
    );
  }

  private startedAnew(): void {
    this.told = undefined;
    this.reported = undefined;
    this.background = undefined;
    if (this.sending !== undefined) this.sending.uncertain = true;
  }

  private compare(status: Body<'deviceStatus'>): void {
    const token = status.pendingToken ?? status.shownToken;
    const checksum = status.pendingToken === undefined ? status.shownChecksum : status.pendingChecksum;
    const says = (show: Show | undefined): boolean => show?.token === token && show.checksum === checksum;
    if (status.remainingMs !== undefined && this.deadline?.token !== status.shownToken) {
      this.deadline = {
        token: status.shownToken,
        seconds: undefined,
        atMs: this.host.monotonic() + status.remainingMs,
      };
    }
    if (says(this.told)) return;
    this.told = undefined;
    this.reported = { token, checksum };
    if (token === 0 && !says(this.background)) this.background = undefined;
    this.adopt();
  }

  /** After a restart of the station the token alone names what is shown, its LED included. */
  private adopt(): void {
    const { wish, reported } = this;
    if (this.told !== undefined || wish === undefined || reported === undefined) return;
    if (wish.token !== reported.token || wish.checksum !== reported.checksum) return;
    this.told = wish;
    if (wish.token === 0) this.background = wish;
  }

  private chooseSeat(): void {
    const current = this.seat && this.seats.get(this.seat.link);
    let best = current?.reachable === true ? current : undefined;
    for (const seat of this.seats.values()) {
      if (!seat.reachable || seat === best) continue;
      if (best === undefined || seat.status.rssiDbm >= best.status.rssiDbm + BETTER_BY_DB) best = seat;
    }
    this.seat = best ?? current ?? this.seats.values().next().value;
  }
}
