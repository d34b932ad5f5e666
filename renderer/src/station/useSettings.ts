import { useStationContext } from './context.ts';
import { useStationQuery } from './useStationQuery.ts';

/**
 * Loads the station's settings. A change based on them is refused if somebody else has changed the same fields since.
 */
export function useSettings() {
  const { api } = useStationContext();
  return useStationQuery(['settings'], () => api.getSettings(), { isTagged: true });
}
