import type { Show } from '../../ports.ts';
import type { TurboConnection } from '../types.ts';
import { Background } from './background.ts';
import { isOf, KnownScreen } from './knownScreen.ts';
import type { Outgoing, Rank } from '../frames/protocol/exchange.ts';
import type { AckStatus, Body, Reply, RequestMessage } from '../frames/protocol/messages.ts';
import { DeviceRoutes, type DeviceRoute } from './deviceRoutes.ts';
import { keepMessage, showMessage, type ShowMessage } from './showBody.ts';
import { hasContent, leftSeconds, sameSeconds, sameShow } from './shows.ts';

/** From this transmission attempt on, an unanswered message is moved to another turbo that receives the device. */
const PATIENT_ATTEMPTS = 3;

/** A message in progress. While `request` is undefined, the message waits for room in the turbo's window; then it waits for the answer. */
type Sending = {
  connection: TurboConnection;
  rank: Rank;
  show: Show;
  request: ShowMessage | undefined;
  /** Whether the device has already displayed and ended the command, and this report arrived before the turbo's answer. */
  endedMeanwhile: boolean;
  /** When the device began to display the show, if it reported this before the turbo answered. */
  shownMs: number | undefined;
  /** Whether the device restarted, so that it may not have received the show. */
  uncertain: boolean;
};

export type DeviceSyncHost = {
  monotonic(): number;
  /** Called when the turbo accepted a show, to pass it on to the device. */
  sent(deviceId: string, token: number): void;
  /** Called when another turbo serves the device, or none does. */
  moved(device: DeviceSync): void;
  /** Called when the device became reachable or unreachable. */
  reachChanged(deviceId: string): void;
  /** Called when the turbo is busy. The host must call `retry` later. */
  retryLater(device: DeviceSync): void;
  /** Called when the last show for a forgotten device is no longer in flight. */
  left(device: DeviceSync): void;
  /** Called when the device cannot display a show, so that sending it again would not help. */
  refused(deviceId: string, token: number, reason: string): void;
};

/** Makes one device display the wanted show (screen content, light and sound) through the turbo that serves the device. */
export class DeviceSync implements Outgoing {
  readonly deviceId: string;
  private readonly host: DeviceSyncHost;
  private readonly routes = new DeviceRoutes();
  private wish: Show | undefined;
  /** What the device displays now, as far as known. */
  private readonly screen = new KnownScreen();
  /** What the device displays after a command has ended. */
  private readonly background = new Background();
  private sending: Sending | undefined;
  /** A show that must not be sent again, because the device refused it or has already ended its command. */
  private rejectedShow: Show | undefined;
  /** Whether the next message must include all content, because the device does not have it. */
  private sendWhole = false;
  private isForgotten = false;

  constructor(deviceId: string, host: DeviceSyncHost) {
    this.deviceId = deviceId;
    this.host = host;
  }

  /** Returns the connection through which the device is reachable now. */
  connection(): TurboConnection | undefined {
    return this.routes.serving?.connection;
  }

  /** Returns the signal strength at the serving turbo, or undefined if the device is unreachable. */
  rssiDbm(): number | undefined {
    return this.routes.serving?.status.rssiDbm;
  }

  /** Whether the device can be removed, because nothing is wanted from it and no turbo receives it. */
  isForgettable(): boolean {
    return this.wish === undefined && this.routes.isEmpty;
  }

  want(show: Show | undefined): void {
    this.wish = show;
    this.adopt();
    this.sync();
  }

  /**
   * Stops controlling the device. A message in flight is repeated only a few times, because with an unresponsive turbo it would otherwise
   * occupy its place in the window indefinitely. Returns whether a message is in flight.
   */
  forget(): boolean {
    this.wish = undefined;
    this.isForgotten = true;
    return this.sending !== undefined;
  }

  /** Stops repeating the message in progress and ignores its answer. If `connection` is passed, does so only for a message over it. */
  drop(connection = this.sending?.connection): void {
    if (this.sending?.connection === connection) this.withdraw();
  }

  /** Sets the background that the device returns to. */
  keep(background: Show): void {
    this.background.want(background);
    this.sync();
  }

  /**
   * Records a status from a turbo. Call `sync` afterwards to act on it. Returns false if another turbo serves the device, because the
   * status may be outdated.
   */
  heardBy(connection: TurboConnection, status: Body<'deviceStatus'>): boolean {
    const isNews = this.routes.isNews(connection, status);
    if (isNews) this.restarted(status.epoch);
    const route = this.routes.update(connection, status);
    this.serve(isNews ? route : this.routes.choose(this.mayMove()));
    this.rejectedShow = undefined;
    if (this.routes.current !== route) return false;
    this.compare(status);
    return true;
  }

  /** Handles the end of the connection or a restart of its turbo, which then has to report its devices again. */
  lostBy(connection: TurboConnection): void {
    this.routes.drop(connection);
    this.drop(connection);
    this.serve(this.routes.choose(true));
    this.sync();
  }

