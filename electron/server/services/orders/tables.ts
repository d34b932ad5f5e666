import type { Repositories } from '../../db/repositories.ts';

/** Orders with their shipments. */
export type OrderTable = Pick<Repositories, 'orders'>;

/** Orders with their shipments and items. */
export type OrderTables = Pick<Repositories, 'items' | 'orders'>;
