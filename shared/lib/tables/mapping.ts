import { parseDeviceIs } from '../devices/deviceIs.ts';
import { createPace, type InParts } from '../station/inParts.ts';
import { firstTexts, shortened } from './cells/texts.ts';
import { columnKey } from './columnKey.ts';
import { ARTICLE_FIELDS, fieldOf, FIELDS_OF, WANTED, type TableField, type TableKind } from './fields.ts';
import { isDeviceId } from './fits.ts';
import type { GivenColumns, HeadColumn, HeadReading, OpenColumn } from './headColumns.ts';
import { takeAddress } from './headAddress.ts';
import { readHead } from './headRow.ts';
import type { TableProfile } from './profiles/profile.ts';
import type { StateColumn } from './stateColumns.ts';
import { isStateField } from './stateNames.ts';
import { textOf, type FileTable, type TableRow } from './table.ts';

/** A column in the preview. `field` is null if the column is ignored. `samples` are the first three filled values. */
export type MappedColumn = { name: string; field: TableField | null; samples: string[] };

/** A question about a column that can be one of several fields, or none. */
export type ColumnQuestion = { column: string; fields: TableField[]; samples: string[] };

export type Mapping =
  | {
      ok: true;
      /** Line of the column names, or 0 if the file has none. */
      headLine: number;
      /** The column names, without blank cells at the end. If a row has more cells than names, the additional cells are surplus. */
      head: readonly string[];
      /** Rows after the column names, including hidden ones. */
      body: readonly TableRow[];
      /** Cell index of each field. */
      fields: ReadonlyMap<TableField, number>;
      profile: TableProfile | null;
      /** Columns that say whether rows are picked, apart from those of the profile. */
      states: readonly StateColumn[];
      columns: readonly MappedColumn[];
      /** Names of the ignored columns. */
      ignored: string[];
      /** Cell indexes of the columns that the caller ignores. */
      setAside: ReadonlySet<number>;
    }
  | {
      ok: false;
      /** The fault, with line and columns, and what to do. */
      message: string;
      /** The wrong name in the caller's columns, or null if there is none. */
      badColumn: string | null;
      /**
       * Whether a row has the required column names, or can have them after questions are answered. If not, the file may be of a different
       * kind.
       */
      hasNames: boolean;
      /** Questions whose answers make the file readable. Empty if no answer would help. */
      questions: ColumnQuestion[];
      columns: readonly MappedColumn[];
    };

/** Number of rows in which to search for the column names. */
export const SEARCHED = 20;
/** Minimum number of filled cells in a row of column names. */
const FEWEST: Readonly<Record<TableKind, number>> = { orders: 3, articles: 2, locations: 1 };
/** Maximum number of columns with the same name. */
const MOST_ALIKE = 50;
/** Maximum number of column names in a message. */
const MOST_NAMED = 30;

/** Finds the row of column names and the field of each column, yielding after each candidate row. */
export function* mapColumns(kind: TableKind, table: FileTable, given: GivenColumns): InParts<Mapping> {
  const bad = wrongGiven(kind, given);
  if (bad !== undefined) return { ok: false, ...bad, hasNames: false, questions: [], columns: [] };
  const visible = table.rows.filter(({ isHidden }) => !isHidden);
  const readings: HeadReading[] = [];
  for (const [at, head] of visible.slice(0, SEARCHED).entries()) {
    if (head.cells.filter((cell) => textOf(cell) !== '').length < FEWEST[kind]) continue;
    yield;
    const alike = findAlike(head);
    if (alike !== undefined && readings.length === 0) return tooManyAlike(head, alike);
    // Skip rows with ambiguous names, such as many zeros, because they contain values.
    if (alike !== undefined) continue;
    if (kind === 'locations' && head.cells.some((cell) => isDeviceId(textOf(cell)))) break;
    const body = yield* rowsBelow(visible, at);
    const reading = yield* readHead(kind, head, body, given);
    if (isComplete(reading)) return mappingOf(kind, table, reading);
    readings.push(reading);
  }
  const withoutNames = kind === 'locations' ? byContent(table, visible) : undefined;
  return withoutNames ?? refusalOf(kind, visible, readings, given);
}

/** Whether a row repeats the column names, as in joined files and page-by-page exports. */
export function isRepeatedHead(row: TableRow, { head }: Pick<Extract<Mapping, { ok: true }>, 'head'>): boolean {
  return head.length > 0 && isSameCells(row, head);
}

/** Finds a name that is shared by too many columns. */
function findAlike({ cells }: TableRow): string | undefined {
  if (cells.length <= MOST_ALIKE) return undefined;
  const counts = new Map<string, number>();
  for (const cell of cells) {
    const key = columnKey(textOf(cell));
    const count = (counts.get(key) ?? 0) + 1;
    if (count > MOST_ALIKE && key !== '') return textOf(cell);
    counts.set(key, count);
  }
  return undefined;
}

/** Refuses the file, because comparing these columns would take too long. */
function tooManyAlike({ line }: TableRow, name: string): Mapping {
  const message = `Line ${line} has more than ${MOST_ALIKE} cells like "${shortened(name)}". Export only the columns that are needed.`;
  return { ok: false, message, badColumn: null, hasNames: false, questions: [], columns: [] };
}

