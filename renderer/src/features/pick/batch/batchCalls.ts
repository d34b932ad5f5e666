import type { Batch, NewBatch } from '#shared/api/batch.ts';
import type { ScanResult } from '#shared/api/picking.ts';
import type { CarrierKind } from '#shared/lib/picking/carriers.ts';
import type { Scan } from '../../../scan/windowScans.ts';
import type { Api } from '../../../station/calls/api.ts';
import { urgencyOf } from '../../../station/orderUrgency.ts';
import { ApiError } from '../../../words/apiError.ts';
import { cartPick as words } from '../../../words/cartPick.ts';
import { wallPick } from '../../../words/wallPick.ts';
import { listLiveBatches, loadLiveBatches, ordersInBatches } from '../../../station/liveBatches.ts';
import { nameOfItem } from '../session/sessionTypes.ts';
import type { BatchCall } from './batchTypes.ts';

/** A cart or wall. `firstCart` is the cart to pick onto before sorting at the wall. */
export type CarrierOfBatch = { kind: CarrierKind; id: number; firstCart?: number | undefined };

/**
 * Returns the id of the unfinished batch of a cart or wall, or undefined if there is none. A cart used for bulk picking
 * has none, because its batch belongs to the wall.
 */
export async function findLiveBatch(
  api: Pick<Api, 'listBatches'>,
  { kind, id }: CarrierOfBatch,
): Promise<number | undefined> {
  return (await listLiveBatches(api)).find((batch) => batch.mode === kind && batch[kind] === id)?.id;
}

type Done = { batch?: Batch; says?: string };

/** The cart or wall, with its unfinished batch, if any. */
type On = { carrier: CarrierOfBatch; batch: Batch | undefined };

/** Sends a call of the session to the station. Rejects with the station's error. */
export async function runBatchCall(api: Api, { carrier, batch }: On, call: BatchCall): Promise<Done> {
  const id = batch?.id ?? 0;
  switch (call.call) {
    case 'launch':
      return { batch: await api.launchBatch({ path: { id } }) };
    case 'pause':
      return { batch: await api.pauseBatch({ path: { id } }) };
    case 'leave':
      return { batch: await api.leaveBatch({ path: { id } }) };
    case 'join': {
      const joined = await api.joinBatch({ path: { id } });
      const says = joined.warnings?.[0];
      return { batch: joined, ...(says === undefined ? {} : { says }) };
    }
    case 'handOver':
      return { batch: await api.handOverBatch({ path: { id }, body: { picker: call.to } }) };
    case 'takeFrom':
      return { batch: await api.handOverBatch({ path: { id }, body: { picker: call.me, from: call.from } }) };
    case 'freeAll':
      return { batch: await api.freeBatch({ path: { id } }) };
    case 'fill':
      return fill(api, { carrier, batch }, call.count);
    case 'add': {
      const { orderNumber: order_number, slot, tote, instead } = call;
      const ask = { order_number, ...(slot === undefined ? {} : { slot }), ...(tote === undefined ? {} : { tote }) };
      if (batch === undefined) return { batch: await api.addBatch({ body: { ...newBatch(carrier), slots: [ask] } }) };
      if (instead === undefined) return { batch: await api.addToBatch({ path: { id }, body: ask }) };
      await api.removeFromBatch({ path: { id, slot: instead } });
      try {
        return { batch: await api.addToBatch({ path: { id }, body: ask }) };
      } catch (error) {
        // The tote was refused: the order keeps its slot. If this fails too, the next read shows the free slot.
        await api.addToBatch({ path: { id }, body: { order_number, slot: instead } }).catch(() => undefined);
        throw error;
      }
    }
    case 'takeOut':
      await api.removeFromBatch({ path: { id, slot: call.slot } });
      return {};
    case 'full':
      return { batch: await api.markSlotFull({ path: { id, slot: call.slot } }) };
    case 'free':
      return {
        batch: await api.freeSlot({ path: { id, slot: call.slot }, body: { keep: call.keep } }),
      };
    case 'move':
      return { batch: await api.moveSlot({ path: { id, slot: call.slot }, body: { to: call.to } }) };
    case 'undoFree': {
      let restored: Batch | undefined;
      for (const slot of call.freed.slots) restored = await api.undoFreeSlot({ path: { id: call.freed.batch, slot } });
      return restored === undefined ? {} : { batch: restored };
    }
    case 'hand':
      return { batch: await api.settleHand({ path: { id }, body: { by: call.by, do: call.what } }) };
    case 'notOnCart':
      return { batch: await api.settleHand({ path: { id }, body: { all: true, do: call.what } }) };
    case 'short':
      return {
        batch: await api.closeBatchItemsShort({ path: { id }, body: { items: [...call.items], reason: call.reason } }),
      };
  }
}

