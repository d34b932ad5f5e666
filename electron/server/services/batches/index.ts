import type { CoreOf } from '../../core.ts';
import type { AlertRecords } from '../alerts/index.ts';
import type { ItemStock } from '../articles/index.ts';
import type { CommandOwners, Commands } from '../commands/index.ts';
import type { BatchWork, OrderHolds } from '../orders/index.ts';
import { createBatches } from './batches.ts';
import { pauseOtherWork } from './people.ts';
import { createBatchStalls } from './stalls.ts';
import type { BatchesContext } from './types.ts';

export type { Batches } from './batches.ts';
export { type Carriers, createCarriers } from './carriers.ts';
export { findScannedCarrier } from './scanned.ts';
export { linesOfPicks, pickOfItem } from './work.ts';
export { pickedArticles, wallArticles, type WallResult } from './wallScans.ts';

/** Creates the services for batches, whose orders are picked onto carts or sorted into walls. */
export function createBatchGroup(
  core: CoreOf<'batches'>,
  needs: {
    commands: Commands;
    owners: CommandOwners;
    batchWork: BatchWork;
    holds: OrderHolds;
    itemStock: ItemStock;
    alerts: AlertRecords;
  },
) {
  const context: BatchesContext = {
    ...core,
    ...needs,
    pauseOtherWork: (tx, name, how) => pauseOtherWork(context, tx, name, how),
  };
  const batches = createBatches(context);
  const stalls = createBatchStalls(core, needs);
  core.onStop(() => stalls.stop());
  core.onStart(() => stalls.start());
  needs.owners.follow('pick', batches.followers.pick);
  needs.owners.follow('slot', batches.followers.slot);
  needs.holds.follow(batches.followers.holds);
  return { batches };
}
