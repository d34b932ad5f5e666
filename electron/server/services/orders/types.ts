import type { TablesOf } from '../../core.ts';
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

/** State shared by the use cases for orders. */
export type OrderContext = {
  repositories: TablesOf<'orders'>;
  /** Repositories for reading, which return committed rows only. */
  reads: TablesOf<'orders'>;
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
