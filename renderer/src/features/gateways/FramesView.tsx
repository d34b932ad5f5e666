import {
  ArrowDownLeft,
  ArrowLeft,
  ArrowUpRight,
  Download,
  Eraser,
  ListFilter,
  Pause,
  Play,
  RadioTower,
} from 'lucide-react';
import { memo, useMemo, useRef, useState } from 'react';
import type { TurboFrame } from '#shared/api/turbo.ts';
import { pathOf } from '../../station/calls/call.ts';
import { useRight, useStationContext, useStationState } from '../../station/context.ts';
import type { Key } from '../../station/queries.ts';
import { type Loaded, useStationQuery } from '../../station/useStationQuery.ts';
import button from '../../kit/button/Button.module.css';
import { Button, ButtonLink } from '../../kit/button/Button.tsx';
import { EmptyState, Failure } from '../../kit/feedback/EmptyState.tsx';
import { PageHeader } from '../../kit/page/PageHeader.tsx';
import layout from '../../kit/page/Page.module.css';
import parts from '../../kit/parts.module.css';
import { SearchBox, useFindKey } from '../../kit/field/SearchBox.tsx';
import { Segments } from '../../kit/field/Segments.tsx';
import * as texts from '../../words/texts.ts';
import styles from './Frames.module.css';
import page from './GatewaysPage.module.css';
import { clockWords, nameOf } from './gatewayWords.ts';

const words = texts.turbos.frames;
const KINDS = ['all', 'work'] as const;
const KIND_CHOICES = KINDS.map((id) => ({ id, words: words.kinds[id] }));

/** Shows the frames between the station and one turbo, live. */
export function FramesView({ serialNumber }: { serialNumber: string }) {
  const isAdmin = useRight('manage_turbos');
  const name = useStationState(({ station }) => {
    const turbo = station?.turbos.find(({ serial_number }) => serial_number === serialNumber);
    return turbo === undefined ? serialNumber : nameOf(turbo);
  });
  return (
    <div className={layout.page}>
      <PageHeader title={words.title} note={words.noteOf(name)}>
        <ButtonLink icon={ArrowLeft} words={words.back} to="/connections" />
      </PageHeader>
      <main className={page.content}>
        {isAdmin ? <Log serialNumber={serialNumber} /> : <EmptyState {...words.adminOnly} />}
      </main>
    </div>
  );
}

function Log({ serialNumber }: { serialNumber: string }) {
  const [isOn, setOn] = useState(true);
  const { clear, ...log } = useFrames(serialNumber, isOn);
  const frames = log.value ?? NO_FRAMES;
  const [search, setSearch] = useState('');
  const [kind, setKind] = useState<Kind>('all');
  const box = useRef<HTMLInputElement>(null);
  useFindKey(box);
  const found = useMemo(() => findFrames(frames, { kind, search }), [frames, kind, search]);
  const isFiltered = found.length < frames.length;
  return (
    <div className={`${parts.column3} ${styles.log}`}>
      <div className={styles.tools}>
        <SearchBox
          label={words.search}
          clearLabel={words.clearSearch}
          input={box}
          value={search}
          onChange={setSearch}
        />
        <Segments label={words.kindsLabel} choices={KIND_CHOICES} value={kind} onChange={setKind} />
        <div className={`${parts.row} ${styles.buttons}`}>
          <Button onPress={() => setOn(!isOn)}>
            {isOn ? <Pause size={16} aria-hidden="true" /> : <Play size={16} aria-hidden="true" />}
            {isOn ? words.pause : words.goOn}
          </Button>
          <Button icon={Eraser} words={words.clear} isDisabled={frames.length === 0} onPress={clear} />
          <a
            className={button.button}
            href={pathOf('exportTurboFrames', { path: { SerialNo: serialNumber } })}
            download
          >
            <Download size={16} aria-hidden="true" />
            {words.download}
          </a>
        </div>
      </div>
      <p className={styles.said}>
        {isFiltered ? words.found(found.length, frames.length) : (isOn ? words.live : words.paused)(frames.length)}
      </p>
      <Failure>{log.status === 'failed' && `${words.failed} ${log.failure}`}</Failure>
      {found.length > 0 && (
        <ol className={`${parts.card} ${styles.list}`} aria-label={words.list}>
          {found.map((frame, place) => (
            <FrameRow key={frame.number} frame={frame} lost={isFiltered ? 0 : lostBefore(frame, found[place + 1])} />
          ))}
        </ol>
      )}
      {log.value?.length === 0 && (
        <EmptyState picture={<RadioTower size={32} strokeWidth={1.6} />} {...words.nothing} />
      )}
      {frames.length > 0 && found.length === 0 && (
        <EmptyState
          picture={<ListFilter size={32} strokeWidth={1.6} />}
          {...words.noMatch}
          action={
            <Button
              words={words.showAll}
              onPress={() => {
                setSearch('');
                setKind('all');
              }}
            />
          }
        />
      )}
    </div>
  );
}

