import type { Show } from '../../ports.ts';
import type { Deadline } from './shows.ts';

/**
 * Maximum time for a device to draw what its turbo accepted. The device does not move to another turbo during this time, because it would
 * receive the show twice.
 */
const DRAWING_MS = 10_000;

/** What a device reports that it shows. `sinceMs`: undefined if not drawn yet. */
export type Reported = { token: number; checksum: number | undefined; sinceMs: number | undefined };

/** What one device shows, as known from our shows and its reports. Times are monotonic. */
export class KnownScreen {
  /** The show that was sent to the device or that it reported. */
  assumedScreen: Show | undefined;
  /** The last report, kept while `assumedScreen` is unknown because it may match a later wish. */
  reported: Reported | undefined;
  /** End of the shown command, so that sending the command again does not extend it. */
  deadline: Deadline | undefined;
  /** When the device confirmed the show that it was sent; undefined if not confirmed. */
  private shownMs: number | undefined;
  /** The device's last report of what it shows. */
  private newest: Reported | undefined;
  /** When the turbo accepted the show. */
  private takenMs = 0;

  reports(report: Reported & { sinceMs: number }): void {
    if (report.sinceMs >= (this.newest?.sinceMs ?? -Infinity)) this.newest = report;
    if (isOf(report, this.assumedScreen)) this.shownMs = report.sinceMs;
  }

  /** Whether a status matches the show that the device was sent. If so, the show counts as shown, unless the device is still drawing. */
  confirms({ token, checksum, sinceMs }: Reported): boolean {
    if (!isOf({ token, checksum }, this.assumedScreen)) return false;
    this.shownMs ??= sinceMs;
    return true;
  }

  /**
   * Whether the device reports something else after the show that it confirmed, such as a show that a previous turbo delivered late.
   * `hasMoved`: more than one turbo has served the device.
   */
  isOvertaken(hasMoved: boolean): boolean {
    const { assumedScreen, shownMs, newest } = this;
    if (assumedScreen === undefined || shownMs === undefined || newest?.sinceMs === undefined) return false;
    // One turbo keeps the order: the device has ended its work by itself, and its report is on the way.
    if (assumedScreen.token !== 0 && newest.token === 0 && !hasMoved) return false;
    return newest.sinceMs >= shownMs && !isOf(newest, assumedScreen);
  }

  /**
   * Records the show that the turbo accepted, or undefined if it is unknown whether a show arrived. `shownMs`: when the device confirmed
   * the show, if already confirmed.
   */
  took(show: Show | undefined, takenMs: number, shownMs: number | undefined): void {
    this.reported = undefined;
    this.assumedScreen = show;
    // The former command is replaced. If it is shown again, its time starts again.
    if (show !== undefined && show.token !== 0 && show.token !== this.deadline?.token) this.deadline = undefined;
    this.takenMs = takenMs;
    this.shownMs = shownMs;
  }

  /** Records that the device draws a show that it accepted earlier. */
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

  /** Starts the time limit of a shown command. */
  count(shown: Show | undefined, token: number, sinceMs: number): void {
    if (token === 0 || shown?.token !== token) return;
    // A command that is shown again keeps its end.
    if (this.deadline?.token === token && this.deadline.seconds === shown.seconds) return;
    const atMs = shown.seconds === 0 ? Infinity : sinceMs + shown.seconds * 1_000;
    this.deadline = { token, seconds: shown.seconds, atMs };
  }

  /**
   * Adopts the reported screen after a restart of the station: if token and checksum match the wish, assumes that the LED is correct too.
   */
  adopt(wish: Show | undefined): boolean {
    const { reported } = this;
    if (this.assumedScreen !== undefined || wish === undefined || reported === undefined || !isOf(reported, wish))
      return false;
    this.assumedScreen = wish;
    this.shownMs = reported.sinceMs;
    return true;
  }

  /** Whether the device may still be drawing what its turbo accepted. */
  isDrawing(nowMs: number): boolean {
    return this.assumedScreen !== undefined && this.shownMs === undefined && nowMs - this.takenMs <= DRAWING_MS;
  }

  /** Handles a change of turbo. The previous turbo may not have delivered what it accepted. */
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
