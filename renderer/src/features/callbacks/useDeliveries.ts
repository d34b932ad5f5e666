import type { Delivery, DeliveryState } from '#shared/api/callback.ts';
import type { CallbackFamily } from '#shared/api/settings.ts';
import type { DeliveryQuery } from '../../station/callbackApi.ts';
import { useStationContext, useStationState } from '../../station/context.ts';
import { usePages, type Pages } from '../../station/usePages.ts';
import { useLoaded } from '../devicePanel/useLoaded.ts';

const PAGE = 100;

export const STATES = ['all', 'pending', 'dead', 'delivered'] as const satisfies ('all' | DeliveryState)[];
export const FAMILIES = ['all', 'device', 'sequence', 'order', 'condition'] as const satisfies (
  | 'all'
  | CallbackFamily
)[];

/** Which deliveries are wanted. */
export type Wanted = { state: (typeof STATES)[number]; family: (typeof FAMILIES)[number] };

/** Becomes another whenever deliveries came or went on. */
export function useDeliveryTurn(): string {
  return useStationState(({ deliveryTurn }) => String(deliveryTurn));
}

/** The newest deliveries, and older ones as they are asked for; followed as they go on. */
export function useDeliveries(wanted: Wanted): Pages<Delivery> {
  const { api } = useStationContext();
  const query = queryOf(wanted);
  const newest = useLoaded(JSON.stringify(query), useDeliveryTurn(), () => api.loadDeliveries(query));
  return usePages(newest, { size: PAGE, load: (after) => api.loadDeliveries({ ...query, after }) });
}

function queryOf({ state, family }: Wanted): DeliveryQuery {
  return { limit: PAGE, ...(state === 'all' ? {} : { state }), ...(family === 'all' ? {} : { family }) };
}
