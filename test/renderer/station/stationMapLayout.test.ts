import { array, assert, constantFrom, integer, property } from '../../helpers/fastCheck.ts';
import { describe, expect, test } from 'vitest';
import { LEVELS, levelByKey } from '../../../renderer/src/features/station/map/levels.ts';
import { layOutMap, type MapLayout, type MapRow } from '../../../renderer/src/features/station/map/mapLayout.ts';
import { measureMap, RACK_GAP, RACK_PADDING } from '../../../renderer/src/features/station/map/metrics.ts';
import { neighborOf } from '../../../renderer/src/features/station/map/neighbor.ts';
import { fullRacks, id, rack } from './stationMapSupport.tsx';

const BORDERS = 2;

function layOut(
  shop: ReturnType<typeof fullRacks>,
  given: Partial<Parameters<typeof layOutMap>[0]> = {},
  width = 1_140,
) {
  const { map, devices } = shop;
  const metrics = measureMap({ level: 'shelf', width, racks: map.racks, textScale: 1, editing: false });
  const deviceids = devices.map(({ deviceid }) => deviceid);
  return layOutMap({ map, deviceids, matches: undefined, editing: false, folded: false, metrics, ...given });
}

const linesOf = ({ rows }: MapLayout) =>
  rows.flatMap((row: MapRow) => (row.kind === 'lines' ? row.lines.filter((line) => line !== undefined) : []));

describe('sizes', () => {
  test('at any width and level, no line is wider than its rack, and no cell is too small for a finger', () => {
    assert(
      property(
        constantFrom(...LEVELS),
        integer({ min: 500, max: 2_600 }),
        array(integer({ min: 1, max: 60 }), { maxLength: 5 }),
        (level, width, columns) => {
          const racks = columns.map((count, index) => rack('ABCDE'.charAt(index), 1, count));
          const { abreast, lineCells, cell, gap, label } = measureMap({
            level,
            width,
            racks,
            textScale: 1,
            editing: false,
          });
          const line = label + (label === 0 ? 0 : gap) + lineCells * cell + (lineCells - 1) * gap;
          const frame = racks.length === 0 ? 0 : 2 * RACK_PADDING + BORDERS;
          expect(line + frame).toBeLessThanOrEqual((width - (abreast - 1) * RACK_GAP) / abreast);
          expect(cell).toBeGreaterThanOrEqual(44);
        },
      ),
    );
  });

  test.each([1_280, 1_440, 1_920, 820])('four columns stay in one line at %i px', (window) => {
    for (const level of ['overview', 'shelf'] as const) {
      const metrics = measureMap({
        level,
        width: window - 124,
        racks: [rack('A', 3, 4)],
        textScale: 1,
        editing: false,
      });
      expect(metrics.lineCells).toBe(4);
    }
  });

  test('enlarges a screen only by whole factors', () => {
    for (let width = 500; width < 2_600; width += 7) {
      for (const level of ['shelf', 'close'] as const) {
        const { screen } = measureMap({ level, width, racks: [rack('A', 1, 4)], textScale: 1, editing: false });
        if (screen.scale === 'whole') expect(screen.width % 296).toBe(0);
        else expect(screen.width).toBeLessThan(296);
      }
    }
  });

  test('plus zooms in, minus zooms out, and 0 restores the usual level', () => {
    expect(levelByKey('+', 'overview')).toBe('shelf');
    expect(levelByKey('+', 'close')).toBe('close');
    expect(levelByKey('-', 'shelf')).toBe('overview');
    expect(levelByKey('0', 'close')).toBe('shelf');
    expect(levelByKey('x', 'shelf')).toBeUndefined();
  });
});

describe('rows', () => {
  test('wraps a long shelf into lines of equal length', () => {
    const lines = linesOf(layOut(fullRacks([rack('A', 1, 10)], 10)));
    expect(lines.map(({ cells }) => cells.length)).toEqual([5, 5]);
    expect(lines.map(({ named }) => named)).toEqual([true, false]);
  });

  test('draws every device once, placed or not, and skips places of unknown devices', () => {
    const shop = fullRacks([rack('A', 2, 3), rack('B', 1, 3)], 7);
    const map = { ...shop.map, places: [...shop.map.places.slice(1), { deviceid: id(99), shelf: 'A2', column: 0 }] };
    const layout = layOut({ ...shop, map });
    expect(layout.order).toEqual([id(2), id(3), id(4), id(5), id(6), id(7), id(1)]);
    expect([...layout.spots.keys()].toSorted()).toEqual(layout.order.toSorted());
  });

  test('a filter keeps all places; folding hides lines without a match but keeps the columns of the others', () => {
    const shop = fullRacks([rack('A', 3, 4), rack('B', 1, 4)], 16);
    const matches = new Set([id(6)]);
    expect(linesOf(layOut(shop, { matches }))).toHaveLength(4);
    const [line, ...others] = linesOf(layOut(shop, { matches, folded: true }));
    expect(others).toEqual([]);
    expect(line?.cells.map(({ deviceid }) => deviceid)).toEqual([id(5), id(6), id(7), id(8)]);
    expect(line).toMatchObject({ first: true, last: true, named: true });
  });

  test('the visible line of a folded long shelf shows the name of the shelf', () => {
    const [line] = linesOf(layOut(fullRacks([rack('A', 1, 10)], 10), { matches: new Set([id(8)]), folded: true }));
    expect(line).toMatchObject({ named: true, cells: [{ column: 5 }, {}, {}, {}, {}] });
  });

  test('without racks, lists the devices in the given order in one block, without a heading or frame', () => {
    const devices = fullRacks([rack('A', 1, 4)], 4).devices.toReversed();
    const layout = layOut({ map: { racks: [], places: [], zones: [] }, devices });
    expect(layout.rows).toMatchObject([{ kind: 'tray', framed: false, deviceids: [id(4), id(3), id(2), id(1)] }]);
    expect(layout.order).toEqual([id(4), id(3), id(2), id(1)]);
  });

  test('arrow keys follow the visual order of the map, across gaps, shelves and racks', () => {
    const shop = fullRacks([rack('A', 2, 3), rack('B', 1, 3)], 9);
    shop.map.places = shop.map.places.filter(({ deviceid }) => deviceid !== id(5));
    shop.devices = shop.devices.filter(({ deviceid }) => deviceid !== id(5));
    const layout = layOut(shop);
    const go = (from: number, key: string) => neighborOf(layout, id(from), key);
    expect(go(1, 'ArrowRight')).toBe(id(2));
    expect(go(4, 'ArrowRight')).toBe(id(6));
    expect(go(3, 'ArrowRight')).toBe(id(4));
    expect(go(3, 'ArrowDown')).toBe(id(6));
    expect(go(6, 'ArrowDown')).toBe(id(9));
    expect(go(9, 'ArrowUp')).toBe(id(6));
    expect(go(9, 'Home')).toBe(id(1));
    expect(go(1, 'End')).toBe(id(9));
    expect(go(1, 'ArrowLeft')).toBeUndefined();
  });
});
