import { type ReactNode, useRef, useState } from 'react';
import { Link } from 'wouter';
import type { CommandEntry, Device } from '#shared/api/device.ts';
import type { TimelineCallback, WorkStep } from '#shared/api/history.ts';
import { formatAgo, formatTimeLeft, useTimed } from '../../station/time.ts';
import { Button } from '../../kit/button/Button.tsx';
import parts from '../../kit/parts.module.css';
import * as texts from '../../words/texts.ts';
import { dotted } from '../../words/dotted.ts';
import type { Key } from '../../station/queries.ts';
import { type Loaded, useStationQuery } from '../../station/useStationQuery.ts';
import { NotLoaded } from '../../kit/feedback/EmptyState.tsx';
import { dayWords, stepTimes, type TimeMode } from './stepTimes.ts';
import styles from './Timeline.module.css';
import loading from './LoadedTimeline.module.css';

type Props = {
  timeline: { steps: readonly WorkStep[]; callbacks: readonly TimelineCallback[] };
  title?: string;
  /** Heading level of the title. */
  level?: 2 | 3;
  /** Number of the timeline's order. The first step of such a timeline is a launch. */
  orderNumber?: string | undefined;
  /** Whether the steps belong to several commands. If so, each step names its command. */
  hasSubjects?: boolean;
  /** `NowStep` elements that show what the subject of the timeline is waiting for. */
  now?: ReactNode;
  /** Notes about the whole timeline. */
  notes?: readonly string[];
};

/** Maximum number of waiting callbacks that are listed individually. */
const MAX_PENDING = 3;
const NO_NOTES: readonly string[] = [];

/** A timeline that shows what happened to a command, an order or a callback, and what it is waiting for. */
export function Timeline({
  timeline: { steps, callbacks },
  title,
  level = 3,
  orderNumber,
  hasSubjects = false,
  now,
  notes = NO_NOTES,
}: Props) {
  const Heading = `h${level}` as const;
  const [mode, setMode] = useState<TimeMode>('clock');
  const at = steps.map((step) => Date.parse(step.at));
  const day = useTimed((moment) => dayWords(at[0] ?? moment, moment));
  const times = stepTimes(at, mode);
  return (
    <div className={parts.column1}>
      <div className={`${parts.middle3} ${styles.head}`}>
        {title !== undefined && <Heading className={parts.title}>{title}</Heading>}
        {day !== '' && <span className={parts.quiet}>{texts.why.on(day)}</span>}
        <Button look="quiet" onPress={() => setMode(mode === 'clock' ? 'since' : 'clock')}>
          <span className="visuallyHidden">{texts.why.times} </span>
          {mode === 'clock' ? texts.why.since : texts.why.clock}
        </Button>
      </div>
      <ol className={styles.steps}>
        {steps.map((step, place) => (
          // The list is always replaced as a whole, so an index is a safe key.
          <li key={`${step.kind} ${place}`} className={styles.step} data-kind={step.kind}>
            <time className={`${parts.figures} ${styles.time}`} dateTime={step.at}>
              {times[place]}
            </time>
            <span className={styles.dot} aria-hidden="true" />
            <StepWords
              step={step}
              orderNumber={orderNumber}
              hasSubject={hasSubjects}
              day={newDay(at[place - 1], at[place])}
            />
          </li>
        ))}
        {now}
        <Pending callbacks={callbacks.filter(({ state }) => state === 'pending')} />
      </ol>
      {notes.map((note) => (
        <p key={note} className={parts.quiet}>
          {note}
        </p>
      ))}
    </div>
  );
}

/** The last step of a timeline, which shows the current state. */
export function NowStep({ words, style }: { words: string; style?: React.CSSProperties }) {
  return (
    <li className={styles.step} data-kind="now" style={style}>
      <span className={`${parts.figures} ${styles.time}`}>{texts.why.now}</span>
      <span className={styles.dot} aria-hidden="true" />
      <span className={styles.words}>{words}</span>
    </li>
  );
}

function Pending({ callbacks }: { callbacks: readonly TimelineCallback[] }) {
  if (callbacks.length > MAX_PENDING) return <NowStep words={texts.why.deliveringMany(callbacks.length)} />;
  return callbacks.map((callback) => <NowStep key={callback.id} words={pendingWords(callback)} />);
}

/** Returns the day if it differs from that of the previous step, or else an empty text. */
function newDay(before: number | undefined, at: number | undefined): string {
  return before === undefined || at === undefined ? '' : dayWords(at, before);
}

/** Kinds of steps for which "by the device" is redundant or wrong. */
const BY_DEVICE: ReadonlySet<string> = new Set(['shown', 'pressed', 'acknowledged', 'timed_out', 'order_fulfilled']);

type StepProps = { step: WorkStep; orderNumber: string | undefined; hasSubject: boolean; day: string };

