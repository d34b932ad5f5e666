import type { CommandEntry, Device, DeviceRequest } from '#shared/api/device.ts';
import { entryRequest } from '../composer/commandDraft.ts';

/** The request that puts a command back as it was after it was taken away; undefined where that cannot be honest. */
export function undoOf(device: Device, entry: CommandEntry): DeviceRequest | undefined {
  // Only what waits at the very end, addressed by this device, comes back to the same place with all of its time.
  const isLast = device.commands.length > 1 && device.commands.at(-1) === entry && entry.state === 'queued';
  const isDirect = entry.location === '' || entry.location === device.locationoverride;
  return isLast && isDirect ? entryRequest(entry) : undefined;
}
