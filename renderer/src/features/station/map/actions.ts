/** Actions on tiles. One constant object for all tiles, so that a tile rerenders only for its device. */
export type TileActions = {
  open(deviceid: string): void;
  /** Chooses or unchooses the device. With `range`, chooses all devices from the last chosen one to this one. */
  choose(deviceid: string, range: boolean): void;
  /** Picks up the device, or drops the picked-up device in this device's place. */
  carry(deviceid: string): void;
  /** Asks for the device's new place. */
  moveTo(deviceid: string): void;
  dismissFailure(): void;
};

/** The mode of the page: watching and pressing, choosing several devices, or editing the map. */
export type Mode = 'look' | 'choose' | 'edit';