  /** Handles a report that the device has displayed the show with this token and checksum for `ageMs`. */
  shown(token: number, checksum: number, ageMs: number): void {
    const sinceMs = this.host.monotonic() - ageMs;
    const { sending, screen } = this;
    const report = { token, checksum, sinceMs };
    screen.reports(report);
    if (sending !== undefined && isOf(report, sending.show)) sending.shownMs = sinceMs;
    const isOvertaken = sending === undefined && screen.isOvertaken(this.routes.hasMoved);
    if (isOvertaken) screen.assumedScreen = undefined;
    if (screen.assumedScreen === undefined) {
      screen.reported = report;
      this.adopt();
    }
    screen.count(sending?.show.token === token ? sending.show : screen.assumedScreen, token, sinceMs);
    this.serve(this.routes.choose(this.mayMove()));
    if (isOvertaken) this.sync();
  }

  /** Handles the end of a command on the device, by a press or a timeout. The device then returns to its background. */
  ended(token: number): void {
    this.screen.ended(token, this.background.known, this.host.monotonic());
    if (this.sending?.show.token === token) this.sending.endedMeanwhile = true;
  }

  /**
   * Sends the wanted show, unless the device displays it already or it is in flight. A message that waits for room in the window becomes
   * urgent if the show to send is urgent.
   */
  sync(): void {
    const { sending } = this;
    const route = this.routes.current;
    const show = this.due();
    if (show === undefined) return;
    const rank = this.rankOf(show);
    if (sending === undefined && route !== undefined) {
      const empty = { request: undefined, endedMeanwhile: false, shownMs: undefined, uncertain: false };
      this.sending = { connection: route.connection, rank, show, ...empty };
      route.connection.send(this, rank);
    } else if (sending !== undefined && sending.request === undefined && rank === 'urgent' && sending.rank !== rank) {
      sending.rank = rank;
      sending.connection.send(this, rank);
    }
  }

  /** Resends messages that a busy turbo did not accept. */
  retry(): void {
    this.rejectedShow = undefined;
    this.background.retry();
    this.sync();
  }

  /**
   * Returns the message to send, or undefined to cancel. Chooses the message at the first attempt, when the window has room; repetitions
   * send the same message.
   */
  request(attempt: number): RequestMessage | undefined {
    const { sending } = this;
    if (sending === undefined) return undefined;
    if (this.isForgotten && attempt > PATIENT_ATTEMPTS) {
      this.leave();
      return undefined;
    }
    if (!this.isForgotten && attempt >= PATIENT_ATTEMPTS && this.passedOver()) return undefined;
    if (attempt === 1 && !this.fill(sending)) {
      this.leave();
      // The show may still have to be sent over another connection.
      this.sync();
      return undefined;
    }
    return sending.request;
  }

  replied(reply: Reply): void {
    const { sending } = this;
    if (sending === undefined || reply.name !== 'ack') return;
    this.leave();
    if (this.isForgotten) return;
    if (sending.request?.name === 'keep') this.kept(sending, sending.request.body, reply.body.status);
    else this.answered(sending, reply.body.status);
    this.sync();
  }

  /**
   * Returns the next show to send, or undefined if there is none: the wanted show first and then, while a command is displayed, the
   * background.
   */
  private due(): Show | undefined {
    const { wish } = this;
    if (wish === undefined || this.routes.serving === undefined) return undefined;
    if (this.mustSend(wish)) return wish;
    return wish.token !== 0 && this.screen.assumedScreen?.token === wish.token ? this.background.missing() : undefined;
  }

  /** Returns the priority of a show. Commands are urgent, and so is turning off a light. */
  private rankOf(show: Show): Rank {
    if (show !== this.wish) return 'usual';
    const { assumedScreen } = this.screen;
    return show.token !== 0 || (assumedScreen !== undefined && assumedScreen.token !== 0) ? 'urgent' : 'usual';
  }

  private fill(sending: Sending): boolean {
    const { screen, deviceId } = this;
    const route = this.routes.current;
    const show = this.due();
    if (route === undefined || route.connection !== sending.connection || show === undefined) return false;
    const has = { sent: screen.assumedScreen, background: this.background.known, reported: screen.reported?.checksum };
    const same = !this.sendWhole && hasContent(show, has, route.status);
    sending.show = show;
    const isWish = show === this.wish;
    const left = isWish ? { ...show, seconds: leftSeconds(show, screen.deadline, this.host.monotonic()) } : show;
    sending.request = (isWish ? showMessage : keepMessage)(deviceId, left, route.status, same);
    if (sending.request !== undefined) return true;
    if (isWish) this.rejectedShow = show;
    else this.background.refused(show);
    this.host.refused(deviceId, show.token, 'the device draws neither fields nor bitmaps');
    return false;
  }

