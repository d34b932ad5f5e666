/** Values that several files use in examples. */
export const DEVICE = '51D000:000001';
export const OTHER_DEVICE = '51D000:000002';
export const NO_DEVICE = 'There is no such device.';
export const NAME_TAKEN = 'A person or an API user has this name.';
export const NO_TARGET = 'There is no such device, or no device at `location`.';