/** Whether the row has every required field, or can have it after answers. */
function isComplete({ lacking, missing, open, profile }: HeadReading): boolean {
  if (lacking !== undefined) return false;
  if (profile?.refusal !== undefined) return true;
  return missing.every((each) => each.some((field) => open.some(({ fields }) => fields.includes(field))));
}

function mappingOf(kind: TableKind, table: FileTable, reading: HeadReading): Mapping {
  const { head, profile, fields } = reading;
  if (kind === 'orders') takeAddress(reading);
  const columns = mappedColumns(reading);
  if (profile?.refusal !== undefined) {
    return {
      ok: false,
      message: `${profile.title}: ${profile.refusal}`,
      badColumn: null,
      hasNames: true,
      questions: [],
      columns,
    };
  }
  if (reading.open.length > 0) {
    const questions = reading.open.map(questionOf);
    return {
      ok: false,
      message: askingMessage(head, reading.open),
      badColumn: null,
      hasNames: true,
      questions,
      columns,
    };
  }
  const texts = head.cells.map((cell) => textOf(cell));
  return {
    ok: true,
    headLine: head.line,
    head: texts.slice(0, texts.findLastIndex((text) => text !== '') + 1),
    body: table.rows.slice(table.rows.indexOf(head) + 1),
    fields: inOrder(kind, fields),
    profile,
    states: reading.states,
    columns,
    ignored: columns.filter(({ field }) => field === null).map(({ name }) => name),
    setAside: reading.setAside,
  };
}

/** Maps a location file without column names by the values of its first row. */
function byContent(table: FileTable, visible: readonly TableRow[]): Mapping | undefined {
  const texts = visible[0]?.cells.map((cell) => textOf(cell)) ?? [];
  const deviceid = texts.findIndex(isDeviceId);
  if (deviceid < 0) return undefined;
  const deviceIs = texts.findIndex((text) => parseDeviceIs(text) !== undefined);
  const other = texts.findIndex((_text, index) => index !== deviceid && index !== deviceIs);
  const fields = new Map<TableField, number>([['deviceid', deviceid]]);
  if (deviceIs >= 0) fields.set('deviceIs', deviceIs);
  // If there is no direction, the only other text is a label.
  if (other >= 0) fields.set(deviceIs < 0 && texts.length === 2 ? 'label' : 'name', other);
  if (!fields.has('label') && fields.size < 3) return undefined;
  return {
    ok: true,
    headLine: 0,
    head: [],
    body: table.rows,
    fields,
    profile: null,
    states: [],
    columns: [],
    ignored: [],
    setAside: new Set(),
  };
}

function refusalOf(
  kind: TableKind,
  visible: readonly TableRow[],
  readings: readonly HeadReading[],
  given: GivenColumns,
): Mapping {
  // The first row wins a tie.
  const best = readings.toSorted((a, b) => b.fields.size + b.open.length - a.fields.size - a.open.length)[0];
  const none = { ok: false as const, badColumn: null, hasNames: false, questions: [], columns: [] };
  if (best === undefined) {
    const first = visible[0];
    if (first === undefined) {
      return {
        ...none,
        message: `The file is empty. Give a line of column names, then a line for each item: ${WANTED[kind]}.`,
      };
    }
    const fields = kind === 'orders' ? 'order_number, ordered_quantity, and one of name, SKU and UPC' : WANTED[kind];
    return { ...none, message: `No column names were found. ${lineHas(first)} Name at least the columns ${fields}.` };
  }
  const columns = mappedColumns(best);
  if (best.lacking !== undefined) {
    const lacking = readings.every(({ lacking: each }) => each !== undefined) ? best.lacking : undefined;
    if (lacking !== undefined) {
      const message = `The file has no column "${shortened(lacking)}". ${lineHas(best.head)} Give the names in columns as the file spells them.`;
      return { ...none, message, badColumn: lacking, columns };
    }
  }
  // In files of articles and locations, do not ask about columns that are already mapped.
  const questions = generalQuestions(best, given, kind !== 'orders').map(questionOf);
  const lacks = best.missing.map((fields) => `no column ${inWords(fields)}`).join(' and ');
  const message = `There is ${lacks}. ${lineHas(best.head)} It must name the columns ${WANTED[kind]}; or say in columns which column is which.`;
  return { ...none, message, questions, columns };
}

/** Returns questions about all columns that meet no requirement yet, if the row may contain column names. */
function generalQuestions(
  { columns, fields, missing, open }: HeadReading,
  given: GivenColumns,
  keepsAll: boolean,
): OpenColumn[] {
  const isName = ({ name }: HeadColumn) => /\p{L}/u.test(name);
  if (!columns.every(isName)) return [];
  const asked = missing.flat();
  const required = new Set<TableField>(['order_number', 'ordered_quantity', 'deviceid']);
  const articles: readonly TableField[] = ARTICLE_FIELDS.filter((field) => fields.has(field));
  const isKept = (field: TableField) =>
    keepsAll || required.has(field) || (articles.length === 1 && articles.includes(field));
  const kept = new Set([...fields].filter(([field]) => isKept(field)).map(([, index]) => index));
  const isGiven = ({ name }: HeadColumn) => Object.hasOwn(given.columns ?? {}, name);
  const rest = columns.filter((column) => !kept.has(column.index) && !isGiven(column));
  if (rest.length < missing.length) return [];
  return rest.map((column) => {
    const also = open.find((each) => each.column === column)?.fields ?? [];
    return { column, fields: [...new Set([...also, ...asked])] };
  });
}

