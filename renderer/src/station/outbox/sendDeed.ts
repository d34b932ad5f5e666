import type { Item } from '#shared/api/order.ts';
import type { Api } from '../calls/api.ts';
import { ApiError } from '../../words/apiError.ts';
import * as texts from '../../words/texts.ts';
import { type KeptDeed, newKey } from './deeds.ts';
import { type BatchCalls, sendBatchDeed } from './sendBatchDeed.ts';

export type DeedCalls = BatchCalls & Pick<Api, 'adjustCommand' | 'closeItemShort' | 'getOrder' | 'verifyItem'>;

/**
 * Sends an action to the station. `skewMs` is the number of milliseconds by which this clock is ahead of the
 * station's. Rejects if the call fails.
 */
export async function sendDeed(api: DeedCalls, deed: KeptDeed, skewMs = 0): Promise<unknown> {
  const { order_number: order, item_id: item, key } = deed;
  const confirmed_at = new Date(deed.at - skewMs).toISOString();
  switch (deed.kind) {
    case 'confirm': {
      const { deviceid, command_id: command, quantity, seen } = deed;
      const when = { confirmed_at, ...seenOf(seen) };
      if (deviceid !== null && command !== null) {
        return api.acknowledgeCommand({
          path: { DeviceID: deviceid },
          body: { command_id: command, qty: quantity ?? undefined, key, ...when },
        });
      }
      return api.confirmItem({
        path: { order_number: order, id: item },
        body: { ...(quantity === null ? {} : { quantity }), key, ...when },
      });
    }
    case 'adjust':
      return api.adjustCommand({
        path: { DeviceID: deed.deviceid },
        body: { command_id: deed.command_id, quantity: deed.quantity, key },
      });
    case 'short': {
      const { quantity_fulfilled, reason, elsewhere, seen } = deed;
      const place = elsewhere === undefined ? {} : { elsewhere };
      return api.closeItemShort({
        path: { order_number: order, id: item },
        body: { quantity_fulfilled, reason, key, ...place, confirmed_at, ...seenOf(seen) },
      });
    }
    case 'reason': {
      const { quantity_fulfilled, reason } = deed;
      return api.closeItemShort({
        path: { order_number: order, id: item },
        body: { quantity_fulfilled, reason, key, confirmed_at, seen: quantity_fulfilled },
      });
    }
    case 'cart':
      return sendBatchDeed(api, deed, { key, confirmed_at });
    case 'verify':
      return api.verifyItem({
        path: { order_number: order, id: item },
        body: { key, confirmed_at, ...seenOf(deed.seen) },
      });
    case 'undo': {
      const { quantity_fulfilled, instead } = deed;
      return api.reopenItem({
        path: { order_number: order, id: item },
        body: {
          ...(quantity_fulfilled === undefined ? {} : { quantity_fulfilled }),
          key,
          ...(instead === undefined ? {} : { instead }),
          confirmed_at,
          ...seenOf(deed.seen),
        },
      });
    }
  }
}

/** Returns `seen` as a request field, or no field for actions that an earlier version stored without `seen`. */
const seenOf = (seen: number | null | undefined) => (typeof seen === 'number' ? { seen } : {});

/**
 * Sends a refused action again when the person asks for it, with a new key. A confirmation uses the item's current
 * light, and rejects with `conflict` if the item is not active.
 */
export async function sendAnyway(api: DeedCalls, deed: KeptDeed): Promise<void> {
  const { order_number: order, item_id: id } = deed;
  const key = newKey();
  if (deed.kind === 'cart') return sendBatchDeed(api, deed, { key });
  if (deed.kind === 'verify') {
    await api.verifyItem({ path: { order_number: order, id }, body: { key } });
    return;
  }
  const { shipments } = await api.getOrder({ path: { order_number: order } });
  const item = shipments.flatMap(({ items }) => items).find((each) => each.id === id);
  if (deed.kind === 'undo') {
    const { quantity_fulfilled: before, seen, instead } = deed;
    // Keep pieces counted since then: revert only those of the undone confirmation.
    const isChanged = before !== undefined && seen !== undefined && item !== undefined;
    const to = isChanged ? Math.max(0, item.quantity_fulfilled - (seen - before)) : before;
    const kept = to === undefined ? {} : { quantity_fulfilled: to };
    await api.reopenItem({
      path: { order_number: order, id },
      body: { ...kept, key, ...(instead === undefined ? {} : { instead }) },
    });
    return;
  }
  if (deed.kind === 'confirm') return confirmNow(api, deed, item);
  if (deed.kind === 'adjust') return;
  // Keep pieces counted since then.
  const quantity_fulfilled = Math.max(deed.quantity_fulfilled, item?.quantity_fulfilled ?? 0);
  await api.closeItemShort({
    path: { order_number: order, id },
    body: { quantity_fulfilled, reason: deed.reason, key },
  });
}

async function confirmNow(
  api: DeedCalls,
  { order_number: order, item_id: id, quantity }: Extract<KeptDeed, { kind: 'confirm' }>,
  item: Item | undefined,
): Promise<void> {
  const { deviceid = null, command_id: command = null } = item ?? {};
  const key = newKey();
  if (deviceid !== null && command !== null) {
    await api.acknowledgeCommand({
      path: { DeviceID: deviceid },
      body: { command_id: command, qty: quantity ?? undefined, key },
    });
  } else if (item?.state === 'active') {
    await api.confirmItem({
      path: { order_number: order, id },
      body: { ...(quantity === null ? {} : { quantity }), key },
    });
  } else throw notLit();
}

function notLit(): ApiError {
  return new ApiError('conflict', texts.outbox.notLit);
}
