import type { NextOrder } from '#shared/api/picking.ts';
import type { TablesOf } from '../../core.ts';
import type { SettingsService } from '../settings/index.ts';
import { orderProgress } from './answers.ts';

/**
 * Suggests the next order for a person: one that waits for this person, then one that the person paused, then one without pickers, by
 * attention, priority, due time and age. Orders whose items have no lights are suggested as well.
 */
export function createNextOrder(parts: {
  reads: TablesOf<'orders'>;
  settings: SettingsService;
}): (picker: string | undefined) => NextOrder {
  const { reads, settings } = parts;
  return (picker) => {
    const name = picker === undefined ? undefined : reads.accounts.findUser(picker)?.username;
    const own = name === undefined ? [] : reads.orderPickers.listDark(name);
    const [id] = own;
    const order = id === undefined ? reads.orders.listNext(1)[0] : reads.orders.find(id);
    const waiting = reads.orders.countFree() + own.length;
    return { order: order === undefined ? null : orderProgress(order, settings.current()), waiting };
  };
}
