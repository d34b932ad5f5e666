/** What a person does to a tile. One object for all tiles, always the same, so that a tile draws only for its device. */
export type TileActions = {
  open(deviceid: string): void;
  /** Adds it to the chosen, or takes it out; with `range` all from the last one to it. */
  choose(deviceid: string, range: boolean): void;
  /** Takes it up to carry it, or drops what is carried at its place. */
  carry(deviceid: string): void;
  /** Asks where it shall go. */
  moveTo(deviceid: string): void;
  dismissFailure(): void;
};

/** What the page is for at the moment: looking and pressing; choosing many; moving devices. */
export type Mode = 'look' | 'choose' | 'edit';
