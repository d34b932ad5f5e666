import type { CommandEntry, Device, DeviceRequest } from '#shared/api/device.ts';
import { entryRequest } from './commandDraft.ts';

/** How one command is taken out of a queue. */
export type TakeAway = {
  request: DeviceRequest;
  /** Commands that go with it: the station kills by nonce, and everything where there is none. */
  taken: readonly CommandEntry[];
  /** The request that puts it back as it was; undefined where that cannot be honest. */
  undo: DeviceRequest | undefined;
};

/** What taking this command away takes, and whether it could be undone. */
export function takeAway(device: Device, entry: CommandEntry): TakeAway {
  const { nonce } = entry;
  const taken = nonce === '' ? device.commands : device.commands.filter((command) => command.nonce === nonce);
  const request: DeviceRequest = nonce === '' ? { command: 'kill' } : { command: 'kill', nonce };
  // Only what waits at the very end, addressed by this device, comes back to the same place with all of its time.
  const isLast = device.commands.length > 1 && device.commands.at(-1) === entry && entry.state === 'queued';
  const isDirect = entry.location === '' || entry.location === device.locationoverride;
  const undo = isLast && isDirect && taken.length === 1 ? entryRequest(entry) : undefined;
  return { request, taken, undo };
}
