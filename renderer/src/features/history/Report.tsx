import { FileSpreadsheet } from 'lucide-react';
import type { ReactNode } from 'react';
import type { HistoryReport, ReportTable } from '#shared/api/historyReport.ts';
import type { HistorySummary } from '#shared/api/historySummary.ts';
import { pathOf } from '../../station/calls/call.ts';
import { useStationContext } from '../../station/context.ts';
import { useStationQuery } from '../../station/useStationQuery.ts';
import { Button } from '../../kit/button/Button.tsx';
import { followLink } from '../../kit/download.ts';
import { LoadFailure } from '../../kit/feedback/EmptyState.tsx';
import parts from '../../kit/parts.module.css';
import { reasonWords } from '../../shop/reasonWords.ts';
import * as texts from '../../words/texts.ts';
import figures from './Figures.module.css';
import styles from './Report.module.css';
import { lengthWords } from './pastWords.ts';
import { timeText } from '../../words/formats.ts';

const words = texts.history.report;
const MAX_DAYS = 14;
const MAX_PEOPLE = 6;
const MAX_ROWS = 10;
const FORMATS = ['csv', 'xlsx'] as const;

/** A report for owners: picks per person, shorts, and slow places. Hidden if no lines were picked. */
export function Report({ summary: { from, to, acknowledged } }: { summary: HistorySummary }) {
  const { api } = useStationContext();
  const report = useStationQuery(
    ['historyReport', from, to],
    (signal) => api.getHistoryReport({ query: { from, to } }, { signal }),
    { version: acknowledged },
  );
  const { value } = report;
  if (value === undefined) return <LoadFailure className={figures.failure} of={report} failed={words.failed} />;
  if (value.lines === 0) return null;
  return (
    <section className={styles.report} aria-label={words.label}>
      <p className={styles.says}>{sentencesOf(value)}</p>
      <Part title={words.people.title} table="days" span={{ from, to }} isWide>
        <People report={value} />
        <Days report={value} />
      </Part>
      <Part title={words.shorts.title} table="shorts" span={{ from, to }}>
        <Shorts shorts={value.shorts} />
      </Part>
      <Part title={words.places.title} table="places" span={{ from, to }}>
        <Places report={value} />
      </Part>
    </section>
  );
}

function sentencesOf({ lines, short_lines: short, days, median_seconds: median }: HistoryReport): string {
  return [
    words.lines(lines, days.length),
    words.shortOf(short),
    median === null ? words.tooFew : words.half(lengthWords(median * 1_000)),
  ].join(' ');
}

type PartProps = {
  title: string;
  table: ReportTable;
  span: { from: string; to: string };
  isWide?: boolean;
  children: ReactNode;
};

/** One table of the report, with its downloads. */
function Part({ title, table, span, isWide = false, children }: PartProps) {
  return (
    <section className={`${parts.card} ${styles.part}`} data-wide={isWide || undefined} aria-label={title}>
      <header className={styles.head}>
        <h2 className={styles.title}>{title}</h2>
        {FORMATS.map((format) => (
          <Button
            key={format}
            look="quiet"
            icon={FileSpreadsheet}
            aria-label={words.fileOf[format](title)}
            words={words.file[format]}
            onPress={() =>
              followLink(pathOf('exportHistoryReport', { query: { table, ...span, format } }), `${table}.${format}`)
            }
          />
        ))}
      </header>
      {children}
    </section>
  );
}

const COLUMNS = ['picker', 'lines', 'units', 'shorts', 'median'] as const;

/** Figures for the whole period, with one row per person. */
function People({ report: { people } }: { report: HistoryReport }) {
  return (
    <Table label={words.people.label} head={COLUMNS.map((column) => words.people[column])}>
      {people.map(({ picker, lines, units, shorts, median_seconds: median }) => (
        <tr key={picker}>
          <th scope="row">{nameOf(picker)}</th>
          <td>{lines}</td>
          <td>{units}</td>
          <td>{shorts}</td>
          <td>{median === null ? words.few : lengthWords(median * 1_000)}</td>
        </tr>
      ))}
    </Table>
  );
}

