import { Link } from 'wouter';
import type { Delivery } from '#shared/api/callback.ts';
import { useTimed } from '../../station/time.ts';
import list from '../developer/RequestList.module.css';
import { timeWords } from '../developer/requestWords.ts';
import { exactWords } from '../people/moments.ts';
import styles from './callbacks.module.css';
import { answerText, eventWords, progressWords, subjectWords, toneOf } from './deliveryWords.ts';

type Props = { delivery: Delivery; now: number; isOpen: boolean };

/** One delivery: what was answered, what it tells, how it stands and when it was made. */
export function DeliveryLine({ delivery, now, isOpen }: Props) {
  const { id, created } = delivery;
  const at = Date.parse(created);
  const progress = useTimed((stationNow) => progressWords(delivery, stationNow));
  return (
    <Link href={`/callbacks/${id}`} className={list.line ?? ''} aria-current={isOpen ? 'true' : undefined}>
      <span className={list.status} data-tone={toneOf(delivery)}>
        {answerText(delivery)}
      </span>
      <span className={list.what}>
        <span className={styles.event}>
          <strong>{eventWords(delivery)}</strong> {subjectWords(delivery)}
        </span>
        <span className={styles.progress}>{progress}</span>
      </span>
      <span className={list.when}>
        <time dateTime={created} title={exactWords(at)}>
          {timeWords(at, now)}
        </time>
      </span>
    </Link>
  );
}
