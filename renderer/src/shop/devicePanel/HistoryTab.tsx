import { ChevronDown } from 'lucide-react';
import { useId, useState } from 'react';
import type { Device } from '#shared/api/device.ts';
import type { HistoryEntry } from '#shared/api/history.ts';
import { contentWords, ledOf } from '../device/commandWords.ts';
import { alertWords } from '../device/deviceWords.ts';
import { LedDot } from '../device/Led.tsx';
import { useStationContext } from '../../station/context.ts';
import { usePagedList } from '../../station/usePagedList.ts';
import { useStationQuery } from '../../station/useStationQuery.ts';
import { useTimed } from '../../station/time.ts';
import { EmptyState, NotLoaded } from '../../kit/feedback/EmptyState.tsx';
import { Older } from '../../kit/list/Older.tsx';
import * as texts from '../../words/texts.ts';
import parts from '../../kit/parts.module.css';
import { dotted } from '../../words/dotted.ts';
import { WhyLit } from '../timeline/CommandTimeline.tsx';
import why from '../timeline/LoadedTimeline.module.css';
import { clockWords, dayWords } from '../timeline/stepTimes.ts';
import styles from './NowTab.module.css';

const PAGE = 25;

/** The history of a device, newest events first, loaded page by page. */
export function HistoryTab({ device }: { device: Device }) {
  const { api } = useStationContext();
  const { deviceid } = device;
  const open = device.commands.map(({ command_id }) => command_id).join(' ');
  const newest = useStationQuery(['history', deviceid], () => api.listHistory({ query: { deviceid, limit: PAGE } }), {
    version: `${open} ${device.last_seen}`,
  });
  const pages = usePagedList(newest, {
    of: deviceid,
    size: PAGE,
    load: (after) => api.listHistory({ query: { deviceid, limit: PAGE, after } }),
  });
  const { entries, isEnd } = pages;

  if (newest.value === undefined) return <NotLoaded of={newest} failed={texts.past.failed} className={why.failure} />;
  if (entries.length === 0) return <EmptyState title={texts.past.empty} body={texts.past.emptyHint} />;
  return (
    <section aria-label={texts.past.title}>
      <ol>
        {entries.map((entry) => (
          <HistoryRow key={entry.id} entry={entry} device={device} />
        ))}
      </ol>
      {isEnd && <p>{texts.past.all}</p>}
      <Older pages={pages} failed={texts.past.failed} />
    </section>
  );
}

type Props = { entry: HistoryEntry; device: Device; opensAtOnce?: boolean };

/** A past event. An event of a command can be opened to show the command's timeline. */
export function HistoryRow({ entry, device, opensAtOnce = false }: Props) {
  const { command_id: commandId } = entry;
  const [isOpen, setIsOpen] = useState(opensAtOnce);
  const region = useId();
  if (commandId === null) {
    return (
      <li className={styles.row}>
        <div className={`${parts.middle3} ${styles.line}`}>
          <Words entry={entry} />
        </div>
      </li>
    );
  }
  return (
    <li className={styles.row}>
      <button
        type="button"
        className={`${parts.middle3} ${styles.line}`}
        aria-expanded={isOpen}
        aria-controls={region}
        onClick={() => setIsOpen(!isOpen)}
      >
        <Words entry={entry} />
        <ChevronDown className={styles.turn} size={16} aria-hidden="true" />
      </button>
      <div id={region} className={styles.more} hidden={!isOpen}>
        {isOpen && <WhyLit commandId={commandId} device={device} />}
      </div>
    </li>
  );
}

/** Explains why nobody saw a timed-out command. Returns an empty text if the command was shown. */
function undeliveredWords({ kind, delivery }: HistoryEntry): string {
  if (kind !== 'timedOut' || delivery === 'shown') return '';
  return delivery === 'unreachable' ? texts.why.neverReached : texts.why.neverShown;
}

function Words({ entry }: { entry: HistoryEntry }) {
  const at = Date.parse(entry.at);
  const day = useTimed((now) => dayWords(at, now));
  const details = dotted(
    entry.alert === null ? '' : alertWords(entry.alert),
    undeliveredWords(entry),
    entry.qty > 0 ? texts.why.counted(entry.qty) : '',
    entry.by === '' ? '' : `${texts.why.by} ${entry.by === 'device' ? texts.why.device : entry.by}`,
    entry.sender === '' ? '' : texts.queue.from(entry.sender),
  );
  return (
    <>
      {entry.command === null ? (
        <span className={styles.noLed} aria-hidden="true" />
      ) : (
        <LedDot led={ledOf(entry.command, entry.color)} />
      )}
      <span className={styles.words}>
        {entry.command !== null && <span className={styles.content}>{contentWords(entry)}</span>}
        <span className={entry.command === null ? styles.content : styles.details}>
          <span data-kind={entry.kind} className={styles.kind}>
            {texts.why.kinds[entry.kind]}
          </span>
          {details !== '' && ` · ${details}`}
        </span>
      </span>
      <time className={`${parts.figures} ${styles.when}`} dateTime={entry.at}>
        {clockWords(at)}
        {day !== '' && <span className={styles.day}>{day}</span>}
      </time>
    </>
  );
}
