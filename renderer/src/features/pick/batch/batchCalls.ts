import type { Batch } from '#shared/api/batch.ts';
import type { Api } from '../../../station/api.ts';
import { urgencyOf } from '../../../station/orderUrgency.ts';
import { ApiError } from '../../../words/apiError.ts';
import { cartPick as words } from '../../../words/cartPick.ts';
import { listLiveBatches, loadLiveBatches, ordersInBatches } from '../liveBatches.ts';
import { nameOfItem } from '../sessionTypes.ts';
import type { BatchCall } from './batchTypes.ts';

/** The batch of a cart that has not ended; undefined: none. */
export async function findLiveBatch(api: Pick<Api, 'loadBatchesIn'>, cartId: number): Promise<number | undefined> {
  return (await listLiveBatches(api)).find(({ mode, cart }) => mode === 'cart' && cart === cartId)?.id;
}

type Done = { batch?: Batch; says?: string };

/** Sends the call that the session asks for. Rejects with the error of the station. */
export async function runBatchCall(
  api: Api,
  { cartId, batch }: { cartId: number; batch: Batch | undefined },
  call: BatchCall,
): Promise<Done> {
  const id = batch?.id ?? 0;
  switch (call.call) {
    case 'launch':
      return { batch: await api.launchBatch(id) };
    case 'pause':
      return { batch: await api.pauseBatch(id) };
    case 'freeAll':
      return { batch: await api.freeBatch(id) };
    case 'fill':
      return fill(api, { cartId, batch }, call.count);
    case 'add': {
      const { orderNumber: order_number, slot, tote, instead } = call;
      const ask = { order_number, ...(slot === undefined ? {} : { slot }), ...(tote === undefined ? {} : { tote }) };
      if (batch === undefined) return { batch: await api.addBatch({ mode: 'cart', cart: cartId, slots: [ask] }) };
      if (instead !== undefined) await api.removeFromBatch(id, instead);
      return { batch: await api.addToBatch(id, ask) };
    }
    case 'takeOut':
      await api.removeFromBatch(id, call.slot);
      return {};
    case 'full':
      return { batch: await api.markSlotFull(id, call.slot) };
    case 'free':
      return { batch: await api.freeSlot(id, call.slot, call.keep) };
    case 'move':
      return { batch: await api.moveSlot(id, call.slot, call.to) };
    case 'hand':
      return { batch: await api.settleHand(id, call.by, call.what) };
  }
}

/** Loads as many of the next orders as fit. */
async function fill(
  api: Api,
  { cartId, batch }: { cartId: number; batch: Batch | undefined },
  count: number,
): Promise<Done> {
  if (batch === undefined) {
    const made = await api.addBatch({ mode: 'cart', cart: cartId, fill: { count } });
    return { batch: made, says: words.loading.filled(ordersOf(made)) };
  }
  const [batches, orders] = await Promise.all([loadLiveBatches(api), api.loadOrdersIn('open')]);
  const loaded = ordersInBatches(batches);
  const open = orders.filter(({ pickers, order_number: number }) => pickers.length === 0 && !loaded.has(number));
  let filled = batch;
  let left = count;
  for (const { order_number } of open.toSorted((a, b) => (urgencyOf(a) < urgencyOf(b) ? -1 : 1))) {
    if (left === 0) break;
    try {
      // oxlint-disable-next-line no-await-in-loop -- the most urgent first
      filled = await api.addToBatch(batch.id, { order_number });
      left -= 1;
    } catch (error) {
      // The order has nothing to pick, or needs more slots than are free.
      if (!(error instanceof ApiError) || error.code !== 'conflict') throw error;
    }
  }
  const isSame = ordersOf(filled) === ordersOf(batch);
  return { batch: filled, says: isSame ? words.loading.nothing : words.loading.filled(ordersOf(filled)) };
}

const ordersOf = ({ slots }: Batch): number => new Set(slots.flatMap(({ order_number: number }) => number ?? [])).size;

/** The articles of these orders, by item. Orders that are gone have none. */
export async function loadNames(api: Pick<Api, 'loadOrder'>, orders: readonly string[]): Promise<Map<number, string>> {
  const names = new Map<number, string>();
  const loaded = await Promise.allSettled(orders.map((number) => api.loadOrder(number)));
  for (const each of loaded) {
    if (each.status === 'rejected') continue;
    for (const { items } of each.value.shipments) {
      for (const item of items) names.set(item.id, nameOfItem(item));
    }
  }
  return names;
}
