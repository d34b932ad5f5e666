import type { HistorySummary } from '#shared/api/historySummary.ts';
import { texts } from '../../ui/texts.ts';
import styles from './Figures.module.css';
import { bucketSpan, lengthWords, rateWords } from './pastWords.ts';

const words = texts.history.table;

type Props = { summary: HistorySummary; onChoose(place: number): void };

/** What the charts show, a line for each time. */
export function FigureTable({ summary, onChoose }: Props) {
  return (
    <div className={styles.scroll}>
      <table className={styles.table} aria-label={words.label}>
        <thead>
          <tr>
            <th scope="col">{words.time}</th>
            <th scope="col">{words.picks}</th>
            <th scope="col">{words.rate}</th>
            <th scope="col">{words.median}</th>
            <th scope="col">{words.p95}</th>
            <th scope="col">{words.timedOut}</th>
          </tr>
        </thead>
        <tbody>
          {summary.buckets.map((bucket, place) => {
            const span = bucketSpan(bucket, summary);
            const { acknowledged, median_ms: median, p95_ms: p95 } = bucket;
            return (
              <tr key={bucket.at}>
                <th scope="row">
                  <button
                    type="button"
                    className={styles.only}
                    aria-label={words.only(span)}
                    onClick={() => onChoose(place)}
                  >
                    {span}
                  </button>
                </th>
                <td>{acknowledged}</td>
                <td>{rateWords(bucket.picks_per_hour)}</td>
                <td>{median === null ? '–' : lengthWords(median)}</td>
                <td>{p95 === null ? '–' : lengthWords(p95)}</td>
                <td>{bucket.timed_out}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
