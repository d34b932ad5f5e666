import { useStationContext } from './context.ts';
import { useStationQuery } from './useStationQuery.ts';

/**
 * Loads the station's settings. A change that is based on them is refused if somebody else has since changed the same
 * fields.
 */
export function useSettings() {
  const { api } = useStationContext();
  return useStationQuery(['settings'], () => api.getSettings(), { isTagged: true });
}