/** Lines per day and person, newest day first. Hidden for a single day. */
function Days({ report: { people, days } }: { report: HistoryReport }) {
  const shown = people.slice(0, MAX_PEOPLE).map(({ picker }) => picker);
  const hasOthers = people.length > shown.length;
  const head = [words.people.day, ...shown.map(nameOf), ...(hasOthers ? [words.people.others] : []), words.people.all];
  if (days.length < 2) return null;
  return (
    <>
      <Table label={words.people.daysLabel} head={head}>
        {days.slice(0, MAX_DAYS).map(({ day, people: ofDay }) => {
          const linesOf = (picker: string) => ofDay.find((each) => each.picker === picker)?.lines ?? 0;
          const all = ofDay.reduce((sum, { lines }) => sum + lines, 0);
          const named = shown.reduce((sum, picker) => sum + linesOf(picker), 0);
          return (
            <tr key={day}>
              <th scope="row">{dayWords(day)}</th>
              {shown.map((picker) => (
                <td key={picker}>{linesOf(picker) || '–'}</td>
              ))}
              {hasOthers && <td>{all - named || '–'}</td>}
              <td>{all}</td>
            </tr>
          );
        })}
      </Table>
      <More count={days.length - MAX_DAYS} of={words.people.more} />
    </>
  );
}

function Shorts({ shorts }: { shorts: HistoryReport['shorts'] }) {
  if (shorts.length === 0) return <p className={styles.none}>{words.shorts.none}</p>;
  return (
    <>
      <Table label={words.shorts.label} head={[words.shorts.article, words.shorts.reasons, words.shorts.lines]}>
        {shorts.slice(0, MAX_ROWS).map(({ sku, name, lines, reasons }) => (
          <tr key={`${sku}\n${name}`}>
            <th scope="row" className={styles.article}>
              {sku === '' ? name : sku}
              {sku !== '' && name !== '' && <span className={styles.name}>{name}</span>}
            </th>
            <td className={styles.reasons}>
              {reasons
                .map(({ reason, lines: many }) =>
                  words.shorts.reason(reason === '' ? '' : reasonWords({ key: reason }), many),
                )
                .join(', ')}
            </td>
            <td>{lines}</td>
          </tr>
        ))}
      </Table>
      <More count={shorts.length - MAX_ROWS} of={words.shorts.more} />
    </>
  );
}

function Places({ report: { places, places_with_few: few } }: { report: HistoryReport }) {
  return (
    <>
      {places.length > 0 && (
        <Table label={words.places.label} head={[words.places.place, words.places.picks, words.places.median]}>
          {places.slice(0, MAX_ROWS).map(({ place, lines, median_seconds: median }) => (
            <tr key={place}>
              <th scope="row">{place}</th>
              <td>{lines}</td>
              <td>{lengthWords(median * 1_000)}</td>
            </tr>
          ))}
        </Table>
      )}
      <More count={places.length - MAX_ROWS} of={words.places.more} />
      {few > 0 && <p className={styles.none}>{words.places.few(few)}</p>}
      {few === 0 && places.length === 0 && <p className={styles.none}>{words.places.none}</p>}
    </>
  );
}

function More({ count, of }: { count: number; of: (count: number) => string }) {
  return count > 0 ? <p className={styles.none}>{of(count)}</p> : null;
}

function Table({ label, head, children }: { label: string; head: readonly string[]; children: ReactNode }) {
  return (
    <div className={styles.scroll}>
      <table className={figures.table} aria-label={label}>
        <thead>
          <tr>
            {head.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

const nameOf = (picker: string): string => (picker === '' ? words.people.nobody : picker);

/** Formats a day in the station's time zone, not in this machine's, such as `Fri 20 Nov`. */
function dayWords(day: string): string {
  return timeText('dayInUtc', `${day}T00:00:00Z`);
}
