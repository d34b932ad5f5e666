import { plural } from './plural.ts';

/** What is said of a list that is imported, whatever stands in it. */
export const importing = {
  file: 'Choose a file',
  drop: 'or drop it here',
  paste: 'Or paste from a spreadsheet',
  check: 'Preview',
  nothing: 'Paste something, or choose a file.',
  tooLarge: 'The file is over 8 MB. Import it in parts.',
  unreadable: 'The file cannot be opened. Choose it again.',
  readAs: (delimiter: ',' | ';' | '\t', columns: string) => `Read as ${DELIMITERS[delimiter]}. ${columns}`,
  ignored: (columns: readonly string[]) => `Left alone: ${columns.map((column) => `“${column}”`).join(', ')}.`,
  outcomeFilter: 'Which rows',
  rows: 'Rows of the file',
  leavesOut: (rows: number) => `${plural(rows, 'row', 'rows')} will be left out.`,
  other: 'Choose another',
  last: 'The last import',
  undo: 'Undo the import',
  undoing: 'Taking it back…',
  hide: 'Hide this line',
  saveRejected: 'Save the rejected rows',
  failed: 'Nothing was imported.',
  cancelled: 'It was cancelled before the station had all of it.',
  tooLate: 'The station had imported it already. You can undo it.',
} as const;

const DELIMITERS = { ',': 'comma separated', ';': 'semicolon separated', '\t': 'tab separated' };
