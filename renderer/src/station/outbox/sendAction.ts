import type { Item } from '#shared/api/order.ts';
import type { Api } from '../calls/api.ts';
import { ApiError } from '../../words/apiError.ts';
import * as texts from '../../words/texts.ts';
import { type KeptAction, newKey } from './actions.ts';
import { type BatchCalls, sendBatchAction } from './sendBatchAction.ts';
import { findPicked, isPick, type RemedyCalls, takenWith } from './remedy.ts';

export type ActionCalls = BatchCalls &
  RemedyCalls &
  Pick<Api, 'acknowledgeCommand' | 'adjustCommand' | 'closeItemShort' | 'confirmItem' | 'recordReturned'>;

/**
 * Sends an action to the station. `skewMs` is the number of milliseconds by which this clock is ahead of the
 * station's. Rejects if the call fails.
 */
export async function sendAction(api: ActionCalls, action: KeptAction, skewMs = 0): Promise<unknown> {
  const { order_number: order, item_id: item, key } = action;
  const confirmed_at = new Date(action.at - skewMs).toISOString();
  switch (action.kind) {
    case 'confirm': {
      const { deviceid, command_id: command, quantity, seen, location, asked, place, instead } = action;
      if (instead !== undefined) {
        // One step replaces what the press has booked. The page has seen the quantity after the press.
        const number = quantity === null ? {} : { instead_quantity: quantity };
        const before = { quantity_fulfilled: seen ?? 0, instead: item, ...number };
        return api.reopenItem({
          path: { order_number: order, id: item },
          body: { ...before, key, confirmed_at, ...seenOf(instead, asked) },
        });
      }
      const where = deviceid === null && location === undefined ? { place } : {};
      const when = { confirmed_at, ...seenOf(seen, asked, where) };
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
      const { quantity_fulfilled, reason, elsewhere, seen, asked } = action;
      const place = elsewhere === undefined ? {} : { elsewhere };
      return api.closeItemShort({
        path: { order_number: order, id: item },
        body: { quantity_fulfilled, reason, key, ...place, confirmed_at, ...seenOf(seen, asked) },
      });
    }
    case 'reason': {
      const { quantity_fulfilled, reason } = action;
      return api.closeItemShort({
        path: { order_number: order, id: item },
        body: { quantity_fulfilled, reason, key, confirmed_at, seen: quantity_fulfilled },
      });
    }
    case 'returned':
      return api.recordReturned({
        path: { order_number: order },
        body: { item_id: item, quantity: action.quantity, location: action.place, confirmed_at, key },
      });
    case 'cart':
      return sendBatchAction(api, action, { key, confirmed_at });
    case 'verify':
      return api.verifyItem({
        path: { order_number: order, id: item },
        body: { key, confirmed_at, ...seenOf(action.seen) },
      });
    case 'undo': {
      const { quantity_fulfilled, press } = action;
      return api.reopenItem({
        path: { order_number: order, id: item },
        body: {
          ...(quantity_fulfilled === undefined ? {} : { quantity_fulfilled }),
          key,
          ...insteadOf(action),
          ...(press === undefined ? {} : { press }),
          confirmed_at,
          ...seenOf(action.seen),
        },
      });
    }
  }
}

/** Returns `seen` as a request field, or no field for actions that an earlier version stored without `seen`. */
const seenOf = (picked: number | null | undefined, asked?: number, where: { place?: string } = {}) => {
  if (typeof picked !== 'number') return {};
  return { seen: asked === undefined ? picked : { picked, asked, ...where } };
};

/** Below the age from which the station refuses confirmations, in milliseconds. */
const RECENT_MS = 55 * 60_000;

/**
 * A request to send a refused action again. `reason` is used for a pick in a batch that has none, `now` is the time of this clock, and
 * `skewMs` the number of milliseconds by which it is ahead of the station's.
 */
export type Again = { reason?: string | undefined; now: number; skewMs: number };

/**
 * Sends a refused action again, with a new key, when the person requests it. Books only what is still open, also of a short line, and
 * resolves to the number of pieces that are left to put back. A pick keeps its time, so that a count after it is not lowered. Rejects with
 * `conflict` if nothing of a pick is open.
 */
export async function sendAnyway(
  api: ActionCalls,
  action: KeptAction,
  { reason, now, skewMs }: Again,
): Promise<number> {
  const key = newKey();
  const confirmed_at = new Date(action.at - skewMs).toISOString();
  if (isPick(action))
    return pickAnyway(api, action, {
      key,
      reason,
      when: { confirmed_at, late: true },
      isRecent: now - action.at < RECENT_MS,
    });
  if (action.kind === 'undo') await undoAnyway(api, action, key);
  else await repeat(api, action, key);
  return 0;
}

