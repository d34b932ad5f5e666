import type { Show } from '../../ports.ts';

/** The background of one device: the wanted and the known one. */
export class Background {
  /** The background that the device has; undefined: none, or unknown to us. */
  known: Show | undefined;
  private wish: Show | undefined;
  /** Checksum of the background that the device reports. */
  private reported: number | undefined;
  /** A turbo accepted `known` for later, but the device has not confirmed it yet. */
  private isUnsure = false;
  /** A show that the device cannot show; it is not sent again. */
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

  /** The device has this background, or with `isUnsure`, once its turbo has passed it on. */
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

  /** Takes the checksum of the background that the device reports; undefined: not reported. */
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

  /** After a restart of the station, the device knows more than we do. */
  private adopt(): void {
    if (this.known === undefined && this.wish?.checksum === this.reported) this.known = this.wish;
  }
}
