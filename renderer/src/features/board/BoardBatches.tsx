import { TriangleAlert } from 'lucide-react';
import type { WallBatch, WallBoard } from '#shared/api/wallBoard.ts';
import { carts } from '../../words/carts.ts';
import * as texts from '../../words/texts.ts';
import styles from './BoardBatches.module.css';

const words = texts.board;
/** Maximum number of rows, which leaves space for today's lines. */
const ROWS = 3;

/** Lists the carts and walls in use, with the number of complete slots. Hidden if there are none. */
export function BoardBatches({ board: { batches, batch_count: all } }: { board: WallBoard }) {
  if (batches.length === 0) return null;
  const shown = batches.slice(0, ROWS);
  return (
    <section className={styles.card} aria-label={words.batches}>
      <ul className={styles.rows}>
        {shown.map((batch) => (
          <Row key={batch.id} batch={batch} />
        ))}
      </ul>
      {all > shown.length && <p className={styles.quiet}>{words.moreBatches(all - shown.length)}</p>}
    </section>
  );
}

function Row({ batch }: { batch: WallBatch }) {
  const {
    name,
    state,
    slot_count: slots,
    complete_count: complete,
    stopped_count: stopped,
    waiting_count: waiting,
  } = batch;
  return (
    <li>
      <p className={styles.line}>
        <span className={styles.name}>{name}</span>
        <span className={styles.count}>{words.slots(complete, slots)}</span>
      </p>
      <p className={styles.line}>
        <span className={styles.quiet}>
          {[carts.batchStates[state], ...(waiting > 0 ? [words.waitingOrders(waiting)] : [])].join(' · ')}
        </span>
        {stopped > 0 ? (
          <span className={styles.stopped}>
            <TriangleAlert className={styles.icon} aria-hidden="true" />
            {words.stopped(stopped)}
          </span>
        ) : (
          <span className={styles.quiet}>{words.complete}</span>
        )}
      </p>
      <span
        className={styles.bar}
        role="progressbar"
        aria-label={words.slotsOf(name, complete, slots)}
        aria-valuemin={0}
        aria-valuemax={slots}
        aria-valuenow={complete}
      >
        <span className={styles.filled} style={{ inlineSize: `${slots === 0 ? 0 : (complete / slots) * 100}%` }} />
      </span>
    </li>
  );
}
