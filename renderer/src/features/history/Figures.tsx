import { ChevronDown } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import type { HistorySummary } from '#shared/api/historySummary.ts';
import { MIN_PICKS } from '#shared/lib/orders/minPicks.ts';
import { Button } from '../../kit/button/Button.tsx';
import { LoadFailure } from '../../kit/feedback/EmptyState.tsx';
import * as texts from '../../words/texts.ts';
import parts from '../../kit/parts.module.css';
import { Chart, type Series } from './Chart.tsx';
import styles from './Figures.module.css';
import { countFilters, ofAnyResult, type PastFilter } from './pastFilter.ts';
import { bucketSpan, bucketWords, endWords, lengthWords, rateWords, shareWords } from './pastWords.ts';
import { Report } from './Report.tsx';
import { useSummary } from './usePast.ts';

const words = texts.history;

/**
 * Shows three charts for one period, also as a table: picks per hour, time to acknowledge, and timeouts. Ignores the result filter, because
 * the timeout rate needs all results.
 */
export function Figures({ filter, onChange }: { filter: PastFilter; onChange(filter: PastFilter): void }) {
  const read = useSummary(ofAnyResult(filter));
  const summary = read.value && withoutIdle(read.value);
  const [pointed, setPointed] = useState<number>();
  const [isOpen, setIsOpen] = useState(false);
  const table = useId();

  if (summary === undefined && read.status === 'failed')
    return <LoadFailure className={styles.failure} of={read} failed={`${words.countFailed}.`} />;

  function choose(place: number): void {
    const at = Date.parse(summary?.buckets[place]?.at ?? '');
    // A single bucket cannot be zoomed in further.
    if (summary === undefined || Number.isNaN(at) || summary.buckets.length === 1) return;
    onChange({ ...filter, range: 'between', from: at, to: at + summary.bucket_seconds * 1_000 });
  }

  return (
    <section
      className={`${parts.column2} ${styles.figures}`}
      aria-label={words.figures}
      aria-busy={summary === undefined}
    >
      {summary !== undefined && isOfAll(filter) && <Report summary={summary} />}
      <div className={styles.cards}>
        {[picks, times, timeouts].map((figureOf) => {
          const figure = figureOf(summary);
          return (
            <Card
              key={figure.title}
              {...figure}
              summary={summary}
              pointed={pointed}
              onPoint={setPointed}
              onChoose={choose}
            />
          );
        })}
      </div>
      <Button
        look="quiet"
        aria-expanded={isOpen}
        aria-controls={table}
        isDisabled={summary === undefined}
        onPress={() => setIsOpen(!isOpen)}
      >
        <ChevronDown size={16} aria-hidden="true" className={styles.turn ?? ''} data-open={isOpen || undefined} />
        {isOpen ? words.table.hide : words.table.show}
      </Button>
      <div id={table} hidden={!isOpen}>
        {isOpen && summary !== undefined && <FigureTable summary={summary} onChoose={choose} />}
      </div>
    </section>
  );
}

/** Removes intervals in which nothing was picked and nothing timed out. */
function withoutIdle(summary: HistorySummary): HistorySummary {
  return {
    ...summary,
    buckets: summary.buckets.filter(({ acknowledged, timed_out: timedOut }) => acknowledged + timedOut > 0),
  };
}

/** Whether no filter is set apart from the period and the result. The report supports no other filters. */
function isOfAll(filter: PastFilter): boolean {
  return countFilters(ofAnyResult(filter)) === 0;
}

type CardProps = {
  summary: HistorySummary | undefined;
  pointed: number | undefined;
  onPoint(place: number | undefined): void;
  onChoose(place: number): void;
};

function picks(summary: HistorySummary | undefined): Figure {
  const rates = summary?.buckets.map((bucket) => bucket.picks_per_hour) ?? [];
  const most = Math.max(0, ...rates);
  const busiest = summary?.buckets[rates.indexOf(most)];
  const of = words.picks.of(summary?.acknowledged ?? 0);
  const isFew = (summary?.acknowledged ?? 0) < MIN_PICKS;
  // Extrapolating a rate from a few picks would be misleading.
  const isMostKnown = !isFew && busiest !== undefined && busiest.acknowledged >= MIN_PICKS;
  return {
    title: words.picks.title,
    big: summary === undefined ? '' : isFew ? '–' : rateWords(summary.picks_per_hour),
    unit: isFew ? words.tooFew : words.picks.unit,
    note:
      summary === undefined || !isMostKnown
        ? of
        : `${of} · ${words.picks.busiest(rateWords(most), bucketWords(Date.parse(busiest.at), summary))}`,
    at: (place) => {
      const bucket = summary?.buckets[place];
      if (bucket === undefined) return '';
      const { acknowledged: picked, picks_per_hour: rate } = bucket;
      return picked < MIN_PICKS ? words.picks.of(picked) : words.picks.at(rateWords(rate), picked);
    },
    top: isMostKnown ? rateWords(most) : '',
    isFew: summary !== undefined && isFew,
    series: [{ kind: 'bars', tone: 'plain', values: rates }],
  };
}

