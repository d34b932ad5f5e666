import * as fc from '../../helpers/fastCheck.ts';
import { expect, test } from 'vitest';
import type { Placed, Rack } from '#shared/api/map.ts';
import { applyFacts } from '#shared/api/reducer.ts';
import type { Fact, Station } from '#shared/api/station.ts';
import { station as snapshot } from '../../helpers/snapshots.ts';

const A = '51D000:000001';
const B = '51D000:000002';
const C = '51D000:000003';

function rack(id: string, ...shelves: string[]): Rack {
  return {
    id,
    name: `Rack ${id}`,
    note: '',
    columns: 4,
    shelves: shelves.map((shelf) => ({ id: shelf, name: shelf })),
  };
}

function station(given: Partial<Station> = {}): Station {
  const places = [
    { deviceid: A, shelf: 'top', column: 0 },
    { deviceid: C, shelf: 'top', column: 1 },
  ];
  return {
    ...snapshot(),
    map: { racks: [rack('r', 'top', 'bottom')], places, zones: [{ id: 'z', name: 'Cold room', racks: ['r'] }] },
    ...given,
  };
}

function placed(...places: Placed[]): Fact {
  return { type: 'map.placed', places };
}

test('a placed device is inserted in the order of DeviceIDs', () => {
  const end = applyFacts(station(), [placed({ deviceid: B, place: { shelf: 'bottom', column: 3 } })], 6);
  expect(end.map.places).toEqual([
    { deviceid: A, shelf: 'top', column: 0 },
    { deviceid: B, shelf: 'bottom', column: 3 },
    { deviceid: C, shelf: 'top', column: 1 },
  ]);
});

test('two devices swap places, and a third keeps its identity', () => {
  const start = applyFacts(station(), [placed({ deviceid: B, place: { shelf: 'bottom', column: 0 } })], 6);
  const end = applyFacts(
    start,
    [
      placed(
        { deviceid: A, place: { shelf: 'bottom', column: 0 } },
        { deviceid: B, place: { shelf: 'top', column: 0 } },
      ),
    ],
    7,
  );
  expect(end.map.places.slice(0, 2)).toEqual([
    { deviceid: A, shelf: 'bottom', column: 0 },
    { deviceid: B, shelf: 'top', column: 0 },
  ]);
  expect(end.map.places[2]).toBe(start.map.places[2]);
  expect(end.map.racks).toBe(start.map.racks);
});

test('a device moved to the tray has no place', () => {
  const end = applyFacts(station(), [placed({ deviceid: A, place: null })], 6);
  expect(end.map.places.map(({ deviceid }) => deviceid)).toEqual([C]);
});

test('a racks fact replaces all racks', () => {
  const racks = [rack('other', 'only'), rack('r', 'top')];
  expect(applyFacts(station(), [{ type: 'map.racks', racks }], 6).map.racks).toEqual(racks);
});

test('a zones fact replaces all zones, and the racks keep their identity', () => {
  const zones = [{ id: 'y', name: 'Aisle A', racks: [] }];
  const start = station();
  const end = applyFacts(start, [{ type: 'map.zones', zones }], 6);
  expect(end.map.zones).toEqual(zones);
  expect(end.map.racks).toBe(start.map.racks);
});

test('a removed device leaves its place', () => {
  const end = applyFacts(station(), [{ type: 'device.removed', deviceid: C }], 6);
  expect(end.map.places.map(({ deviceid }) => deviceid)).toEqual([A]);
});

test('facts that change nothing keep the same map object', () => {
  const start = station();
  const facts: Fact[] = [
    placed({ deviceid: A, place: { shelf: 'top', column: 0 } }, { deviceid: B, place: null }),
    { type: 'map.racks', racks: structuredClone(start.map.racks) },
    { type: 'map.zones', zones: structuredClone(start.map.zones) },
    { type: 'device.removed', deviceid: B },
  ];
  expect(applyFacts(start, facts, 6).map).toBe(start.map);
});

test('setup.done marks the setup as done', () => {
  expect(applyFacts(station({ setup: 'pending' }), [{ type: 'setup.done' }], 6).setup).toBe('done');
});

test('after any moves, places are in order, one per device, and the earlier map is unchanged', () => {
  const cell = fc.record({ shelf: fc.constantFrom('top', 'bottom'), column: fc.nat(3) });
  const moved = fc.record({ deviceid: fc.constantFrom(A, B, C), place: fc.option(cell) });
  fc.assert(
    fc.property(fc.array(fc.array(moved, { maxLength: 4 }), { maxLength: 8 }), (commits) => {
      let now = station();
      const last = new Map(now.map.places.map(({ deviceid, ...place }) => [deviceid, place] as const));
      for (const places of commits) {
        const before = now;
        const copy = structuredClone(before);
        now = applyFacts(before, [placed(...places)], before.revision + 1);
        expect(before).toEqual(copy);
        for (const { deviceid, place } of places) {
          if (place === null) last.delete(deviceid);
          else last.set(deviceid, place);
        }
        const wanted = [A, B, C].flatMap((deviceid) => {
          const place = last.get(deviceid);
          return place === undefined ? [] : [{ deviceid, ...place }];
        });
        expect(now.map.places).toEqual(wanted);
      }
    }),
  );
});
