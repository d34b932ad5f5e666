import type { Show } from '../../ports.ts';

/** The wanted and the last known background of one device. A device displays its background after a command. */
export class Background {
  /** The background that the device has; undefined if none or unknown. */
  known: Show | undefined;
  private wish: Show | undefined;
  /** Checksum of the background that the device reports. */
  private reported: number | undefined;
  /** Whether a turbo accepted `known` for later delivery, but the device has not confirmed it yet. */
  private isUnsure = false;
  /** The background that the device refused, which is not sent again before `retry`. */
  private rejectedShow: Show | undefined;

  want(show: Show): void {
    this.wish = show;
    this.adopt();
  }

  /** Returns the background to send, or undefined if there is none. */
  missing(): Show | undefined {
    const { wish } = this;
    if (wish === undefined || wish.checksum === this.known?.checksum) return undefined;
    return wish.checksum === this.rejectedShow?.checksum ? undefined : wish;
  }

  /**
   * Records that the device has this background. With `isUnsure`, the turbo has accepted the background but may not have delivered it yet.
   */
  taken(show: Show, isUnsure = false): void {
    this.known = show;
    this.reported = show.checksum;
    this.isUnsure = isUnsure;
  }

  /** Handles a move to another turbo. The previous turbo may not have delivered the background that it accepted. */
  moved(): void {
    if (this.isUnsure) this.lost();
  }

  /** Records that the device refused this background. It is not sent again before `retry`. */
  refused(show: Show): void {
    this.rejectedShow = show;
  }

  retry(): void {
    this.rejectedShow = undefined;
  }

  /** Handles the background checksum that the device reports. It is undefined if the device reports none. */
  reports(checksum: number | undefined): void {
    if (checksum === undefined) return;
    this.isUnsure = false;
    if (checksum === this.known?.checksum) return;
    this.known = undefined;
    this.reported = checksum;
    this.adopt();
  }

  /** Records that the device lost its background or has a different one. */
  lost(): void {
    this.isUnsure = false;
    this.known = undefined;
    this.reported = undefined;
  }

  /** Adopts the reported background if it is the wanted one, because a device may already have it when the station restarts. */
  private adopt(): void {
    if (this.known === undefined && this.wish?.checksum === this.reported) this.known = this.wish;
  }
}