function times(summary: HistorySummary | undefined): Figure {
  const p95 = summary?.buckets.map((bucket) => bucket.p95_ms) ?? [];
  const most = Math.max(0, ...p95.map((ms) => ms ?? 0));
  const isFew = summary !== undefined && summary.timed > 0 && summary.timed < MIN_PICKS;
  const hasTimes = summary !== undefined && !isFew && summary.median_ms !== null && summary.p95_ms !== null;
  return {
    title: words.times.title,
    big: hasTimes ? lengthWords(summary.median_ms ?? 0) : summary === undefined ? '' : '–',
    unit: hasTimes ? words.times.median : isFew ? words.tooFew : '',
    note: hasTimes ? (
      <>
        <span className={styles.dot} aria-hidden="true" /> {words.times.p95(lengthWords(summary.p95_ms ?? 0))}
      </>
    ) : isFew ? (
      words.times.of(summary.timed)
    ) : (
      words.times.none
    ),
    at: (place) => {
      const bucket = summary?.buckets[place];
      if (bucket === undefined) return '';
      if (bucket.median_ms === null || bucket.p95_ms === null) return words.times.atNone;
      return words.times.at(lengthWords(bucket.median_ms), lengthWords(bucket.p95_ms));
    },
    top: most === 0 ? '' : lengthWords(most),
    isFew: summary !== undefined && !hasTimes,
    series: [
      { kind: 'dots', tone: 'quiet', values: p95 },
      { kind: 'line', tone: 'plain', values: summary?.buckets.map((bucket) => bucket.median_ms) ?? [] },
    ],
  };
}

function timeouts(summary: HistorySummary | undefined): Figure {
  const timedOut = summary?.buckets.map((bucket) => bucket.timed_out) ?? [];
  const most = Math.max(0, ...timedOut);
  const share = summary?.timeout_share ?? null;
  const all = (summary?.timed_out ?? 0) + (summary?.acknowledged ?? 0);
  return {
    title: words.timeouts.title,
    big: summary === undefined ? '' : share === null || all < MIN_PICKS ? '–' : shareWords(share),
    unit: share !== null && all < MIN_PICKS ? words.tooFew : '',
    care: share !== null && share > 0,
    note: share === null ? words.timeouts.none : words.timeouts.of(summary?.timed_out ?? 0, all),
    at: (place) => words.timeouts.at(summary?.buckets[place]?.timed_out ?? 0),
    top: most === 0 ? '' : String(most),
    isFew: summary !== undefined && all < MIN_PICKS,
    series: [{ kind: 'bars', tone: 'care', values: timedOut }],
  };
}

/** The texts and values of one of the three charts. */
type Figure = {
  title: string;
  big: string;
  unit: string;
  note: ReactNode;
  care?: boolean;
  /** Describes the column with this index. */
  at(place: number): string;
  top: string;
  /** Whether there is too little data to show the chart. */
  isFew: boolean;
  series: readonly Series[];
};

function Card({
  summary,
  title,
  big,
  unit,
  note,
  care = false,
  at,
  top,
  isFew,
  series,
  pointed,
  onPoint,
  onChoose,
}: CardProps & Figure) {
  const bucket = pointed === undefined ? undefined : summary?.buckets[pointed];
  const first = summary?.buckets[0];
  const from = summary === undefined || first === undefined ? '' : bucketWords(Date.parse(first.at), summary);
  const to = summary === undefined || first === undefined ? '' : endWords(summary);
  return (
    <figure className={`${parts.column2} ${parts.card} ${styles.card}`}>
      <figcaption>
        <h2 className={styles.title}>{title}</h2>
        <p className={styles.big} data-care={care || undefined}>
          {big === '' ? <span className={styles.quiet}>{words.counting}</span> : big}{' '}
          {big !== '' && <span className={styles.unit}>{unit}</span>}
        </p>
        <p className={styles.note}>
          {bucket === undefined || summary === undefined || pointed === undefined ? (
            summary !== undefined && note
          ) : (
            <>
              <strong>{bucketSpan(bucket, summary)}</strong> · {at(pointed)}
            </>
          )}
        </p>
      </figcaption>
      {!isFew && (
        <Chart
          label={first === undefined ? title : words.chart(title, from, to)}
          series={series}
          top={top}
          from={from}
          to={to}
          pointed={pointed}
          onPoint={onPoint}
          onChoose={onChoose}
        />
      )}
    </figure>
  );
}

const figureTableWords = texts.history.table;

/** Shows the values of the charts as a table, with one row per interval. */
function FigureTable({ summary, onChoose }: { summary: HistorySummary; onChoose(place: number): void }) {
  return (
    <div className={`${parts.card} ${styles.scroll}`}>
      <table className={styles.table} aria-label={figureTableWords.label}>
        <thead>
          <tr>
            {(['time', 'picks', 'rate', 'median', 'p95', 'timedOut'] as const).map((column) => (
              <th key={column} scope="col">
                {figureTableWords[column]}
              </th>
            ))}
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
                    aria-label={figureTableWords.only(span)}
                    onClick={() => onChoose(place)}
                  >
                    {span}
                  </button>
                </th>
                <td>{acknowledged}</td>
                <td>{acknowledged < MIN_PICKS ? '–' : rateWords(bucket.picks_per_hour)}</td>
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
