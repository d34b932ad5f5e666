import { expect, test } from 'vitest';
import { stepsOf } from '../../electron/server/services/imports/applyPlaces.ts';
import type { JudgedPlace } from '../../electron/server/services/imports/judgePlaces.ts';

/** The steps that change labels from `before` to `after`. */
function stepsFor(changes: readonly (readonly [before: string, after: string])[]): string[][] {
  const places = changes.map(([before, after], index) => {
    const said = { name: '', deviceid: before, deviceIs: '', label: after };
    const read = { line: index + 2, said, problem: '', isLeftOut: false, name: '', device: before, deviceIs: '' };
    const wanted = { deviceId: before, alias: null, label: { after, before } };
    const judged: JudgedPlace = { read: { ...read, label: after }, outcome: 'changed', wanted, warning: '' };
    return { judged };
  });
  return stepsOf(places).map((step) => step.map(({ judged }) => judged.read.device));
}

test('a label is removed from a device before another device gets it', () => {
  expect(
    stepsFor([
      ['A-1', 'A-2'],
      ['A-2', 'a-3'],
      ['A-3', 'A-4'],
      ['B-1', 'B-2'],
    ]),
  ).toEqual([['A-3'], ['A-2'], ['A-1'], ['B-1']]);
  expect(
    stepsFor([
      ['A-3', 'A-4'],
      ['A-2', 'A-3'],
      ['A-1', 'A-2'],
    ]),
  ).toEqual([['A-3'], ['A-2'], ['A-1']]);
});

test('devices that swap labels in a cycle change in one step', () => {
  expect(
    stepsFor([
      ['A-1', 'A-2'],
      ['A-2', 'A-3'],
      ['A-3', 'A-1'],
      ['B-1', 'B-2'],
    ]),
  ).toEqual([['A-1', 'A-2', 'A-3'], ['B-1']]);
  expect(
    stepsFor([
      ['C-1', 'A-1'],
      ['A-1', 'A-2'],
      ['A-2', 'A-3'],
    ]),
  ).toEqual([['A-2'], ['A-1'], ['C-1']]);
});

test('a label that changes only in case is a separate step', () => {
  expect(
    stepsFor([
      ['A-1', 'a-1'],
      ['A-2', 'a-2'],
    ]),
  ).toEqual([['A-1'], ['A-2']]);
});
