import { History, SearchX } from 'lucide-react';
import { type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { Link, useLocation, useSearchParams } from 'wouter';
import type { HistoryEntry } from '#shared/api/history.ts';
import { useDayStart } from '../../station/time.ts';
import { isSameDay } from '../../words/shopClock.ts';
import { Button } from '../../kit/button/Button.tsx';
import { EmptyState, NotLoaded } from '../../kit/feedback/EmptyState.tsx';
import { Cells, Grid, Heads, useTable } from '../../kit/list/Grid.tsx';
import { reasonWords } from '../../shop/reasonWords.ts';
import * as texts from '../../words/texts.ts';
import { Older, useOlder, useScrollAnchor } from '../../kit/list/Older.tsx';
import parts from '../../kit/parts.module.css';
import { contentWords, ledOf } from '../../shop/device/commandWords.ts';
import { alertWords } from '../../shop/device/deviceWords.ts';
import { LedDot } from '../../shop/device/Led.tsx';
import { OriginLink } from '../../shop/device/OriginLink.tsx';
import { exactWords } from '../../words/moments.ts';
import { dotted } from '../../words/dotted.ts';
import { clockWords } from '../../shop/timeline/stepTimes.ts';
import { countFilters, type PastFilter } from './pastFilter.ts';
import styles from './PastList.module.css';
import { usePast } from './usePast.ts';
import { lengthWords, tookMs } from './pastWords.ts';
import { timeText } from '../../words/formats.ts';

const words = texts.history;
const COLUMNS = ['when', 'place', 'what', 'result', 'took', 'qty'] as const;
const ROW_HEIGHT = 60;
/** Older entries are loaded when at most this many rows remain below the visible ones. */
const AHEAD = 30;

type Props = {
  filter: PastFilter;
  /** Id of the command whose timeline is open, or empty. */
  open: string;
  /** The scrolling element, which is the page. */
  scroll: RefObject<HTMLElement | null>;
};

/** Lists the history, newest first. New entries appear at the top, and older ones are loaded while scrolling. */
export function PastList({ filter, open, scroll }: Props) {
  const { newest, entries, ...older } = usePast(filter);
  const [, navigate] = useLocation();
  const list = useRef<HTMLDivElement>(null);
  const above = useAbove(list, scroll);
  const table = useTable({ rows: entries, by: 'id', rowHeight: ROW_HEIGHT, scroll, above, name: 'past' });
  const today = useDayStart();
  useScrollAnchor(table);
  useOlder(table, AHEAD, older);

  if (newest.value === undefined) return <NotLoaded of={newest} title={words.notLoaded} wait={styles.wait} />;
  if (entries.length === 0) return <Nothing filter={filter} go={() => navigate('/today')} />;
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

/**
 * Returns the distance from the top of the scrolled content to the list. Updated when the content above the list
 * changes.
 */
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

type PastRowProps = { entry: HistoryEntry; today: number; isCurrent: boolean; open: string };

/** The cells of one event. An event that belongs to a command links to the command's timeline. */
function PastRow({ entry, today, isCurrent, open }: PastRowProps) {
  const [params] = useSearchParams();
  const { at, kind, deviceid, location, command, command_id: commandId, color, qty, quantity } = entry;
  const ms = Date.parse(at);
  const day = isSameDay(ms, today) ? '' : timeText('day', ms);
  const took = tookMs(entry);
  const query = params.toString();
  const title = titleWords(entry);
  const tab = isCurrent ? 0 : -1;
  const small = `${parts.small} ${styles.small}`;
  const cells = {
    when: (
      <>
        <time dateTime={at} title={exactWords(ms)}>
          {clockWords(ms)}
        </time>
        {day !== '' && <span className={small}>{day}</span>}
      </>
    ),
    place: (
      <>
        <span className={styles.name}>{location === '' ? deviceid : location}</span>
        {location !== '' && <span className={small}>{deviceid}</span>}
      </>
    ),
    what: (
      <>
        {command === null ? (
          <span className={styles.noLed} aria-hidden="true" />
        ) : (
          <LedDot led={ledOf(command, color)} />
        )}
        <span className={styles.words}>
          {commandId === null ? (
            // The row opens nothing, but is focusable so that arrow keys do not skip it.
            <span className={styles.name} tabIndex={tab} data-control="open">
              {title}
            </span>
          ) : (
            <Link
              href={`/history/${commandId}${query === '' ? '' : `?${query}`}`}
              className={`${styles.name} ${styles.open}`}
              tabIndex={tab}
              data-control="open"
              aria-current={commandId === open ? 'true' : undefined}
            >
              {title}
            </Link>
          )}
          <span className={small}>{detailWords(entry, title)}</span>
        </span>
      </>
    ),
    result: (
      <>
        <span className={styles.kind} data-kind={kind}>
          {texts.why.kinds[kind]}
        </span>
        <span className={small}>{byWords(entry)}</span>
      </>
    ),
    took: took === undefined ? '' : lengthWords(took),
    qty: kind !== 'acknowledged' ? '' : quantity === null ? qty || '' : words.ofAsked(qty, quantity),
    origin: kind !== 'order_removed' && (
      <OriginLink entry={{ ...entry, batch_id: entry.batch?.id ?? null }} tab={tab} />
    ),
  };
  return <Cells look={styles} of={cells} />;
}

/** Returns the content of the command or, for other entries, a description of the event. */
function titleWords(entry: HistoryEntry): string {
  if (entry.alert !== null) return alertWords(entry.alert);
  if (entry.command !== null) return contentWords(entry);
  const { item, order_number: order, batch } = entry;
  if (item !== null)
    return words[entry.kind === 'order_corrected' ? 'corrected' : 'counted'](item.name, item.before, entry.qty);
  if (order === null && batch !== null) return words.batchTitle(batch.id);
  return entry.other_deviceid ?? entry.sequenceid ?? order ?? texts.why.kinds[entry.kind];
}

/** Formats details of an entry. Omits what the title already contains. */
function detailWords(entry: HistoryEntry, title: string): string {
  const { order_number: order, sequenceid, batch, nonce, sender, item, presses } = entry;
  return dotted(
    presses === undefined ? '' : words.presses(presses),
    order === null || order === title ? '' : words.orderIs(order),
    sequenceid === null || sequenceid === title ? '' : words.sequenceIs(sequenceid),
    batch === null || title === words.batchTitle(batch.id) ? '' : words.batchIs(batch.id, batch.name, batch.slot),
    // Omit an item's generated nonce; the order and item identify the event.
    nonce === '' || item !== null ? '' : texts.queue.nonce(nonce),
    sender === '' ? '' : texts.queue.from(sender),
  );
}

/** Returns who ended the command, or why nobody could see the command. */
function byWords({ kind, by, for: whom, delivery, reason, deviceid }: HistoryEntry): string {
  if (kind === 'timedOut' && delivery !== 'shown') {
    return delivery === 'unreachable' ? texts.why.neverReached : texts.why.neverShown;
  }
  // Omit who ended a timed-out command. For a fulfilled order, omit the device, because one device did not fulfill the
  // whole order.
  const isBySomebody = by !== '' && kind !== 'timedOut' && !(by === 'device' && deviceid === '');
  const who = isBySomebody
    ? `${texts.why.by} ${by === 'device' ? texts.why.device : by}${whom === '' ? '' : ` ${words.forWhom(whom)}`}`
    : '';
  return dotted(who, reason === '' ? '' : reasonWords({ key: reason }));
}
