import type { MapLayout, Spot } from './mapLayout.ts';

/**
 * Returns the next device in the direction of an arrow key, or the first or last for Home and End. Returns undefined if
 * there is none.
 */
export function neighborOf(layout: MapLayout, deviceid: string, key: string): string | undefined {
  const here = layout.spots.get(deviceid);
  if (here === undefined) return undefined;
  const at = layout.order.indexOf(deviceid);
  switch (key) {
    case 'ArrowRight':
      return nearestInRow(layout, here, 1) ?? layout.order[at + 1];
    case 'ArrowLeft':
      return nearestInRow(layout, here, -1) ?? layout.order[at - 1];
    case 'ArrowDown':
      return nearestRow(layout, here, 1);
    case 'ArrowUp':
      return nearestRow(layout, here, -1);
    case 'Home':
      return layout.order[0];
    case 'End':
      return layout.order.at(-1);
    default:
      return undefined;
  }
}

function nearestInRow(layout: MapLayout, here: Spot, step: 1 | -1): string | undefined {
  const ahead = [...layout.spots.values()].filter(({ row, x }) => row === here.row && (x - here.x) * step > 0);
  return ahead.toSorted((a, b) => (a.x - b.x) * step)[0]?.deviceid;
}

function nearestRow(layout: MapLayout, here: Spot, step: 1 | -1): string | undefined {
  const ahead = [...layout.spots.values()].filter(({ row }) => (row - here.row) * step > 0);
  const row = ahead.reduce<number | undefined>(
    (best, spot) => (best === undefined || (spot.row - best) * step < 0 ? spot.row : best),
    undefined,
  );
  const there = ahead.filter((spot) => spot.row === row);
  return there.toSorted((a, b) => Math.abs(a.x - here.x) - Math.abs(b.x - here.x))[0]?.deviceid;
}

/** Returns the id of the link in a device's tile, which gets the focus when the device's panel closes. */
export function tileLinkId(deviceid: string): string {
  return `device-${deviceid}`;
}
