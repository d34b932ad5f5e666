import type { InParts } from '#shared/lib/inParts.ts';
import type { NextOrder } from '#shared/api/picking.ts';
import type { OrderRow } from '../../db/repositories/orders.ts';
import type { Repositories } from '../../db/repositories.ts';
import type { BackgroundReadQueue } from '../base/index.ts';
import type { SettingsService } from '../settings/index.ts';
import { orderProgress } from './answers.ts';
import { findItemTarget } from './light.ts';

/** Orders to try: one without a device for any item is passed over. */
const MAX_TRIED = 100;
/** Unfinished items of an order for which a device is searched. */
const MAX_LOOKED_FOR = 200;
/** Items searched in one step of the background. */
const AT_ONCE = 8;

/** The order that a picker should take next: one that nobody picks, by attention, priority, due time and age. */
export function createNextOrder(parts: {
  reads: Pick<Repositories, 'aliases' | 'devices' | 'items' | 'orders' | 'placeNames'>;
  backgroundReads: Pick<BackgroundReadQueue, 'takeAll'>;
  settings: SettingsService;
}): () => Promise<NextOrder> {
  const { reads, backgroundReads, settings } = parts;

  function* search(): InParts<OrderRow | undefined> {
    for (const order of reads.orders.listNext(MAX_TRIED)) {
      let after = 0;
      for (let looked = 0; looked < MAX_LOOKED_FOR; looked += AT_ONCE) {
        const items = reads.items.listUnfinished(order.id, after, AT_ONCE);
        if (items.some((item) => findItemTarget(reads, item) !== undefined)) return order;
        if (items.length < AT_ONCE) break;
        after = items.at(-1)?.id ?? after;
        yield;
      }
    }
    return undefined;
  }

  return async () => {
    const work = search();
    // The first step usually finds a device, without waiting for the background.
    const first = work.next();
    const found = first.done === true ? first.value : await backgroundReads.takeAll(work);
    const order = found && reads.orders.find(found.id);
    const waiting = reads.orders.countFree();
    return { order: order === undefined ? null : orderProgress(order, settings.current()), waiting };
  };
}
