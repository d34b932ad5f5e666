import { DELIVERY_STATES, type Delivery } from '#shared/api/callback.ts';
import { CALLBACK_FAMILIES } from '#shared/api/settings.ts';
import type { DeliveryQuery } from '../../station/callbackApi.ts';
import { useStationContext, useStationState } from '../../station/context.ts';
import { usePages, type Pages } from '../../station/usePages.ts';
import { useLoaded } from '../devicePanel/useLoaded.ts';

const PAGE = 100;

export const STATES = ['all', 'pending', 'dead', 'delivered'] as const;
export const FAMILIES = ['all', ...CALLBACK_FAMILIES] as const;

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
  const isState = DELIVERY_STATES.find((one) => one === state);
  const isFamily = CALLBACK_FAMILIES.find((one) => one === family);
  return {
    limit: PAGE,
    ...(isState === undefined ? {} : { state: isState }),
    ...(isFamily === undefined ? {} : { family: isFamily }),
  };
}