/**
 * Returns how many frames between `before` and this one the page missed because the station had already dropped them.
 */
function lostBefore({ number }: { number: number }, before: { number: number } | undefined): number {
  return before === undefined ? 0 : number - before.number - 1;
}

const ARROWS = { in: ArrowDownLeft, out: ArrowUpRight } as const;

/** One frame as an expandable line. `lost` is the number of missing frames before it. */
const FrameRow = memo(function FrameRow({ frame, lost }: { frame: TurboFrame; lost: number }) {
  const { at, direction, message, answers, device, repeated } = frame;
  const Arrow = ARROWS[direction];
  return (
    <li>
      <details className={styles.frame}>
        <summary>
          <time dateTime={at} className={styles.time}>
            {clockWords(at)}
          </time>
          <span className={styles.arrow} title={words[direction]}>
            <Arrow size={16} aria-hidden="true" />
            <span className="visuallyHidden">{words[direction]}</span>
          </span>
          <span className={`${parts.strong} ${styles.message}`}>
            {message}
            {answers !== null && <span className={styles.quiet}> {words.answers(answers)}</span>}
            {repeated && <span className={styles.again}>{words.repeated}</span>}
          </span>
          <span className={styles.device}>{device}</span>
          <span className={`${parts.cut} ${styles.fields}`}>{fieldWords(frame)}</span>
        </summary>
        <Whole frame={frame} />
      </details>
      {lost > 0 && <p className={styles.gap}>{words.gap(lost)}</p>}
    </li>
  );
});

function Whole({ frame: { number, sequence, fields, bytes } }: { frame: TurboFrame }) {
  return (
    <div className={`${parts.stack2} ${styles.whole}`}>
      <p className={styles.quiet}>
        {words.number(number)}, {words.sequence} {sequence}
      </p>
      <dl className={`${parts.stack1} ${styles.values}`}>
        {Object.entries(fields).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{valueWords(value)}</dd>
          </div>
        ))}
        <div>
          <dt>{words.bytes}</dt>
          <dd className={styles.bytes}>{bytes}</dd>
        </div>
      </dl>
    </div>
  );
}

const EVERY_MS = 1_000;
/** Maximum number of frames to show, which is twice as many as the station keeps. */
const MAX = 2_000;
const NO_FRAMES: readonly TurboFrame[] = [];

/**
 * Returns the frames of one turbo, newest first, including those that the station has stored. `isOn` tells whether to
 * load new frames.
 */
function useFrames(serialNumber: string, isOn: boolean): Loaded<readonly TurboFrame[]> & { clear(): void } {
  const { api } = useStationContext();
  const key: Key = ['turboFrames', serialNumber];
  const last = useRef<number>(undefined);
  const frames = useRef(NO_FRAMES);
  const loaded = useStationQuery(
    key,
    async () => {
      const newer = await api.listTurboFrames({ path: { SerialNo: serialNumber }, query: { after: last.current } });
      const [first] = newer;
      if (first === undefined) return frames.current;
      // Frame numbers start at 1 again after the station restarts, so drop the earlier frames.
      const isAnew = last.current !== undefined && first.number <= last.current;
      last.current = newer.at(-1)?.number;
      frames.current = [...newer.toReversed(), ...(isAnew ? NO_FRAMES : frames.current)].slice(0, MAX);
      return frames.current;
    },
    { everyMs: EVERY_MS, isOn },
  );
  return {
    ...loaded,
    clear() {
      frames.current = NO_FRAMES;
      loaded.write(NO_FRAMES);
    },
  };
}

type Kind = (typeof KINDS)[number];

/** Returns the frames that contain each word of the search in the message, the device or a value. */
export function findFrames(
  frames: readonly TurboFrame[],
  { kind, search }: { kind: Kind; search: string },
): readonly TurboFrame[] {
  const wanted = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (kind === 'all' && wanted.length === 0) return frames;
  return frames.filter((frame) => {
    if (kind === 'work' && (frame.message === 'heartbeat' || frame.answers === 'heartbeat')) return false;
    if (wanted.length === 0) return true;
    const text = `${frame.message} ${frame.answers ?? ''} ${frame.device ?? ''} ${fieldWords(frame)}`.toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
}

/** Formats the fields of a frame in one line, without the device, which has its own column. */
function fieldWords({ fields }: Pick<TurboFrame, 'fields'>): string {
  return Object.entries(fields)
    .filter(([name]) => name !== 'device')
    .map(([name, value]) => `${name} ${valueWords(value)}`)
    .join(' · ');
}

function valueWords(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
