import type { Repositories } from '../../db/repositories.ts';
import type { TargetTables } from '../devices/index.ts';

/** Orders with their shipments. */
export type OrderTable = Pick<Repositories, 'orders'>;

/** Orders with their shipments and items. */
export type OrderTables = Pick<Repositories, 'items' | 'orders'>;

/** Orders with the people who pick them. Lists are filtered by these people's names. */
export type OrderListTables = OrderTables & Pick<Repositories, 'accounts' | 'orderPickers'>;

/** Places where an item's article is kept. */
export type ItemPlaceTables = TargetTables & Pick<Repositories, 'stock'>;
