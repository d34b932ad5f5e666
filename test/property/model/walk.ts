import type { Oracle } from './oracle.ts';
import type { ModelItem } from './orderState.ts';
import type { ModelDevice } from './state.ts';

/** A rack whose second shelf is walked in the opposite direction. */
export const WALK = ['51D000:000003', '51D000:000004', '51D000:000001'] as const;
export const MAP = {
  racks: [
    {
      id: 'rack',
      name: 'R',
      columns: 3,
      shelves: [
        { id: 'upper', name: 'U' },
        { id: 'lower', name: 'L' },
      ],
    },
  ],
  places: [
    { deviceid: '51D000:000001', shelf: 'lower', column: 0 },
    { deviceid: '51D000:000003', shelf: 'upper', column: 1 },
    { deviceid: '51D000:000004', shelf: 'lower', column: 2 },
  ],
} as const;

/** Lists devices in walking order: first those on the map, then the others by label, then those without a label. */
export function devicesInWalkingOrder({ devices, walk }: Oracle): ModelDevice[] {
  return [...devices.values()].toSorted((a, b) => compare(walk, a, b));
}

export function inWalkingOrder({ devices, walk }: Oracle, items: readonly ModelItem[]): ModelItem[] {
  const place = ({ deviceId, given }: ModelItem) => {
    const id = deviceId ?? given.deviceid ?? '';
    return { id, label: devices.get(id)?.label ?? '' };
  };
  return items.toSorted((a, b) => compare(walk, place(a), place(b)));
}

type Place = Pick<ModelDevice, 'id' | 'label'>;

function compare(walk: readonly string[], a: Place, b: Place): number {
  if (a.id === b.id) return 0;
  const [first, second] = [a, b].map(({ id }) => walk.indexOf(id));
  if (first !== undefined && second !== undefined && Math.max(first, second) >= 0) {
    if (first < 0) return 1;
    return second < 0 ? -1 : first - second;
  }
  const named = ({ id, label }: Place) => `${label === '' ? '~' : label} ${id}`;
  return named(a) < named(b) ? -1 : 1;
}
