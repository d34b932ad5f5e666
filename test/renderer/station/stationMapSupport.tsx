import type { Device } from '#shared/api/device.ts';
import type { Placed, Rack, StationMap } from '#shared/api/map.ts';
import type { Station } from '#shared/api/station.ts';
import { StationPage } from '../../../renderer/src/features/station/StationPage.tsx';
import { applyMessages, type StationStore } from '../../../renderer/src/station/live/store.ts';
import { device, show, station, testContext, type Stubs } from '../support.tsx';

export const id = (number: number) => `51D000:${number.toString(16).toUpperCase().padStart(6, '0')}`;

/** Returns a rack named by one letter. Its shelves are named `A-2` and `A-1`, with ids `A2` and `A1`. */
export function rack(letter: string, shelves: number, columns: number): Rack {
  const numbers = Array.from({ length: shelves }, (_, index) => shelves - index);
  return {
    id: letter,
    name: letter,
    note: '',
    columns,
    shelves: numbers.map((number) => ({ id: `${letter}${number}`, name: `${letter}-${number}` })),
  };
}

/** Fills racks from their first cell with devices labeled by their cells. */
export function fullRacks(racks: readonly Rack[], count: number): { map: StationMap; devices: Device[] } {
  const cells = racks.flatMap((each) =>
    each.shelves.flatMap((shelf) => Array.from({ length: each.columns }, (_, column) => ({ shelf, column }))),
  );
  const taken = cells.slice(0, count);
  return {
    map: {
      racks: [...racks],
      places: taken.map(({ shelf, column }, index) => ({ deviceid: id(index + 1), shelf: shelf.id, column })),
      zones: [],
    },
    devices: taken.map(({ shelf, column }, index) =>
      device(id(index + 1), { locationoverride: `${shelf.name}-${column + 1}` }),
    ),
  };
}

/** Racks A (A-2 with devices 1 and 2, A-1 with device 3) and B (B-1, empty). Device 4 has no place. */
export function smallShop(): Station {
  const names = ['A-2-1', 'A-2-2', 'A-1-1', 'Bench'];
  const devices = names.map((locationoverride, index) => device(id(index + 1), { locationoverride }));
  return {
    ...station(...devices),
    map: {
      racks: [rack('A', 2, 3), rack('B', 1, 3)],
      places: [
        { deviceid: id(1), shelf: 'A2', column: 0 },
        { deviceid: id(2), shelf: 'A2', column: 1 },
        { deviceid: id(3), shelf: 'A1', column: 0 },
      ],
      zones: [],
    },
  };
}

export function showPage(given: Station, calls: Partial<Stubs> = {}) {
  const context = testContext({ station: given, connection: { kind: 'live' } }, calls);
  return { ...show(context, <StationPage />), context };
}

/** Reports on the event stream that somebody moved devices. */
export function publishPlaced(store: StationStore, ...places: Placed[]): void {
  const revision = (store.getState().station?.revision ?? 0) + 1;
  applyMessages(store, [{ kind: 'facts', revision, facts: [{ type: 'map.placed', places }] }]);
}
