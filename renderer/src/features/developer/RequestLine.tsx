import { Link } from 'wouter';
import type { LoggedRequest } from '#shared/api/requestLog.ts';
import { exactWords, timeWords } from '../../ui/moments.ts';
import styles from '../../ui/RequestList.module.css';
import { texts } from '../../ui/texts.ts';
import { outcomeWords, statusText, toneOf } from './requestWords.ts';

const words = texts.developer;

type Props = { request: LoggedRequest; now: number; isOpen: boolean };

/** One request: how it went, what it was, whose and when. */
export function RequestLine({ request, now, isOpen }: Props) {
  const { id, at, method, path, by, status, ms } = request;
  const when = Date.parse(at);
  const outcome = outcomeWords(request);
  return (
    <Link href={`/developer/${id}`} className={styles.line ?? ''} aria-current={isOpen ? 'true' : undefined}>
      <span className={styles.status} data-tone={toneOf(status)}>
        {statusText(status)}
      </span>
      <span className={styles.what}>
        <span className={styles.path}>
          <span className={styles.method}>{method}</span> {path}
        </span>
        <span className={styles.quiet}>
          {by === '' ? words.nobody : by}
          {outcome !== '' && ` · ${outcome}`}
        </span>
      </span>
      <span className={styles.when}>
        <time dateTime={at} title={exactWords(when)}>
          {timeWords(when, now)}
        </time>
        <span className={styles.quiet}>{words.ms(ms)}</span>
      </span>
    </Link>
  );
}
