import type { Repositories } from '../../db/repositories.ts';

/** Everything by which a location finds a device. */
export type TargetTables = Pick<Repositories, 'aliases' | 'devices' | 'placeNames'>;

/** Everything that has a label or a name of a place. */
export type LabelTables = Pick<Repositories, 'aliases' | 'carriers' | 'devices'>;
