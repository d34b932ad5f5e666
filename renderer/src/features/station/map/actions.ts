/** Actions on tiles. One constant object for all tiles, so that a tile rerenders only for its device. */
export type TileActions = {
  open(deviceid: string): void;
  /** Chooses or unchooses it. With `range`, chooses all from the last one to it. */
  choose(deviceid: string, range: boolean): void;
  /** Picks it up, or drops the picked-up device in its place. */
  carry(deviceid: string): void;
  /** Asks for its new place. */
  moveTo(deviceid: string): void;
  dismissFailure(): void;
};

/** The mode of the page: watching and pressing, choosing several devices, or editing the map. */
export type Mode = 'look' | 'choose' | 'edit';
