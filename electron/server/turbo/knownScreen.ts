import type { Show } from '../ports.ts';
import type { Deadline } from './shows.ts';

/** So long a device may draw what its turbo has taken; it is not handed over meanwhile, since it would be told twice. */
const DRAWING_MS = 10_000;

/** What the device shows by its own account, where that is nothing we know of. */
export type Reported = { token: number; checksum: number | undefined; sinceMs: number | undefined };

/** What one device is known to show, by what it was told and by what it says itself. Times are monotonic. */
export class KnownScreen {
  /** What the device was told, or told us, that it shows. */
  assumedScreen: Show | undefined;
  /** Kept while `told` is unknown, for a wish that comes after the status: it may be what is shown already. */
  reported: Reported | undefined;
  /** When the command that is shown ends: it must not last longer because it was sent again. */
  deadline: Deadline | undefined;
  /** Since when the device says itself that it shows what it was told; undefined: it has not said so yet. */
  private shownMs: number | undefined;
  /** What the device has shown last, by its own account. */
  private newest: Reported | undefined;
  /** When its turbo took what it was told. */
  private takenMs = 0;

  /** The device says that it shows this. */
  says(report: Reported & { sinceMs: number }): void {
    if (report.sinceMs >= (this.newest?.sinceMs ?? -Infinity)) this.newest = report;
    if (isOf(report, this.assumedScreen)) this.shownMs = report.sinceMs;
  }

  /** Says it in its status: it is so since now at the latest, unless it still draws. */
  confirms({ token, checksum, sinceMs }: Reported): boolean {
    if (!isOf({ token, checksum }, this.assumedScreen)) return false;
    this.shownMs ??= sinceMs;
    return true;
  }

  /**
   * A turbo that lost the device may pass on late what it took, over what the device was told through another one.
   * `hasMoved`: more than one has served it.
   */
  isOvertaken(hasMoved: boolean): boolean {
    const { assumedScreen, shownMs, newest } = this;
    if (assumedScreen === undefined || shownMs === undefined || newest?.sinceMs === undefined) return false;
    // Through one turbo everything comes in order: the device has ended its work by itself, and its report is on the way.
    if (assumedScreen.token !== 0 && newest.token === 0 && !hasMoved) return false;
    return newest.sinceMs >= shownMs && !isOf(newest, assumedScreen);
  }

  /** Its turbo took this; `shownMs`: the device has said before that it shows it. Undefined: what came of it is not known. */
  took(show: Show | undefined, takenMs: number, shownMs: number | undefined): void {
    this.reported = undefined;
    this.assumedScreen = show;
    this.takenMs = takenMs;
    this.shownMs = shownMs;
  }

  /** It draws by itself what it was given for later. */
  draws(show: Show, nowMs: number): void {
    this.assumedScreen = show;
    this.takenMs = nowMs;
    this.shownMs = this.newest !== undefined && isOf(this.newest, show) ? this.newest.sinceMs : undefined;
  }

  /** It ended this command by itself, and goes back to its background. */
  ended(token: number, background: Show | undefined, nowMs: number): void {
    if (this.assumedScreen?.token !== token) return;
    this.assumedScreen = background;
    this.shownMs = nowMs;
  }

  /** Its seconds count from here. */
  count(shown: Show | undefined, token: number, sinceMs: number): void {
    if (token === 0 || shown?.token !== token) return;
    // Shown again, it goes on to the end that it had.
    if (this.deadline?.token === token && this.deadline.seconds === shown.seconds) return;
    const atMs = shown.seconds === 0 ? Infinity : sinceMs + shown.seconds * 1_000;
    this.deadline = { token, seconds: shown.seconds, atMs };
  }

  /** After a restart of the station the token alone names what is shown, its LED included. */
  adopt(wish: Show | undefined): boolean {
    const { reported } = this;
    if (this.assumedScreen !== undefined || wish === undefined || reported === undefined || !isOf(reported, wish))
      return false;
    this.assumedScreen = wish;
    this.shownMs = reported.sinceMs;
    return true;
  }

  /** It has not said yet that it shows what its turbo took, and may still be about to. */
  isDrawing(nowMs: number): boolean {
    return this.assumedScreen !== undefined && this.shownMs === undefined && nowMs - this.takenMs <= DRAWING_MS;
  }

  /** Another turbo serves it: what the former one took, it may never have passed on. */
  moved(): void {
    if (this.shownMs === undefined) this.assumedScreen = undefined;
  }

  /** It has forgotten everything. */
  lost(): void {
    this.assumedScreen = undefined;
    this.reported = undefined;
  }
}

/** Whether a report is of this show. */
export function isOf({ token, checksum }: Pick<Reported, 'token' | 'checksum'>, show: Show | undefined): boolean {
  return show?.token === token && show.checksum === checksum;
}
