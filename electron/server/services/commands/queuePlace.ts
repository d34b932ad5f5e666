import type { TablesOf } from '../../core.ts';
import type { QueuedCommand } from '../../domain/commandQueue.ts';
import { StationError } from '../../errors.ts';

/** More than a worker presses away in a day: what goes beyond is a script that runs wild. */
const MAX_QUEUE = 1_000;

/** The place of a command that is put behind all others. Throws `invalid` where there are too many. */
export function newPosition(
  repositories: TablesOf<'commands'>,
  deviceId: string,
  first: QueuedCommand | undefined,
): number {
  if (first === undefined) return 0;
  const last = repositories.commands.lastPosition(deviceId) ?? first.position;
  // Only a queue that spans that many places needs counting.
  if (last - first.position + 1 >= MAX_QUEUE && repositories.commands.count(deviceId) >= MAX_QUEUE) {
    throw new StationError(
      'invalid',
      `The queue of ${deviceId} holds ${MAX_QUEUE} commands already. Let them be picked, or take them away with the command kill.`,
    );
  }
  return last + 1;
}
