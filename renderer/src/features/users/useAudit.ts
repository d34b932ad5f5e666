import type { AuditEntry } from '#shared/api/access.ts';
import { useStationContext } from '../../station/context.ts';
import { usePages, type Pages } from '../../station/usePages.ts';
import { useList } from './useList.ts';

const PAGE = 100;

/** Who did what, a page at a time. */
export function useAudit(): Pages<AuditEntry> {
  const { api } = useStationContext();
  const newest = useList('audit', () => api.loadAudit({ limit: PAGE }));
  return usePages(newest, { size: PAGE, load: (after) => api.loadAudit({ limit: PAGE, after }) });
}
