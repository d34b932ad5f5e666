import type { Show } from '../ports.ts';
import type { TurboLink } from './link.ts';
import type { Outgoing } from './protocol/exchange.ts';
import type { AckStatus, Body, Reply, Request } from './protocol/messages.ts';
import { showBody } from './showBody.ts';

/** How much better another turbo must hear a device before it takes over. */
const BETTER_BY_DB = 10;
/** What remains of a command is known this well only: a wish within it asks for nothing new. */
const SECONDS_TOLERANCE = 3;

/** One turbo that hears the device, and what it said of it last. */
type Seat = { link: TurboLink; status: Body<'deviceStatus'>; reachable: boolean };

/** What the device was told, or told us, that it shows; its seconds count from `sinceMs` (monotonic). */
type Told = { show: Show; sinceMs: number };

/** What the device shows by its own account, where that is nothing we know of. */
type Reported = { token: number; checksum: number | undefined };

/** A show on its way: waiting for the window until `body` is there, then waiting for its answer. */
type Sending = {
  link: TurboLink;
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
  /** The turbo is busy: call `converge` again after a while. */
  later(line: DeviceLine): void;
  /** The device cannot be shown this, whatever we try. */
  refused(deviceId: string, token: number, reason: string): void;
};

/** One device: what it should show, what it is known to show, and through which turbo one becomes the other. */
export class DeviceLine implements Outgoing {
  readonly deviceId: string;
  private readonly host: LineHost;
  private readonly seats = new Map<TurboLink, Seat>();
  private seat: Seat | undefined;
  private wish: Show | undefined;
  private told: Told | undefined;
  /** Kept while `told` is unknown, for a wish that comes after the status: it may be what is shown already. */
  private reported: Reported | undefined;
  /** What the device goes back to by itself. */
  private background: Show | undefined;
  /** Its count of reports began anew with this number; another one means that the device forgot everything. */
  private epoch: number | undefined;
  /** Checksum of the content that its e-paper is known to have. */
  private drawn: number | undefined;
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
  link(): TurboLink | undefined {
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
  heardBy(link: TurboLink, status: Body<'deviceStatus'>): void {
    if (this.epoch !== status.epoch) this.startedAnew();
    this.epoch = status.epoch;
    this.seats.set(link, { link, status, reachable: status.reachable });
    this.chooseSeat();
    this.hopeless = undefined;
    // A show on its way will be answered behind this status, which cannot know of it.
    if (this.sending?.body === undefined) this.compare(status);
  }

  /** The link is gone, or its turbo has started anew: it must say again which devices it hears. */
  lostBy(link: TurboLink): void {
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
    this.drawn = checksum;
    if (this.told === undefined) {
      this.reported = { token, checksum };
      if (this.sending?.body === undefined) this.adopt();
    }
    const { told } = this;
    if (told?.show.token === token && told.show.checksum === checksum) {
      this.told = { show: told.show, sinceMs: this.host.monotonic() - ageMs };
    }
  }

  /** The device ended this command by itself, pressed or not, and goes back to its background. */
  ended(token: number): void {
    if (this.told?.show.token === token) this.backToBackground();
    if (this.reported?.token === token) this.reported = undefined;
    if (this.sending?.show.token === token) this.sending.endedMeanwhile = true;
  }

  /** Sends what is wanted, unless it is shown or on its way. */
  converge(): void {
    if (this.sending !== undefined || this.seat === undefined || !this.mustSend()) return;
    const { link } = this.seat;
    this.sending = { link, show: this.wish as Show, body: undefined, endedMeanwhile: false, uncertain: false }; // `mustSend` saw the wish
    link.send(this);
  }

  /** The newest wish at the moment at which the window has room for it; the same one at each repetition. */
  request(attempt: number): Request | undefined {
    const { sending, seat } = this;
    if (sending === undefined) return undefined;
    if (attempt === 1 && !this.fill(sending, seat)) {
      this.sending = undefined;
      if (seat?.link !== sending.link) this.converge();
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

  private fill(sending: Sending, seat: Seat | undefined): boolean {
    if (seat === undefined || seat.link !== sending.link || !this.mustSend() || this.wish === undefined) return false;
    sending.show = this.wish;
    sending.body = showBody(this.deviceId, this.wish, seat.status, !this.sendWhole && this.has(this.wish.checksum));
    if (sending.body !== undefined) return true;
    this.hopeless = this.wish;
    this.host.refused(this.deviceId, this.wish.token, 'the device draws neither fields nor bitmaps');
    return false;
  }

  private answered(sending: Sending, status: AckStatus): void {
    const { show } = sending;
    switch (status) {
      case 'ok':
        this.sendWhole = false;
        this.told = { show, sinceMs: this.host.monotonic() };
        this.reported = undefined;
        if (show.token === 0) this.background = show;
        if (sending.endedMeanwhile) this.backToBackground();
        if (sending.uncertain) this.told = undefined;
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

  /** Another try for a wish that a busy turbo did not take. */
  retry(): void {
    this.hopeless = undefined;
    this.converge();
  }

  private mustSend(): boolean {
    const { wish, seat } = this;
    if (wish === undefined || seat === undefined || !seat.reachable || this.isHopeless(wish)) return false;
    return this.told === undefined || !covers(this.told, wish, this.host.monotonic());
  }

  private isHopeless(wish: Show): boolean {
    return this.hopeless === wish || (this.hopeless !== undefined && sameShow(this.hopeless, wish));
  }

  private has(checksum: number): boolean {
    return this.drawn === checksum || this.told?.show.checksum === checksum || this.background?.checksum === checksum;
  }

  private startedAnew(): void {
    this.told = undefined;
    this.reported = undefined;
    this.background = undefined;
    this.drawn = undefined;
    if (this.sending !== undefined) this.sending.uncertain = true;
  }

  private backToBackground(): void {
    this.told = this.background && { show: this.background, sinceMs: this.host.monotonic() };
  }

  private compare(status: Body<'deviceStatus'>): void {
    const token = status.pendingToken ?? status.shownToken;
    const checksum = status.pendingToken === undefined ? status.shownChecksum : status.pendingChecksum;
    this.drawn = status.shownChecksum;
    const says = (show: Show | undefined): boolean => show?.token === token && show.checksum === checksum;
    if (says(this.told?.show)) return;
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
    this.told = { show: wish, sinceMs: this.host.monotonic() };
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

/** Whether a device that shows `told` needs to be sent nothing for `wish`. */
function covers(told: Told, wish: Show, nowMs: number): boolean {
  if (told.show === wish) return true;
  if (!sameShow(told.show, wish)) return false;
  if (told.show.seconds === wish.seconds) return true;
  if (told.show.seconds === 0 || wish.seconds === 0) return false;
  const leftS = told.show.seconds - (nowMs - told.sinceMs) / 1_000;
  return Math.abs(leftS - wish.seconds) <= SECONDS_TOLERANCE;
}

function sameShow(a: Show, b: Show): boolean {
  return (
    a.token === b.token &&
    a.checksum === b.checksum &&
    a.quantity === b.quantity &&
    a.led.mode === b.led.mode &&
    a.led.hex === b.led.hex &&
    a.led.fixedBrightness === b.led.fixedBrightness &&
    a.brightness === b.brightness &&
    a.sound === b.sound
  );
}
