import type { Item } from '#shared/api/order.ts';
import type { Api } from '../calls/api.ts';
import { ApiError } from '../../words/apiError.ts';
import * as texts from '../../words/texts.ts';
import { type KeptAction, newKey } from './actions.ts';
import { type BatchCalls, sendBatchAction } from './sendBatchAction.ts';

export type ActionCalls = BatchCalls &
  Pick<Api, 'acknowledgeCommand' | 'adjustCommand' | 'closeItemShort' | 'confirmItem' | 'getOrder'>;

/**
 * Sends an action to the station. `skewMs` is the number of milliseconds by which this clock is ahead of the
 * station's. Rejects if the call fails.
 */
export async function sendAction(api: ActionCalls, action: KeptAction, skewMs = 0): Promise<unknown> {
  const { order_number: order, item_id: item, key } = action;
  const confirmed_at = new Date(action.at - skewMs).toISOString();
  switch (action.kind) {
    case 'confirm': {
      const { deviceid, command_id: command, quantity, seen, location } = action;
      const when = { confirmed_at, ...seenOf(seen) };
      if (deviceid !== null && command !== null) {
        return api.acknowledgeCommand({
          path: { DeviceID: deviceid },
          body: { command_id: command, qty: quantity ?? undefined, key, ...when },
        });
      }
      return api.confirmItem({
        path: { order_number: order, id: item },
        body: {
          ...(quantity === null ? {} : { quantity }),
          ...(location === undefined ? {} : { location }),
          key,
          ...when,
        },
      });
    }
    case 'adjust':
      return api.adjustCommand({
        path: { DeviceID: action.deviceid },
        body: { command_id: action.command_id, quantity: action.quantity, key },
      });
    case 'short': {
      const { quantity_fulfilled, reason, elsewhere, seen } = action;
      const place = elsewhere === undefined ? {} : { elsewhere };
      return api.closeItemShort({
        path: { order_number: order, id: item },
        body: { quantity_fulfilled, reason, key, ...place, confirmed_at, ...seenOf(seen) },
      });
    }
    case 'reason': {
      const { quantity_fulfilled, reason } = action;
      return api.closeItemShort({
        path: { order_number: order, id: item },
        body: { quantity_fulfilled, reason, key, confirmed_at, seen: quantity_fulfilled },
      });
    }
    case 'cart':
      return sendBatchAction(api, action, { key, confirmed_at });
    case 'verify':
      return api.verifyItem({
        path: { order_number: order, id: item },
        body: { key, confirmed_at, ...seenOf(action.seen) },
      });
    case 'undo': {
      const { quantity_fulfilled, instead } = action;
      return api.reopenItem({
        path: { order_number: order, id: item },
        body: {
          ...(quantity_fulfilled === undefined ? {} : { quantity_fulfilled }),
          key,
          ...(instead === undefined ? {} : { instead }),
          confirmed_at,
          ...seenOf(action.seen),
        },
      });
    }
  }
}

/** Returns `seen` as a request field, or no field for actions that an earlier version stored without `seen`. */
const seenOf = (seen: number | null | undefined) => (typeof seen === 'number' ? { seen } : {});

/**
 * Sends a refused action again, with a new key, when the person requests it. A confirmation uses the item's current light, and rejects with
 * `conflict` if the item is not active.
 */
export async function sendAnyway(api: ActionCalls, action: KeptAction): Promise<void> {
  const { order_number: order, item_id: id } = action;
  const key = newKey();
  if (action.kind === 'cart') return sendBatchAction(api, action, { key });
  if (action.kind === 'verify') {
    await api.verifyItem({ path: { order_number: order, id }, body: { key } });
    return;
  }
  const { shipments } = await api.getOrder({ path: { order_number: order } });
  const item = shipments.flatMap(({ items }) => items).find((each) => each.id === id);
  if (action.kind === 'undo') {
    const { quantity_fulfilled: before, seen, instead } = action;
    // Revert only the pieces of the undone confirmation, and keep pieces counted since then.
    const isChanged = before !== undefined && seen !== undefined && item !== undefined;
    const to = isChanged ? Math.max(0, item.quantity_fulfilled - (seen - before)) : before;
    const kept = to === undefined ? {} : { quantity_fulfilled: to };
    await api.reopenItem({
      path: { order_number: order, id },
      body: { ...kept, key, ...(instead === undefined ? {} : { instead }) },
    });
    return;
  }
  if (action.kind === 'confirm') return confirmNow(api, action, item);
  if (action.kind === 'adjust') return;
  // Keep pieces counted since then.
  const quantity_fulfilled = Math.max(action.quantity_fulfilled, item?.quantity_fulfilled ?? 0);
  await api.closeItemShort({
    path: { order_number: order, id },
    body: { quantity_fulfilled, reason: action.reason, key },
  });
}

async function confirmNow(
  api: ActionCalls,
  { order_number: order, item_id: id, quantity }: Extract<KeptAction, { kind: 'confirm' }>,
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
