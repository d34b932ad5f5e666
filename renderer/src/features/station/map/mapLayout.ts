import type { Rack, Shelf, StationMap } from '#shared/api/map.ts';
import { isSame } from '../../../station/live/sameParts.ts';
import { cellsOfLine, type Metrics } from './metrics.ts';

export type MapCell = { column: number; deviceid: string | undefined };

/** A shelf, or the part of it that fits in one line. */
export type Line = {
  rack: Rack;
  shelf: Shelf;
  cells: readonly MapCell[];
  /** Whether this is the first visible line of the shelf, which shows the shelf's name. */
  named: boolean;
  /** Whether the line is at the top (`first`) or bottom (`last`) of its rack's frame. */
  first: boolean;
  last: boolean;
  /** Row number over the whole map, starting at 1, for screen readers. */
  rowIndex: number;
};

type Head = { rack: Rack; deviceids: readonly string[]; rowIndex: number };

/** One row of the map, drawn as a whole. Racks side by side share rows. */
export type MapRow = { key: string; height: number } & (
  | { kind: 'heads'; heads: readonly Head[] }
  | { kind: 'lines'; lines: readonly (Line | undefined)[] }
  | { kind: 'trayHead'; count: number; rowIndex: number }
  | { kind: 'tray'; deviceids: readonly string[]; first: boolean; last: boolean; framed: boolean; rowIndex: number }
);

/** The position of a device. `x` counts the cells from the left, across racks side by side. */
export type Spot = { deviceid: string; row: number; x: number };

export type MapLayout = {
  rows: readonly MapRow[];
  /** Top of each row in pixels, followed by the end of the last row. */
  starts: readonly number[];
  /** Matching devices in reading order: by rack and shelf, then the unplaced devices. */
  order: readonly string[];
  spots: ReadonlyMap<string, Spot>;
  rowCount: number;
  colCount: number;
};

type Given = {
  map: StationMap;
  /** All devices, sorted by name. */
  deviceids: readonly string[];
  /** Devices that match the search and the filter, or undefined if all devices do. */
  matches: ReadonlySet<string> | undefined;
  editing: boolean;
  /** Whether to hide shelves without matches. */
  folded: boolean;
  metrics: Metrics;
};

/** Computes the rows of the map from top to bottom. */
export function layOutMap({ map, deviceids, matches, editing, folded, metrics }: Given): MapLayout {
  const known = new Set(deviceids);
  const byCell = new Map<string, string>();
  const placed = new Set<string>();
  for (const { deviceid, shelf, column } of map.places) {
    if (!known.has(deviceid)) continue;
    byCell.set(cellKey(shelf, column), deviceid);
    placed.add(deviceid);
  }
  const isMatch = (deviceid: string | undefined) =>
    deviceid !== undefined && (matches === undefined || matches.has(deviceid));
  const draft = new Draft(isMatch, metrics);

  const racks = map.racks
    .map((rack) => {
      const lines = linesOf(rack, byCell, metrics);
      const deviceids = lines.flatMap(({ cells }) => cells.flatMap(({ deviceid }) => deviceid ?? []));
      const shown = folded ? lines.filter(({ cells }) => cells.some(({ deviceid }) => isMatch(deviceid))) : lines;
      const named = shown.map((line, at) => ({ ...line, named: shown[at - 1]?.shelf !== line.shelf }));
      return { rack, deviceids, lines: named };
    })
    .filter(({ lines }) => !folded || lines.length > 0);
  for (let at = 0; at < racks.length; at += metrics.abreast) draft.addBand(racks.slice(at, at + metrics.abreast));

  // Unplaced devices have no fixed position, so a filter closes the gaps between them.
  const unplaced = deviceids.filter((deviceid) => !placed.has(deviceid) && isMatch(deviceid));
  draft.addTray(unplaced, map.racks.length > 0, editing);
  return draft.layout();
}

/**
 * Returns a function that replaces rows with equal rows of the previous layout, so that React redraws only what
 * differs.
 */
export function createRowKeeper(): (layout: MapLayout) => MapLayout {
  let known: ReadonlyMap<string, MapRow> = new Map();
  return (layout) => {
    const rows = layout.rows.map((row) => {
      const before = known.get(row.key);
      return before !== undefined && isSame(before, row) ? before : row;
    });
    known = new Map(rows.map((row) => [row.key, row]));
    return { ...layout, rows };
  };
}

/** Returns a unique key for a cell. */
export function cellKey(shelf: string, column: number): string {
  return `${shelf}\n${column}`;
}

