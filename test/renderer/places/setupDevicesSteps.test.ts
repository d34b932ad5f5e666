import { expect, test } from 'vitest';
import {
  nextSteps,
  NOTHING_DONE,
  type Picked,
  secondsEach,
  type SetupStep,
} from '../../../renderer/src/features/setupDevices/steps.ts';
import { nextPlace, takenPlaces, withCellsFor } from '../../../renderer/src/features/setupDevices/places.ts';

const picked = (deviceid: string, at = 0): Picked => ({
  deviceid,
  at,
  before: { deviceid, label: '', cell: undefined },
  tried: '',
  isRenamed: false,
});
const pressed = (deviceid: string, at = 0): SetupStep => ({ type: 'pressed', device: picked(deviceid, at) });
const placed = (deviceid: string, place: string, at: number, since = 0): SetupStep => ({
  type: 'placed',
  device: picked(deviceid, since),
  place,
  others: [],
  isRenamed: false,
  at,
});
const run = (...steps: SetupStep[]) => steps.reduce(nextSteps, NOTHING_DONE);
const ids = ({ current, queue }: typeof NOTHING_DONE) => [current, ...queue].map((each) => each?.deviceid);

test('selects the first device that was pressed, and queues the others once each, in order', () => {
  expect(ids(run(pressed('A'), pressed('B'), pressed('C'), pressed('B'), pressed('A')))).toEqual(['A', 'B', 'C']);
});

test('a chosen device moves to the front, and the previously selected one follows', () => {
  expect(ids(run(pressed('A'), pressed('B'), { type: 'chosen', device: picked('B') }))).toEqual(['B', 'A']);
  expect(ids(run(pressed('A'), { type: 'chosen', device: picked('A') }))).toEqual(['A']);
});

test('assigns a place to its device, even if another device has been selected in the meantime', () => {
  const steps = run(pressed('A'), pressed('B'), { type: 'dropped', deviceids: new Set(['A']) }, placed('A', 'X-1', 5));
  expect(steps.current?.deviceid).toBe('B');
  expect(steps.done.map(({ place, before }) => [place, before.deviceid])).toEqual([['X-1', 'A']]);
});

test('Back selects the last device again, and queues the one that was selected', () => {
  const before = run(pressed('A'), placed('A', 'X-1', 5), pressed('B'));
  const [which] = before.done;
  if (which === undefined) throw new Error('nothing was done');
  const after = nextSteps(before, { type: 'undone', which, at: 9 });
  expect(ids(after)).toEqual(['A', 'B']);
  expect(after.done).toEqual([]);
});

test('measures the seconds per device as a median, so that a break has no effect', () => {
  const steps = run(
    pressed('A', 1_000),
    placed('A', 'X-1', 5_000, 1_000),
    pressed('B', 9_000),
    placed('B', 'X-2', 11_000),
    pressed('C', 600_000),
    placed('C', 'X-3', 601_000),
  );
  expect(steps.done.map(({ tookMs }) => tookMs)).toEqual([4_000, 6_000, 590_000]);
  expect(secondsEach(steps.done)).toBe(6);
  expect(secondsEach(steps.done.slice(0, 2))).toBe(5);
  expect(secondsEach([])).toBeUndefined();
});

test('suggests the place after the last one, skips taken places, and wraps around at the end', () => {
  const places = ['A-1', 'A-2', 'A-3'];
  const next = (last: string, ...taken: string[]) => nextPlace(places, last, (place) => taken.includes(place));
  expect(next('')).toBe('A-1');
  expect(next('a-1', 'A-1')).toBe('A-2');
  expect(next('A-1', 'A-1', 'A-2')).toBe('A-3');
  expect(next('A-3', 'A-3')).toBe('A-1');
  expect(next('Dock')).toBe('A-1');
  expect(next('', ...places)).toBeUndefined();
});

const RACK = { id: 'r', name: 'Rack A', note: '', columns: 2, shelves: [{ id: 's', name: 'A-1' }] };

test('a place is taken by a label, an alias, or a device in its cell, ignoring case', () => {
  const taken = takenPlaces({
    places: [
      { deviceid: 'D1', name: 'Dock' },
      { deviceid: 'D2', name: 'D2' },
    ],
    aliases: [{ id: 1, name: 'Returns', deviceid: 'D1', deviceIs: 'Above' }],
    map: { racks: [RACK], places: [{ deviceid: 'D2', shelf: 's', column: 1 }], zones: [] },
  });
  expect(['dock', 'RETURNS', 'a-1-2', 'A-1-1', 'D2'].map(taken.isTaken)).toEqual([true, true, true, false, false]);
  expect(taken.of('A-1-2', 'D2')).toEqual({ labels: [], cell: undefined, alias: undefined });
});

test('adds missing racks and keeps the existing map', () => {
  const map = { racks: [RACK], places: [{ deviceid: 'D2', shelf: 's', column: 1 }], zones: [] };
  expect(withCellsFor(map, ['A-1-1', 'A-1-2', 'Dock'])).toBeUndefined();
  expect(withCellsFor(map, ['A-1-3', 'A-2-1', 'B-1-1'])).toEqual({
    racks: [
      { ...RACK, columns: 3, shelves: [{ name: 'A-2' }, { id: 's', name: 'A-1' }] },
      { name: 'Rack B', note: '', columns: 1, shelves: [{ name: 'B-1' }] },
    ],
    places: map.places,
  });
});
