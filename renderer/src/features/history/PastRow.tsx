import { Link, useSearchParams } from 'wouter';
import type { HistoryEntry } from '#shared/api/history.ts';
import { contentWords, ledOf } from '../../device/commandWords.ts';
import { alertWords } from '../../device/deviceWords.ts';
import { LedDot } from '../../device/Led.tsx';
import { OriginLink } from '../../device/OriginLink.tsx';
import { exactWords } from '../../ui/moments.ts';
import { Cells } from '../../ui/Grid.tsx';
import { texts } from '../../ui/texts.ts';
import { clockWords } from '../timeline/stepTimes.ts';
import parts from '../../ui/parts.module.css';
import styles from './PastList.module.css';
import { lengthWords, tookMs } from './pastWords.ts';
import { dotted } from '../../ui/dotted.ts';

const words = texts.history;

type Props = { entry: HistoryEntry; today: string; isCurrent: boolean; open: string };

/** The cells of one thing that happened; what belongs to a command opens its timeline. */
export function PastRow({ entry, today, isCurrent, open }: Props) {
  const [params] = useSearchParams();
  const { at, kind, deviceid, location, command, command_id: commandId, color, qty, quantity } = entry;
  const ms = Date.parse(at);
  const date = new Date(ms);
  const day = date.toDateString() === today ? '' : date.toLocaleDateString('en-GB', { day: 'numeric', month: 'short' });
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
            // Nothing opens, and the arrow keys pass by here all the same.
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
    origin: kind !== 'order_removed' && <OriginLink entry={entry} tab={tab} />,
  };
  return <Cells look={styles} of={cells} />;
}

/** What it asked for; of what is no command, what it was. */
function titleWords(entry: HistoryEntry): string {
  if (entry.alert !== null) return alertWords(entry.alert);
  if (entry.command !== null) return contentWords(entry);
  if (entry.item !== null) return words.corrected(entry.item.name, entry.item.before, entry.qty);
  return entry.other_deviceid ?? entry.sequenceid ?? entry.order_number ?? texts.why.kinds[entry.kind];
}

/** What is the title already is not said again. */
function detailWords({ order_number: order, sequenceid, nonce, sender }: HistoryEntry, title: string): string {
  return dotted(
    order === null || order === title ? '' : words.orderIs(order),
    sequenceid === null || sequenceid === title ? '' : words.sequenceIs(sequenceid),
    nonce === '' ? '' : texts.queue.nonce(nonce),
    sender === '' ? '' : texts.queue.from(sender),
  );
}

/** Who ended it, or why nobody saw it. */
function byWords({ kind, by, delivery, reason, deviceid }: HistoryEntry): string {
  if (kind === 'timedOut' && delivery !== 'shown') {
    return delivery === 'unreachable' ? texts.why.neverReached : texts.why.neverShown;
  }
  // Nobody ended it: its time was over. An order as a whole is not fulfilled by the device of the last press.
  const isBySomebody = by !== '' && kind !== 'timedOut' && !(by === 'device' && deviceid === '');
  const who = isBySomebody ? `${texts.why.by} ${by === 'device' ? texts.why.device : by}` : '';
  return dotted(who, reason);
}
