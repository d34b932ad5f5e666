import * as fc from '../../helpers/fastCheck.ts';
import { expect, test } from 'vitest';
import type { Device } from '#shared/api/device.ts';
import { createCounter } from '../../../renderer/src/station/conditions.ts';
import { changesBetween } from '../../../renderer/src/station/deviceChanges.ts';
import { listPlaces, updatePlaces } from '../../../renderer/src/station/places.ts';
import { command, device } from '../support.tsx';

const idOf = (number: number) => `51D000:${String(number).padStart(6, '0')}`;

const someDevice = fc.record({
  number: fc.integer({ min: 1, max: 120 }),
  label: fc.constantFrom('', 'A-1', 'A-2', 'A-10', 'a-2', 'B', idOf(3)),
  online: fc.boolean(),
  waiting: fc.integer({ min: 0, max: 2 }),
});
const someDevices = fc.uniqueArray(someDevice, { selector: ({ number }) => number, maxLength: 100 }).map((list) =>
  list
    .toSorted((a, b) => a.number - b.number)
    .map(({ number, label, online, waiting }) =>
      device(idOf(number), {
        locationoverride: label,
        online,
        commands: Array.from({ length: waiting }, (_, index) => command(String(index), { state: 'queued' })),
      }),
    ),
);

/** Returns the second list. If `kept` is true, devices that are also in the first list keep their old object. */
function mixed(before: readonly Device[], after: readonly Device[], kept: boolean): readonly Device[] {
  if (!kept) return after;
  return after.map((fresh) => before.find(({ deviceid }) => deviceid === fresh.deviceid) ?? fresh);
}

test('incremental updates give the same result as a calculation from scratch', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(someDevices, fc.boolean(), fc.subarray([idOf(1), idOf(2), idOf(3)])), {
        minLength: 1,
        maxLength: 6,
      }),
      (steps) => {
        const count = createCounter();
        let devices: readonly Device[] = [];
        let places = listPlaces(devices);
        for (const [wanted, kept, low] of steps) {
          const lowBatteries = new Set(low);
          const next = mixed(devices, wanted, kept);
          places = updatePlaces(places, changesBetween(devices, next), next);
          devices = next;
          expect(places).toEqual(listPlaces(devices));
          expect(count(devices, lowBatteries)).toEqual(createCounter()(devices, lowBatteries));
        }
      },
    ),
  );
});

test('the changes between two lists are exactly the changed, added and removed devices', () => {
  const [one, two, three, four] = [1, 2, 3, 4].map((number) => device(idOf(number)));
  if (!one || !two || !three || !four) throw new Error('four devices');
  const changed = { ...three, statica: 'new' };
  expect(changesBetween([one, two, three], [one, changed, four])).toEqual([
    { deviceid: two.deviceid, before: two, after: undefined },
    { deviceid: three.deviceid, before: three, after: changed },
    { deviceid: four.deviceid, before: undefined, after: four },
  ]);
});

test('returns the same figures object until a figure changes', () => {
  const count = createCounter();
  const none = new Set<string>();
  const before = count([device(idOf(1))], none);
  expect(count([device(idOf(1), { statica: 'new' })], none)).toBe(before);
  expect(count([device(idOf(1), { online: false })], none)).toEqual({ ...before, offline: 1 });
  expect(count([device(idOf(1))], new Set([idOf(1)]))).toEqual({ ...before, lowBattery: 1 });
});
