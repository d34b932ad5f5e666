import type { NextOrder } from '#shared/api/picking.ts';
import type { Repositories } from '../../db/repositories.ts';
import type { SettingsService } from '../settings/index.ts';
import { orderProgress } from './answers.ts';

/** The order to take next: one that nobody picks, by attention, priority, due time and age. It may have no light at all. */
export function createNextOrder(parts: {
  reads: Pick<Repositories, 'orders'>;
  settings: SettingsService;
}): () => NextOrder {
  const { reads, settings } = parts;
  return () => {
    const [order] = reads.orders.listNext(1);
    const waiting = reads.orders.countFree();
    return { order: order === undefined ? null : orderProgress(order, settings.current()), waiting };
  };
}