/** Sends the same action without the checks for delayed ones. */
async function repeat(api: ActionCalls, action: KeptAction, key: string): Promise<void> {
  const path = { order_number: action.order_number, id: action.item_id };
  if (action.kind === 'cart') await sendBatchAction(api, action, { key });
  else if (action.kind === 'verify') await api.verifyItem({ path, body: { key } });
  else if (action.kind === 'reason') {
    const { quantity_fulfilled, reason } = action;
    await api.closeItemShort({ path, body: { quantity_fulfilled, reason, key } });
  }
}

async function undoAnyway(api: ActionCalls, action: Extract<KeptAction, { kind: 'undo' }>, key: string): Promise<void> {
  const { quantity_fulfilled: before, seen, order_number, item_id: id } = action;
  const item = (await findPicked(api, action))?.item;
  // Revert only the pieces of the undone confirmation, and keep pieces counted since then.
  const isChanged = before !== undefined && seen !== undefined && item !== undefined;
  const to = isChanged ? Math.max(0, item.quantity_fulfilled - (seen - before)) : before;
  const kept = to === undefined ? {} : { quantity_fulfilled: to };
  await api.reopenItem({ path: { order_number, id }, body: { ...kept, key, ...insteadOf(action) } });
}

/** Returns the fields that name the line that is booked instead, and its pieces. */
function insteadOf({ instead, instead_quantity }: Extract<KeptAction, { kind: 'undo' }>) {
  if (instead === undefined) return {};
  return instead_quantity === undefined ? { instead } : { instead, instead_quantity };
}

/** A pick that is sent again, with its time, which can be of any age. `isRecent` tells whether a light can still be acknowledged with that time. */
type PickAgain = {
  key: string;
  reason: string | undefined;
  when: { confirmed_at: string; late: true };
  isRecent: boolean;
};

async function pickAnyway(api: ActionCalls, action: KeptAction, again: PickAgain): Promise<number> {
  const { key, when } = again;
  const found = await findPicked(api, action);
  if (found === undefined) throw new ApiError('conflict', texts.outbox.notLit);
  const { item, open } = found;
  if (action.kind === 'short' && item.state !== 'short') {
    // Keep pieces counted since then.
    const quantity_fulfilled = Math.max(action.quantity_fulfilled, item.quantity_fulfilled);
    const path = { order_number: action.order_number, id: action.item_id };
    await api.closeItemShort({ path, body: { quantity_fulfilled, reason: action.reason, key, ...when } });
    return 0;
  }
  const taken = notBooked(action, item) ?? open;
  const pieces = Math.min(taken, open);
  if (pieces === 0 && taken > 0) throw new ApiError('conflict', texts.outbox.notLit);
  if (action.kind === 'cart') await pickInBatch(api, action, pieces, again);
  else await pickItem(api, action, { item, pieces, isWhole: pieces === open }, again);
  return taken - pieces;
}

/** Returns how many of the pieces that the person took are not booked. What a press had booked may have been taken back since. */
function notBooked(action: KeptAction, { quantity_fulfilled: fulfilled }: Item): number | null {
  if (action.kind !== 'confirm' || action.instead === undefined) return takenWith(action);
  const { quantity, seen } = action;
  return Math.min(quantity ?? 0, Math.max(0, (seen ?? 0) + (quantity ?? 0) - fulfilled));
}

type Pieces = { item: Item; pieces: number; isWhole: boolean };

/** Books pieces of a line. Acknowledges its light if it asks for nothing else. */
async function pickItem(
  api: ActionCalls,
  action: KeptAction,
  { item, pieces, isWhole }: Pieces,
  { key, when, isRecent }: PickAgain,
): Promise<void> {
  const path = { order_number: action.order_number, id: action.item_id };
  const { deviceid, command_id: command } = item;
  if (isRecent && isWhole && deviceid !== null && command !== null) {
    const body = { command_id: command, qty: pieces, key, confirmed_at: when.confirmed_at };
    await api.acknowledgeCommand({ path: { DeviceID: deviceid }, body });
  } else if (pieces > 0) await api.confirmItem({ path, body: { quantity: pieces, key, ...when } });
}

/** Books pieces of one item of a batch, in the order of its shares. */
async function pickInBatch(
  api: ActionCalls,
  action: Extract<KeptAction, { kind: 'cart' }>,
  pieces: number,
  again: PickAgain,
): Promise<void> {
  const { reason, key, when } = again;
  const { act } = action;
  if (act.does !== 'pick') return;
  let rest = pieces;
  const shares = act.shares.map((share) => {
    const quantity = Math.min(rest, share.quantity);
    rest -= quantity;
    return { ...share, quantity };
  });
  const why = act.reason ?? reason;
  const given = { ...act, shares, quantity: pieces, ...(why === undefined ? {} : { reason: why }) };
  // The shares may have changed since, so `seen` is left out.
  const unseen = shares.map(({ quantity_fulfilled: _seen, ...share }) => share);
  await sendBatchAction(api, { ...action, act: { ...given, shares: unseen } }, { key, ...when });
}
