import { TriangleAlert } from 'lucide-react';
import type { WallBoard, WallOrder } from '#shared/api/wallBoard.ts';
import * as texts from '../../words/texts.ts';
import styles from './BoardOrders.module.css';
import { timeText } from '../../words/formats.ts';
import { isSameDay } from '../../words/shopClock.ts';

const words = texts.board;
/** Number of rows that can be read from five meters away. Below the warning, there is space for one row less. */
const ROWS = 8;
const STALE_ROWS = 7;
/** Character limit above which order numbers are drawn smaller, on two lines. */
const LONG = 9;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

type Props = { board: WallBoard; now: number; isStale: boolean };

/** Lists orders by due time: number, due time, progress, and who picks. */
export function BoardOrders({ board: { orders, order_count: all }, now, isStale }: Props) {
  const shown = orders.slice(0, isStale ? STALE_ROWS : ROWS);
  if (shown.length === 0) {
    return (
      <section className={styles.none} aria-label={words.orders}>
        <p>{words.noOrders}</p>
      </section>
    );
  }
  return (
    <section className={styles.orders} aria-label={words.orders}>
      <table className={styles.table}>
        <thead>
          <tr>
            {(['number', 'due', 'progress', 'picker'] as const).map((column) => (
              <th key={column} scope="col" className={styles[column]}>
                {words.columns[column]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((order) => (
            <Row key={order.order_number} order={order} now={now} />
          ))}
        </tbody>
      </table>
      {all > shown.length && <p className={styles.more}>{words.more(all - shown.length)}</p>}
    </section>
  );
}

function Row({ order, now }: { order: WallOrder; now: number }) {
  const { order_number: number, due_time: due, item_count: lines, done_count: done, short_count: short } = order;
  const dueAt = due === null ? undefined : Date.parse(due);
  // The due minute can pass between two reads.
  const isLate = dueAt !== undefined && dueAt < now;
  const pickers = order.pickers.map(({ name, paused }) => (paused ? words.paused(name) : name));
  const names = pickers.length === 0 ? words.nobody : pickers.join(', ');
  const [attention] = order.attention;
  return (
    <tr data-late={isLate || undefined}>
      <th scope="row" className={styles.number}>
        <span className={styles.clamp} data-long={number.length > LONG || undefined}>
          {number}
        </span>
      </th>
      <td className={styles.due}>
        <span className={styles.first}>{dueAt === undefined ? words.noDue : dueWords(dueAt, now)}</span>
        {isLate && (
          <span className={styles.lateBy}>
            <TriangleAlert className={styles.icon} aria-hidden="true" />
            {words.lateBy(lengthWords(now - dueAt))}
          </span>
        )}
      </td>
      <td className={styles.progress}>
        <span className={styles.first}>
          {words.progress(done, lines)}
          {short > 0 && <span className={styles.short}>{words.short(short)}</span>}
        </span>
        <span
          className={styles.bar}
          role="progressbar"
          aria-label={words.progressOf(number, done, lines)}
          aria-valuemin={0}
          aria-valuemax={lines}
          aria-valuenow={done}
        >
          <span className={styles.filled} style={{ inlineSize: `${lines === 0 ? 0 : (done / lines) * 100}%` }} />
        </span>
      </td>
      <td>
        <span
          className={attention === undefined ? styles.clamp : styles.first}
          data-long={names.length > LONG || undefined}
        >
          {names}
        </span>
        {attention !== undefined && (
          <span className={styles.attention}>
            <TriangleAlert className={styles.icon} aria-hidden="true" />
            {words.attention[attention]}
          </span>
        )}
      </td>
    </tr>
  );
}

/** Formats a due time: `14:30` today, `Fri 14:30` within six days, otherwise `27 Nov`. */
function dueWords(at: number, now: number): string {
  const time = timeText('clock', at);
  if (isSameDay(at, now)) return time;
  if (Math.abs(at - now) < 6 * DAY_MS) return `${timeText('weekday', at)} ${time}`;
  return timeText('day', at);
}

function lengthWords(ms: number): string {
  if (ms < HOUR_MS) return words.minutes(Math.max(1, Math.floor(ms / MINUTE_MS)));
  if (ms < DAY_MS) return words.hours(Math.floor(ms / HOUR_MS));
  return words.days(Math.floor(ms / DAY_MS));
}
