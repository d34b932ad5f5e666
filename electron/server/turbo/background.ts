import type { Show } from '../ports.ts';

/** What one device goes back to by itself: as it should be, and as it is known to be. */
export class Background {
  /** What the device keeps; undefined: nothing, or nothing that we know of. */
  known: Show | undefined;
  private wish: Show | undefined;
  /** The checksum of what it keeps, by its own account. */
  private reported: number | undefined;
  /** A turbo took what is known for later, and the device has not said yet that it has it. */
  private isUnsure = false;
  /** A wish that no repetition will fulfil. */
  private rejectedShow: Show | undefined;

  want(show: Show): void {
    this.wish = show;
    this.adopt();
  }

  /** What is to be sent; undefined: nothing. */
  missing(): Show | undefined {
    const { wish } = this;
    if (wish === undefined || wish.checksum === this.known?.checksum) return undefined;
    return wish.checksum === this.rejectedShow?.checksum ? undefined : wish;
  }

  /** The device keeps this from now on; `isUnsure`: once its turbo has passed it on. */
  taken(show: Show, isUnsure = false): void {
    this.known = show;
    this.reported = show.checksum;
    this.isUnsure = isUnsure;
  }

  /** Another turbo serves the device: what the former one took, it may never have passed on. */
  moved(): void {
    if (this.isUnsure) this.lost();
  }

  /** It cannot be given this, or not now; `retry` forgets that. */
  refused(show: Show): void {
    this.rejectedShow = show;
  }

  retry(): void {
    this.rejectedShow = undefined;
  }

  /** The device says what it keeps; undefined where it does not say. */
  heard(checksum: number | undefined): void {
    if (checksum === undefined) return;
    this.isUnsure = false;
    if (checksum === this.known?.checksum) return;
    this.known = undefined;
    this.reported = checksum;
    this.adopt();
  }

  /** It has forgotten it, or keeps something else. */
  lost(): void {
    this.isUnsure = false;
    this.known = undefined;
    this.reported = undefined;
  }

  /** After a restart of the station the device knows more than we do. */
  private adopt(): void {
    if (this.known === undefined && this.wish?.checksum === this.reported) this.known = this.wish;
  }
}
