import { useState } from 'react';
import type { Delivery, DeliveryState, DeliveryQuery } from '#shared/api/callback.ts';
import { CALLBACK_FAMILIES } from '#shared/lib/connections/callbackFamilies.ts';
import { useStationContext } from '../../station/context.ts';
import { useOlderPage } from '../../station/usePagedList.ts';
import { type Loaded, useStationQuery } from '../../station/useStationQuery.ts';
import { useLatest } from '../../kit/useLatest.ts';
import { type DeliveryList, isContiguous, withPage } from './deliveryPages.ts';

/** Page sizes. Updates load fewer deliveries than scrolling does. */
const PAGE = 100;
const OLDER_PAGE = 400;
/** Maximum number of deliveries to load when new ones arrive while the newest rows are out of view. */
const MAX_READ = 800;

export const STATES = ['all', 'pending', 'dead', 'delivered'] as const satisfies ('all' | DeliveryState)[];
export const FAMILIES = ['all', ...CALLBACK_FAMILIES] as const;

/** The filter of the list. `receiver` is `all` or a value of a delivery's field `receiver`. */
export type DeliveryFilter = {
  state: (typeof STATES)[number];
  family: (typeof FAMILIES)[number];
  receiver: string;
};

export type LoadedDeliveries = {
  /** Undefined until the first page is loaded. */
  list: DeliveryList | undefined;
  newest: Loaded<unknown>;
} & ReturnType<typeof useOlderPage>;

/**
 * Loads the newest deliveries, and older ones on request. Keeps the newest and the visible deliveries up to date. `topOf` returns the index
 * of the first visible row. To change the filter, remount the component.
 */
export function useDeliveries(wanted: DeliveryFilter, topOf: () => number): LoadedDeliveries {
  const { api } = useStationContext();
  const query = queryOf(wanted);
  const [list, setList] = useState<DeliveryList>();
  const known = useLatest(list);
  const put = (after: string | undefined, page: readonly Delivery[], isEnd: boolean) =>
    setList((before) => withPage(before, after, page, isEnd));
  const read = (limit: number, after: string | undefined) =>
    api.listCallbacks({ query: { ...query, limit, ...(after === undefined ? {} : { after }) } });

  async function readNewest(before: readonly Delivery[]): Promise<{ page: readonly Delivery[]; isEnd: boolean }> {
    const next = await read(PAGE, before.at(-1)?.id);
    return { page: [...before, ...next], isEnd: next.length < PAGE };
  }

  /** Loads deliveries from the newest one back to the first one in `list`. */
  async function readUpTo(list: DeliveryList): Promise<{ page: readonly Delivery[]; isEnd: boolean }> {
    let read = await readNewest([]);
    while (!read.isEnd && !isContiguous(list, read.page) && read.page.length < MAX_READ)
      read = await readNewest(read.page);
    return read;
  }

  const newest = useStationQuery(['deliveries', JSON.stringify(query)], async () => {
    const before = known.current;
    const top = topOf();
    const isDeep = before !== undefined && top >= PAGE;
    const { page, isEnd } = isDeep ? await readUpTo(before) : await readNewest([]);
    // If too many deliveries arrived to connect them to the visible rows, keep those rows until the user scrolls up.
    if (!isDeep || isEnd || isContiguous(before, page)) put(undefined, page, isEnd);
    const inSight = before?.entries[top - 1]?.id;
    if (!isDeep || inSight === undefined) return null;
    const there = await read(PAGE, inSight);
    put(inSight, there, there.length < PAGE);
    return null;
  });

  const more = useOlderPage(list?.entries.at(-1)?.id, async (last) => {
    const page = await read(OLDER_PAGE, last);
    put(last, page, page.length < OLDER_PAGE);
  });

  return { list, newest, ...more };
}

function queryOf({ state, family, receiver }: DeliveryFilter): Omit<DeliveryQuery, 'limit'> {
  return {
    ...(state === 'all' ? {} : { state }),
    ...(family === 'all' ? {} : { family }),
    ...(receiver === 'all' ? {} : { receiver }),
  };
}
