import type { Api } from '../api.ts';
import { ApiError } from '../apiError.ts';
import { texts } from '../../ui/texts.ts';
import { type KeptDeed, newKey } from './deeds.ts';

export type DeedCalls = Pick<Api, 'acknowledge' | 'adjust' | 'closeShort' | 'reopen' | 'launchOrder' | 'loadOrder'>;

/** Sends a deed to the station. Rejects as the call does. */
export async function sendDeed(api: DeedCalls, person: string, deed: KeptDeed): Promise<void> {
  const { order_number: order, item_id: item, key } = deed;
  switch (deed.kind) {
    case 'confirm': {
      const { deviceid, command_id: command, quantity, seen } = deed;
      if (deviceid === null || command === null) throw notLit();
      const when = { confirmed_at: new Date(deed.at).toISOString(), ...(seen === null ? {} : { seen }) };
      return api.acknowledge(deviceid, command, quantity ?? undefined, key, when);
    }
    case 'adjust':
      return api.adjust(deed.deviceid, deed.command_id, deed.quantity, key);
    case 'short':
    case 'reason': {
      const { quantity_fulfilled, reason } = deed;
      const elsewhere = deed.kind === 'short' ? deed.elsewhere : undefined;
      await api.closeShort(order, item, {
        quantity_fulfilled,
        reason,
        key,
        ...(elsewhere === undefined ? {} : { elsewhere }),
      });
      return undefined;
    }
    case 'undo':
      await api.reopen(order, item, { quantity_fulfilled: deed.quantity_fulfilled, key });
      return lightAgain(api, person, order);
  }
}

/** The station may have lit it with the reopening. */
async function lightAgain(api: DeedCalls, person: string, order: string): Promise<void> {
  try {
    await api.launchOrder(order, { picker: person });
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'conflict')) throw error;
  }
}

/** Books what was refused with the light that the item has now. Rejects with `conflict` if it has none. */
export async function sendAnyway(api: DeedCalls, deed: KeptDeed): Promise<void> {
  const { shipments } = await api.loadOrder(deed.order_number);
  const item = shipments.flatMap(({ items }) => items).find(({ id }) => id === deed.item_id);
  if (deed.kind === 'short') {
    const { quantity_fulfilled, reason } = deed;
    await api.closeShort(deed.order_number, deed.item_id, { quantity_fulfilled, reason, key: newKey() });
  } else if (deed.kind === 'confirm') {
    if (item?.deviceid === null || item?.deviceid === undefined || item.command_id === null) throw notLit();
    await api.acknowledge(item.deviceid, item.command_id, deed.quantity ?? undefined, newKey());
  }
}

function notLit(): ApiError {
  return new ApiError('conflict', texts.outbox.notLit);
}
