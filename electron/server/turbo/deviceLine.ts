import type { Show } from '../ports.ts';
import type { Link } from './link.ts';
import { Background } from './background.ts';
import type { Outgoing, Rank } from './protocol/exchange.ts';
import type { AckStatus, Body, Reply, Request } from './protocol/messages.ts';
import { chooseSeat, type Seat } from './seats.ts';
import { keepBody, showBody } from './showBody.ts';
import { hasContent, leftSeconds, sameSeconds, sameShow, type Deadline } from './shows.ts';

/** A turbo that has not answered the transmission before this one is passed over where another one hears the device. */
const PATIENT_ATTEMPTS = 3;
/** So long a device may draw what its turbo has taken; it is not handed over meanwhile, since it would be told twice. */
const DRAWING_MS = 10_000;

/** What the device shows by its own account, where that is nothing we know of. */
type Reported = { token: number; checksum: number | undefined; sinceMs: number | undefined };

type Told = Extract<Request, { name: 'show' | 'keep' }>;

/** Something on its way: waiting for the window until `request` is there, then waiting for its answer. */
type Sending = {
  link: Link;
  rank: Rank;
  show: Show;
  request: Told | undefined;
  /** The device has shown and ended it already: the answer is later than the report. */
  endedMeanwhile: boolean;
  /** Since when the device says that it shows this, before its turbo says that it took it. */
  shownMs: number | undefined;
  /** The device has started anew, before or after it took this. */
  uncertain: boolean;
};

