import { useCallback, useMemo } from 'react';
import type { GoodsPlace } from '#shared/api/place.ts';
import type { Api } from './calls/api.ts';
import { useStationContext, useStationState } from './context.ts';
import type { Key } from './queries.ts';
import { useStationQuery } from './useStationQuery.ts';

/** Query of all places without a light. */
const DARK_PLACES: Key = ['darkPlaces', 'all'];
/** Maximum number of places in an answer of the station. */
const PAGE = 1_000;
const NO_PLACES: readonly GoodsPlace[] = [];

/**
 * Returns all places without a light, sorted by name. Reads them again if a label or an alias has changed and, since places
 * and goods also change without one, every `everyMs`. Returns nothing unless `isOn`.
 */
export function useDarkPlaces({ everyMs = Number.NaN, isOn = true } = {}): readonly GoodsPlace[] {
  const { api } = useStationContext();
  const places = useStationState((state) => state.places);
  const aliases = useStationState(({ station }) => station?.aliases);
  const version = useMemo(() => ({ places, aliases }), [places, aliases]);
  const { value = NO_PLACES } = useStationQuery(DARK_PLACES, () => listAll(api), { version, everyMs, isOn });
  return value;
}

/** Returns a function that creates, renames or removes places, and then reloads the places without a light. */
export function useChangePlaces() {
  const { queries } = useStationContext();
  return useCallback(
    async <T>(change: () => Promise<T>): Promise<T> => {
      const answer = await change();
      queries.refresh(DARK_PLACES);
      return answer;
    },
    [queries],
  );
}

async function listAll(api: Pick<Api, 'listPlaces'>): Promise<readonly GoodsPlace[]> {
  const places: GoodsPlace[] = [];
  for (;;) {
    const last = places.at(-1);
    const page = await api.listPlaces({
      query: { light: '0', limit: PAGE, ...(last === undefined ? {} : { after: last.name }) },
    });
    places.push(...page);
    if (page.length < PAGE) return places;
  }
}
