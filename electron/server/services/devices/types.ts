import type { Repositories } from '../../db/repositories.ts';

/** Tables that are searched for the device of a location. */
export type TargetTables = Pick<Repositories, 'aliases' | 'devices' | 'placeNames'>;

/** The tables that contain labels or place names. */
export type LabelTables = Pick<Repositories, 'aliases' | 'devices' | 'lookAlikes'>;
