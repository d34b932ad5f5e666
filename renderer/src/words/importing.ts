import { countText } from '#shared/lib/text/locale.ts';
import { plural } from './plural.ts';

/** Maximum number of ignored columns that are named. More columns are only counted, so that the rows stay visible. */
const MOST_NAMED = 6;

const DELIMITERS = new Map(
  Object.entries<string>({
    ',': 'comma separated',
    ';': 'semicolon separated',
    '\t': 'tab separated',
    '|': 'separated by |',
  }),
);
const ENCODINGS = new Map(
  Object.entries<string>({
    'windows-1252': 'Western Europe (windows-1252)',
    'windows-1250': 'Central Europe (windows-1250)',
    macintosh: 'Old Mac (macintosh)',
  }),
);

type Read = { delimiter: string | null; encoding: string | null; sheet: string | null; profile: string | null };

function readAs({ delimiter, encoding, sheet, profile }: Read): string {
  const kind = delimiter === null ? `sheet “${sheet ?? ''}”` : (DELIMITERS.get(delimiter) ?? '');
  const isPlain = encoding === null || encoding.startsWith('utf');
  return `Read as ${kind}${isPlain ? '' : `, ${encoding}`}${profile === null ? '' : `, recognized as ${profile}`}.`;
}

/** How many there are, and the names of the first few. */
type NamedGroup = { count: number; names: readonly string[] };

function namesOf({ count, names }: NamedGroup): string {
  const listed = names.join(', ');
  return count > names.length ? `${listed} and ${countText(count - names.length)} more` : listed;
}

function firstOf(names: readonly string[]): string {
  return namesOf({ count: names.length, names: names.slice(0, 5) });
}

