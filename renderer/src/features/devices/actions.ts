import type { DeviceRow } from './deviceRows.ts';

/** What can be done with a row. Undefined: not by this person. */
export type DeviceActions = {
  open(deviceid: string): void;
  identify: ((row: DeviceRow) => void) | undefined;
  replace: ((row: DeviceRow) => void) | undefined;
  remove: ((row: DeviceRow) => void) | undefined;
};
