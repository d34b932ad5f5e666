import type { BatchProgress } from '#shared/api/batch.ts';
import type { Carrier, CarrierResult } from '#shared/api/carrier.ts';
import type { InputOf } from '#shared/api/routes.ts';
import { type ApiCall, done } from './call.ts';

export const CARRIER_KINDS = ['cart', 'wall'] as const;
export type CarrierKind = (typeof CARRIER_KINDS)[number];
export type CarrierInput = InputOf<'addCart'>['body'];

/** Carts, walls and their batches. */
export function cartApi(call: ApiCall) {
  return {
    loadCarriers: (kind: CarrierKind): Promise<readonly Carrier[]> =>
      kind === 'cart' ? call('listCarts') : call('listWalls'),
    /** Rejects with `conflict` if a name, code or device is taken. */
    addCarrier: (kind: CarrierKind, carrier: CarrierInput): Promise<CarrierResult> =>
      call(kind === 'cart' ? 'addCart' : 'addWall', { body: carrier }),
    /** Rejects with `conflict` while it is in a batch. */
    replaceCarrier: (kind: CarrierKind, id: number, carrier: CarrierInput): Promise<CarrierResult> =>
      call(kind === 'cart' ? 'replaceCart' : 'replaceWall', { path: { id }, body: carrier }),
    /** Rejects with `conflict` while it is in a batch. */
    removeCarrier: (kind: CarrierKind, id: number) =>
      done(call(kind === 'cart' ? 'removeCart' : 'removeWall', { path: { id } })),
    /** All batches, also those that ended. */
    loadBatches: (): Promise<readonly BatchProgress[]> => call('listBatches', { query: {} }),
  };
}
