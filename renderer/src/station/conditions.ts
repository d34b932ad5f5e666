import type { Device } from '#shared/api/device.ts';
import { changesBetween } from './deviceChanges.ts';
import { seenLight } from './seenLight.ts';

/** What a person looks for; each is a filter of the map. */
export const CONCERNS = ['lit', 'waiting', 'offline', 'lowBattery'] as const;
export type Concern = (typeof CONCERNS)[number];

/** Whether the device's LED is seen to be on, steady or blinking, as last heard. */
export function isLitNow(device: Device): boolean {
  const mode = seenLight(device)?.mode ?? 'off';
  return mode !== 'off';
}

/** How many commands wait: no device was given them yet. */
export function countWaiting(device: Device): number {
  return device.commands.reduce((count, command) => count + Number(command.state === 'queued'), 0);
}

/** Whether the filter for this concern shows the device. `lowBatteries`: those with an alert that says so. */
export function hasConcern(device: Device, concern: Concern, lowBatteries: ReadonlySet<string>): boolean {
  switch (concern) {
    case 'lit':
      return isLitNow(device);
    case 'waiting':
      return countWaiting(device) > 0;
    case 'offline':
      return !device.online;
    case 'lowBattery':
      return lowBatteries.has(device.deviceid);
  }
}

/** Devices lit, commands waiting, devices offline, devices with a low battery. */
export type ConcernCounts = Readonly<Record<Concern, number>>;

const NONE: ConcernCounts = { lit: 0, waiting: 0, offline: 0, lowBattery: 0 };

/** The figures above the map: counts at each call only what changed since the last one. */
export function createCounter(): (devices: readonly Device[], lowBatteries: ReadonlySet<string>) => ConcernCounts {
  let counted: readonly Device[] = [];
  let counts = NONE;
  return (devices, lowBatteries) => {
    let next: ConcernCounts = { ...counts, lowBattery: lowBatteries.size };
    for (const { before, after } of changesBetween(counted, devices)) {
      if (before !== undefined) next = withDevice(next, before, -1);
      if (after !== undefined) next = withDevice(next, after, 1);
    }
    counted = devices;
    if (CONCERNS.some((concern) => next[concern] !== counts[concern])) counts = next;
    return counts;
  };
}

function withDevice(counts: ConcernCounts, device: Device, sign: 1 | -1): ConcernCounts {
  return {
    ...counts,
    lit: counts.lit + sign * Number(isLitNow(device)),
    waiting: counts.waiting + sign * countWaiting(device),
    offline: counts.offline + sign * Number(!device.online),
  };
}
