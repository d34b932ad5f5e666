import type { Clock, Timer } from '../ports.ts';
import type { DevicePaper } from '../turbo/shelf/shelfDevice.ts';

/** Number of refreshes from one full refresh to the next. Full refreshes remove traces of partial ones. */
const FULL_EVERY = 10;

/** An e-paper screen, which keeps its image without power and takes time to change it. Call `draw` again only after `done`. */
export class EPaper implements DevicePaper {
  fullMs = 2_000;
  partialMs = 300;
  /** Number of refreshes so far. */
  refreshes = 0;
  /** The quantity in the image. */
  count: number | undefined;

  private readonly clock: Clock;
  private readonly done: () => void;
  private checksum: number | undefined;
  private untilFull = 0;
  private timer: Timer | undefined;

  /** `done` is called when the image is visible, during `draw` if drawing takes no time. */
  constructor(clock: Clock, done: () => void) {
    this.clock = clock;
    this.done = done;
  }

  /** Draws a show. Skips the refresh if neither the checksum nor the count changes. */
  draw(show: Parameters<DevicePaper['draw']>[0], count: number | undefined): void {
    const checksum = show?.checksum;
    if (checksum === this.checksum && count === this.count) return this.done();
    const full = this.untilFull === 0;
    this.untilFull = full ? FULL_EVERY - 1 : this.untilFull - 1;
    this.refreshes++;
    this.checksum = checksum;
    this.count = count;
    const ms = full ? this.fullMs : this.partialMs;
    if (ms <= 0) return this.done();
    this.timer = this.clock.setTimer(ms, this.done);
  }

  /** Makes the next refresh full. Call after a restart, when the device no longer knows its image. */
  forget(): void {
    this.checksum = undefined;
    this.count = undefined;
    this.untilFull = 0;
  }

  stop(): void {
    this.timer?.cancel();
  }
}
