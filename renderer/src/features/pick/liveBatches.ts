import type { Batch, BatchProgress } from '#shared/api/batch.ts';
import type { CarrierKind } from '#shared/lib/picking/carriers.ts';
import type { Api } from '../../station/calls/api.ts';

const LIVE = ['loading', 'picking', 'sorting', 'paused'] as const;

/** Lists the unfinished batches, without their slots. */
export async function listLiveBatches(api: Pick<Api, 'listBatches'>): Promise<BatchProgress[]> {
  return (await Promise.all(LIVE.map((state) => api.listBatches({ query: { state } })))).flat();
}

/** Loads the unfinished batches, with their slots. */
export async function loadLiveBatches(api: Pick<Api, 'getBatch' | 'listBatches'>): Promise<Batch[]> {
  const live = await listLiveBatches(api);
  return Promise.all(live.map(({ id }) => api.getBatch({ path: { id } })));
}

/** Returns the cart or wall at which a batch is currently picked or sorted, or undefined if it has none. */
export function carrierOf({
  mode,
  cart,
  wall,
}: Pick<BatchProgress, 'mode' | 'cart' | 'wall'>): { kind: CarrierKind; id: number } | undefined {
  const id = mode === 'wall' ? wall : cart;
  return id === null ? undefined : { kind: mode, id };
}

/** Returns the batch of each order in a batch, by order number. These orders cannot be picked separately. */
export function ordersInBatches(batches: readonly Batch[]): ReadonlyMap<string, Batch> {
  return new Map(batches.flatMap((batch) => ordersOf(batch).map((number) => [number, batch] as const)));
}

/** Returns the numbers of a batch's orders. Omits the orders of stopped slots, which have left the batch. */
function ordersOf({ slots, waiting }: Batch): string[] {
  const loaded = slots.flatMap(({ state, order_number: number }) => (state === 'stopped' ? [] : (number ?? [])));
  return [...loaded, ...waiting.map(({ order_number: number }) => number)];
}
