import { plural } from './plural.ts';

/** Above this number, ignored columns are counted instead of named, so that the rows stay visible. */
const MOST_NAMED = 6;

/** Texts that the imports of orders and locations share. */
export const importing = {
  file: 'Choose a file',
  drop: 'or drop it here',
  paste: 'Or paste from a spreadsheet',
  check: 'Preview',
  address: 'Address of a sheet',
  addressHelp:
    'Link to a Google sheet that anyone with the link can view, to a Nextcloud share, or to a file. It is read once.',
  readAddress: 'Read the sheet',
  noAddress: 'Copy the address of the sheet from your browser. It begins with https://.',
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
  cancelled: 'The import was canceled.',
  tooLate: 'The import was already complete. You can undo it.',
} as const;

const DELIMITERS = { ',': 'comma separated', ';': 'semicolon separated', '\t': 'tab separated', '|': 'separated by |' };
