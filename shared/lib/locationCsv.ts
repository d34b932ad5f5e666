import type { LocationAlias } from '../api/alias.ts';
import { readCsv, writeCsv, type Csv } from './csv.ts';
import { parseDeviceIs } from './deviceIs.ts';

/** The columns of a file of location aliases, as the export writes them. */
export const LOCATION_COLUMNS = ['name', 'deviceid', 'deviceIs'] as const;
export type LocationColumn = (typeof LOCATION_COLUMNS)[number];

/** What lists that were made for something else call them, without regard to case, spaces and signs; the likeliest first. */
const CALLED: Readonly<Record<LocationColumn, readonly string[]>> = {
  name: ['name', 'alias', 'aliasname', 'locationalias', 'location', 'locationname', 'place', 'bin', 'slot', 'sku'],
  deviceid: ['deviceid', 'device', 'deviceidentifier', 'identifier', 'tag', 'light'],
  deviceIs: ['deviceis', 'where', 'whereisthedevice', 'position', 'direction', 'deviceposition'],
};

/** What a row of an imported file becomes. */
export const IMPORT_OUTCOMES = ['new', 'changed', 'unchanged', 'refused'] as const;
export type ImportOutcome = (typeof IMPORT_OUTCOMES)[number];

const DEVICE_ID = /^\s*[0-9a-f]{6}:[0-9a-f]{6}\s*$/i;

export type LocationRow = { line: number } & Record<LocationColumn, string>;

export type LocationFile =
  | {
      ok: true;
      delimiter: Csv['delimiter'];
      /** What the first line calls each column; null: it names none, and the columns were told apart by what is in them. */
      columns: Record<LocationColumn, string> | null;
      /** Columns that mean nothing here. */
      ignored: string[];
      rows: LocationRow[];
    }
  | { ok: false; message: string };

/** The rows of a file, whatever the order of its columns. What a row means is judged later. Never throws. */
export function readLocations(text: string): LocationFile {
  const { delimiter, records, unclosedLine } = readCsv(text);
  if (unclosedLine !== undefined) {
    return refused(`The quote that begins in line ${unclosedLine} is never closed. Close it, or take it out.`);
  }
  const [first, ...others] = records;
  if (first === undefined)
    return refused('Nothing stands in it. Give a line for each alias: name, deviceid, deviceIs.');
  const header = first.cells.map((cell) => cell.trim());
  const named = headerPlaces(header);
  const places = named ?? contentPlaces(header);
  if (places === undefined) {
    return refused(
      `Line ${first.line} says neither which column is which nor a DeviceID. Begin with a line of column names: ${LOCATION_COLUMNS.join(', ')}.`,
    );
  }
  const missing = LOCATION_COLUMNS.filter((column) => places[column] === undefined);
  if (missing.length > 0) {
    const there = header.map((cell) => `"${cell}"`).join(', ');
    return refused(`There is no column ${missing.join(' and no column ')}. Line ${first.line} has ${there}.`);
  }
  const cellOf = (cells: readonly string[], column: LocationColumn) => cells[places[column] ?? -1]?.trim() ?? '';
  const used = new Set(Object.values(places));
  return {
    ok: true,
    delimiter,
    columns:
      named === undefined
        ? null
        : { name: cellOf(header, 'name'), deviceid: cellOf(header, 'deviceid'), deviceIs: cellOf(header, 'deviceIs') },
    ignored: named === undefined ? [] : header.filter((cell, index) => cell !== '' && !used.has(index)),
    rows: (named === undefined ? records : others).map(({ line, cells }) => ({
      line,
      name: cellOf(cells, 'name'),
      deviceid: cellOf(cells, 'deviceid'),
      deviceIs: cellOf(cells, 'deviceIs'),
    })),
  };
}

/** Aliases as a file that `readLocations` reads back. */
export function writeLocations(aliases: readonly LocationAlias[]): string {
  const rows = aliases.map((alias) => LOCATION_COLUMNS.map((column) => alias[column]));
  return writeCsv([LOCATION_COLUMNS, ...rows]);
}

type Places = Partial<Record<LocationColumn, number>>;

/** Undefined: this is no line of column names. */
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

/** By what stands in a row; undefined: no DeviceID does. */
function contentPlaces(cells: readonly string[]): Places | undefined {
  const deviceid = cells.findIndex((cell) => DEVICE_ID.test(cell));
  if (deviceid < 0) return undefined;
  const deviceIs = cells.findIndex((cell) => parseDeviceIs(cell) !== undefined);
  const name = cells.findIndex((_cell, index) => index !== deviceid && index !== deviceIs);
  return { deviceid, ...(name < 0 ? {} : { name }), ...(deviceIs < 0 ? {} : { deviceIs }) };
}

function refused(message: string): LocationFile {
  return { ok: false, message };
}
