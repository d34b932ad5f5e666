import type { Device } from '#shared/api/device.ts';

/** From here down a battery is to be changed. */
const LOW_BATTERY_PERCENT = 15;

/** What a person looks for; each is a filter of the map. */
export const CONCERNS = ['lit', 'waiting', 'offline', 'lowBattery'] as const;
export type Concern = (typeof CONCERNS)[number];

/** Whether the device's LED is on, steady or blinking, as last heard. */
export function isLitNow(device: Device): boolean {
  return device.displayed !== null && device.displayed.led.mode !== 'off';
}

/** How many commands wait: no device was given them yet. */
export function countWaiting(device: Device): number {
  return device.commands.reduce((count, command) => count + Number(command.state === 'queued'), 0);
}

export function hasLowBattery(device: Device): boolean {
  return device.battery !== null && device.battery <= LOW_BATTERY_PERCENT;
}

/** Whether the filter for this concern shows the device. */
export function hasConcern(device: Device, concern: Concern): boolean {
  switch (concern) {
    case 'lit':
      return isLitNow(device);
    case 'waiting':
      return countWaiting(device) > 0;
    case 'offline':
      return !device.online;
    case 'lowBattery':
      return hasLowBattery(device);
  }
}

/** The figures above the map: devices lit, commands waiting, devices offline, devices with a low battery. */
export function countConcerns(devices: readonly Device[]): Record<Concern, number> {
  const counts: Record<Concern, number> = { lit: 0, waiting: 0, offline: 0, lowBattery: 0 };
  for (const device of devices) {
    counts.waiting += countWaiting(device);
    if (isLitNow(device)) counts.lit += 1;
    if (!device.online) counts.offline += 1;
    if (hasLowBattery(device)) counts.lowBattery += 1;
  }
  return counts;
}
