import { useMemo } from 'react';
import type { Order } from '#shared/api/order.ts';
import type { ShopNames } from '../../scan/entry.ts';
import { useStationContext, useStationState } from '../../station/context.ts';
import { useStationQuery } from '../../station/useStationQuery.ts';
import type { PickLine } from './session/sessionTypes.ts';

const NONE: readonly never[] = [];

/**
 * Returns the names of all places and of this order's items, and whether any name in the shop looks like a quantity.
 */
export function useShopNames(order: Order | undefined, lines: readonly PickLine[]): ShopNames {
  const { api } = useStationContext();
  const { exist = false } = useStationQuery(['shortNumbers'], () => api.getShortNumbers()).value ?? {};
  const places = useStationState((state) => state.places);
  const aliases = useStationState(({ station }) => station?.aliases ?? NONE);
  return useMemo(() => {
    const items = order?.shipments.flatMap((shipment) => shipment.items) ?? NONE;
    const names = new Set(
      [
        ...places.map(({ name }) => name),
        ...aliases.map(({ name }) => name),
        order?.order_number ?? '',
        ...items.flatMap(({ SKU, UPC, warehouse_location: place }) => [SKU, UPC, place]),
        ...lines.flatMap(({ SKU, UPC, location }) => [SKU, UPC, location]),
      ].flatMap((name) => (name === undefined || name === '' ? [] : [name.toLowerCase()])),
    );
    return {
      has: (text) => names.has(text),
      haveNumbers: exist || [...names].some((name) => /^#?\d{1,3}$/.test(name)),
    };
  }, [places, aliases, order, lines, exist]);
}
