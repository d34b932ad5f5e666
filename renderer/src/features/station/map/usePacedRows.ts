import { useEffect, useState } from 'react';
import type { MapRow } from './mapLayout.ts';

/** So many new tiles are put on the page within one frame. */
const TILES_PER_FRAME = 40;

/**
 * Of the rows that are to be drawn, those that are drawn already and as many new ones as a frame has time for, from the
 * top; the rest follow in the next frames. `cannotWait`: what has the focus.
 */
export function usePacedRows<T extends { row: MapRow }>(
  wanted: readonly T[],
  cannotWait: (row: T) => boolean,
): readonly T[] {
  const [take] = useState(createRowPacer);
  const [turn, setTurn] = useState(0);
  const now = take(wanted, cannotWait);
  const isWhole = now.length === wanted.length;
  useEffect(() => {
    if (isWhole) return undefined;
    const frame = requestAnimationFrame(() => setTurn(turn + 1));
    return () => cancelAnimationFrame(frame);
  }, [isWhole, turn]);
  return now;
}

function createRowPacer() {
  /** Rows by their keys. */
  let drawn: ReadonlyMap<string, MapRow> = new Map();
  return <T extends { row: MapRow }>(wanted: readonly T[], cannotWait: (row: T) => boolean): readonly T[] => {
    let left = TILES_PER_FRAME;
    const now: T[] = [];
    for (const each of wanted) {
      const isDrawn = hasTilesOf(drawn.get(each.row.key), each.row);
      if (!isDrawn && left <= 0 && !cannotWait(each)) continue;
      if (!isDrawn) left -= tilesOf(each.row).length;
      now.push(each);
    }
    drawn = new Map(now.map(({ row }) => [row.key, row]));
    return now;
  };
}

/** Drawing a tile again at another size costs much less than a new one. */
function hasTilesOf(before: MapRow | undefined, row: MapRow): boolean {
  if (before === row) return true;
  return before !== undefined && tilesOf(before).join() === tilesOf(row).join();
}

function tilesOf(row: MapRow): readonly string[] {
  if (row.kind === 'tray') return row.deviceids;
  if (row.kind !== 'lines') return [];
  return row.lines.flatMap((line) => line?.cells.flatMap(({ deviceid }) => deviceid ?? []) ?? []);
}
