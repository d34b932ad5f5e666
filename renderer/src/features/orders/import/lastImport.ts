import { useDraft } from '../../devicePanel/drafts.ts';
import type { Imported } from './importOrders.ts';

/** What was imported last in this tab, as long as it can be taken back; a reload keeps it. */
export function useLastOrderImport(): [Imported | undefined, (next: Imported | undefined) => void] {
  return useDraft('orders.import', parse);
}

function parse(kept: unknown): Imported | undefined {
  if (typeof kept !== 'object' || kept === null) return undefined;
  const { at, made, failed, left } = kept as Partial<Imported>;
  const isWhole = typeof at === 'string' && Array.isArray(made) && Array.isArray(failed) && typeof left === 'number';
  return isWhole ? { at, made, failed, left } : undefined;
}
