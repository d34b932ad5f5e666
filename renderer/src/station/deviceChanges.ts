import type { Device } from '#shared/api/device.ts';

/** A device before and after a change. `before` is undefined if the device was added, `after` if it was removed. */
export type DeviceChange = { deviceid: string; before: Device | undefined; after: Device | undefined };

/** Returns the differences between two lists sorted by DeviceID. Devices that are the same object count as unchanged. */
export function changesBetween(before: readonly Device[], after: readonly Device[]): DeviceChange[] {
  const changes: DeviceChange[] = [];
  if (before === after) return changes;
  let [old, fresh] = [0, 0];
  while (old < before.length || fresh < after.length) {
    const left = before[old];
    const right = after[fresh];
    if (left !== undefined && left === right) {
      old += 1;
      fresh += 1;
      continue;
    }
    const isLeft = left !== undefined && (right === undefined || left.deviceid <= right.deviceid);
    const isRight = right !== undefined && (left === undefined || right.deviceid <= left.deviceid);
    const deviceid = (isLeft ? left : right)?.deviceid ?? '';
    changes.push({ deviceid, before: isLeft ? left : undefined, after: isRight ? right : undefined });
    if (isLeft) old += 1;
    if (isRight) fresh += 1;
  }
  return changes;
}
