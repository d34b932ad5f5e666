import { BellOff, History } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useSearch } from 'wouter';
import type { Alert, AlertKind } from '#shared/api/alert.ts';
import { isStationAlert } from '#shared/lib/alerts/alertSubjects.ts';
import { countUnseen, openAlerts } from '../../station/alerts.ts';
import { useRight, useStationContext, useStationState } from '../../station/context.ts';
import { formatAgo } from '../../station/time.ts';
import { usePagedList } from '../../station/usePagedList.ts';
import { useStationQuery } from '../../station/useStationQuery.ts';
import { EmptyState, NotLoaded } from '../../kit/feedback/EmptyState.tsx';
import list from '../../kit/list/ListPage.module.css';
import { Moment } from '../../shop/Moment.tsx';
import { Older } from '../../kit/list/Older.tsx';
import { PageHeader } from '../../kit/page/PageHeader.tsx';
import { AddressedTabs } from '../../kit/menu/Tabs.tsx';
import * as texts from '../../words/texts.ts';
import { alertWords } from '../../shop/device/deviceWords.ts';
import { Button, ButtonLink } from '../../kit/button/Button.tsx';
import { ConfirmDialog } from '../../kit/dialog/Dialog.tsx';
import { useAttempt } from '../../shop/toasts.ts';
import { RenamePlaceDialog } from '../../shop/place/RenamePlaceDialog.tsx';
import { AlertLine, useSubjectName } from './AlertLine.tsx';
import styles from './alerts.module.css';

const words = texts.alerts;

const TABS = [
  { id: 'open', path: '/alerts', word: words.tabs.open, content: <OpenTab /> },
  { id: 'ended', path: '/alerts/ended', word: words.tabs.ended, content: <EndedTab /> },
] as const;

/** The Alerts page, which shows open and resolved alerts. */
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

