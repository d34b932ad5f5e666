import { ChevronDown, SearchX, Webhook } from 'lucide-react';
import { memo, useId, useRef } from 'react';
import { Link } from 'wouter';
import type { Delivery } from '#shared/api/callback.ts';
import { useOlder, useScrollAnchor } from '../../ui/Older.tsx';
import { useTimed } from '../../station/time.ts';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { EmptyState, ErrorState, Failure } from '../../ui/EmptyState.tsx';
import { Segments } from '../../ui/Segments.tsx';
import { Menu } from '../../ui/Menu.tsx';
import { exactWords, timeWords } from '../../ui/moments.ts';
import list from '../../ui/RequestList.module.css';
import { StateTag } from '../../ui/StateTag.tsx';
import { texts } from '../../ui/texts.ts';
import { useTable } from '../../ui/Grid.tsx';
import parts from '../../ui/parts.module.css';
import styles from './callbacks.module.css';
import {
  answerText,
  eventWords,
  receiverWords,
  restWords,
  STATE_TONES,
  stateWords,
  subjectWords,
  toneOf,
} from './deliveryWords.ts';
import { FAMILIES, STATES, useDeliveries, type DeliveryFilter } from './useDeliveries.ts';

const words = texts.callbacks;
const NONE: readonly never[] = [];
const STATE_CHOICES = STATES.map((id) => ({ id, words: words.states[id] }));

const ROW_HEIGHT = 64;
/** Older ones are asked for when so few are left below what is in sight. */
const AHEAD = 60;

type Props = {
  wanted: DeliveryFilter;
  onWanted(wanted: DeliveryFilter): void;
  /** The id of the delivery that is open beside it. */
  open: string;
  /** Whether a callback URL or a broker is set; undefined while loading. */
  hasReceiver: boolean | undefined;
};

/** The filters and the deliveries. */
export function DeliveryList({ wanted, onWanted, open, hasReceiver }: Props) {
  return (
    <>
      <div className={styles.filter} role="group" aria-label={words.filter}>
        <Segments
          label={words.statesLabel}
          choices={STATE_CHOICES}
          value={wanted.state}
          onChange={(state) => onWanted({ ...wanted, state })}
        />
        <Families family={wanted.family} choose={(family) => onWanted({ ...wanted, family })} />
      </div>
      <Entries key={`${wanted.state} ${wanted.family}`} wanted={wanted} open={open} hasReceiver={hasReceiver} />
    </>
  );
}

/** Deliveries, newest first. New ones appear by themselves, older ones by scrolling; only visible ones are drawn. */
function Entries({ wanted, open, hasReceiver }: Omit<Props, 'onWanted'>) {
  const scroll = useRef<HTMLDivElement>(null);
  const topOf = () => Math.floor((scroll.current?.scrollTop ?? 0) / ROW_HEIGHT);
  const { list, newest, busy, failure, loadOlder } = useDeliveries(wanted, topOf);
  const entries = list?.entries ?? NONE;
  const isEnd = list?.isEnd === true;
  const table = useTable({ rows: entries, by: 'id', rowHeight: ROW_HEIGHT, scroll });
  const today = useTimed((now) => new Date(now).toDateString());
  const now = Date.parse(today);
  const hint = useId();
  useScrollAnchor(table);
  useOlder(table, AHEAD, { isEnd, busy, failure, loadOlder });

  if (list === undefined) {
    if (newest.failure === '') return <p className={styles.wait}>{texts.frame.loading}</p>;
    return <NotRead failure={newest.failure} again={newest.reload} />;
  }
  if (entries.length === 0) return <Nothing wanted={wanted} hasReceiver={hasReceiver} />;
  return (
    <>
      {newest.failure !== '' && <NotRead failure={newest.failure} again={newest.reload} />}
      <div className={styles.frame}>
        <p id={hint} className="visuallyHidden">
          {texts.frame.tableKeys}
        </p>
        <div className={`${parts.card} ${styles.scroll}`} ref={scroll} {...table.keyboard}>
          {/* oxlint-disable-next-line jsx-a11y/no-redundant-roles -- without its signs Safari takes it for no list */}
          <ol
            role="list"
            className={styles.lines}
            style={{ height: table.height }}
            aria-label={words.list}
            aria-describedby={hint}
          >
            {table.items.map(({ row, key, index, style, isCurrent }) => (
              <li
                key={key}
                className={styles.item}
                style={style}
                aria-posinset={index + 1}
                aria-setsize={isEnd ? entries.length : -1}
                data-row={index}
              >
                <DeliveryLine delivery={row} now={now} isOpen={row.id === open} isCurrent={isCurrent} />
              </li>
            ))}
          </ol>
          <div className={`${parts.centered2} ${styles.foot}`}>
            {isEnd ? (
              <p>{words.end}</p>
            ) : failure === '' ? (
              <p>{texts.frame.loading}</p>
            ) : (
              <>
                <Failure>{`${words.olderFailed} ${failure}`}</Failure>
                <Button words={texts.frame.broken.again} busy={busy} onPress={() => void loadOlder()} />
              </>
            )}
          </div>
        </div>
      </div>
    </>
  );
}

