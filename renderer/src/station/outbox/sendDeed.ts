import type { Api } from '../api.ts';
import { ApiError } from '../apiError.ts';
import { texts } from '../../ui/texts.ts';
import { type KeptDeed, newKey } from './deeds.ts';

export type DeedCalls = Pick<
  Api,
  'acknowledge' | 'adjust' | 'closeShort' | 'confirmItem' | 'loadOrder' | 'reopen' | 'verifyItem'
>;

/** Sends a deed to the station. `skewMs`: by how much this clock is ahead of the station's. Rejects as the call does. */
export async function sendDeed(api: DeedCalls, deed: KeptDeed, skewMs = 0): Promise<void> {
  const { order_number: order, item_id: item, key } = deed;
  switch (deed.kind) {
    case 'confirm': {
      const { deviceid, command_id: command, quantity, seen } = deed;
      const when = { confirmed_at: new Date(deed.at - skewMs).toISOString(), ...(seen === null ? {} : { seen }) };
      if (deviceid !== null && command !== null) {
        return api.acknowledge(deviceid, command, quantity ?? undefined, key, when);
      }
      await api.confirmItem(order, item, { ...(quantity === null ? {} : { quantity }), key, ...when });
      return undefined;
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
    case 'verify':
      await api.verifyItem(order, item, { key });
      return undefined;
    case 'undo': {
      const { quantity_fulfilled, instead } = deed;
      await api.reopen(order, item, {
        ...(quantity_fulfilled === undefined ? {} : { quantity_fulfilled }),
        key,
        ...(instead === undefined ? {} : { instead }),
      });
      return undefined;
    }
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
    const { deviceid = null, command_id: command = null } = item ?? {};
    const { quantity } = deed;
    if (deviceid !== null && command !== null) {
      await api.acknowledge(deviceid, command, quantity ?? undefined, newKey());
    } else if (item?.state === 'active') {
      await api.confirmItem(deed.order_number, deed.item_id, {
        ...(quantity === null ? {} : { quantity }),
        key: newKey(),
      });
    } else throw notLit();
  }
}

function notLit(): ApiError {
  return new ApiError('conflict', texts.outbox.notLit);
}
