/**
 * Actions of tiles. All tiles share one object that never changes, so that a tile rerenders only when its device
 * changes.
 */
export type TileActions = {
  open(deviceid: string): void;
  /**
   * Chooses the device, or removes it from the choice. With `range`, chooses all devices from the last chosen one to
   * this one.
   */
  choose(deviceid: string, range: boolean): void;
  /** Picks up the device. If a device is already picked up, drops that one at its target. */
  carry(deviceid: string): void;
  /** Opens the dialog for the device's new place. */
  moveTo(deviceid: string): void;
  dismissFailure(): void;
};

/** The mode of the page: `look` to watch and press, `choose` to choose several devices, or `edit` to edit the map. */
export type Mode = 'look' | 'choose' | 'edit';