function NotRead({ failure, again }: { failure: string; again(): void }) {
  return <ErrorState title={words.notLoaded} body={failure} again={again} />;
}

function Families({
  family,
  choose,
}: {
  family: DeliveryFilter['family'];
  choose(family: DeliveryFilter['family']): void;
}) {
  return (
    <Menu
      label={words.familiesLabel}
      trigger={
        <Button aria-label={`${words.familiesLabel}: ${words.families[family]}`}>
          {words.families[family]}
          <ChevronDown size={14} aria-hidden="true" />
        </Button>
      }
      groups={[
        { chosen: family, rows: FAMILIES.map((id) => ({ id, words: words.families[id], run: () => choose(id) })) },
      ]}
    />
  );
}

/** Why there is nothing, and the first step. */
function Nothing({ wanted, hasReceiver }: Pick<Props, 'wanted' | 'hasReceiver'>) {
  if (wanted.state !== 'all' || wanted.family !== 'all') {
    return <EmptyState picture={<SearchX size={32} strokeWidth={1.6} />} {...words.noMatch} />;
  }
  const picture = <Webhook size={32} strokeWidth={1.6} />;
  if (hasReceiver !== false) return <EmptyState picture={picture} {...words.none} />;
  return (
    <EmptyState
      picture={picture}
      title={words.noUrl.title}
      body={words.noUrl.body}
      action={<ButtonLink words={words.noUrl.settings} to="/settings" look="primary" />}
    />
  );
}

type DeliveryLineProps = { delivery: Delivery; now: number; isOpen: boolean; isCurrent: boolean };

/** One delivery: its event, answer, state and time. */
const DeliveryLine = memo(function DeliveryLine({ delivery, now, isOpen, isCurrent }: DeliveryLineProps) {
  const { id, created } = delivery;
  const at = Date.parse(created);
  const subject = subjectWords(delivery);
  const rest = useTimed((stationNow) => restWords(delivery, stationNow));
  return (
    <Link
      href={`/callbacks/${id}`}
      className={styles.line ?? ''}
      tabIndex={isCurrent ? 0 : -1}
      data-control="open"
      aria-current={isOpen ? 'true' : undefined}
    >
      <span className={styles.event} title={subject}>
        <strong>{eventWords(delivery)}</strong> {subject}
      </span>
      <time className={`${parts.figures} ${styles.when}`} dateTime={created} title={exactWords(at)}>
        {timeWords(at, now)}
      </time>
      <span className={`${parts.middle3} ${styles.progress}`} title={rest}>
        <StateTag tone={STATE_TONES[toneOf(delivery)]} words={stateWords(delivery)} />
        {rest !== '' && <span className={styles.rest}>{rest}</span>}
      </span>
      <span className={`${list.status} ${styles.answer}`} data-tone={toneOf(delivery)}>
        <span className={styles.receiver}>{receiverWords(delivery)}</span> {answerText(delivery)}
      </span>
    </Link>
  );
});
