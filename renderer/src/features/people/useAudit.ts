import { useState } from 'react';
import type { AuditEntry } from '#shared/api/access.ts';
import { sentenceOf } from '../../station/apiError.ts';
import { useStationContext } from '../../station/context.ts';
import { texts } from '../../ui/texts.ts';
import type { Loaded } from '../devicePanel/useLoaded.ts';
import { useList } from './useList.ts';

const PAGE = 100;

export type Audit = {
  newest: Loaded<readonly AuditEntry[]>;
  /** Newest first, as far back as was asked for. */
  entries: readonly AuditEntry[];
  /** There is nothing older. */
  isEnd: boolean;
  busy: boolean;
  /** Why older ones could not be read; empty where they could. */
  failure: string;
  loadOlder(): Promise<void>;
};

/** Who did what, a page at a time. */
export function useAudit(): Audit {
  const { api } = useStationContext();
  const newest = useList('audit', () => api.loadAudit({ limit: PAGE }));
  const [older, setOlder] = useState<readonly AuditEntry[]>([]);
  const [isEnd, setIsEnd] = useState(false);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState('');
  const first = newest.value ?? [];
  const entries = joined(first, older);
  const isOlderShown = entries.length > first.length;

  async function loadOlder(): Promise<void> {
    const last = entries.at(-1);
    if (last === undefined || busy) return;
    setBusy(true);
    setFailure('');
    try {
      const page = await api.loadAudit({ limit: PAGE, after: last.id });
      setOlder([...entries, ...page]);
      setIsEnd(page.length < PAGE);
    } catch (error) {
      setFailure(sentenceOf(error, texts.failure.other));
    } finally {
      setBusy(false);
    }
  }

  return { newest, entries, isEnd: isOlderShown ? isEnd : first.length < PAGE, busy, failure, loadOlder };
}

/** Older ones follow where they meet the newest; where more was done meanwhile than a page has, they are asked for anew. */
function joined(newest: readonly AuditEntry[], older: readonly AuditEntry[]): readonly AuditEntry[] {
  const last = newest.at(-1);
  const meeting = older.findIndex(({ id }) => id === last?.id);
  return meeting < 0 ? newest : [...newest, ...older.slice(meeting + 1)];
}
