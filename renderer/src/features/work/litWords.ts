import type { Device } from '#shared/api/device.ts';
import { formatTimeLeft } from '../../station/time.ts';
import { texts } from '../../ui/texts.ts';

const words = texts.work;

/** Where an open command stands, in two words: `Lit, 0:41`, `Waits in the queue`. Empty where the device has no such command. */
export function litWords(device: Device | undefined, commandId: string | null, stationNow: number): string {
  const entry = device?.commands.find(({ command_id }) => command_id === commandId);
  if (entry === undefined) return '';
  if (entry.state === 'shown') {
    if (entry.expires_at === null) return words.litNoLimit;
    return words.lit(formatTimeLeft(Date.parse(entry.expires_at) - stationNow));
  }
  if (entry.unreachable_since !== null) return words.outOfReach;
  return device?.commands[0] === entry ? words.onItsWay : words.waits;
}
