/** Remembers, outside the data folders, in which folders a station ran. */
export type RanFolders = {
  /** Returns when a station last started in the folder, in epoch milliseconds, or undefined if none is known. */
  find(folder: string): number | undefined;
  /** Stores that a station started in the folder. Does nothing if the file cannot be written. */
  keep(folder: string, at: number): void;
};
