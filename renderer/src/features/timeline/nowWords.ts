import type { CommandEntry, Device } from '#shared/api/device.ts';
import type { TimelineCallback } from '#shared/api/history.ts';
import { formatAgo, formatTimeLeft } from '../../station/time.ts';
import { texts } from '../../ui/texts.ts';

/** How many commands of the queue come before this one. */
export function countWaitingBefore(device: Device, commandId: string): number {
  return Math.max(
    0,
    device.commands.findIndex(({ command_id }) => command_id === commandId),
  );
}

/** What an open command waits for: `waiting for a press · 0:41 left`. `before`: how many come before it in the queue. */
export function nowWords(
  entry: Pick<CommandEntry, 'state' | 'expires_at' | 'unreachable_since'>,
  place: { before: number; isOnline: boolean },
  stationNow: number,
): string {
  if (entry.state === 'shown') {
    if (entry.expires_at === null) return texts.why.pressNoLimit;
    const leftMs = Date.parse(entry.expires_at) - stationNow;
    return leftMs <= 0 ? texts.why.press : texts.why.pressLeft(formatTimeLeft(leftMs));
  }
  if (place.before > 0) return texts.why.waitsBehind(place.before);
  const { unreachable_since: since } = entry;
  if (since !== null) return texts.why.unreachable(formatAgo(stationNow - Date.parse(since)));
  if (!place.isOnline) return texts.why.waitsForDevice;
  return entry.state === 'sent' ? texts.why.onItsWay : texts.why.waitsForTurbo;
}

/** What is known of a callback that is not delivered yet; why not is a step of its own. */
export function pendingWords({
  acknack,
  attempts,
  last_status: status,
}: Pick<TimelineCallback, 'acknack' | 'attempts' | 'last_status'>): string {
  return [
    texts.why.delivering(acknack),
    attempts > 0 ? texts.why.attempts(attempts) : '',
    status === null ? '' : texts.why.answer(status),
  ]
    .filter((part) => part !== '')
    .join(' · ');
}
