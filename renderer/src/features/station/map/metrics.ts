import type { Rack } from '#shared/api/map.ts';
import { SCREEN_HEIGHT, SCREEN_WIDTH } from '#shared/screen/content.ts';
import type { Level } from './levels.ts';

/**
 * Layout of a tile. `pill` shows light and name, `largePill` is readable from a distance, `side` has the light to the
 * right of the screen, and `sideKeys` plus and minus as well. `stacked` has the light below the screen, `close` adds
 * words, and `closeWide` has light and words next to the screen.
 */
export type TileShape = 'pill' | 'largePill' | 'side' | 'sideKeys' | 'stacked' | 'close' | 'closeWide';

/** Sizes on the map in CSS pixels. Row heights are exact, so that a scroll position always means the same row. */
export type Metrics = {
  level: Level;
  /** Number of racks side by side. */
  abreast: number;
  /** Cells per line of the widest rack. */
  lineCells: number;
  cell: number;
  gap: number;
  label: number;
  shape: TileShape;
  screen: { width: number; height: number; scale: 'fill' | 'whole' };
  tile: number;
  /** Height of a tile including the name above it. */
  slot: number;
  heads: number;
  line: number;
  trayHead: number;
};

/** Horizontal padding inside a rack's frame. */
export const RACK_PADDING = 12;
export const RACK_GAP = 20;
/** Left and right borders of a rack's frame together. */
const BORDERS = 2;
/** Vertical padding of a line, for glow and focus ring. */
const LINE_PADDING = 20;
const TILE_PADDING = 6;
/** Padding around the canvas on the paper. */
const PAPER_X = 8;
const PAPER_Y = 4;
const MAX_ABREAST = 3;

/**
 * Widths of a cell in pixels. A shelf wraps if its cells would be narrower than `least`. From the width `roomy` on,
 * racks are side by side. Cells wider than `most` would show nothing more. `ideal` is used while there are no racks.
 */
const CELLS: Record<Level, { least: number; roomy: number; most: number; ideal: number; gap: number }> = {
  overview: { least: 96, roomy: 180, most: 300, ideal: 132, gap: 8 },
  shelf: { least: 144, roomy: 230, most: 440, ideal: 210, gap: 10 },
  close: { least: 320, roomy: 400, most: 640, ideal: 340, gap: 12 },
};

type Room = {
  level: Level;
  /** Width of the map, without the page's padding. */
  width: number;
  racks: readonly Rack[];
  /** Factor by which the person has enlarged text; 1 is the default. */
  textScale: number;
  editing: boolean;
};

/** Computes sizes that fill the width without cropping. All racks have the same sizes, so that columns align. */
export function measureMap({ level, width, racks, textScale, editing }: Room): Metrics {
  const { least, roomy, most, ideal, gap } = CELLS[level];
  const label = racks.length === 0 ? 0 : width < 700 ? 44 : 56;
  const widest = racks.reduce((columns, rack) => Math.max(columns, rack.columns), 1);
  const inner = (abreast: number) =>
    (width - (abreast - 1) * RACK_GAP) / abreast - (racks.length === 0 ? 0 : 2 * RACK_PADDING + BORDERS + label + gap);
  const cellOf = (room: number, cells: number) => Math.floor((room - (cells - 1) * gap) / cells);

  let abreast = 1;
  for (let more = 2; more <= Math.min(MAX_ABREAST, racks.length); more++) {
    if (cellOf(inner(more), widest) >= roomy) abreast = more;
  }
  const room = inner(abreast);
  const fits = Math.max(1, Math.floor((room + gap) / ((racks.length === 0 ? ideal : least) + gap)));
  const lineCells = racks.length === 0 ? fits : cellsOfLine(widest, fits);
  const cell = Math.max(40, Math.min(most, cellOf(room, lineCells)));
  const shape = shapeOf(level, cell);
  const screen = screenOf(shape, cell);
  const tile = Math.round(tileHeight(shape, screen.height, textScale));
  const head = level === 'overview' ? 0 : 26 * textScale;
  return {
    level,
    abreast,
    lineCells,
    cell,
    gap,
    label,
    shape,
    screen,
    tile,
    slot: Math.round(head + tile),
    heads: Math.round((editing ? 58 : 40) * textScale + 6),
    line: Math.round((level === 'overview' ? 16 : LINE_PADDING) + head + tile),
    trayHead: Math.round(64 * Math.max(1, textScale)),
  };
}

/**
 * Returns the number of cells per line of a shelf. A shelf that is too long is divided into several lines of equal
 * length, because cropping or horizontal scrolling would hide lights.
 */
export function cellsOfLine(columns: number, fits: number): number {
  return Math.ceil(columns / Math.ceil(columns / fits));
}

function shapeOf(level: Level, cell: number): TileShape {
  if (level === 'overview') return cell >= 170 ? 'largePill' : 'pill';
  if (level === 'close') return cell >= 520 ? 'closeWide' : 'close';
  // Plus and minus need 44 px each. In narrower tiles, only the closest level and the panel have them.
  if (cell >= 400) return 'sideKeys';
  return cell >= 180 ? 'side' : 'stacked';
}

/** Width that the light next to the screen takes, including its gap. */
const BESIDE: Record<TileShape, number> = {
  pill: 0,
  largePill: 0,
  side: 60,
  sideKeys: 100,
  stacked: 0,
  close: 0,
  closeWide: 200,
};

function screenOf(shape: TileShape, cell: number): Metrics['screen'] {
  const width = cell - 2 * TILE_PADDING - BESIDE[shape] - PAPER_X;
  if (width < SCREEN_WIDTH) return { width, height: Math.round((width * SCREEN_HEIGHT) / SCREEN_WIDTH), scale: 'fill' };
  const multiple = shape === 'close' || shape === 'closeWide' ? Math.floor(width / SCREEN_WIDTH) : 1;
  return { width: SCREEN_WIDTH * multiple, height: SCREEN_HEIGHT * multiple, scale: 'whole' };
}

function tileHeight(shape: TileShape, screen: number, textScale: number): number {
  const paper = screen + PAPER_Y + 2 * TILE_PADDING;
  switch (shape) {
    case 'pill':
      return 52 * textScale;
    case 'largePill':
      return 84 * textScale;
    case 'side':
      return Math.max(paper, 72);
    case 'sideKeys':
      return Math.max(paper, 108);
    case 'stacked':
      return paper + 52;
    case 'close':
      return paper + 56 + 66 * textScale;
    case 'closeWide':
      return Math.max(paper, 62 + 76 * textScale);
  }
}
