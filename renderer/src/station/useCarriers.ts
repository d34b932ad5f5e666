import type { Carrier } from '#shared/api/carrier.ts';
import { CARRIER_KINDS, type CarrierKind } from '#shared/lib/picking/carriers.ts';
import { useStationContext } from './context.ts';
import { type Loaded, useStationQuery } from './useStationQuery.ts';

export type KnownCarrier = Carrier & { kind: CarrierKind };

/** Loads all carts and walls. Loads nothing while `isOn` is false. */
export function useCarriers(isOn = true): Loaded<readonly KnownCarrier[]> {
  const { api } = useStationContext();
  return useStationQuery(
    ['carriers'],
    async () => {
      const lists = await Promise.all(
        CARRIER_KINDS.map(async (kind) => (await api.loadCarriers(kind)).map((carrier) => ({ ...carrier, kind }))),
      );
      return lists.flat();
    },
    { isOn },
  );
}
