import type { ImportLocationRow } from '#shared/api/imports.ts';
import { arrowToPlace, parseDeviceIs } from '#shared/lib/devices/deviceIs.ts';
import * as texts from '../words/texts.ts';
import type { ImportColumn, ImportKind } from './kind.ts';
import { ArrowPaper } from '../shop/place/ArrowPaper.tsx';
import styles from './placeImport.module.css';

const words = texts.locations.importing;

const POSITION = ['rack', 'shelf', 'column'] as const;

export const PLACE_FILES: ImportKind<ImportLocationRow> = {
  kind: 'locations',
  words: {
    ...words,
    running: (counts) => words.running(counts.new + counts.changed),
    submit: (counts) => words.submit(counts.new + counts.changed),
  },
  examples: [
    { title: words.exampleLabels, csv: 'Device;Place\n51D000:000006;A-3-2\n51D000:000007;A-3-5' },
    {
      title: words.example,
      csv: 'name;deviceid;deviceIs\nA-3-3;51D000:000006;to the Left of\nA-3-4;51D000:000006;Below',
    },
  ],
  isRow: (row): row is ImportLocationRow => 'deviceIs' in row,
  rowClass: styles.row,
  columns: [
    {
      heading: words.columns.name,
      width: 'minmax(110px, 1fr)',
      // Places of devices are in the column of labels.
      isFilled: (inFile) => inFile.has('name'),
      className: styles.name,
      field: () => 'name',
      text: (row) => row.name,
      isStrong: true,
    },
    {
      heading: words.columns.device,
      width: 'minmax(150px, 1fr)',
      className: styles.device,
      field: () => 'deviceid',
      text: (row) => row.deviceid,
      below: ({ deviceid, found_deviceid: found }) =>
        found === null || found === deviceid.trim().toUpperCase() ? null : `= ${found}`,
    },
    {
      heading: words.columns.deviceIs,
      width: 'minmax(210px, 1.2fr)',
      isFilled: (inFile) => inFile.has('deviceIs'),
      className: styles.deviceIs,
      field: () => 'deviceIs',
      text: (row) => row.deviceIs,
      sign: ArrowSign,
    },
    {
      heading: words.columns.label,
      width: 'minmax(100px, 0.8fr)',
      className: styles.label,
      field: () => 'label',
      text: (row) => row.label,
    },
    {
      heading: words.columns.note,
      width: 'minmax(100px, 0.8fr)',
      isFilled: (inFile) => inFile.has('note'),
      className: styles.note,
      field: () => 'note',
      text: (row) => row.note,
    },
    {
      heading: words.columns.article,
      width: 'minmax(100px, 0.8fr)',
      isFilled: (inFile) => inFile.has('article'),
      className: styles.article,
      field: () => 'article',
      text: (row) => row.article,
    },
    ...POSITION.map(positionColumn),
  ],
  findDark: ({ loses }) => loses,
  // The station names a field of its API here, which the question above the rows asks about.
  reason: ({ loses, message }) => (loses !== '' && message.includes('`moves`') ? words.loses(loses) : undefined),
  saved: ['name', 'deviceid', 'deviceIs', 'label', 'note', 'article', ...POSITION],
  // Do not count rows that match the station, which are expected because an export contains all rows.
  leftOut: ({ held, refused, left_out: other }) => held + refused + other,
  summary: ({ new: added, changed }) => [
    ...(added > 0 ? [words.added(added)] : []),
    ...(changed > 0 ? [words.changes(changed)] : []),
  ],
  hasOrderOptions: false,
};

function positionColumn(part: (typeof POSITION)[number]): ImportColumn<ImportLocationRow> {
  return {
    heading: words.columns[part],
    width: 'minmax(70px, 0.5fr)',
    isFilled: (inFile) => inFile.has(part),
    className: styles.note,
    field: () => part,
    text: (row) => row[part],
  };
}

/** Draws the device's arrow for the place. */
function ArrowSign({ row: { deviceIs } }: { row: ImportLocationRow }) {
  const phrase = parseDeviceIs(deviceIs);
  return phrase !== undefined && <ArrowPaper arrow={arrowToPlace(phrase)} />;
}