export type LineHost = {
  monotonic(): number;
  /** The turbo took a show and passes it on. */
  sent(deviceId: string, token: number): void;
  /** Another turbo serves the device from now on, or none does. */
  moved(line: DeviceLine): void;
  /** The device can be reached now, or cannot any more. */
  reachChanged(deviceId: string): void;
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
  /** Since when the device says itself that it shows what it was told, monotonic; undefined: it has not said so yet. */
  private shownMs: number | undefined;
  /** What the device has shown last, by its own account. */
  private newest: Reported | undefined;
  /** When its turbo took what it was told. */
  private takenMs = 0;
  /** Kept while `told` is unknown, for a wish that comes after the status: it may be what is shown already. */
  private reported: Reported | undefined;
  /** What the device goes back to by itself. */
  private readonly background = new Background();
  /** When the command that is shown ends: it must not last longer because it was sent again. */
  private deadline: Deadline | undefined;
  /** Its count of reports began anew with this number; another one means that the device forgot everything. */
  private epoch: number | undefined;
  /** The one before: a turbo that has not heard it since may still say this one. */
  private formerEpoch: number | undefined;
  /** What `moved` was called with last. */
  private servedBy: Link | undefined;
  /** The turbo that reached it last, over whichever link. */
  private server: string | undefined;
  /** More than one turbo has served it: each may pass on late what it took. */
  private hasMoved = false;
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

  /** How well that link's turbo hears it; undefined: none reaches it. */
  rssiDbm(): number | undefined {
    return this.seat?.reachable === true ? this.seat.status.rssiDbm : undefined;
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

  /** What it is to go back to, while it shows something else. */
  keep(background: Show): void {
    this.background.want(background);
    this.converge();
  }

  /**
   * Takes note of what a turbo says of the device; `converge` acts on it. False: another one serves it, and what this one heard
   * last may be old.
   */
  heardBy(link: Link, status: Body<'deviceStatus'>): boolean {
    const isNews = this.epoch === undefined || (status.reachable && this.isNewEpoch(link, status.epoch));
    if (isNews) this.startedAnew(status.epoch);
    // Who says an epoch that is over has not heard the device since.
    const seat = { link, status, reachable: status.reachable && status.epoch === this.epoch };
    this.seats.set(link, seat);
    this.serve(isNews ? seat : chooseSeat(this.seats, this.seat, this.mayMove()));
    this.hopeless = undefined;
    if (this.seat !== seat) return false;
    this.compare(status);
    return true;
  }

  /** The link is gone, or its turbo has started anew: it must say again which devices it hears. */
  lostBy(link: Link): void {
    this.seats.delete(link);
    if (this.sending?.link === link) this.withdraw();
    this.serve(chooseSeat(this.seats, this.seat, true));
    this.converge();
  }

  /** The device shows something, for `ageMs` by now. */
  shown(token: number, checksum: number, ageMs: number): void {
    const sinceMs = this.host.monotonic() - ageMs;
    const { sending } = this;
    const report = { token, checksum, sinceMs };
    if (sinceMs >= (this.newest?.sinceMs ?? -Infinity)) this.newest = report;
    if (sending !== undefined && isOf(report, sending.show)) sending.shownMs = sinceMs;
    if (isOf(report, this.told)) this.shownMs = sinceMs;
    const isOvertaken = sending === undefined && this.isOvertaken();
    if (isOvertaken) this.told = undefined;
    if (this.told === undefined) {
      this.reported = report;
      this.adopt();
    }
    this.count(token, sinceMs);
    this.serve(chooseSeat(this.seats, this.seat, this.mayMove()));
    if (isOvertaken) this.converge();
  }

  /** A turbo that lost the device may pass on late what it took, over what the device was told through another one. */
  private isOvertaken(): boolean {
    const { told, shownMs, newest } = this;
    if (told === undefined || shownMs === undefined || newest?.sinceMs === undefined) return false;
    // Through one turbo everything comes in order: the device has ended its work by itself, and its report is on the way.
    if (told.token !== 0 && newest.token === 0 && !this.hasMoved) return false;
    return newest.sinceMs >= shownMs && !isOf(newest, told);
  }

  private count(token: number, sinceMs: number): void {
    const shown = this.sending?.show.token === token ? this.sending.show : this.told;
    if (token === 0 || shown?.token !== token) return;
    // Shown again, it goes on to the end that it had.
    if (this.deadline?.token === token && this.deadline.seconds === shown.seconds) return;
    const atMs = shown.seconds === 0 ? Infinity : sinceMs + shown.seconds * 1_000;
    this.deadline = { token, seconds: shown.seconds, atMs };
  }

  /** The device ended this command by itself, pressed or not, and goes back to its background. */
  ended(token: number): void {
    if (this.told?.token === token) {
      this.told = this.background.known;
      this.shownMs = this.host.monotonic();
    }
    if (this.sending?.show.token === token) this.sending.endedMeanwhile = true;
  }

  /** Sends what is wanted, unless it is shown or on its way. What waits for the window becomes urgent with its wish. */
  converge(): void {
    const { seat, sending } = this;
    const show = this.due();
    if (show === undefined) return;
    const rank = this.rankOf(show);
    if (sending === undefined && seat !== undefined) {
      const empty = { request: undefined, endedMeanwhile: false, shownMs: undefined, uncertain: false };
      this.sending = { link: seat.link, rank, show, ...empty };
      seat.link.send(this, rank);
    } else if (sending !== undefined && sending.request === undefined && rank === 'urgent' && sending.rank !== rank) {
      sending.rank = rank;
      sending.link.send(this, rank);
    }
  }

  /** Another try for what a busy turbo did not take. */
  retry(): void {
    this.hopeless = undefined;
    this.background.retry();
    this.converge();
  }

  /** The newest wish at the moment at which the window has room for it; the same one at each repetition. */
  request(attempt: number): Request | undefined {
    const { sending } = this;
    if (sending === undefined || (attempt >= PATIENT_ATTEMPTS && this.passedOver())) return undefined;
    if (attempt === 1 && !this.fill(sending)) {
      this.sending = undefined;
      // It may be wanted still, over the link that is the better one by now.
      this.converge();
      return undefined;
    }
    return sending.request;
  }

  replied(reply: Reply): void {
    const { sending } = this;
    if (sending === undefined || reply.name !== 'ack') return;
    this.sending = undefined;
    if (sending.request?.name === 'keep') this.kept(sending, sending.request.body, reply.body.status);
    else this.answered(sending, reply.body.status);
    this.converge();
  }

  /** What the device has to be told now: what it shows, and then what it goes back to. */
  private due(): Show | undefined {
    const { wish, told } = this;
    if (wish === undefined || this.seat?.reachable !== true) return undefined;
    if (this.mustSend(wish)) return wish;
    return wish.token !== 0 && told?.token === wish.token ? this.background.missing() : undefined;
  }

  /** Somebody waits for work, and for a light to go out. */
  private rankOf(show: Show): Rank {
    if (show !== this.wish) return 'usual';
    return show.token !== 0 || (this.told !== undefined && this.told.token !== 0) ? 'urgent' : 'usual';
  }

  private fill(sending: Sending): boolean {
    const { seat, deviceId } = this;
    const show = this.due();
    if (seat === undefined || seat.link !== sending.link || show === undefined) return false;
    const has = { told: this.told, background: this.background.known, reported: this.reported?.checksum };
    const same = !this.sendWhole && hasContent(show, has, seat.status);
    sending.show = show;
    if (show === this.wish) {
      const left = { ...show, seconds: leftSeconds(show, this.deadline, this.host.monotonic()) };
      const body = showBody(deviceId, left, seat.status, same);
      sending.request = body && { name: 'show', body };
      if (body === undefined) this.hopeless = show;
    } else {
      const body = keepBody(deviceId, show, seat.status, same);
      sending.request = body && { name: 'keep', body };
      if (body === undefined) this.background.refused(show);
    }
    if (sending.request !== undefined) return true;
    this.host.refused(deviceId, show.token, 'the device draws neither fields nor bitmaps');
    return false;
  }

  private kept({ show, uncertain }: Sending, { screen }: Body<'keep'>, status: AckStatus): void {
    switch (status) {
      case 'ok':
        this.sendWhole = false;
        if (uncertain) return;
        this.background.taken(show, true);
        // It has gone back meanwhile, and draws what it was given.
        if (this.told?.token === 0) this.drawsNow(show);
        return;
      case 'contentMissing':
        if (screen.form === 'same') this.sendWhole = true;
        else this.background.refused(show);
        return;
      case 'busy':
        this.background.refused(show);
        return this.host.later(this);
      case 'unreachable':
      case 'unknownDevice':
        return this.giveUpSeat();
      default:
        // A turbo that does not know the message: the background comes when the work has ended.
        this.background.refused(show);
    }
  }

  private drawsNow(show: Show): void {
    this.told = show;
    this.takenMs = this.host.monotonic();
    this.shownMs = this.newest !== undefined && isOf(this.newest, show) ? this.newest.sinceMs : undefined;
  }

  private answered(sending: Sending, status: AckStatus): void {
    const { show } = sending;
    switch (status) {
      case 'ok':
        this.sendWhole = false;
        if (show.token === 0 && !sending.uncertain) this.background.taken(show);
        this.reported = undefined;
        this.told = sending.uncertain ? undefined : sending.endedMeanwhile ? this.background.known : show;
        this.takenMs = this.host.monotonic();
        this.shownMs = sending.endedMeanwhile ? this.takenMs : sending.shownMs;
        if (this.isOvertaken()) this.told = undefined;
        return this.host.sent(this.deviceId, show.token);
      case 'alreadyEnded':
        // Its report is on the way; until it has arrived the wish is older than the worker's press.
        this.hopeless = show;
        return;
      case 'contentMissing':
        // Said of a show that brought its content it would go on for ever.
        if (sending.request?.body.screen.form === 'same') this.sendWhole = true;
        else this.hopeless = show;
        return;
      case 'busy':
        this.hopeless = show;
        return this.host.later(this);
      case 'unreachable':
      case 'unknownDevice':
        return this.giveUpSeat();
      default:
        this.hopeless = show;
        this.host.refused(this.deviceId, show.token, status);
    }
  }

  private mustSend(wish: Show): boolean {
    if (this.hopeless !== undefined && sameShow(this.hopeless, wish)) return false;
    const { told } = this;
    if (told === undefined || !sameShow(told, wish)) return true;
    return !sameSeconds(told, wish, this.deadline, this.host.monotonic());
  }

  /** The former one is old where another turbo says the newer one; said by the only turbo it is what the device has now. */
  private isNewEpoch(link: Link, epoch: number): boolean {
    if (epoch === this.epoch) return false;
    return epoch !== this.formerEpoch || ![...this.seats.values()].some((seat) => seat.reachable && seat.link !== link);
  }

  private startedAnew(epoch: number): void {
    if (epoch === this.epoch) return;
    // Which of two came first is not known where the device goes back to one: a turbo that says the other is believed.
    this.formerEpoch = epoch === this.formerEpoch ? undefined : this.epoch;
    this.epoch = epoch;
    for (const seat of this.seats.values()) seat.reachable = false;
    this.told = undefined;
    this.reported = undefined;
    this.background.lost();
    if (this.sending !== undefined) this.sending.uncertain = true;
  }

  private compare(status: Body<'deviceStatus'>): void {
    const token = status.pendingToken ?? status.shownToken;
    const checksum = status.pendingToken === undefined ? status.shownChecksum : status.pendingChecksum;
    const says = (show: Show | undefined): boolean => isOf({ token, checksum }, show);
    if (status.remainingMs !== undefined && this.deadline?.token !== status.shownToken) {
      this.deadline = {
        token: status.shownToken,
        seconds: undefined,
        atMs: this.host.monotonic() + status.remainingMs,
      };
    }
    this.background.heard(status.backgroundChecksum);
    const sinceMs = status.pendingToken === undefined ? this.host.monotonic() : undefined;
    if (says(this.told)) {
      this.shownMs ??= sinceMs;
      return;
    }
    this.told = undefined;
    this.reported = { token, checksum, sinceMs };
    if (token === 0 && !says(this.background.known)) this.background.lost();
    this.adopt();
  }

  /** After a restart of the station the token alone names what is shown, its LED included. */
  private adopt(): void {
    const { wish, reported } = this;
    if (this.told !== undefined || wish === undefined || reported === undefined) return;
    if (!isOf(reported, wish)) return;
    this.told = wish;
    this.shownMs = reported.sinceMs;
    if (wish.token === 0) this.background.taken(wish);
  }

  /** While the device draws what its turbo took, that turbo keeps it: through another one it would be told twice. */
  private mayMove(): boolean {
    if (this.sending?.request !== undefined) return false;
    if (this.told === undefined || this.shownMs !== undefined) return true;
    return this.host.monotonic() - this.takenMs > DRAWING_MS;
  }

  private serve(seat: Seat | undefined): void {
    const former = this.seat;
    this.seat = seat;
    if (former !== undefined && former.link !== seat?.link) {
      this.withdraw();
      // The former one took it, and may never have passed it on.
      if (this.shownMs === undefined) this.told = undefined;
      this.background.moved();
    }
    const link = this.link();
    if (link === this.servedBy) return;
    const wasReached = this.servedBy !== undefined;
    this.servedBy = link;
    const server = link?.turbo?.serialNumber ?? this.server;
    if (this.server !== undefined && server !== this.server) this.hasMoved = true;
    this.server = server;
    this.host.moved(this);
    if (wasReached !== (link !== undefined)) this.host.reachChanged(this.deviceId);
  }

  /** Whether it came through is what the device will say. */
  private withdraw(): void {
    const { sending } = this;
    if (sending === undefined) return;
    sending.link.withdraw(this);
    if (sending.request?.name === 'show') this.told = undefined;
    if (sending.request?.name === 'keep') this.background.lost();
    this.sending = undefined;
  }

  /** Until its turbo says of the device again that it reaches it. */
  private giveUpSeat(): void {
    if (this.seat !== undefined) this.seat.reachable = false;
    this.serve(chooseSeat(this.seats, this.seat, true));
  }

  /** Leaves a turbo that does not answer, where another one hears the device. */
  private passedOver(): boolean {
    const isHeard = [...this.seats.values()].some((seat) => seat.reachable && seat.link !== this.seat?.link);
    if (!isHeard) return false;
    this.giveUpSeat();
    this.converge();
    return true;
  }
}

function isOf({ token, checksum }: Pick<Reported, 'token' | 'checksum'>, show: Show | undefined): boolean {
  return show?.token === token && show.checksum === checksum;
}
