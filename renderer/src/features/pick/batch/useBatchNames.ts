import { useMemo } from 'react';
import type { ShopNames } from '../../../scan/entry.ts';
import { useStationContext } from '../../../station/context.ts';
import { useStationQuery } from '../../../station/useStationQuery.ts';
import { codesOf } from '../session/lines.ts';
import type { OpenBatch } from './useBatch.ts';

/**
 * Returns the names of places, articles, orders, slots and totes on a cart, so that typed names are not taken for
 * counts.
 */
export function useBatchNames({ state: { carrier, read } }: OpenBatch): ShopNames {
  const { api } = useStationContext();
  const { exist = false } = useStationQuery(['shortNumbers'], () => api.getShortNumbers()).value ?? {};
  return useMemo(() => {
    const names = new Set(
      [
        carrier?.code,
        ...(carrier?.slots.map(({ code }) => code) ?? []),
        ...(read?.batch?.slots.flatMap(({ tote, order_number: order }) => [tote, order]) ?? []),
        ...(read?.lines.flatMap((line) => [...codesOf(line), line.location]) ?? []),
      ].flatMap((name) => (name === null || name === undefined || name === '' ? [] : [name.toLowerCase()])),
    );
    return {
      has: (text) => names.has(text),
      haveNumbers: exist || [...names].some((name) => /^#?\d{1,3}$/.test(name)),
    };
  }, [carrier, read, exist]);
}
