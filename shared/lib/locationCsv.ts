import type { LocationAlias } from '../api/alias.ts';
import { harmless, openCsv, quoteProblem, writeCsv, type CsvRecord, type Delimiter } from './csv.ts';
import { parseDeviceIs } from './deviceIs.ts';
import type { InParts } from './inParts.ts';

/**
 * The columns of a file of places, as exported. A line is an alias (name, deviceid, deviceIs), the label of a device
 * (deviceid, label), or both.
 */
export const LOCATION_COLUMNS = ['name', 'deviceid', 'deviceIs', 'label'] as const;
export type LocationColumn = (typeof LOCATION_COLUMNS)[number];
/** Columns of an alias. */
const ALIAS_COLUMNS = ['name', 'deviceid', 'deviceIs'] as const satisfies readonly LocationColumn[];
const LABEL_COLUMNS = ['deviceid', 'label'] as const satisfies readonly LocationColumn[];

/** Column names in lists from other programs, ignoring case, spaces and punctuation; likeliest first. */
const CALLED: Readonly<Record<LocationColumn, readonly string[]>> = {
  name: ['name', 'alias', 'aliasname', 'locationalias', 'location', 'locationname', 'place', 'bin', 'slot', 'sku'],
  deviceid: ['deviceid', 'device', 'deviceidentifier', 'identifier', 'tag', 'light'],
  deviceIs: ['deviceis', 'where', 'whereisthedevice', 'position', 'direction', 'deviceposition'],
  label: ['label', 'devicelabel', 'labelofdevice', 'locationlabel', 'locationoverride', 'newlabel'],
};

/** Outcome of an imported row. */
export const IMPORT_OUTCOMES = ['new', 'changed', 'unchanged', 'refused'] as const;

const DEVICE_ID = /^\s*[0-9a-f]{6}:[0-9a-f]{6}\s*$/i;

/** `label`: null without such a column. */
export type LocationRow = { line: number; label: string | null } & Record<(typeof ALIAS_COLUMNS)[number], string>;

export type LocationFile =
  | {
      ok: true;
      delimiter: Delimiter;
      /**
       * Name of each column in the first line; null: no such column. Null for all: the first line has no names, and the
       * columns were detected by their content.
       */
      columns: Record<LocationColumn, string | null> | null;
      /** Columns without a meaning here. */
      ignored: string[];
      rows: LocationRow[];
    }
  | { ok: false; message: string };

/** Reads at most `most` rows, with columns in any order. Rows are validated later. Never throws. */
export function* readLocations(text: string, most = Number.POSITIVE_INFINITY): InParts<LocationFile> {
  const file = openCsv(text);
  let columns: ReturnType<typeof columnsOf> | undefined;
  const rows: LocationRow[] = [];
  for (const record of file.records) {
    if (record === undefined) {
      yield;
      continue;
    }
    if (columns === undefined) {
      columns = columnsOf(record);
      if (!columns.ok || columns.isNamed) continue;
    }
    if (!columns.ok || rows.length >= most) break;
    rows.push(columns.rowOf(record));
  }
  const problem = quoteProblem(file);
  if (problem !== '') return refused(problem);
  if (columns === undefined) {
    return refused(
      'The file is empty. Give a line for each alias: name, deviceid, deviceIs; or for each label: deviceid, label.',
    );
  }
  if (!columns.ok) return columns;
  return { ok: true, delimiter: file.delimiter, columns: columns.called, ignored: columns.ignored, rows };
}

/** Interprets the first line. `isNamed`: it has column names and is not a row itself. */
function columnsOf(first: CsvRecord) {
  const header = first.cells.map((cell) => cell.trim());
  const named = headerPlaces(header);
  const places = named ?? contentPlaces(header);
  if (places === undefined) {
    return refused(
      `Line ${first.line} has neither column names nor a DeviceID. Begin with a line of column names: ${LOCATION_COLUMNS.join(', ')}.`,
    );
  }
  const ofAlias = places.label === undefined || places.name !== undefined || places.deviceIs !== undefined;
  const missing = (ofAlias ? ALIAS_COLUMNS : LABEL_COLUMNS).filter((column) => places[column] === undefined);
  if (missing.length > 0) {
    const there = header.map((cell) => `"${cell}"`).join(', ');
    const hint = missing.includes('deviceid') ? '' : ' For labels only, give two columns: deviceid, label.';
    return refused(`There is no column ${missing.join(' and no column ')}. Line ${first.line} has ${there}.${hint}`);
  }
  const cellOf = (cells: readonly string[], column: LocationColumn) => cells[places[column] ?? -1]?.trim() ?? '';
  const calledOf = (column: LocationColumn) => (places[column] === undefined ? null : cellOf(header, column));
  const used = new Set(Object.values(places));
  return {
    ok: true as const,
    isNamed: named !== undefined,
    called:
      named === undefined
        ? null
        : {
            name: calledOf('name'),
            deviceid: calledOf('deviceid'),
            deviceIs: calledOf('deviceIs'),
            label: calledOf('label'),
          },
    ignored: named === undefined ? [] : header.filter((cell, index) => cell !== '' && !used.has(index)),
    rowOf: ({ line, cells }: CsvRecord): LocationRow => ({
      line,
      name: cellOf(cells, 'name'),
      deviceid: cellOf(cells, 'deviceid'),
      deviceIs: cellOf(cells, 'deviceIs'),
      label: places.label === undefined ? null : cellOf(cells, 'label'),
    }),
  };
}

/**
 * Writes places as a file that `readLocations` can read: a line per device with its label, which can be empty, and a
 * line per alias without a label. So each value is in exactly one cell.
 */
export function writeLocations(
  devices: readonly { deviceid: string; label: string }[],
  aliases: readonly LocationAlias[],
): string {
  return writeCsv([
    LOCATION_COLUMNS,
    ...devices.map(({ deviceid, label }) => ['', deviceid, '', harmless(label)]),
    ...aliases.map(({ name, deviceid, deviceIs }) => [name, deviceid, deviceIs, '']),
  ]);
}

type Places = Partial<Record<LocationColumn, number>>;

/** Undefined: not a line of column names. */
function headerPlaces(header: readonly string[]): Places | undefined {
  if (header.some((cell) => DEVICE_ID.test(cell))) return undefined;
  const keys = header.map((cell) => cell.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, ''));
  const places: Places = {};
  for (const column of LOCATION_COLUMNS) {
    for (const called of CALLED[column]) {
      const place = keys.indexOf(called);
      if (place < 0 || Object.values(places).includes(place)) continue;
      places[column] = place;
      break;
    }
  }
  return Object.keys(places).length === 0 ? undefined : places;
}

/** Detects columns by the content of a row; undefined: no DeviceID. One other text without a direction is a label. */
function contentPlaces(cells: readonly string[]): Places | undefined {
  const deviceid = cells.findIndex((cell) => DEVICE_ID.test(cell));
  if (deviceid < 0) return undefined;
  const deviceIs = cells.findIndex((cell) => parseDeviceIs(cell) !== undefined);
  const name = cells.findIndex((_cell, index) => index !== deviceid && index !== deviceIs);
  if (deviceIs < 0 && cells.length === 2) return { deviceid, label: name };
  return { deviceid, ...(name < 0 ? {} : { name }), ...(deviceIs < 0 ? {} : { deviceIs }) };
}

function refused(message: string): Extract<LocationFile, { ok: false }> {
  return { ok: false, message };
}