  private kept({ show, uncertain }: Sending, { screen }: Body<'keep'>, status: AckStatus): void {
    switch (status) {
      case 'ok':
        this.sendWhole = false;
        if (uncertain) return;
        this.background.taken(show, true);
        // The device has already returned to its background, so it draws the new one.
        if (this.screen.assumedScreen?.token === 0) this.screen.draws(show, this.host.monotonic());
        return;
      case 'contentMissing':
        if (screen.form === 'same' && !this.sendWhole) this.sendWhole = true;
        else this.background.refused(show);
        return;
      case 'busy':
        this.background.refused(show);
        return this.host.retryLater(this);
      case 'unreachable':
      case 'unknownDevice':
        return this.giveUpRoute();
      default:
        // The turbo does not know this message, so send the background after the work has ended.
        this.background.refused(show);
    }
  }

  private answered(sending: Sending, status: AckStatus): void {
    const { show } = sending;
    switch (status) {
      case 'ok':
        this.sendWhole = false;
        if (show.token === 0 && !sending.uncertain) this.background.taken(show);
        this.took(sending);
        return this.host.sent(this.deviceId, show.token);
      case 'alreadyEnded':
        // The report of the command's end is on the way. Until it arrives, the wanted show is older than the worker's press.
        this.rejectedShow = show;
        return;
      case 'contentMissing':
        // Send the show once more with all content. A device without a screen has none, so a second refusal is final until its next status.
        if (sending.request?.body.screen.form === 'same' && !this.sendWhole) this.sendWhole = true;
        else this.rejectedShow = show;
        return;
      case 'busy':
        this.rejectedShow = show;
        return this.host.retryLater(this);
      case 'unreachable':
      case 'unknownDevice':
        return this.giveUpRoute();
      default:
        this.rejectedShow = show;
        this.host.refused(this.deviceId, show.token, status);
    }
  }

  private took({ show, uncertain, endedMeanwhile, shownMs }: Sending): void {
    const { screen } = this;
    const nowMs = this.host.monotonic();
    const shows = endedMeanwhile ? this.background.known : show;
    screen.took(uncertain ? undefined : shows, nowMs, endedMeanwhile ? nowMs : shownMs);
    if (screen.isOvertaken(this.routes.hasMoved)) screen.assumedScreen = undefined;
  }

  private mustSend(wish: Show): boolean {
    if (this.rejectedShow !== undefined && sameShow(this.rejectedShow, wish)) return false;
    const { assumedScreen, deadline } = this.screen;
    if (assumedScreen === undefined || !sameShow(assumedScreen, wish)) return true;
    return !sameSeconds(assumedScreen, wish, deadline, this.host.monotonic());
  }

  private restarted(epoch: number): void {
    this.routes.begin(epoch);
    this.screen.lost();
    this.background.lost();
    if (this.sending !== undefined) this.sending.uncertain = true;
  }

  private compare(status: Body<'deviceStatus'>): void {
    const token = status.pendingToken ?? status.shownToken;
    const checksum = status.pendingToken === undefined ? status.shownChecksum : status.pendingChecksum;
    const nowMs = this.host.monotonic();
    const { screen } = this;
    if (status.remainingMs !== undefined && screen.deadline?.token !== status.shownToken) {
      screen.deadline = { token: status.shownToken, seconds: undefined, atMs: nowMs + status.remainingMs };
    }
    this.background.reports(status.backgroundChecksum);
    const says = { token, checksum, sinceMs: status.pendingToken === undefined ? nowMs : undefined };
    if (screen.confirms(says)) return;
    screen.assumedScreen = undefined;
    screen.reported = says;
    if (token === 0 && !isOf(says, this.background.known)) this.background.lost();
    this.adopt();
  }

  private adopt(): void {
    const { wish } = this;
    if (wish !== undefined && this.screen.adopt(wish) && wish.token === 0) this.background.taken(wish);
  }

  /**
   * Whether the device may move to another turbo. The device stays while a message is unanswered or being drawn, because another turbo
   * would send the same show again.
   */
  private mayMove(): boolean {
    if (this.sending?.request !== undefined) return false;
    return !this.screen.isDrawing(this.host.monotonic());
  }

  private serve(route: DeviceRoute | undefined): void {
    const { isLeft, isMoved, isReachChanged } = this.routes.serve(route);
    if (isLeft) {
      this.withdraw();
      this.screen.moved();
      this.background.moved();
    }
    if (isMoved) this.host.moved(this);
    if (isReachChanged) this.host.reachChanged(this.deviceId);
  }

  /** Ends the message in progress. */
  private leave(): void {
    this.sending = undefined;
    if (this.isForgotten) this.host.left(this);
  }

  /** Cancels the message in progress. Until the device reports, it is unknown whether the message arrived. */
  private withdraw(): void {
    const { sending } = this;
    if (sending === undefined) return;
    sending.connection.withdraw(this);
    if (sending.request?.name === 'show') this.screen.assumedScreen = undefined;
    if (sending.request?.name === 'keep') this.background.lost();
    this.leave();
  }

  private giveUpRoute(): void {
    this.routes.giveUp();
    this.serve(this.routes.choose(true));
  }

  /** Leaves an unresponsive turbo if another turbo receives the device. Returns whether the device moved. */
  private passedOver(): boolean {
    if (!this.routes.isReachedElsewhere()) return false;
    this.giveUpRoute();
    this.sync();
    return true;
  }
}
