import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Cell, StationMap } from '#shared/api/map.ts';
import { cellOf, sameCell } from './mapChanges.ts';

/** Where a picked-up device can be dropped: a cell, or the tray of unplaced devices. */
export type DropTarget = Cell | 'tray';

/** A device that is being moved by pointer or keyboard. */
export type Carried = {
  deviceid: string;
  by: 'pointer' | 'keys';
  /** Undefined if the device would stay in its place. */
  target: DropTarget | undefined;
  /**
   * The map when the device was picked up. Changes by others are not drawn until the device is dropped, so that nothing
   * jumps.
   */
  map: StationMap;
};

export type CarryStore = StoreApi<{ carried: Carried | undefined }>;

export function createCarryStore(): CarryStore {
  return createStore(() => ({ carried: undefined as Carried | undefined }));
}

export function sameTarget(a: DropTarget | undefined, b: DropTarget | undefined): boolean {
  if (a === 'tray' || b === 'tray') return a === b;
  return sameCell(a, b) && (a === undefined) === (b === undefined);
}

/** Returns where a device is now. */
export function targetOf(map: StationMap, deviceid: string): DropTarget {
  return cellOf(map, deviceid) ?? 'tray';
}

/**
 * Returns the next target in the direction of an arrow key: along the shelf, or on the shelf above or below, also in
 * another rack. The tray is below the last shelf. Page keys move by a rack, Home and End along the shelf. Returns
 * undefined for other keys.
 */
export function stepTarget(map: StationMap, from: DropTarget, key: string): DropTarget | undefined {
  const shelves = map.racks.flatMap((rack) => rack.shelves.map((shelf) => ({ shelf: shelf.id, rack })));
  const at = from === 'tray' ? shelves.length : shelves.findIndex(({ shelf }) => shelf === from.shelf);
  const column = from === 'tray' ? 0 : from.column;
  const on = (index: number, wanted: number): DropTarget => {
    const there = shelves[Math.max(0, index)];
    if (there === undefined) return 'tray';
    return { shelf: there.shelf, column: Math.max(0, Math.min(there.rack.columns - 1, wanted)) };
  };
  switch (key) {
    case 'ArrowLeft':
      return on(at, column - 1);
    case 'ArrowRight':
      return on(at, column + 1);
    case 'ArrowUp':
      return on(at - 1, column);
    case 'ArrowDown':
      return on(at + 1, column);
    case 'Home':
      return on(at, 0);
    case 'End':
      return on(at, Number.MAX_SAFE_INTEGER);
    case 'PageUp':
      return on(
        shelves.findIndex(({ rack }) => rack === previousRack(map, shelves[at]?.rack)),
        column,
      );
    case 'PageDown': {
      const next = map.racks[map.racks.findIndex((rack) => rack === shelves[at]?.rack) + 1];
      const first = shelves.findIndex(({ rack }) => rack === next);
      return next === undefined || first < 0 ? 'tray' : on(first, column);
    }
    default:
      return undefined;
  }
}

function previousRack(map: StationMap, rack: unknown) {
  const at = map.racks.findIndex((each) => each === rack);
  return map.racks.at(at < 0 ? -1 : Math.max(0, at - 1));
}
