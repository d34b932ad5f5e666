import { ChevronDown, SearchX, Webhook } from 'lucide-react';
import { memo, useId, useRef } from 'react';
import { Link } from 'wouter';
import type { Delivery } from '#shared/api/callback.ts';
import { useOlder, useScrollAnchor } from '../../kit/list/Older.tsx';
import { useDayStart, useTimed } from '../../station/time.ts';
import { Button, ButtonLink } from '../../kit/button/Button.tsx';
import { EmptyState, Failure, NotLoaded } from '../../kit/feedback/EmptyState.tsx';
import { Segments } from '../../kit/field/Segments.tsx';
import { Menu } from '../../kit/menu/Menu.tsx';
import { exactWords, timeWords } from '../../words/moments.ts';
import list from '../../shop/RequestList.module.css';
import { StateTag } from '../../kit/feedback/StateTag.tsx';
import * as texts from '../../words/texts.ts';
import { useTable } from '../../kit/list/Grid.tsx';
import parts from '../../kit/parts.module.css';
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
const FAMILY_CHOICES = FAMILIES.map((id) => ({ id, words: words.families[id] }));
const ALL_RECEIVERS = { id: 'all', words: words.allReceivers };

const ROW_HEIGHT = 64;
/** Older deliveries are loaded when at most this many rows remain below the visible ones. */
const AHEAD = 60;

/** A receiver. `id` is the value in the field `receiver` of its deliveries. */
export type NamedReceiver = { id: string; name: string };

type Props = {
  wanted: DeliveryFilter;
  onWanted(wanted: DeliveryFilter): void;
  /** Id of the delivery that is open next to the list, or empty. */
  open: string;
  /** The configured receivers, or undefined while they are loaded. */
  receivers: readonly NamedReceiver[] | undefined;
};

/** Shows the filters and the list of deliveries. */
export function DeliveryList({ wanted, onWanted, open, receivers }: Props) {
  const hasReceiver = receivers && receivers.length > 0;
  return (
    <>
      <div className={styles.filter} role="group" aria-label={words.filter}>
        <Segments
          label={words.statesLabel}
          choices={STATE_CHOICES}
          value={wanted.state}
          onChange={(state) => onWanted({ ...wanted, state })}
        />
        <Choice
          label={words.familiesLabel}
          choices={FAMILY_CHOICES}
          value={wanted.family}
          choose={(family) => onWanted({ ...wanted, family })}
        />
        {(receivers ?? []).length > 1 && (
          <Choice
            label={words.receiversLabel}
            choices={[ALL_RECEIVERS, ...(receivers ?? []).map(({ id, name }) => ({ id, words: name }))]}
            value={wanted.receiver}
            choose={(receiver) => onWanted({ ...wanted, receiver })}
          />
        )}
      </div>
      <Entries
        key={`${wanted.state} ${wanted.family} ${wanted.receiver}`}
        wanted={wanted}
        open={open}
        hasReceiver={hasReceiver}
      />
    </>
  );
}

type EntriesProps = Pick<Props, 'wanted' | 'open'> & { hasReceiver: boolean | undefined };

/**
 * Lists deliveries, newest first. New deliveries appear automatically, and older ones are loaded while scrolling. Draws
 * only visible rows.
 */
function Entries({ wanted, open, hasReceiver }: EntriesProps) {
  const scroll = useRef<HTMLDivElement>(null);
  const topOf = () => Math.floor((scroll.current?.scrollTop ?? 0) / ROW_HEIGHT);
  const { list, newest, busy, failure, loadOlder } = useDeliveries(wanted, topOf);
  const entries = list?.entries ?? NONE;
  const isEnd = list?.isEnd === true;
  const table = useTable({ rows: entries, by: 'id', rowHeight: ROW_HEIGHT, scroll, name: 'deliveries' });
  const now = useDayStart();
  const hint = useId();
  useScrollAnchor(table);
  useOlder(table, AHEAD, { isEnd, busy, failure, loadOlder });

  if (list === undefined) return <NotLoaded of={newest} title={words.notLoaded} wait={styles.wait} />;
  if (entries.length === 0) return <Nothing wanted={wanted} hasReceiver={hasReceiver} />;
  return (
    <>
      {newest.status === 'failed' && <NotLoaded of={newest} title={words.notLoaded} />}
      <div className={styles.frame}>
        <p id={hint} className="visuallyHidden">
          {texts.frame.tableKeys}
        </p>
        <div className={`${parts.card} ${styles.scroll}`} ref={scroll} {...table.keyboard}>
          {/* oxlint-disable-next-line jsx-a11y/no-redundant-roles -- Safari does not announce lists without markers */}
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
                <Button words={texts.frame.broken.again} busy={busy} onPress={loadOlder} />
              </>
            )}
          </div>
        </div>
      </div>
    </>
  );
}

type ChoiceProps<Id extends string> = {
  label: string;
  choices: readonly { id: Id; words: string }[];
  value: Id;
  choose(id: Id): void;
};

function Choice<Id extends string>({ label, choices, value, choose }: ChoiceProps<Id>) {
  const chosen = choices.find(({ id }) => id === value)?.words ?? '';
  return (
    <Menu
      label={label}
      trigger={
        <Button aria-label={`${label}: ${chosen}`}>
          {chosen}
          <ChevronDown size={14} aria-hidden="true" />
        </Button>
      }
      groups={[{ chosen: value, rows: choices.map((choice) => ({ ...choice, run: () => choose(choice.id) })) }]}
    />
  );
}

/** Explains why the list is empty, and suggests a first step. */
function Nothing({ wanted, hasReceiver }: Pick<EntriesProps, 'wanted' | 'hasReceiver'>) {
  if (wanted.state !== 'all' || wanted.family !== 'all' || wanted.receiver !== 'all') {
    return <EmptyState picture={<SearchX size={32} strokeWidth={1.6} />} {...words.noMatch} />;
  }
  const picture = <Webhook size={32} strokeWidth={1.6} />;
  if (hasReceiver !== false) return <EmptyState picture={picture} {...words.none} />;
  return (
    <EmptyState
      picture={picture}
      title={words.noUrl.title}
      body={words.noUrl.body}
      action={<ButtonLink words={words.noUrl.settings} to="/connections/callback-settings" look="primary" />}
    />
  );
}

type DeliveryLineProps = { delivery: Delivery; now: number; isOpen: boolean; isCurrent: boolean };

/** One delivery: its event, the receiver's response, its state and time. */
const DeliveryLine = memo(function DeliveryLine({ delivery, now, isOpen, isCurrent }: DeliveryLineProps) {
  const { id, created } = delivery;
  const at = Date.parse(created);
  const subject = subjectWords(delivery);
  const rest = useTimed((stationNow) => restWords(delivery, stationNow));
  return (
    <Link
      href={`/connections/callbacks/${id}`}
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
