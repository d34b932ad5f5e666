import type { Show } from '../../ports.ts';

/** The wanted and the known background of one device. */
export class Background {
  /** The background that the device has; undefined: none, or unknown to us. */
  known: Show | undefined;
  private wish: Show | undefined;
  /** Checksum of the background that the device reports. */
  private reported: number | undefined;
  /** A turbo accepted `known` for later, but the device has not confirmed it yet. */
  private isUnsure = false;
  /** Refused by the device; not sent again before `retry`. */
  private rejectedShow: Show | undefined;

  want(show: Show): void {
    this.wish = show;
    this.adopt();
  }

  /** The background to send; undefined: none. */
  missing(): Show | undefined {
    const { wish } = this;
    if (wish === undefined || wish.checksum === this.known?.checksum) return undefined;
    return wish.checksum === this.rejectedShow?.checksum ? undefined : wish;
  }

  /** The device has this background; with `isUnsure`, only once its turbo has passed it on. */
  taken(show: Show, isUnsure = false): void {
    this.known = show;
    this.reported = show.checksum;
    this.isUnsure = isUnsure;
  }

  /** Another turbo serves the device; the previous one may not have passed on what it accepted. */
  moved(): void {
    if (this.isUnsure) this.lost();
  }

  /** The device cannot accept this background, at least not now; `retry` resets it. */
  refused(show: Show): void {
    this.rejectedShow = show;
  }

  retry(): void {
    this.rejectedShow = undefined;
  }

  /** Compares the checksum that the device reports; undefined: it reports none. */
  reports(checksum: number | undefined): void {
    if (checksum === undefined) return;
    this.isUnsure = false;
    if (checksum === this.known?.checksum) return;
    this.known = undefined;
    this.reported = checksum;
    this.adopt();
  }

  /** The device lost its background, or has a different one. */
  lost(): void {
    this.isUnsure = false;
    this.known = undefined;
    this.reported = undefined;
  }

  /** After a restart of the station, a device may already have the wanted background. */
  private adopt(): void {
    if (this.known === undefined && this.wish?.checksum === this.reported) this.known = this.wish;
  }
}
