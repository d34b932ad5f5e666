import { useEffect, useState } from 'react';
import { shareOfFrame } from '../../../station/live/pacedWatchers.ts';
import type { MapRow } from './mapLayout.ts';

/** Number of new tiles to draw per frame. */
const TILES_PER_FRAME = 24;

/**
 * Returns the rows that are already drawn, and as many new rows from the top as fit into a frame. The remaining rows
 * follow in the next frames. `cannotWait` tells whether a row must be drawn immediately, such as the focused one.
 */
export function usePacedRows<T extends { row: MapRow }>(
  wanted: readonly T[],
  cannotWait: (row: T) => boolean,
): readonly T[] {
  const [take] = useState(createRowPacer);
  const [frameAt, setFrameAt] = useState(0);
  const now = take(wanted, cannotWait, frameAt);
  const isWhole = now.length === wanted.length;
  useEffect(() => {
    if (isWhole) return undefined;
    // Always change the time, even if the next frame has the same timestamp, to cause a rerender.
    const frame = requestAnimationFrame((atMs) => setFrameAt(Math.max(atMs, frameAt + 1)));
    return () => cancelAnimationFrame(frame);
  }, [isWhole, frameAt]);
  return now;
}

function createRowPacer() {
  let drawn: ReadonlyMap<string, MapRow> = new Map();
  let isWhole = true;
  let left = 0;
  /** The time of the frame to which `left` applies, and the time of the last frame that drew some of the waiting rows. */
  let givenAt = 0;
  let lastAt: number | undefined;
  return <T extends { row: MapRow }>(wanted: readonly T[], cannotWait: (row: T) => boolean, frameAt: number) => {
    const isNew = ({ row }: T) => !hasTilesOf(drawn.get(row.key), row);
    if (isWhole) {
      left = TILES_PER_FRAME;
      givenAt = frameAt;
      lastAt = undefined;
    } else if (frameAt !== givenAt) {
      // Rendering the same frame twice gives no additional time.
      const waiting = wanted.filter(isNew).reduce((sum, { row }) => sum + tilesOf(row).length, 0);
      left = shareOfFrame(TILES_PER_FRAME, waiting, frameAt - (lastAt ?? frameAt));
      givenAt = frameAt;
      lastAt = frameAt;
    }
    const now: T[] = [];
    for (const each of wanted) {
      const mustBeMade = isNew(each);
      if (mustBeMade && left <= 0 && !cannotWait(each)) continue;
      if (mustBeMade) left -= tilesOf(each.row).length;
      now.push(each);
    }
    drawn = new Map(now.map(({ row }) => [row.key, row]));
    isWhole = now.length === wanted.length;
    return now;
  };
}

/** Whether a row contains the same tiles as before. Drawing a tile at a different size costs much less than drawing a new one. */
function hasTilesOf(before: MapRow | undefined, row: MapRow): boolean {
  if (before === row) return true;
  return before !== undefined && tilesOf(before).join() === tilesOf(row).join();
}

function tilesOf(row: MapRow): readonly string[] {
  if (row.kind === 'tray') return row.deviceids;
  if (row.kind !== 'lines') return [];
  return row.lines.flatMap((line) => line?.cells.flatMap(({ deviceid }) => deviceid ?? []) ?? []);
}