function newBatch({ kind, id, firstCart }: CarrierOfBatch): Pick<NewBatch, 'mode' | 'cart' | 'wall'> {
  if (kind === 'cart') return { mode: 'cart', cart: id };
  return { mode: 'wall', wall: id, ...(firstCart === undefined ? {} : { cart: firstCart }) };
}

/** Adds up to `count` of the most urgent orders. */
async function fill(api: Api, { carrier, batch }: On, count: number): Promise<Done> {
  if (batch === undefined) {
    const made = await api.addBatch({ body: { ...newBatch(carrier), fill: { count } } });
    return { batch: made, says: filled(carrier, made) };
  }
  const [batches, orders] = await Promise.all([loadLiveBatches(api), api.loadOrdersIn('open')]);
  const loaded = ordersInBatches(batches);
  const open = orders.filter(({ pickers, order_number: number }) => pickers.length === 0 && !loaded.has(number));
  let after = batch;
  let left = count;
  for (const { order_number } of open.toSorted((a, b) => (urgencyOf(a) < urgencyOf(b) ? -1 : 1))) {
    if (left === 0) break;
    try {
      // oxlint-disable-next-line no-await-in-loop -- the most urgent order comes first
      after = await api.addToBatch({ path: { id: batch.id }, body: { order_number } });
      left -= 1;
    } catch (error) {
      // Ignore an order that has nothing to pick, or needs more slots than are free.
      if (!(error instanceof ApiError) || error.code !== 'conflict') throw error;
    }
  }
  const isSame = ordersOf(after) === ordersOf(batch);
  return { batch: after, says: isSame ? words.loading.nothing : filled(carrier, after) };
}

const filled = ({ kind }: CarrierOfBatch, batch: Batch): string =>
  (kind === 'wall' ? wallPick : words).loading.filled(ordersOf(batch));

/** Returns the number of orders in a batch, including those that wait for a slot. */
export const ordersOf = ({ slots, waiting }: Batch): number =>
  new Set([...slots, ...waiting].flatMap(({ order_number: number }) => number ?? [])).size;

type Sorted = { batch: number; picker: string; scan: Scan; itemId: number | undefined; key: string };

/**
 * Lights the slots for an article. For other codes, only returns what they mean. If the station does not know the code,
 * tries its second spelling.
 */
export async function sortAtWall(
  api: Pick<Api, 'scan'>,
  { batch, picker, scan, itemId, key }: Sorted,
): Promise<ScanResult> {
  const { code, second, count: quantity } = scan;
  const given = {
    batch,
    picker,
    intent: 'sort' as const,
    act: true,
    ...(quantity === undefined ? {} : { quantity }),
    ...(itemId === undefined ? {} : { item_id: itemId }),
  };
  const result = await api.scan({ body: { code, ...given, key } });
  if (result.result !== 'unknown' || second === undefined) return result;
  return api.scan({ body: { code: second, ...given, key: `${key}.1` } });
}

/** Returns the names of the articles in these orders by item id. Skips orders that no longer exist. */
export async function loadNames(api: Pick<Api, 'getOrder'>, orders: readonly string[]): Promise<Map<number, string>> {
  const names = new Map<number, string>();
  const loaded = await Promise.allSettled(orders.map((number) => api.getOrder({ path: { order_number: number } })));
  for (const each of loaded) {
    if (each.status === 'rejected') continue;
    for (const { items } of each.value.shipments) {
      for (const item of items) names.set(item.id, nameOfItem(item));
    }
  }
  return names;
}