function StepWords({ step, orderNumber, hasSubject, day }: StepProps) {
  const { kind, by = '', detail = '' } = step;
  return (
    <span className={styles.words}>
      {kind === 'requested' && orderNumber !== undefined ? texts.why.orderLaunched(orderNumber) : STEP_WORDS[kind]}
      {by !== '' && !(by === 'device' && BY_DEVICE.has(kind)) && (
        <>
          {` ${texts.why.by} `}
          <strong>{by === 'device' ? texts.why.device : by}</strong>
        </>
      )}
      {hasSubject && <Subject step={step} />}
      {detail !== '' && <span className={parts.plain}> · {detail}</span>}
      {day !== '' && <span className={parts.plain}> · {texts.why.on(day)}</span>}
    </span>
  );
}

const STEP_WORDS: Readonly<Record<WorkStep['kind'], string>> = { ...texts.why.kinds, ...texts.why.steps };

/** The subject and place of a step. A command's step links to the command's own timeline. */
function Subject({ step: { item = '', location, deviceid = '', command_id: commandId } }: { step: WorkStep }) {
  const place = location ?? deviceid;
  const what = [item, place].filter((part) => part !== '').join(` ${texts.why.at} `);
  if (what === '') return null;
  return (
    <>
      {' · '}
      {commandId === undefined ? what : <Link href={`/history/${commandId}`}>{what}</Link>}
    </>
  );
}

/** Returns the number of commands in the queue before this one. */
export function countWaitingBefore(device: Device, commandId: string): number {
  return Math.max(
    0,
    device.commands.findIndex(({ command_id }) => command_id === commandId),
  );
}

/**
 * Describes what an open command is waiting for, such as `waiting for a press · 0:41 left`. `place.before` is the
 * number of commands before it in the queue.
 */
export function nowWords(
  entry: Pick<CommandEntry, 'state' | 'expires_at' | 'expected_at' | 'unreachable_since'>,
  place: { before: number; isOnline: boolean },
  stationNow: number,
): string {
  if (entry.state === 'shown') {
    if (entry.expires_at === null) return texts.why.pressNoLimit;
    const leftMs = Date.parse(entry.expires_at) - stationNow;
    return leftMs <= 0 ? texts.why.press : texts.why.pressLeft(formatTimeLeft(leftMs));
  }
  if (place.before > 0) return texts.why.waitsBehind(place.before);
  const { unreachable_since: since } = entry;
  if (since !== null) return texts.why.unreachable(formatAgo(stationNow - Date.parse(since)));
  if (!place.isOnline) return texts.why.waitsForDevice;
  const { expected_at: expected } = entry;
  if (expected !== null) return texts.why.expected(formatTimeLeft(Date.parse(expected) - stationNow));
  return entry.state === 'sent' ? texts.why.onItsWay : texts.why.waitsForTurbo;
}

/** Describes a callback that is not delivered yet. The callback's error has its own step. */
function pendingWords({
  id,
  acknack,
  attempts,
  last_status: status,
}: Pick<TimelineCallback, 'id' | 'acknack' | 'attempts' | 'last_status'>): string {
  return dotted(
    texts.why.delivering(acknack, id.endsWith('.mqtt')),
    attempts > 0 ? texts.why.attempts(attempts) : '',
    status === null ? '' : texts.why.answer(status),
  );
}

type LoadedTimelineProps<T> = { loaded: Loaded<T>; title?: string; children(timeline: T): ReactNode };

/** A timeline, or its loading or error state. */
export function LoadedTimeline<T>({ loaded, title, children }: LoadedTimelineProps<T>) {
  const { status, value } = loaded;
  return (
    <>
      {value !== undefined && children(value)}
      {value === undefined && title !== undefined && <h3 className={parts.title}>{title}</h3>}
      {status !== 'loaded' && <NotLoaded of={loaded} failed={texts.why.failed} className={loading.failure} />}
    </>
  );
}

const FIRST_LOOK_MS = 500;
const LONGEST_WAIT_MS = 15_000;

/**
 * Loads the timeline of a command, an order or a delivery. Reloads it when `version` changes, and until its callbacks
 * are delivered.
 */
export function useTimeline<T extends { callbacks: readonly Pick<TimelineCallback, 'state'>[] }>(
  key: Key,
  load: () => Promise<T>,
  version = '',
): Loaded<T> {
  /** The number of reads at which a callback was first pending. */
  const first = useRef<number>(undefined);
  return useStationQuery(key, load, {
    version,
    // Not every client receives facts about deliveries, so poll at increasing intervals.
    everyMs(value, reads) {
      if (value?.callbacks.some(({ state }) => state === 'pending') !== true) {
        first.current = undefined;
        return false;
      }
      first.current ??= reads;
      return Math.min(LONGEST_WAIT_MS, FIRST_LOOK_MS * 2 ** (reads - first.current));
    },
  });
}
