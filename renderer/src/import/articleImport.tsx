import type { ImportArticleRow } from '#shared/api/imports.ts';
import { isUnclearNumber } from '#shared/lib/tables/cells/numbers.ts';
import * as texts from '../words/texts.ts';
import type { ImportKind } from './kind.ts';
import styles from './articleImport.module.css';

const words = texts.articles.importing;

/** Files of articles. */
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
      className: styles.sku,
      field: (inFile) => (inFile.has('SKU') ? 'SKU' : 'sku_and_name'),
      text: (row) => row.SKU,
      isStrong: true,
    },
    {
      heading: words.columns.name,
      className: styles.name,
      // A name from other columns, such as title and options, cannot be corrected in one cell.
      field: () => 'name',
      text: (row) => row.name,
    },
    {
      heading: words.columns.barcode,
      className: styles.barcode,
      field: () => 'UPC',
      text: (row) => row.UPC,
    },
    {
      heading: words.columns.place,
      className: styles.place,
      field: () => 'location',
      text: (row) => row.location,
    },
    {
      heading: words.columns.onHand,
      className: styles.onHand,
      field: () => 'on_hand',
      text: (row) => row.on_hand,
      below: ({ stock, stock_before: before }) => (stock === null ? null : words.stock(before, stock)),
    },
  ],
  saved: ['SKU', 'name', 'UPC', 'location', 'on_hand'],
  findUnclear: ({ on_hand: text }) => (isUnclearNumber(text) ? text : undefined),
  // Rows that match the station are expected: an export contains all of them.
  leftOut: ({ held, refused, left_out: other }) => held + refused + other,
  summary: ({ orders, changed }) => [
    ...(orders > 0 ? [words.added(orders)] : []),
    ...(changed > 0 ? [words.changes(changed)] : []),
  ],
  hasOrderOptions: false,
};
