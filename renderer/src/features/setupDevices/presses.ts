import type { CommandEntry, Device } from '#shared/api/device.ts';
import { findDevice } from '#shared/api/reducer.ts';
import type { Fact, Station } from '#shared/api/station.ts';
import { IDENTIFY_LINE } from '#shared/lib/devices/identify.ts';
import type { StreamNews } from '../../station/live/followed.ts';

/**
 * A press on a device. `work` is the command that the press acknowledged, or null if there was none: such a press
 * selects the device.
 */
export type DevicePress = { deviceid: string; at: number; work: CommandEntry | null };

/** Returns the presses in these facts, in order. `before` is the station's state before the facts. */
export function pressesIn(news: readonly StreamNews[], before: Station | null): DevicePress[] {
  return news.flatMap((each) => {
    if (each.type === 'device.pressed' || each.type === 'device.called' || each.type === 'press.late') {
      return [{ deviceid: each.deviceid, at: Date.parse(each.at), work: null }];
    }
    if (each.type !== 'command.acknowledged' || each.by !== 'device') return [];
    const command = findCommand(each, news, before);
    const isWork = command === undefined || !isIdentify(command);
    const work = isWork ? (command ?? null) : null;
    // A command that was both queued and pressed within these facts is unknown here, but the press still belongs to it.
    if (isWork && work === null) return [];
    return [{ deviceid: each.deviceid, at: Date.parse(each.at), work }];
  });
}

/** Whether the device has a command other than Identify. */
export function hasWork({ commands }: Device): boolean {
  return commands.some((command) => !isIdentify(command));
}

/** Whether a command is an Identify, which only makes the device flash so that people can find it. */
function isIdentify({ line2, nonce, order_number, sequenceid }: CommandEntry): boolean {
  return line2 === IDENTIFY_LINE && nonce === '' && order_number === null && sequenceid === null;
}

type Acknowledged = Extract<Fact, { type: 'command.acknowledged' }>;

function findCommand(
  { deviceid, command_id: id }: Acknowledged,
  news: readonly StreamNews[],
  before: Station | null,
): CommandEntry | undefined {
  const known = before === null ? undefined : findDevice(before.devices, deviceid);
  const queued = news.flatMap((each) => (each.type === 'command.queued' ? [each.command] : []));
  return [...(known?.commands ?? []), ...queued].find(({ command_id }) => command_id === id);
}
