import { useState } from 'react';
import type { Device } from '#shared/api/device.ts';
import type { HistoryEntry } from '#shared/api/history.ts';
import { sentenceOf } from '../../station/apiError.ts';
import { useStationContext } from '../../station/context.ts';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { texts } from '../../ui/texts.ts';
import { HistoryRow } from './HistoryRow.tsx';
import styles from './NowTab.module.css';
import { useLoaded } from '../../station/useLoaded.ts';
import why from '../timeline/LoadedTimeline.module.css';

const PAGE = 25;

/** What happened at this device, newest first, a page at a time. */
export function HistoryTab({ device }: { device: Device }) {
  const { api } = useStationContext();
  const { deviceid } = device;
  const open = device.commands.map(({ command_id }) => command_id).join(' ');
  const newest = useLoaded(deviceid, `${open} ${device.last_seen}`, () => api.loadHistory({ deviceid, limit: PAGE }));
  const [older, setOlder] = useState<readonly HistoryEntry[]>([]);
  const [isEnd, setIsEnd] = useState(false);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState('');
  const entries = joinPages(newest.value ?? [], older);

  async function loadOlder(): Promise<void> {
    const last = entries.at(-1);
    if (last === undefined) return;
    setBusy(true);
    setFailure('');
    try {
      const page = await api.loadHistory({ deviceid, limit: PAGE, after: last.id });
      // What is shown stays, also when newer entries push it off the first page.
      setOlder((before) => joinPages(entries, joinPages(before, page)));
      setIsEnd(page.length < PAGE);
    } catch (error) {
      setFailure(sentenceOf(error, texts.failure.other));
    } finally {
      setBusy(false);
    }
  }

  if (newest.value === undefined) {
    if (newest.failure === '') return <p className={styles.quiet}>{texts.past.loading}</p>;
    return (
      <div role="alert" className={why.failure}>
        <p>
          {texts.past.failed} {newest.failure}
        </p>
        <Button onPress={newest.reload}>{texts.past.again}</Button>
      </div>
    );
  }
  if (entries.length === 0) return <EmptyState title={texts.past.empty} body={texts.past.emptyHint} />;
  const mayBeMore = !isEnd && (older.length > 0 || newest.value.length === PAGE);
  return (
    <section className={styles.section} aria-label={texts.past.title}>
      <ol className={styles.list}>
        {entries.map((entry) => (
          <HistoryRow key={entry.id} entry={entry} device={device} />
        ))}
      </ol>
      {mayBeMore ? (
        <Button busy={busy} onPress={() => void loadOlder()}>
          {busy ? texts.past.loading : texts.past.older}
        </Button>
      ) : (
        <p className={styles.quiet}>{texts.past.all}</p>
      )}
      <p role="alert" className={why.failure}>
        {failure === '' ? '' : `${texts.past.failed} ${failure}`}
      </p>
    </section>
  );
}

/** Two lists that may overlap, newest first. */
function joinPages(newer: readonly HistoryEntry[], older: readonly HistoryEntry[]): readonly HistoryEntry[] {
  const known = new Set(newer.map(({ id }) => id));
  return [...newer, ...older.filter(({ id }) => !known.has(id))];
}
