import { ClipboardList, FileSpreadsheet, ListOrdered } from 'lucide-react';
import { useRef } from 'react';
import { Link, useLocation, useSearchParams } from 'wouter';
import { pathOf } from '#shared/api/client.ts';
import { originAddress, originWords } from '../../station/addresses.ts';
import { useStationContext, useStationState } from '../../station/context.ts';
import button from '../../ui/Button.module.css';
import { Button } from '../../ui/Button.tsx';
import { followLink } from '../../ui/download.ts';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { usePaletteActions } from '../../ui/paletteActions.ts';
import { texts } from '../../ui/texts.ts';
import { EntryView } from './EntryView.tsx';
import { Figures } from './Figures.tsx';
import { Filters } from './Filters.tsx';
import styles from './HistoryPage.module.css';
import { isTurned, ofAnyResult, type PastFilter, queryOf, readFilter, writeFilter } from './pastFilter.ts';
import { PastList } from './PastList.tsx';
import { keyOf } from './usePast.ts';

const words = texts.history;
const ICON = 16;

/** What happened, how well? */
export function HistoryPage() {
  const [path] = useLocation();
  const [params, setParams] = useSearchParams();
  const filter = readFilter(params);
  const [, open = ''] = /^\/history\/([^/]+)/.exec(path) ?? [];
  const { store } = useStationContext();
  const stale = useStationState(({ connection }) => connection.kind === 'lost');
  const scroll = useRef<HTMLDivElement>(null);

  /** What it is the history of. */
  const origin = { order_number: filter.order || null, sequenceid: filter.sequence || null };
  const OriginIcon = filter.order === '' ? ListOrdered : ClipboardList;

  const change = (next: PastFilter) => setParams(writeFilter(next), { replace: true });
  const save = () => saveCsv(filter, store.getState().clockSkewMs);
  usePaletteActions([{ id: 'history.csv', words: words.csv, run: save }]);

  return (
    <div className={styles.page} data-open={open !== '' || undefined} data-stale={stale || undefined}>
      <PageHeader title={words.title}>
        {originWords(origin) !== '' && (
          <Link href={originAddress(origin)} className={button.button ?? ''}>
            <OriginIcon size={ICON} aria-hidden="true" />
            <span className={styles.cut}>{originWords(origin)}</span>
          </Link>
        )}
        <Button aria-label={words.csv} isDisabled={isTurned(filter)} onPress={save}>
          <FileSpreadsheet size={ICON} aria-hidden="true" />
          {texts.locations.csv}
        </Button>
      </PageHeader>
      <main className={styles.body}>
        <div className={styles.content} ref={scroll}>
          <Filters filter={filter} onChange={change} />
          {!isTurned(filter) && (
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

/** Saves what the filter finds, by the very address that scripts use. */
function saveCsv(filter: PastFilter, clockSkewMs: number): void {
  followLink(pathOf('exportHistory', queryOf(filter, Date.now() - clockSkewMs)), 'history.csv');
}
