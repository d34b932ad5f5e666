import type { Batch, BatchProgress, NewBatch, NewBatchResult, Put } from '#shared/api/batch.ts';
import type { Carrier, CarrierResult } from '#shared/api/carrier.ts';
import type { CarrierKind } from '#shared/lib/carriers.ts';
import type { InputOf } from '#shared/api/routes.ts';
import { type ApiCall, done } from './call.ts';

export type CarrierInput = InputOf<'addCart'>['body'];

const NOUNS = { cart: 'Cart', wall: 'Wall' } as const satisfies Record<CarrierKind, string>;

/** For launches of many devices. */
const LONG = { timeoutMs: 60_000 };

/** Carts, walls and their batches. */
export function cartApi(call: ApiCall) {
  return {
    loadCarriers: (kind: CarrierKind): Promise<readonly Carrier[]> => call(`list${NOUNS[kind]}s`),
    /** Rejects with `conflict` if a name, code or device is taken. */
    addCarrier: (kind: CarrierKind, carrier: CarrierInput): Promise<CarrierResult> =>
      call(`add${NOUNS[kind]}`, { body: carrier }),
    /** Rejects with `conflict` while it is in a batch. */
    replaceCarrier: (kind: CarrierKind, id: number, carrier: CarrierInput): Promise<CarrierResult> =>
      call(`replace${NOUNS[kind]}`, { path: { id }, body: carrier }),
    /** Rejects with `conflict` while it is in a batch. */
    removeCarrier: (kind: CarrierKind, id: number) => done(call(`remove${NOUNS[kind]}`, { path: { id } })),
    /** All batches, also those that ended. */
    loadBatches: (): Promise<readonly BatchProgress[]> => call('listBatches', { query: {} }),
    /** Rejects with `not_found` for an unknown id. */
    loadBatch: (id: number): Promise<Batch> => call('getBatch', { path: { id } }),
    /** Rejects with `conflict` if the cart or an order is in another batch, or an order cannot be loaded. */
    addBatch: (batch: NewBatch): Promise<NewBatchResult> => call('addBatch', { body: batch }, LONG),
    launchBatch: (id: number): Promise<Batch> => call('launchBatch', { path: { id }, body: {} }, LONG),
    pauseBatch: (id: number): Promise<Batch> => call('pauseBatch', { path: { id }, body: {} }, LONG),
    /** Releases its orders that are not complete. */
    abortBatch: (id: number): Promise<Batch> => call('abortBatch', { path: { id }, query: {}, body: {} }, LONG),
    /** Frees all complete slots. */
    freeBatch: (id: number): Promise<Batch> => call('freeBatch', { path: { id }, body: {} }),
    freeSlot: (id: number, slot: string): Promise<Batch> => call('freeSlot', { path: { id, slot }, body: {} }),
    put: (id: number, put: Put) => call('putIntoSlot', { path: { id }, body: put }),
  };
}
