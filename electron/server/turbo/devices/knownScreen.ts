import type { Show } from '../../ports.ts';
import type { Deadline } from './shows.ts';

/** A device may need this long to draw what its turbo accepted. It does not move meanwhile, because it would receive the show twice. */
const DRAWING_MS = 10_000;

/** What a device reports to show. `sinceMs` undefined: it has not drawn that yet. */
export type Reported = { token: number; checksum: number | undefined; sinceMs: number | undefined };

/** What one device is known to show, by our shows and its reports. Times are monotonic. */
export class KnownScreen {
  /** The show that the device was sent, or reported. */
  assumedScreen: Show | undefined;
  /** Kept while `assumedScreen` is unknown, for a later wish: the device may already show it. */
  reported: Reported | undefined;
  /** End of the shown command: sending it again must not extend it. */
  deadline: Deadline | undefined;
  /** Since when the device confirms the show that it was sent; undefined: not confirmed. */
  private shownMs: number | undefined;
  /** What the device last reported to show. */
  private newest: Reported | undefined;
  /** When its turbo accepted the show. */
  private takenMs = 0;

  reports(report: Reported & { sinceMs: number }): void {
    if (report.sinceMs >= (this.newest?.sinceMs ?? -Infinity)) this.newest = report;
    if (isOf(report, this.assumedScreen)) this.shownMs = report.sinceMs;
  }

  /** Whether a status matches the show that the device was sent. If so, it counts as shown, unless the device is still drawing. */
  confirms({ token, checksum, sinceMs }: Reported): boolean {
    if (!isOf({ token, checksum }, this.assumedScreen)) return false;
    this.shownMs ??= sinceMs;
    return true;
  }

  /**
   * Whether the device reports something else after the show that it confirmed, such as a show that a former turbo passed on
   * late. `hasMoved`: more than one turbo has served the device.
   */
  isOvertaken(hasMoved: boolean): boolean {
    const { assumedScreen, shownMs, newest } = this;
    if (assumedScreen === undefined || shownMs === undefined || newest?.sinceMs === undefined) return false;
    // One turbo keeps the order: the device has ended its work by itself, and its report is on the way.
    if (assumedScreen.token !== 0 && newest.token === 0 && !hasMoved) return false;
    return newest.sinceMs >= shownMs && !isOf(newest, assumedScreen);
  }

  /** Its turbo accepted a show; undefined: whether it arrived is unknown. `shownMs`: when the device confirmed it, if it already has. */
  took(show: Show | undefined, takenMs: number, shownMs: number | undefined): void {
    this.reported = undefined;
    this.assumedScreen = show;
    // The former command is replaced. If it is shown again, its time starts again.
    if (show !== undefined && show.token !== 0 && show.token !== this.deadline?.token) this.deadline = undefined;
    this.takenMs = takenMs;
    this.shownMs = shownMs;
  }

  /** The device draws a show that it had accepted for later. */
  draws(show: Show, nowMs: number): void {
    this.assumedScreen = show;
    this.takenMs = nowMs;
    this.shownMs = this.newest !== undefined && isOf(this.newest, show) ? this.newest.sinceMs : undefined;
  }

  /** The device ended this command and returns to its background. */
  ended(token: number, background: Show | undefined, nowMs: number): void {
    if (this.assumedScreen?.token !== token) return;
    this.assumedScreen = background;
    this.shownMs = nowMs;
  }

  /** Starts the time of a command that is shown. */
  count(shown: Show | undefined, token: number, sinceMs: number): void {
    if (token === 0 || shown?.token !== token) return;
    // A command that is shown again keeps its end.
    if (this.deadline?.token === token && this.deadline.seconds === shown.seconds) return;
    const atMs = shown.seconds === 0 ? Infinity : sinceMs + shown.seconds * 1_000;
    this.deadline = { token, seconds: shown.seconds, atMs };
  }

  /** After a restart of the station: if token and checksum are those of the wish, assumes that the LED is right, too. */
  adopt(wish: Show | undefined): boolean {
    const { reported } = this;
    if (this.assumedScreen !== undefined || wish === undefined || reported === undefined || !isOf(reported, wish))
      return false;
    this.assumedScreen = wish;
    this.shownMs = reported.sinceMs;
    return true;
  }

  /** Whether it may still be drawing what its turbo accepted. */
  isDrawing(nowMs: number): boolean {
    return this.assumedScreen !== undefined && this.shownMs === undefined && nowMs - this.takenMs <= DRAWING_MS;
  }

  /** Another turbo serves the device: the previous one may not have passed on what it accepted. */
  moved(): void {
    if (this.shownMs === undefined) this.assumedScreen = undefined;
  }

  /** The device lost its memory. */
  lost(): void {
    this.assumedScreen = undefined;
    this.reported = undefined;
  }
}

/** Whether a report is about this show. */
export function isOf({ token, checksum }: Pick<Reported, 'token' | 'checksum'>, show: Show | undefined): boolean {
  return show?.token === token && show.checksum === checksum;
}
