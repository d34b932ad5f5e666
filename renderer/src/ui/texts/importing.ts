import { plural } from './plural.ts';

/** Ignored columns that are named; more would hide the rows. */
const MOST_NAMED = 6;

/** Texts that the imports of orders and locations share. */
export const importing = {
  file: 'Choose a file',
  drop: 'or drop it here',
  paste: 'Or paste from a spreadsheet',
  check: 'Preview',
  address: 'Address of a sheet',
  addressHelp:
    'Of a Google sheet that everybody with the link can view, a share of Nextcloud, or a file. It is read once.',
  readAddress: 'Read the sheet',
  noAddress: 'Give the address of the sheet, as the browser shows it: https://…',
  nothing: 'Paste a list or choose a file.',
  tooLarge: 'The file is over 8 MB. Import it in parts.',
  unreadable: 'The file could not be opened. Choose it again.',
  readAs: (delimiter: keyof typeof DELIMITERS | null, columns: string) =>
    `Read as ${delimiter === null ? 'a workbook' : DELIMITERS[delimiter]}. ${columns}`,
  ignored: (columns: readonly string[]) =>
    columns.length > MOST_NAMED
      ? `${columns.length} other columns are ignored.`
      : `Ignored: ${columns.map((column) => `“${column}”`).join(', ')}.`,
  outcomeFilter: 'Which rows',
  rows: 'Rows of the file',
  leavesOut: (rows: number) => `${plural(rows, 'row', 'rows')} will be left out.`,
  other: 'Choose another',
  last: 'The last import',
  undo: 'Undo the import',
  undoing: 'Undoing…',
  hide: 'Hide',
  saveRejected: 'Save the rejected rows',
  failed: 'Nothing was imported.',
  cancelled: 'The import was cancelled.',
  tooLate: 'The import was already complete. You can undo it.',
} as const;

const DELIMITERS = { ',': 'comma separated', ';': 'semicolon separated', '\t': 'tab separated', '|': 'separated by |' };
