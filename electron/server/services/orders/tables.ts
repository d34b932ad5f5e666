import type { Repositories } from '../../db/repositories.ts';
import type { TargetTables } from '../devices/index.ts';

/** Table of orders and shipments. */
export type OrderTable = Pick<Repositories, 'orders'>;

/** Tables of orders, shipments and items. */
export type OrderTables = Pick<Repositories, 'items' | 'orders'>;

/** Tables of orders and pickers, to list orders by a picker's name. */
export type OrderListTables = OrderTables & Pick<Repositories, 'accounts' | 'orderPickers'>;

/** Tables to find the places of an item's article. */
export type ItemPlaceTables = TargetTables & Pick<Repositories, 'stock'>;
