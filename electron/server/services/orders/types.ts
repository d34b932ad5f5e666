import type { Repositories } from '../../db/repositories.ts';
import type { Snapshots } from '../../db/snapshots.ts';
import type { Writer } from '../../db/writer.ts';
import type { Ids } from '../../ports.ts';
import type { ItemStock } from '../articles/index.ts';
import type { Callbacks } from '../callbacks/index.ts';
import type { Commands } from '../commands/index.ts';
import type { SettingsService } from '../settings/index.ts';
import type { OrderHolds } from './holds.ts';
import type { EndedOrders } from './work/settle.ts';
import type { OrderWork } from './work/work.ts';

/** State shared by the use-cases of orders. */
export type OrderContext = {
  repositories: Pick<
    Repositories,
    | 'accounts'
    | 'aliases'
    | 'batches'
    | 'commands'
    | 'devices'
    | 'items'
    | 'map'
    | 'orderPickers'
    | 'orders'
    | 'placeNames'
    | 'stock'
  >;
  /** Reads committed rows only. */
  reads: Pick<
    Repositories,
    'accounts' | 'aliases' | 'devices' | 'items' | 'orderPickers' | 'orders' | 'placeNames' | 'stock'
  >;
  snapshots: Pick<Snapshots, 'read'>;
  writer: Writer;
  commands: Commands;
  callbacks: Callbacks;
  endedOrders: EndedOrders;
  itemStock: ItemStock;
  settings: Pick<SettingsService, 'current'>;
  ids: Ids;
  holds: OrderHolds;
  work: OrderWork;
};
