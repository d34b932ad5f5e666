import type { Device } from '#shared/api/device.ts';

export type PlaceWork = {
  /** What is lit at the device is for another of its places: that one's name. */
  elsewhere: string | undefined;
  /** Commands for this place that are not shown yet. */
  waiting: number;
};

/** What a device does for one of its places: an alias, or null for the device's own. */
export function placeWork(device: Device, aliasId: number | null): PlaceWork {
  const { commands, displayed, deviceid } = device;
  const shown = commands.find(({ command_id }) => command_id === displayed?.command_id);
  const isOther = shown !== undefined && shown.alias_id !== aliasId;
  const waiting = commands.filter((command) => command !== shown && command.alias_id === aliasId).length;
  return { elsewhere: isOther ? shown.location || deviceid : undefined, waiting };
}
