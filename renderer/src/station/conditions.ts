import type { Device } from '#shared/api/device.ts';
import { changesBetween } from './deviceChanges.ts';
import { seenLight } from './seenLight.ts';

/** States of devices that people search for. Each state is a filter of the map. */
export const CONCERNS = ['lit', 'waiting', 'offline', 'lowBattery'] as const;
export type Concern = (typeof CONCERNS)[number];

/** Whether the device's LED is on or blinking, according to the device's last report. */
export function isLitNow(device: Device): boolean {
  const mode = seenLight(device)?.mode ?? 'off';
  return mode !== 'off';
}

/** Counts commands that have not been sent to the device yet. */
export function countWaiting(device: Device): number {
  return device.commands.reduce((count, command) => count + Number(command.state === 'queued'), 0);
}

/** Returns whether this filter shows the device. `lowBatteries` contains the devices with a low-battery alert. */
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

/** The numbers of lit devices, waiting commands, offline devices, and devices with a low battery. */
export type ConcernCounts = Readonly<Record<Concern, number>>;

const NONE: ConcernCounts = { lit: 0, waiting: 0, offline: 0, lowBattery: 0 };

/** Returns a function that computes the figures above the map. Each call counts only devices that have changed. */
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
