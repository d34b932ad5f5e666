import type { ImportArticleRow } from '#shared/api/imports.ts';
import { isUnclearNumber } from '#shared/lib/tables/cells/numbers.ts';
import parts from '../kit/parts.module.css';
import * as texts from '../words/texts.ts';
import type { ImportKind } from './kind.ts';
import styles from './articleImport.module.css';

const words = texts.articles.importing;

function LevelLabel({ row: { minimum } }: { row: ImportArticleRow }) {
  return minimum !== '' && <span className={styles.label}>{words.columns.level} </span>;
}

function OnHandLabel({ row: { on_hand: pieces } }: { row: ImportArticleRow }) {
  return pieces !== '' && <span className={styles.label}>{words.columns.onHand} </span>;
}

function LeftOut() {
  return <span className={parts.care}>{words.figureLeftOut}</span>;
}

/**
 * Describes how a figure was read, or how the import changes it. Returns null if the figure does not change, or was
 * read as written. `none` is shown if there was no figure before.
 */
function figures(
  { outcome }: Pick<ImportArticleRow, 'outcome'>,
  { text, before, now, none }: { text: string; before: number | null; now: number | null; none?: string },
): string | null {
  if (now === null || now === before) return null;
  if (outcome !== 'new') return words.figure(before, now, none);
  return text.trim() === String(now) ? null : words.readFigure(now);
}

export const ARTICLE_FILES: ImportKind<ImportArticleRow> = {
  kind: 'articles',
  words: {
    ...words,
    running: (counts) => words.running(counts.new + counts.changed),
    submit: (counts) => words.submit(counts.new + counts.changed),
  },
  examples: [
    {
      title: texts.importing.example,
      csv: 'sku;name;barcode;location;minimum;on_hand\nCT-200;Cable tie 200;4006381333931;A-3-2;20;75\nCT-200;;;Reserve 4;;\nGL-M;Glove M;;B-2-1;5;12',
    },
  ],
  isRow: (row): row is ImportArticleRow => 'on_hand' in row,
  rowClass: styles.row,
  columns: [
    {
      heading: words.columns.sku,
      width: 'minmax(100px, 1fr)',
      className: styles.sku,
      field: (inFile) => (inFile.has('SKU') ? 'SKU' : 'sku_and_name'),
      text: (row) => row.SKU,
      isStrong: true,
    },
    {
      heading: words.columns.name,
      width: 'minmax(130px, 1.4fr)',
      className: styles.name,
      // A name composed of several columns, such as title and options, cannot be corrected in one cell.
      field: () => 'name',
      text: (row) => row.name,
    },
    {
      heading: words.columns.barcode,
      width: 'minmax(124px, 1fr)',
      className: styles.barcode,
      field: () => 'UPC',
      isFilled: (inFile) => inFile.has('UPC'),
      text: (row) => row.UPC,
    },
    {
      heading: words.columns.place,
      width: 'minmax(84px, 0.8fr)',
      className: styles.place,
      field: () => 'location',
      isFilled: (inFile) => inFile.has('location'),
      text: (row) => row.location,
    },
    {
      heading: words.columns.level,
      width: 'minmax(84px, 0.6fr)',
      className: styles.level,
      field: () => 'minimum',
      isFilled: (inFile) => inFile.has('minimum'),
      text: (row) => row.minimum,
      sign: LevelLabel,
      below: (row) => {
        const isTaken = row.outcome === 'new' || row.outcome === 'changed' || row.outcome === 'known';
        if (row.minimum !== '' && row.level === null && isTaken) return <LeftOut />;
        return figures(row, { text: row.minimum, before: row.level_before, now: row.level, none: words.noLevel });
      },
    },
    {
      heading: words.columns.onHand,
      width: 'minmax(100px, 0.7fr)',
      className: styles.onHand,
      field: () => 'on_hand',
      isFilled: (inFile) => inFile.has('on_hand'),
      text: (row) => row.on_hand,
      sign: OnHandLabel,
      below: (row) =>
        row.stock_left_out ? (
          <LeftOut />
        ) : (
          figures(row, { text: row.on_hand, before: row.stock_before, now: row.stock })
        ),
    },
  ],
  saved: ['SKU', 'name', 'UPC', 'location', 'minimum', 'on_hand'],
  marks: [
    {
      id: 'without_light',
      words: words.marks.withoutLight,
      has: (row) => row.without_light,
      summary: words.withoutLight,
    },
    {
      id: 'stock_left_out',
      words: words.marks.stockLeftOut,
      has: (row) => row.stock_left_out,
      summary: words.stockLeftOut,
    },
  ],
  findUnclear: ({ on_hand: text }) => (isUnclearNumber(text) ? text : undefined),
  // Do not count rows that match the station, which are expected because an export contains all rows.
  leftOut: ({ held, refused, left_out: other }) => held + refused + other,
  summary: ({ orders, changed }) => [
    ...(orders > 0 ? [words.added(orders)] : []),
    ...(changed > 0 ? [words.changes(changed)] : []),
  ],
  hasOrderOptions: false,
};