/** Finds a field that is unknown or mapped twice by the caller. */
function wrongGiven(
  kind: TableKind,
  { columns = {} }: GivenColumns,
): { message: string; badColumn: string } | undefined {
  const seen = new Map<string, string>();
  for (const [name, field] of Object.entries(columns)) {
    if (field === null) continue;
    if (fieldOf(kind, field) === undefined) {
      const message = `"${shortened(field)}" is not a field. Give one of ${FIELDS_OF[kind].join(', ')}, or null to ignore the column.`;
      return { message, badColumn: name };
    }
    const before = seen.get(field);
    if (before !== undefined && !isStateField(field)) {
      return {
        message: `"${shortened(before)}" and "${shortened(name)}" cannot both be ${field}. Give one of them null.`,
        badColumn: name,
      };
    }
    seen.set(field, name);
  }
  return undefined;
}

/** Maximum number of states in a message. */
const MOST_STATES = 5;

function askingMessage(head: TableRow, questions: readonly OpenColumn[]): string {
  const names = firstTexts(
    questions.map(({ column: { name } }) => name),
    MOST_NAMED,
  );
  const open = names.shown.map(
    (name, index) => `"${name}" can be ${[...(questions[index]?.fields ?? []), 'none of ours'].join(' or ')}`,
  );
  if (names.hasMore) open.push('…');
  const example = `{${JSON.stringify(names.shown[0])}: ${JSON.stringify(questions[0]?.fields[0])}}`;
  const { shown: unknown } = firstTexts(
    questions.flatMap((each) => each.unknown ?? []),
    MOST_STATES,
  );
  const states =
    unknown.length === 0
      ? ''
      : ` ${unknown.map((text) => `"${text}"`).join(', ')} ${unknown.length === 1 ? 'is not a known state' : 'are not known states'}; states can say what each means, such as {${JSON.stringify(unknown[0])}: "open"}.`;
  return `Line ${head.line} has columns that can mean several things: ${open.join('; ')}. Say it in columns, such as ${example}, with null for a column to ignore, or rename them.${states}`;
}

/** Lists alternatives for a message, without fields that people do not use. */
function inWords(fields: readonly TableField[]): string {
  const named = fields.filter((field) => field !== 'sku_and_name' && field !== 'quantity_to_ship');
  return named.join(', ').replace(/, ([^,]*)$/, ' or $1');
}

function lineHas(row: TableRow): string {
  const names = row.cells.map((cell) => textOf(cell)).filter((text) => text !== '');
  const { shown, hasMore } = firstTexts(names, MOST_NAMED);
  return `Line ${row.line} has ${shown.map((name) => `"${name}"`).join(', ')}${hasMore ? ', …' : ''}.`;
}

function mappedColumns({ columns, fields, states }: HeadReading): MappedColumn[] {
  const byIndex = new Map<number, TableField>(states.map(({ field, index }) => [index, field]));
  for (const [field, index] of fields) byIndex.set(index, field);
  return columns.map((column) => ({
    name: column.name,
    field: byIndex.get(column.index) ?? null,
    samples: [...column.samples],
  }));
}

function questionOf({ column, fields }: OpenColumn): ColumnQuestion {
  return { column: column.name, fields, samples: [...column.samples] };
}

function inOrder(kind: TableKind, fields: ReadonlyMap<TableField, number>): Map<TableField, number> {
  return new Map(FIELDS_OF[kind].flatMap((field) => (fields.has(field) ? [[field, fields.get(field) ?? 0]] : [])));
}

/** Returns the rows below a row, without rows that repeat it. */
function* rowsBelow(rows: readonly TableRow[], at: number): InParts<readonly TableRow[]> {
  const head = rows[at]?.cells.map((cell) => textOf(cell)) ?? [];
  const pace = createPace();
  const below: TableRow[] = [];
  for (const row of rows.slice(at + 1)) {
    if (!isSameCells(row, head)) below.push(row);
    if (pace.isDue()) yield* pace.rest();
  }
  return below;
}

function isSameCells(row: TableRow, head: readonly string[]): boolean {
  const keys = keysByHead.get(head) ?? [];
  keysByHead.set(head, keys);
  const width = Math.max(row.cells.length, head.length);
  for (let index = 0; index < width; index += 1) {
    const text = textOf(row.cells[index]);
    if (text !== (head[index] ?? '') && columnKey(text) !== (keys[index] ??= columnKey(head[index] ?? '')))
      return false;
  }
  return true;
}

/** Keys of column names, as far as they have been needed, because each row is compared with the names. */
const keysByHead = new WeakMap<readonly string[], (string | undefined)[]>();