/** Texts for the import page, for all kinds of files. */
export const importing = {
  what: { label: 'What to import', choices: { orders: 'Orders', articles: 'Articles', places: 'Places' } },
  example: 'Example',
  pasted: 'pasted list',
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
  tooLarge: 'The file is over 16 MB. Import it in parts.',
  checking: (name: string) => `Reading ${name}…`,
  ignored: (columns: readonly string[]) =>
    columns.length > MOST_NAMED
      ? `${columns.length} other columns are ignored.`
      : `Ignored: ${columns.map((column) => `“${column}”`).join(', ')}.`,
  readAs,
  hidden: (rows: number, columns: number) => {
    const parts = [
      rows === 0 ? '' : plural(rows, 'hidden row', 'hidden rows'),
      columns === 0 ? '' : plural(columns, 'hidden column', 'hidden columns'),
    ];
    const said = parts.filter((part) => part !== '').join(' and ');
    return said === '' ? '' : `Not read: ${said}.`;
  },
  remembered: 'Your answers from the last import with the same columns were reused.',
  forget: 'Forget these answers',
  notForgotten: 'The answers were not deleted.',
  ask: {
    encoding: 'Which text is correct?',
    encodingName: (encoding: string) => ENCODINGS.get(encoding) ?? encoding,
    decimal: (quantity: string) => `“${quantity}” can be read two ways. What is the decimal separator in this file?`,
    decimals: { '.': 'Point: 1,000.5', ',': 'Comma: 1.000,5' },
    dateOrder: 'Some due times, such as 11/05/26, are ambiguous and will be left out. Which part comes first?',
    dateOrders: { dmy: 'Day', mdy: 'Month', ymd: 'Year' },
    unpaid: 'Orders that are not paid:',
    unpaids: { leave_out: 'Leave them out', pick: 'Pick them too' },
    state: (word: string) => `What does the state “${word}” mean?`,
    states: {
      open: 'To be picked',
      shipped: 'Shipped',
      canceled: 'Canceled',
      refunded: 'Refunded',
      on_hold: 'On hold',
      unpaid: 'Not paid',
    },
    moves: (places: readonly string[]) =>
      places.length === 0
        ? 'What does the file mean where labels change?'
        : `${firstOf(places)} ${places.length === 1 ? 'has' : 'have'} articles and would lose the last light. What does the file mean?`,
    movesChoices: {
      devices: 'The devices hang elsewhere: articles stay at their places',
      rename: 'The places have new names: articles come along',
    },
    units: 'Some quantities are not in pieces. How many pieces are in each unit?',
    unit: (unit: string) => `Pieces in one “${unit}”`,
    unitsKnown: 'Quantities are converted with these numbers of pieces per unit.',
    unitEmpty: 'Enter the number of pieces, or correct the rows below.',
    unitWrong: 'Enter a whole number from 1, or clear the field to remove the answer.',
    change: 'Change',
    paths: (paths: readonly string[]) =>
      `Places with the same name are at ${firstOf(paths)}. Are they the same places? If not, correct the rows below.`,
    pathsChoices: { same: 'They are the same places' },
    pathsKnown: (paths: readonly string[]) =>
      `Places with the same name at ${firstOf(paths)} are read as the same places.`,
    pathsKnownChoices: { different: 'They are different places' },
    next: 'Continue',
  },
  columnsStep: {
    open: 'Columns and options',
    title: 'Columns',
    questions: 'What do these columns mean?',
    questionsHint: 'The station needs your answers to read the file. It reuses them for files with the same columns.',
    none: 'Not used',
    choose: 'Choose…',
    empty: 'no values',
    unanswered: 'Choose what this column means, or “Not used”.',
    others: 'Other columns',
    options: 'Options',
    prefix: 'Order prefix',
    prefixHint: 'tells orders from two shops apart',
    sheet: 'Sheet',
    encoding: 'Encoding',
    decimal: 'Decimal separator',
    asColumn: 'Detect from the numbers',
    dateOrder: 'Due times',
    asWritten: 'Leave out ambiguous ones',
    dateOrders: { dmy: 'Day first', mdy: 'Month first', ymd: 'Year first' },
    apply: 'Continue',
    keep: 'Back to the rows',
  },
  columns: { line: 'Line', outcome: 'Becomes', reason: 'Reason' },
  rowsHint: 'Click a cell to correct it.',
  asideHint: 'To save an order as a draft instead, press “New”.',
  aside: 'Draft',
  /** The accessible name begins with the visible text. */
  setAside: (outcome: string, order: string) => `${outcome}: set order ${order} aside`,
  include: (order: string) => `Draft: include order ${order}`,
  correct: (field: string, line: number) => `Correct ${field}, line ${line}:`,
  correcting: (field: string, line: number) => `${field}, line ${line}`,
  assessing: 'Checking…',
  notCorrected: (line: number) => `Line ${line} was not corrected.`,
  outcomeFilter: 'Which rows',
  rows: 'Rows of the file',
  leavesOut: (rows: number) => `${plural(rows, 'row', 'rows')} will not be imported.`,
  other: 'Choose another',
  last: 'The last import',
  undo: 'Undo the import',
  undoAsk: {
    title: 'Undo the import?',
    removes: (things: string, group: NamedGroup) => `Removes ${things}: ${namesOf(group)}.`,
    restores: (things: string, group: NamedGroup) => `Restores ${things}: ${namesOf(group)}.`,
    nothing: 'Nothing can be undone completely.',
    keeps: (things: string) => `Keeps ${things}, at least in part:`,
    names: namesOf,
  },
  undoFailed: 'The import was not undone.',
  undoneBar: 'The import that was undone',
  undone: (when: string) => `The last import was undone ${/^\d\d:\d\d$/.test(when) ? 'at' : 'on'} ${when}.`,
  byMistake: 'Undone by mistake?',
  redo: 'Redo',
  redone: (things: string, kept: number) =>
    `Restored: ${things}.${kept === 0 ? '' : ` ${countText(kept)} not, or only partly.`}`,
  notRedone: 'Not restored, or only partly',
  redoFailed: 'The import was not restored.',
  hide: 'Hide',
  saveRejected: 'Save the rejected rows',
  failed: 'Nothing was imported.',
  cancelled: 'The import was canceled.',
  unknown: 'The station may have started the import. You can safely import this again: nothing is imported twice.',
  tooLate: 'The import had already finished. You can undo it.',
} as const;
