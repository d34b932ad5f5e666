import type { Repositories } from '../../db/repositories.ts';

/** The tables in which a location finds a device. */
export type TargetTables = Pick<Repositories, 'aliases' | 'devices' | 'placeNames'>;

/** The tables that contain labels or place names. */
export type LabelTables = Pick<Repositories, 'aliases' | 'carriers' | 'devices'>;
