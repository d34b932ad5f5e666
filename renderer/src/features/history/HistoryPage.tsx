import { ClipboardList, FileSpreadsheet, ListOrdered, X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import { pathOf } from '../../station/calls/call.ts';
import { contentWords, ledOf, linesOf } from '../../shop/device/commandWords.ts';
import { LedDot } from '../../shop/device/Led.tsx';
import { useHasArticles } from '../../station/foundArticles.ts';
import { deviceAddress, originAddress, originWords } from '../../station/addresses.ts';
import { useDevice, useStationContext, useStationState } from '../../station/context.ts';
import { Button, ButtonLink } from '../../kit/button/Button.tsx';
import { followLink } from '../../kit/download.ts';
import { NotLoaded } from '../../kit/feedback/EmptyState.tsx';
import { PageHeader } from '../../kit/page/PageHeader.tsx';
import { usePaletteActions } from '../../shop/paletteActions.ts';
import parts from '../../kit/parts.module.css';
import * as texts from '../../words/texts.ts';
import { useLatest } from '../../kit/useLatest.ts';
import { CommandTimeline } from '../../shop/timeline/CommandTimeline.tsx';
import { useTimeline } from '../../shop/timeline/Timeline.tsx';
import { Figures } from './Figures.tsx';
import { Filters } from './Filters.tsx';
import styles from './HistoryPage.module.css';
import { MovementsPage } from './MovementsPage.tsx';
import { isReversed, ofAnyResult, type PastFilter, queryOf, readFilter, writeFilter } from './pastFilter.ts';
import { PastList } from './PastList.tsx';
import { keyOf } from './usePast.ts';

const words = texts.history;
const ICON = 16;

/** The History page. With `?movements` in the address, it shows stock movements. */
export function HistoryPage() {
  const [params] = useSearchParams();
  return params.has('movements') ? <MovementsPage /> : <PastPage />;
}

function PastPage() {
  const [path] = useLocation();
  const [params, setParams] = useSearchParams();
  const filter = readFilter(params);
  const [, open = ''] = /^\/history\/([^/]+)/.exec(path) ?? [];
  const { store } = useStationContext();
  const hasArticles = useHasArticles();
  const stale = useStationState(({ connection }) => connection.kind === 'lost');
  const scroll = useRef<HTMLDivElement>(null);

  /** The order or sequence by which the history is filtered, if any. */
  const origin = { order_number: filter.order || null, sequenceid: filter.sequence || null };
  const OriginIcon = filter.order === '' ? ListOrdered : ClipboardList;

  const change = (next: PastFilter) => setParams(writeFilter(next), { replace: true });
  const save = (format: 'csv' | 'xlsx') => saveFile(filter, store.getState().clockSkewMs, format);
  usePaletteActions([
    { id: 'history.csv', words: words.csv, run: () => save('csv') },
    { id: 'history.xlsx', words: words.xlsx, run: () => save('xlsx') },
  ]);

  return (
    <div className={styles.page} data-open={open !== '' || undefined} data-stale={stale || undefined}>
      <PageHeader title={words.title}>
        {originWords(origin) !== '' && (
          <ButtonLink to={originAddress(origin)}>
            <OriginIcon size={ICON} aria-hidden="true" />
            <span className={styles.cut}>{originWords(origin)}</span>
          </ButtonLink>
        )}
        {hasArticles && <ButtonLink words={words.movements.title} to="/history?movements" look="plain" />}
        <Button
          icon={FileSpreadsheet}
          aria-label={words.csv}
          isDisabled={isReversed(filter)}
          onPress={() => save('csv')}
        >
          {texts.frame.csv}
        </Button>
        <Button
          icon={FileSpreadsheet}
          aria-label={words.xlsx}
          isDisabled={isReversed(filter)}
          onPress={() => save('xlsx')}
        >
          {words.excel}
        </Button>
      </PageHeader>
      <main className={styles.body}>
        <div className={styles.content} ref={scroll}>
          <Filters filter={filter} onChange={change} />
          {!isReversed(filter) && (
            <>
              <Figures key={`figures ${keyOf(ofAnyResult(filter))}`} filter={filter} onChange={change} />
              <PastList key={`list ${keyOf(filter)}`} filter={filter} open={open} scroll={scroll} />
            </>
          )}
        </div>
        {open !== '' && <EntryView key={open} commandId={open} filter={filter} />}
      </main>
    </div>
  );
}

/** Downloads the filtered history. Scripts can use the same address. */
function saveFile(filter: PastFilter, clockSkewMs: number, format: 'csv' | 'xlsx'): void {
  const asked = queryOf(filter, Date.now() - clockSkewMs);
  const query = format === 'csv' ? asked : { ...asked, format };
  followLink(pathOf('exportHistory', { query }), `history.${format}`);
}

const entryViewWords = texts.history.open;

/** Shows the timeline of one command next to the list. In a narrow window, it replaces the list. */
function EntryView({ commandId, filter }: { commandId: string; filter: PastFilter }) {
  const { api } = useStationContext();
  const timeline = useTimeline(['timeline', commandId], () => api.getTimeline({ path: { command_id: commandId } }));
  const { value } = timeline;
  const device = useDevice(value?.deviceid ?? '');
  const [, navigate] = useLocation();
  const query = new URLSearchParams(writeFilter(filter)).toString();
  const back = `/history${query === '' ? '' : `?${query}`}`;
  const place = value === undefined ? '' : value.location === '' ? value.deviceid : value.location;
  const heading = useRef<HTMLHeadingElement>(null);
  const close = () => navigate(back);
  useEscape(close);
  const isThere = value !== undefined;
  useEffect(() => {
    // In a narrow window the details replace the list, so focus their heading.
    if (isThere && window.matchMedia('(max-width: 900px)').matches) heading.current?.focus();
  }, [isThere]);

  return (
    <section className={`${parts.stack4} ${styles.pane}`} aria-label={entryViewWords.label}>
      <div className={styles.close}>
        <Button look="quiet" aria-label={entryViewWords.close} onPress={close}>
          <X size={18} aria-hidden="true" />
        </Button>
      </div>
      {value === undefined && (
        <NotLoaded
          of={timeline}
          title={entryViewWords.gone}
          action={<Button onPress={close}>{entryViewWords.back}</Button>}
        />
      )}
      {value !== undefined && (
        <>
          <header className={`${parts.stack2} ${styles.head}`}>
            <h2 className={styles.title} tabIndex={-1} ref={heading}>
              {place}
            </h2>
            <p className={`${parts.middle2} ${styles.what}`}>
              <LedDot led={ledOf(value.command.command, value.command.color)} />
              <span>{contentWords({ lines: linesOf(value.command), quantity: value.command.quantity })}</span>
            </p>
            <div className={`${parts.row} ${styles.links}`}>
              {originWords(value.command) !== '' && (
                <ButtonLink words={originWords(value.command)} to={originAddress(value.command)} />
              )}
              {device !== undefined && (
                <ButtonLink words={entryViewWords.openDevice} to={deviceAddress(value.deviceid)} />
              )}
            </div>
          </header>
          <CommandTimeline
            timeline={value}
            device={device}
            title={texts.why.kinds[value.state as 'acknowledged' | 'timedOut' | 'killed' | 'replaced']}
          />
        </>
      )}
    </section>
  );
}

/** Calls `close` on Escape, unless a dialog or list is open. */
function useEscape(close: () => void): void {
  const newest = useLatest(close);
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent): void {
      if (event.key !== 'Escape' || event.defaultPrevented) return;
      if (document.querySelector('[role="dialog"], [role="alertdialog"], [role="listbox"]') !== null) return;
      newest.current();
    }
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [newest]);
}