/** Lists resolved alerts, newest first. */
function EndedTab() {
  const { api } = useStationContext();
  const newest = useStationQuery(['endedAlerts'], () => api.listAlerts({ query: { limit: PAGE, state: 'ended' } }));
  const pages = usePagedList(newest, {
    of: 'ended',
    size: PAGE,
    load: (after) => api.listAlerts({ query: { limit: PAGE, after, state: 'ended' } }),
  });
  const { entries } = pages;
  if (newest.value === undefined) return <NotLoaded of={newest} failed={words.failed} />;
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

/** Number of open alerts that are shown initially and added by each press of the button. */
const OPEN_TAB_PAGE = 100;

/** Lists open alerts: first the unacknowledged ones, then the acknowledged ones, each newest first. */
function OpenTab() {
  const open = useStationState(openAlerts);
  const isAdmin = useRight('change_settings');
  const sorted = useMemo(() => {
    const newest = open.toReversed();
    return [...newest.filter(({ acknowledged }) => acknowledged === null), ...newest.filter(isSeen)];
  }, [open]);
  const [most, setMost] = useState(OPEN_TAB_PAGE);
  const meant = new URLSearchParams(useSearch()).get('alert');
  // Always draw the alert named in the address, so that it can be scrolled into view.
  const drawn = Math.max(most, sorted.findIndex(({ id }) => id === meant) + 1);
  if (sorted.length === 0) {
    return (
      <EmptyState
        picture={<BellOff size={32} strokeWidth={1.6} />}
        title={words.none.title}
        body={words.none.body}
        action={isAdmin && <ButtonLink words={words.none.settings} to="/settings" />}
      />
    );
  }
  return (
    <>
      <AllSeen />
      <ul className={styles.list} aria-label={words.list}>
        {sorted.slice(0, drawn).map((alert) => (
          <OpenAlert key={alert.id} alert={alert} isMeant={alert.id === meant} />
        ))}
      </ul>
      {sorted.length > drawn && (
        <Button onPress={() => setMost(drawn + OPEN_TAB_PAGE)}>
          {words.more(Math.min(OPEN_TAB_PAGE, sorted.length - drawn))}
        </Button>
      )}
    </>
  );
}

/** A button that acknowledges all alerts, for example after a threshold was changed. */
function AllSeen() {
  const { api } = useStationContext();
  const unseen = useStationState(countUnseen);
  const { busy, run } = useAttempt(words.seenFailed, () => api.acknowledgeAlerts());
  if (unseen < 2) return null;
  return (
    <div className={styles.all}>
      <Button words={words.allSeen} needs="handle_alerts" busy={busy} onPress={run} />
    </div>
  );
}

function isSeen({ acknowledged }: Alert): boolean {
  return acknowledged !== null;
}

function OpenAlert({ alert, isMeant }: { alert: Alert; isMeant: boolean }) {
  const { api } = useStationContext();
  const name = useSubjectName(alert);
  const seeing = useAttempt(words.seenFailed, () => api.acknowledgeAlert({ path: { id: alert.id } }));
  const dismissing = useAttempt(words.dismissFailed, () => api.endAlert({ path: { id: alert.id } }));
  const [asks, setAsks] = useState(false);
  const [renames, setRenames] = useState(false);
  const { id, kind, since, problem, acknowledged_by: seenBy } = alert;

  return (
    <AlertLine
      alert={alert}
      care={seenBy === null}
      isMeant={isMeant}
      detail={problem ?? words.todo[kind]}
      when={<Moment at={since} words={kind === 'device_offline' ? words.lastHeard : words.since} />}
      actions={
        <>
          {kind === 'turbo_offline' && (
            <Button look="quiet" needs="handle_alerts" aria-label={words.goneOf(name)} onPress={() => setAsks(true)}>
              {words.gone}
            </Button>
          )}
          {kind === 'place_dark' && (
            <Button look="quiet" needs="edit_stock" onPress={() => setRenames(true)}>
              {texts.locations.rename.instead}
            </Button>
          )}
          {renames && <RenamePlaceDialog close={() => setRenames(false)} />}
          {alert.about !== null && isAboutCaller(kind) && <CallerActions id={id} kind={kind} about={alert.about} />}
          {isStationAlert(kind) && !isAboutCaller(kind) && (
            <Button
              words={words.dismiss}
              look="quiet"
              needs="handle_alerts"
              busy={dismissing.busy}
              aria-label={words.dismissOf(alertWords(alert))}
              onPress={dismissing.run}
            />
          )}
          {seenBy !== null && <span className={styles.seen}>{words.seenBy(seenBy)}</span>}
          {seenBy === null && (
            <Button
              words={words.seen}
              needs="handle_alerts"
              busy={seeing.busy}
              aria-label={words.seenOf(alertWords(alert), name)}
              onPress={seeing.run}
            />
          )}
          <ConfirmDialog
            title={words.ask.title(name)}
            body={words.ask.body}
            confirm={words.ask.confirm}
            isOpen={asks}
            onConfirm={() => api.endAlert({ path: { id } })}
            onClose={() => setAsks(false)}
          />
        </>
      }
    />
  );
}

/** Buttons that allow a refused caller, or permanently dismiss alerts about this caller. */
function CallerActions({ id, kind, about }: { id: string; kind: AlertKind; about: string }) {
  const { api } = useStationContext();
  const never = useAttempt(words.neverFailed, () => api.neverAllowRefusedCaller({ path: { id } }));
  const [asks, setAsks] = useState(false);
  return (
    <>
      <Button
        words={words.never}
        look="quiet"
        needs="change_settings"
        busy={never.busy}
        aria-label={words.neverOf(about)}
        onPress={never.run}
      />
      <Button needs="change_settings" aria-label={words.allowOf(about)} onPress={() => setAsks(true)}>
        {words.allow}
      </Button>
      <ConfirmDialog
        title={words.askAllow.title(about)}
        body={kind === 'origin_refused' ? words.askAllow.origin : words.askAllow.host}
        confirm={words.askAllow.confirm}
        isOpen={asks}
        onConfirm={() => api.allowRefusedCaller({ path: { id } })}
        onClose={() => setAsks(false)}
      />
    </>
  );
}

function isAboutCaller(kind: AlertKind): boolean {
  return kind === 'origin_refused' || kind === 'host_refused';
}
