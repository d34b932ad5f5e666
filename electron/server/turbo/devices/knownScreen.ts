import type { Show } from '../../ports.ts';
import type { Deadline } from './shows.ts';

/**
 * Maximum time for a device to draw a show that its turbo accepted. The device does not move to another turbo during this time, because
 * that turbo would send the show again.
 */
const DRAWING_MS = 10_000;

/** What a device reports about its screen. `sinceMs` is undefined until the content has been drawn. */
export type Reported = { token: number; checksum: number | undefined; sinceMs: number | undefined };

/** What one device displays, as known from the shows sent to it and from its reports. Times are monotonic. */
export class KnownScreen {
  /** The show that was sent to the device or that the device reported; undefined if unknown. */
  assumedScreen: Show | undefined;
  /** The last report, kept while `assumedScreen` is unknown because it may match a show that is wanted later. */
  reported: Reported | undefined;
  /** When the displayed command ends. Kept so that sending the command again does not extend it. */
  deadline: Deadline | undefined;
  /** When the device began to display `assumedScreen`; undefined if the device has not confirmed it. */
  private shownMs: number | undefined;
  /** The device's last report of what it shows. */
  private newest: Reported | undefined;
  /** When the turbo accepted `assumedScreen`. */
  private takenMs = 0;

  reports(report: Reported & { sinceMs: number }): void {
    if (report.sinceMs >= (this.newest?.sinceMs ?? -Infinity)) this.newest = report;
    if (isOf(report, this.assumedScreen)) this.shownMs = report.sinceMs;
  }

  /** Whether a status matches `assumedScreen`. If so, the show counts as displayed, unless the device is still drawing it. */
  confirms({ token, checksum, sinceMs }: Reported): boolean {
    if (!isOf({ token, checksum }, this.assumedScreen)) return false;
    this.shownMs ??= sinceMs;
    return true;
  }

  /**
   * Whether the device displayed something else after it confirmed `assumedScreen`, such as a show that a previous turbo delivered late.
   * `hasMoved` tells whether more than one turbo has served the device.
   */
  isOvertaken(hasMoved: boolean): boolean {
    const { assumedScreen, shownMs, newest } = this;
    if (assumedScreen === undefined || shownMs === undefined || newest?.sinceMs === undefined) return false;
    // A single turbo keeps messages in order, so the device has ended the command on its own, and the report is on the way.
    if (assumedScreen.token !== 0 && newest.token === 0 && !hasMoved) return false;
    return newest.sinceMs >= shownMs && !isOf(newest, assumedScreen);
  }

  /**
   * Records the show that the turbo accepted, or undefined if it is unknown whether a show arrived. `shownMs` is when the device began to
   * display the show, or undefined if not reported yet.
   */
  took(show: Show | undefined, takenMs: number, shownMs: number | undefined): void {
    this.reported = undefined;
    this.assumedScreen = show;
    // The previous command is replaced. If it is displayed again, its time limit starts again.
    if (show !== undefined && show.token !== 0 && show.token !== this.deadline?.token) this.deadline = undefined;
    this.takenMs = takenMs;
    this.shownMs = shownMs;
  }

  /** Records that the device is drawing a background that it received earlier. */
  draws(show: Show, nowMs: number): void {
    this.assumedScreen = show;
    this.takenMs = nowMs;
    this.shownMs = this.newest !== undefined && isOf(this.newest, show) ? this.newest.sinceMs : undefined;
  }

  /** Records that the device ended this command and returns to its background. */
  ended(token: number, background: Show | undefined, nowMs: number): void {
    if (this.assumedScreen?.token !== token) return;
    this.assumedScreen = background;
    this.shownMs = nowMs;
  }

  /** Starts the time limit of a command when the device begins to display it. A repetition of the command does not restart the limit. */
  count(shown: Show | undefined, token: number, sinceMs: number): void {
    if (token === 0 || shown?.token !== token) return;
    // Repeating a command does not extend its time limit.
    if (this.deadline?.token === token && this.deadline.seconds === shown.seconds) return;
    const atMs = shown.seconds === 0 ? Infinity : sinceMs + shown.seconds * 1_000;
    this.deadline = { token, seconds: shown.seconds, atMs };
  }

  /**
   * Assumes, after a restart of the station, that the device displays the wanted show if the reported token and checksum match. The LED is
   * then assumed to be correct too. Returns whether they match.
   */
  adopt(wish: Show | undefined): boolean {
    const { reported } = this;
    if (this.assumedScreen !== undefined || wish === undefined || reported === undefined || !isOf(reported, wish))
      return false;
    this.assumedScreen = wish;
    this.shownMs = reported.sinceMs;
    return true;
  }

  /** Whether the device may still be drawing the show that its turbo accepted. */
  isDrawing(nowMs: number): boolean {
    return this.assumedScreen !== undefined && this.shownMs === undefined && nowMs - this.takenMs <= DRAWING_MS;
  }

  /** Handles a move to another turbo. The previous turbo may not have delivered the show that it accepted. */
  moved(): void {
    if (this.shownMs === undefined) this.assumedScreen = undefined;
  }

  /** Handles a device that lost its memory. */
  lost(): void {
    this.assumedScreen = undefined;
    this.reported = undefined;
  }
}

/** Whether a report is about this show. */
export function isOf({ token, checksum }: Pick<Reported, 'token' | 'checksum'>, show: Show | undefined): boolean {
  return show?.token === token && show.checksum === checksum;
}