type PlainLine = Omit<Line, 'rowIndex' | 'first' | 'last'>;
type FoundLine = Omit<PlainLine, 'named'>;

function linesOf(rack: Rack, byCell: ReadonlyMap<string, string>, metrics: Metrics): FoundLine[] {
  const perLine = cellsOfLine(rack.columns, metrics.lineCells);
  return rack.shelves.flatMap((shelf) => {
    const lines: FoundLine[] = [];
    for (let from = 0; from < rack.columns; from += perLine) {
      const columns = Array.from({ length: Math.min(perLine, rack.columns - from) }, (_, index) => from + index);
      const cells = columns.map((column) => ({ column, deviceid: byCell.get(cellKey(shelf.id, column)) }));
      lines.push({ rack, shelf, cells });
    }
    return lines;
  });
}

class Draft {
  readonly #isMatch: (deviceid: string | undefined) => boolean;
  readonly #metrics: Metrics;
  readonly #rows: MapRow[] = [];
  readonly #starts: number[] = [0];
  readonly #order: string[] = [];
  readonly #spots = new Map<string, Spot>();
  #rowCount = 0;

  constructor(isMatch: (deviceid: string | undefined) => boolean, metrics: Metrics) {
    this.#isMatch = isMatch;
    this.#metrics = metrics;
  }

  addBand(band: readonly { rack: Rack; deviceids: readonly string[]; lines: readonly PlainLine[] }[]): void {
    const { heads, line, lineCells } = this.#metrics;
    this.#add({
      kind: 'heads',
      key: `heads ${band.map(({ rack }) => rack.id).join(' ')}`,
      height: heads,
      heads: band.map(({ rack, deviceids }) => ({ rack, deviceids, rowIndex: ++this.#rowCount })),
    });
    const longest = Math.max(...band.map(({ lines }) => lines.length));
    for (let at = 0; at < longest; at++) {
      const row = this.#rows.length;
      const lines = band.map(({ lines }, slot) => {
        const plain = lines[at];
        if (plain === undefined) return undefined;
        for (const [index, { deviceid }] of plain.cells.entries()) this.#spot(deviceid, row, slot * lineCells + index);
        return { ...plain, first: at === 0, last: at === lines.length - 1, rowIndex: ++this.#rowCount };
      });
      const key = lines.map((each) => (each === undefined ? '' : `${each.shelf.id} ${each.cells[0]?.column}`)).join();
      this.#add({ kind: 'lines', key: `line ${key}`, height: line, lines });
    }
    for (const { lines } of band) {
      for (const { cells } of lines) {
        for (const { deviceid } of cells)
          if (deviceid !== undefined && this.#isMatch(deviceid)) this.#order.push(deviceid);
      }
    }
  }

  addTray(deviceids: readonly string[], framed: boolean, editing: boolean): void {
    const { lineCells, line, trayHead, abreast } = this.#metrics;
    if (framed && (deviceids.length > 0 || editing)) {
      this.#add({
        kind: 'trayHead',
        key: 'tray',
        height: trayHead,
        count: deviceids.length,
        rowIndex: ++this.#rowCount,
      });
    }
    const perLine = lineCells * abreast;
    const lines = Math.max(Math.ceil(deviceids.length / perLine), framed && editing ? 1 : 0);
    for (let at = 0; at < lines; at++) {
      const here = deviceids.slice(at * perLine, (at + 1) * perLine);
      for (const [x, deviceid] of here.entries()) this.#spot(deviceid, this.#rows.length, x);
      const ends = { first: at === 0, last: at === lines - 1 };
      const rowIndex = ++this.#rowCount;
      this.#add({ kind: 'tray', key: `tray ${at}`, height: line, deviceids: here, framed, ...ends, rowIndex });
    }
    this.#order.push(...deviceids);
  }

  layout(): MapLayout {
    return {
      rows: this.#rows,
      starts: this.#starts,
      order: this.#order,
      spots: this.#spots,
      rowCount: this.#rowCount,
      colCount: this.#metrics.lineCells * this.#metrics.abreast,
    };
  }

  #spot(deviceid: string | undefined, row: number, x: number): void {
    if (deviceid !== undefined && this.#isMatch(deviceid)) this.#spots.set(deviceid, { deviceid, row, x });
  }

  #add(row: MapRow): void {
    this.#rows.push(row);
    this.#starts.push((this.#starts.at(-1) ?? 0) + row.height);
  }
}
