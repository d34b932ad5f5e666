import { memo } from 'react';
import { Link } from 'wouter';
import type { Delivery } from '#shared/api/callback.ts';
import { useTimed } from '../../station/time.ts';
import { exactWords, timeWords } from '../../ui/moments.ts';
import list from '../../ui/RequestList.module.css';
import { StateTag } from '../../ui/StateTag.tsx';
import styles from './callbacks.module.css';
import { answerText, eventWords, restWords, STATE_TONES, stateWords, subjectWords, toneOf } from './deliveryWords.ts';

type Props = { delivery: Delivery; now: number; isOpen: boolean; isCurrent: boolean };

/** One delivery: what it tells and what was answered, how it stands and when it was made. */
export const DeliveryLine = memo(function DeliveryLine({ delivery, now, isOpen, isCurrent }: Props) {
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
      <time className={styles.when} dateTime={created} title={exactWords(at)}>
        {timeWords(at, now)}
      </time>
      <span className={styles.progress} title={rest}>
        <StateTag tone={STATE_TONES[toneOf(delivery)]} words={stateWords(delivery)} />
        {rest !== '' && <span className={styles.rest}>{rest}</span>}
      </span>
      <span className={`${list.status} ${styles.answer}`} data-tone={toneOf(delivery)}>
        {answerText(delivery)}
      </span>
    </Link>
  );
});
