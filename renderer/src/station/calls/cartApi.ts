import type { Carrier, CarrierResult } from '#shared/api/carrier.ts';
import type { CarrierKind } from '#shared/lib/picking/carriers.ts';
import type { InputOf } from '#shared/api/routes.ts';
import { type ApiCall, type CallOptions, type TagOf } from './call.ts';

export type CarrierInput = InputOf<'addCart'>['body'];

/** A new state of a cart or wall. `seen` is the cart or wall as the person saw it. */
type Replacement = { kind: CarrierKind; seen: Carrier; carrier: CarrierInput };

const NOUNS = { cart: 'Cart', wall: 'Wall' } as const satisfies Record<CarrierKind, string>;

/** Returns the calls for carts and walls. The same calls serve both kinds. */
export function cartApi(call: ApiCall, tagOf: TagOf) {
  const loadCarrier = (kind: CarrierKind, id: number, options: CallOptions = {}): Promise<Carrier> =>
    call(`get${NOUNS[kind]}`, { path: { id } }, options);
  const tagOfAll = (kind: CarrierKind, seen: Carrier) => {
    const { id, name, code, rows, columns, slots } = seen;
    return tagOf<Carrier>({ name, code, rows, columns, slots }, seen, (options) => loadCarrier(kind, id, options));
  };
  return {
    loadCarriers: (kind: CarrierKind): Promise<readonly Carrier[]> => call(`list${NOUNS[kind]}s`),
    /** Loads a cart or wall. Rejects with `not_found` for an unknown id. */
    loadCarrier: (kind: CarrierKind, id: number): Promise<Carrier> => loadCarrier(kind, id),
    /** Adds a cart or wall. Rejects with `conflict` if a name, code or device is already in use. */
    addCarrier: (kind: CarrierKind, carrier: CarrierInput): Promise<CarrierResult> =>
      call(`add${NOUNS[kind]}`, { body: carrier }),
    /**
     * Replaces a cart or wall. Rejects with `changed` if the cart or wall has changed since `seen` was read, and with
     * `conflict` while it is in a batch.
     */
    async replaceCarrier({ kind, seen, carrier }: Replacement): Promise<CarrierResult> {
      const ifMatch = await tagOfAll(kind, seen);
      return call(`replace${NOUNS[kind]}`, { path: { id: seen.id }, body: carrier }, { ifMatch });
    },
    /** Removes a cart or wall. Rejects in the same cases as `replaceCarrier`. */
    async removeCarrier(kind: CarrierKind, seen: Carrier): Promise<void> {
      const ifMatch = await tagOfAll(kind, seen);
      await call(`remove${NOUNS[kind]}`, { path: { id: seen.id } }, { ifMatch });
    },
  };
}
