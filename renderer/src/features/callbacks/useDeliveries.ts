import { useState } from 'react';
import type { Delivery, DeliveryState, DeliveryQuery } from '#shared/api/callback.ts';
import type { CallbackFamily } from '#shared/api/settings.ts';
import { sentenceOf } from '../../station/apiError.ts';
import { useStationContext } from '../../station/context.ts';
import { type Loaded, useStationQuery } from '../../station/useStationQuery.ts';
import { useLatest } from '../../ui/useLatest.ts';
import { type DeliveryList, isContiguous, withPage } from './deliveryPages.ts';

/** What is followed as it goes on is less than what is asked for while somebody scrolls. */
const PAGE = 100;
const OLDER_PAGE = 400;
/** So many at most are read to find out what came above somebody who reads further down. */
const MAX_READ = 800;

export const STATES = ['all', 'pending', 'dead', 'delivered'] as const satisfies ('all' | DeliveryState)[];
export const FAMILIES = ['all', 'device', 'sequence', 'order', 'condition'] as const satisfies (
  | 'all'
  | CallbackFamily
)[];

/** Which deliveries are wanted. `receiver`: `all`, or as in a delivery. */
export type DeliveryFilter = {
  state: (typeof STATES)[number];
  family: (typeof FAMILIES)[number];
  receiver: string;
};

export type LoadedDeliveries = {
  /** Undefined until it was there once. */
  list: DeliveryList | undefined;
  newest: Loaded<unknown>;
  busy: boolean;
  /** Why older ones could not be read; empty where they could. */
  failure: string;
  loadOlder(): Promise<void>;
};

/**
 * Deliveries, the newest and older ones as they are asked for; the newest and those in sight are followed as they go on.
 * `topOf` answers the place of the first in sight. Others that are wanted want another component.
 */
export function useDeliveries(wanted: DeliveryFilter, topOf: () => number): LoadedDeliveries {
  const { api } = useStationContext();
  const query = queryOf(wanted);
  const [list, setList] = useState<DeliveryList>();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState('');
  const known = useLatest(list);
  const put = (after: string | undefined, page: readonly Delivery[], isEnd: boolean) =>
    setList((before) => withPage(before, after, page, isEnd));
  const read = (limit: number, after: string | undefined) =>
    api.loadDeliveries({ ...query, limit, ...(after === undefined ? {} : { after }) });

  async function readNewest(before: readonly Delivery[]): Promise<{ page: readonly Delivery[]; isEnd: boolean }> {
    const next = await read(PAGE, before.at(-1)?.id);
    return { page: [...before, ...next], isEnd: next.length < PAGE };
  }

  /** The newest as far as they are not known. */
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
    // So many came that the visible rows would vanish: keep those until somebody scrolls up.
    if (!isDeep || isEnd || isContiguous(before, page)) put(undefined, page, isEnd);
    const inSight = before?.entries[top - 1]?.id;
    if (!isDeep || inSight === undefined) return null;
    const there = await read(PAGE, inSight);
    put(inSight, there, there.length < PAGE);
    return null;
  });

  async function loadOlder(): Promise<void> {
    const last = list?.entries.at(-1)?.id;
    if (last === undefined || busy) return;
    setBusy(true);
    setFailure('');
    try {
      const page = await read(OLDER_PAGE, last);
      put(last, page, page.length < OLDER_PAGE);
    } catch (error) {
      setFailure(sentenceOf(error));
    } finally {
      setBusy(false);
    }
  }

  return { list, newest, busy, failure, loadOlder };
}

function queryOf({ state, family, receiver }: DeliveryFilter): Omit<DeliveryQuery, 'limit'> {
  return {
    ...(state === 'all' ? {} : { state }),
    ...(family === 'all' ? {} : { family }),
    ...(receiver === 'all' ? {} : { receiver }),
  };
}
