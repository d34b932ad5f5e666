import { History, SearchX } from 'lucide-react';
import { type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { useTimed } from '../../station/time.ts';
import { Button } from '../../ui/Button.tsx';
import { EmptyState, ErrorState } from '../../ui/EmptyState.tsx';
import { Grid, Heads } from '../../ui/Grid.tsx';
import { texts } from '../../ui/texts.ts';
import { useScrollAnchor } from '../../ui/useScrollAnchor.ts';
import { useTable } from '../../ui/useTable.ts';
import { countFilters, type PastFilter } from './pastFilter.ts';
import { Older, useOlder } from '../../ui/Older.tsx';
import parts from '../../ui/parts.module.css';
import styles from './PastList.module.css';
import { PastRow } from './PastRow.tsx';
import { usePast } from './usePast.ts';

const words = texts.history;
const COLUMNS = ['when', 'place', 'what', 'result', 'took', 'qty'] as const;
const ROW_HEIGHT = 60;
/** Older ones are asked for when so few are left below what is in sight. */
const AHEAD = 30;

type Props = {
  filter: PastFilter;
  /** The command whose timeline is open. */
  open: string;
  /** What scrolls: the page. */
  scroll: RefObject<HTMLElement | null>;
};

/** What happened, the newest first. It grows at both ends: at the top by what happens, at the bottom by scrolling. */
export function PastList({ filter, open, scroll }: Props) {
  const { newest, entries, ...older } = usePast(filter);
  const [, navigate] = useLocation();
  const list = useRef<HTMLDivElement>(null);
  const above = useAbove(list, scroll);
  const table = useTable({ rows: entries, by: 'id', rowHeight: ROW_HEIGHT, scroll, above });
  const today = useTimed((now) => new Date(now).toDateString());
  useScrollAnchor(table);
  useOlder(table, AHEAD, older);

  if (newest.value === undefined) {
    if (newest.failure === '') return <p className={styles.wait}>{texts.frame.loading}</p>;
    return <ErrorState title={words.notLoaded} body={newest.failure} again={newest.reload} />;
  }
  if (entries.length === 0) return <Nothing filter={filter} go={() => navigate('/')} />;
  return (
    <>
      <Grid
        table={table}
        label={words.list}
        look={styles}
        className={parts.card}
        head={<Heads look={styles} columns={COLUMNS} words={words.columns} end={words.columns.origin} />}
        renderLine={(entry, isCurrent) => <PastRow entry={entry} today={today} isCurrent={isCurrent} open={open} />}
        marks={({ command_id: id }) => ({ 'data-open': (id !== null && id === open) || undefined })}
        isWhole={older.isEnd}
        isExplained
        lines={list}
      />
      <div className={parts.centered2}>
        {older.isEnd && <p className={parts.quiet}>{words.end}</p>}
        <Older pages={older} failed={words.olderFailed} />
      </div>
    </>
  );
}

function Nothing({ filter, go }: { filter: PastFilter; go(): void }) {
  if (countFilters(filter) > 0) {
    return <EmptyState picture={<SearchX size={32} strokeWidth={1.6} />} {...words.noMatch} />;
  }
  if (filter.range !== 'all')
    return <EmptyState picture={<History size={32} strokeWidth={1.6} />} {...words.noneThen} />;
  return (
    <EmptyState
      picture={<History size={32} strokeWidth={1.6} />}
      title={words.none.title}
      body={words.none.body}
      action={<Button words={words.none.go} look="primary" onPress={go} />}
    />
  );
}

/** How far below the beginning of what scrolls the list begins, followed as what is above it grows. */
function useAbove(list: RefObject<HTMLElement | null>, scroll: RefObject<HTMLElement | null>): number {
  const [above, setAbove] = useState(0);
  useLayoutEffect(() => {
    const measure = () => {
      const box = scroll.current;
      const rows = list.current;
      if (box === null || rows === null) return;
      const now = rows.getBoundingClientRect().top - box.getBoundingClientRect().top + box.scrollTop;
      setAbove((before) => (Math.abs(before - now) < 1 ? before : Math.round(now)));
    };
    measure();
    const box = scroll.current;
    if (box === null || typeof ResizeObserver === 'undefined') return undefined;
    const observer = new ResizeObserver(measure);
    for (const part of box.children) observer.observe(part);
    return () => observer.disconnect();
  });
  return above;
}
