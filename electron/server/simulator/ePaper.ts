import type { Clock, Timer } from '../ports.ts';
import type { DevicePaper } from '../turbo/shelf/shelfDevice.ts';

/** Every tenth refresh is a full one, to remove the traces of partial ones; so is the very first. */
const FULL_EVERY = 10;

/** A display that keeps its picture without power and takes time to change it. One refresh at a time. */
export class EPaper implements DevicePaper {
  fullMs = 2_000;
  partialMs = 300;
  /** Number of refreshes so far. */
  refreshes = 0;
  /** The quantity that the device drew into the picture. */
  count: number | undefined;

  private readonly clock: Clock;
  private readonly done: () => void;
  private checksum: number | undefined;
  private untilFull = 0;
  private timer: Timer | undefined;

  /** `done` is called when a picture is on the screen; during `draw` if that takes no time. */
  constructor(clock: Clock, done: () => void) {
    this.clock = clock;
    this.done = done;
  }

  /** Skips the refresh if neither the checksum nor the count changes. */
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

  /** The device no longer knows what is on the screen: the next refresh is a full one. */
  forget(): void {
    this.checksum = undefined;
    this.count = undefined;
    this.untilFull = 0;
  }

  stop(): void {
    this.timer?.cancel();
  }
}
