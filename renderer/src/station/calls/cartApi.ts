import type {
  Batch,
  BatchProgress,
  BatchSlotAsk,
  NewBatch,
  NewBatchResult,
  Put,
  PutUndo,
  Reassign,
} from '#shared/api/batch.ts';
import type { Carrier, CarrierResult } from '#shared/api/carrier.ts';
import type { CarrierKind } from '#shared/lib/picking/carriers.ts';
import type { InputOf } from '#shared/api/routes.ts';
import { type ApiCall, type CallOptions, done, type TagOf } from './call.ts';

export type CarrierInput = InputOf<'addCart'>['body'];

/** `seen`: the cart or wall as the person saw it. */
type Replacement = { kind: CarrierKind; seen: Carrier; carrier: CarrierInput };

const NOUNS = { cart: 'Cart', wall: 'Wall' } as const satisfies Record<CarrierKind, string>;

/** Carts, walls and their batches. */
export function cartApi(call: ApiCall, tagOf: TagOf) {
  const loadCarrier = (kind: CarrierKind, id: number, options: CallOptions = {}): Promise<Carrier> =>
    call(`get${NOUNS[kind]}`, { path: { id } }, options);
  const tagOfAll = (kind: CarrierKind, seen: Carrier) => {
    const { id, name, code, rows, columns, slots } = seen;
    return tagOf<Carrier>({ name, code, rows, columns, slots }, seen, (options) => loadCarrier(kind, id, options));
  };
  return {
    loadCarriers: (kind: CarrierKind): Promise<readonly Carrier[]> => call(`list${NOUNS[kind]}s`),
    /** Rejects with `not_found` for an unknown id. */
    loadCarrier: (kind: CarrierKind, id: number): Promise<Carrier> => loadCarrier(kind, id),
    /** Rejects with `conflict` if a name, code or device is taken. */
    addCarrier: (kind: CarrierKind, carrier: CarrierInput): Promise<CarrierResult> =>
      call(`add${NOUNS[kind]}`, { body: carrier }),
    /** Rejects with `changed` if it has changed since `seen`, and with `conflict` while it is in a batch. */
    async replaceCarrier({ kind, seen, carrier }: Replacement): Promise<CarrierResult> {
      const ifMatch = await tagOfAll(kind, seen);
      return call(`replace${NOUNS[kind]}`, { path: { id: seen.id }, body: carrier }, { ifMatch });
    },
    /** Rejects like `replaceCarrier`. */
    async removeCarrier(kind: CarrierKind, seen: Carrier): Promise<void> {
      const ifMatch = await tagOfAll(kind, seen);
      await done(call(`remove${NOUNS[kind]}`, { path: { id: seen.id } }, { ifMatch }));
    },
    /** All batches, also those that ended. */
    loadBatches: (): Promise<readonly BatchProgress[]> => call('listBatches', { query: {} }),
    loadBatchesIn: (state: BatchProgress['state']): Promise<readonly BatchProgress[]> =>
      call('listBatches', { query: { state } }),
    /** Rejects with `not_found` for an unknown id. */
    getBatch: (id: number): Promise<Batch> => call('getBatch', { path: { id } }),
    /** Rejects with `conflict` if the cart or an order is in another batch, or an order cannot be loaded. */
    addBatch: (batch: NewBatch): Promise<NewBatchResult> => call('addBatch', { body: batch }),
    launchBatch: (id: number): Promise<Batch> => call('launchBatch', { path: { id }, body: {} }),
    pauseBatch: (id: number): Promise<Batch> => call('pauseBatch', { path: { id }, body: {} }),
    /** Gives the signed-in person places of the others. `warnings`: why it gave none. */
    joinBatch: (id: number): Promise<Batch & { warnings?: readonly string[] }> =>
      call('joinBatch', { path: { id }, body: {} }),
    /** Gives the places of the signed-in person to the others. Without others, pauses the batch. */
    leaveBatch: (id: number): Promise<Batch> => call('leaveBatch', { path: { id }, body: {} }),
    /**
     * Gives the places of `from`, by default the signed-in person, to another picker. Rejects with `conflict` if that picker picks something
     * else.
     */
    handOverBatch: (id: number, picker: string, from?: string): Promise<Batch> =>
      call('handOverBatch', { path: { id }, body: { picker, ...(from === undefined ? {} : { from }) } }),
    /** Aborts the batch, which releases its incomplete orders. */
    abortBatch: (id: number): Promise<Batch> => call('abortBatch', { path: { id }, query: {}, body: {} }),
    /** Frees all complete slots. */
    freeBatch: (id: number): Promise<Batch> => call('freeBatch', { path: { id }, body: {} }),
    /** `keep`: leave the content of a stopped slot with its order. */
    freeSlot: (id: number, slot: string, keep = false): Promise<Batch> =>
      call('freeSlot', { path: { id, slot }, body: keep ? { keep } : {} }),
    /** Rejects with `conflict` once another order has the slot, or its pieces were put back. */
    undoFreeSlot: (id: number, slot: string): Promise<Batch> => call('undoFreeSlot', { path: { id, slot }, body: {} }),
    putIntoSlot: (id: number, put: Put) => call('putIntoSlot', { path: { id }, body: put }),
    /** Takes pieces out of a slot, back into the hand. */
    undoPut: (id: number, undo: PutUndo): Promise<Batch> => call('undoPut', { path: { id }, body: undo }),
    /** Reassigns the pieces of the last pick to other orders, with the reason why there are fewer. */
    reassignShares: (id: number, reassign: Reassign): Promise<Batch> =>
      call('reassignShares', { path: { id }, body: reassign }),
    /** Closes items with the pieces that they have, in one commit. */
    closeBatchItemsShort: (id: number, items: readonly number[], reason: string): Promise<Batch> =>
      call('closeBatchItemsShort', { path: { id }, body: { items: [...items], reason } }),
    /** Rejects with `conflict` if the order cannot be loaded, or no slot is free. */
    addToBatch: (id: number, ask: BatchSlotAsk): Promise<Batch> => call('addToBatch', { path: { id }, body: ask }),
    /** Removes the order of a slot from the batch. */
    removeFromBatch: (id: number, slot: string) => done(call('removeFromBatch', { path: { id, slot } })),
    moveSlot: (id: number, slot: string, to: string): Promise<Batch> =>
      call('moveSlot', { path: { id, slot }, body: { to } }),
    /** Marks a slot as full, so that a free slot gets the rest. */
    markSlotFull: (id: number, slot: string): Promise<Batch> => call('markSlotFull', { path: { id, slot }, body: {} }),
    /** What became of the pieces that somebody holds; `by` as in `hands`. */
    settleHand: (
      id: number,
      whose: { by: string } | { all: true },
      what: 'take' | 'missing' | 'put_back' | 'set_aside',
    ): Promise<Batch> => call('settleHand', { path: { id }, body: { ...whose, do: what } }),
  };
}
