import type { LoggedRequest, RequestLogQuery } from '#shared/api/requestLog.ts';
import { useStationContext } from '../../station/context.ts';
import { useTimed } from '../../station/time.ts';
import { useLoaded } from '../../station/useLoaded.ts';
import { usePages, type Pages } from '../../station/usePages.ts';

const PAGE = 100;
/** How often somebody who looks is shown what came meanwhile. */
const EVERY_MS = 2_000;

export const STATES = ['all', 'failed'] as const;
export const SOURCES = ['programs', 'window', 'all'] as const;

/** What of the log is wanted. */
export type Wanted = { state: (typeof STATES)[number]; source: (typeof SOURCES)[number]; path: string };

/** The last requests to the API, followed for as long as this window is in sight. */
export function useRequests(wanted: Wanted): Pages<LoggedRequest> {
  const { api } = useStationContext();
  const turn = useTimed((now) => (document.visibilityState === 'visible' ? String(Math.floor(now / EVERY_MS)) : ''));
  const query = queryOf(wanted);
  const newest = useLoaded(JSON.stringify(query), turn, () => api.loadRequests(query));
  return usePages(newest, { size: PAGE, load: (after) => api.loadRequests({ ...query, after }) });
}

function queryOf({ state, source, path }: Wanted): RequestLogQuery {
  return {
    limit: PAGE,
    ...(state === 'failed' ? { status: 'failed' } : {}),
    ...(source === 'all' ? {} : { from: source }),
    ...(path.trim() === '' ? {} : { path: path.trim() }),
  };
}
