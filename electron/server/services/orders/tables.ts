import type { Repositories } from '../../db/repositories.ts';
import type { TargetTables } from '../devices/index.ts';

/** Orders with their shipments. */
export type OrderTable = Pick<Repositories, 'orders'>;

/** Orders with their shipments and items. */
export type OrderTables = Pick<Repositories, 'items' | 'orders'>;

/** Orders with the people who pick them, by whose names lists are filtered. */
export type OrderListTables = OrderTables & Pick<Repositories, 'accounts' | 'orderPickers'>;

/** Places where the article of an item is kept. */
export type ItemPlaceTables = TargetTables & Pick<Repositories, 'stock'>;
