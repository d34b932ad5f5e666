import { History } from 'lucide-react';
import type { Alert } from '#shared/api/alert.ts';
import { countUnseen, openAlerts } from '../../station/alerts.ts';
import { useStationContext, useStationState } from '../../station/context.ts';
import { formatAgo } from '../../station/time.ts';
import { useStationQuery } from '../../station/useStationQuery.ts';
import { usePages } from '../../station/usePages.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import list from '../../ui/ListPage.module.css';
import { Moment } from '../../ui/Moment.tsx';
import { Older } from '../../ui/Older.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { AddressedTabs } from '../../ui/Tabs.tsx';
import { LoadFailure } from '../../ui/Failure.tsx';
import { texts } from '../../ui/texts.ts';
import { AlertLine } from './AlertLine.tsx';
import styles from './alerts.module.css';
import { OpenTab } from './OpenTab.tsx';

const words = texts.alerts;

const TABS = [
  { id: 'open', path: '/alerts', word: words.tabs.open, content: <OpenTab /> },
  { id: 'ended', path: '/alerts/ended', word: words.tabs.ended, content: <EndedTab /> },
] as const;

/** What do I have to look after? */
export function AlertsPage() {
  const open = useStationState((state) => openAlerts(state).length);
  const unseen = useStationState(countUnseen);
  return (
    <div className={list.page}>
      <PageHeader title={words.title} note={<span role="status">{words.note(open, unseen)}</span>} />
      <main className={list.content}>
        <div className={list.inner}>
          <AddressedTabs label={words.tabsLabel} tabs={TABS} />
        </div>
      </main>
    </div>
  );
}

const PAGE = 50;

/** What is over, the newest first. */
function EndedTab() {
  const { api } = useStationContext();
  const newest = useStationQuery(['endedAlerts'], () => api.loadEndedAlerts({ limit: PAGE }));
  const pages = usePages(newest, { size: PAGE, load: (after) => api.loadEndedAlerts({ limit: PAGE, after }) });
  const { entries } = pages;
  if (newest.value === undefined) {
    if (newest.failure === '') return <p className={styles.quiet}>{texts.frame.loading}</p>;
    return (
      <LoadFailure reload={newest.reload}>
        {words.failed} {newest.failure}
      </LoadFailure>
    );
  }
  if (entries.length === 0) {
    return <EmptyState picture={<History size={32} strokeWidth={1.6} />} {...words.noneEnded} />;
  }
  return (
    <>
      <ul className={styles.list} aria-label={words.endedList}>
        {entries.map((alert) => (
          <EndedAlert key={alert.id} alert={alert} />
        ))}
      </ul>
      <Older pages={pages} failed={words.failed} />
    </>
  );
}

function EndedAlert({ alert }: { alert: Alert }) {
  const { since, ended, acknowledged_by: seenBy, problem } = alert;
  const lasted = words.lasted(formatAgo(Date.parse(ended ?? since) - Date.parse(since)));
  return (
    <AlertLine
      alert={alert}
      care={false}
      detail={problem ?? lasted}
      when={<Moment at={ended ?? since} words={words.over} />}
      actions={seenBy !== null && <span className={styles.seen}>{words.seenBy(seenBy)}</span>}
    />
  );
}
