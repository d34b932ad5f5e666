import type { LocationRow } from './locationRows.ts';

/** What can be done with a row. Undefined: not by this person. */
export type LocationActions = {
  edit: ((row: LocationRow) => void) | undefined;
  addAlias: ((deviceid: string) => void) | undefined;
  remove: ((row: LocationRow) => void) | undefined;
  replace: ((deviceid: string) => void) | undefined;
  print(row: LocationRow): void;
  open(deviceid: string): void;
};
