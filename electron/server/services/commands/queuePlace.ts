import type { TablesOf } from '../../core.ts';
import type { QueuedCommand } from '../../domain/commands/commandQueue.ts';
import { StationError } from '../../errors.ts';

/** Maximum number of commands in a queue: more than a worker presses in a day. Longer queues come from runaway scripts. */
const MAX_QUEUE = 1_000;

/** Returns the position after all commands in the queue. Throws `invalid` if the queue is full. */
export function newPosition(
  repositories: TablesOf<'commands'>,
  deviceId: string,
  first: QueuedCommand | undefined,
): number {
  if (first === undefined) return 0;
  const last = repositories.commands.lastPosition(deviceId) ?? first.position;
  // Count only if the positions span that many commands.
  if (last - first.position + 1 >= MAX_QUEUE && repositories.commands.count(deviceId) >= MAX_QUEUE) {
    throw new StationError(
      'invalid',
      `The queue of ${deviceId} already holds ${MAX_QUEUE} commands. Let them be picked, or remove them with the command kill.`,
    );
  }
  return last + 1;
}
