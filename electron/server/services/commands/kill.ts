import type { Transaction } from '../../db/writer.ts';
import { isFirst, type QueuedCommand } from '../../domain/commandQueue.ts';
import { isoTime } from '../../domain/isoTime.ts';
import type { EndedCommand } from './commands.ts';
import { goOn, type InQueue, type QueueContext, takeOut, tellOwner } from './queue.ts';

export const kill: InQueue<'kill'> = (context, tx, { deviceId, target, nonce, by }) => {
  const { commands } = context.repositories;
  const first = commands.findFirst(deviceId);
  if (first === undefined) return 0;
  const candidates =
    nonce === undefined ? commands.list(deviceId) : [first, ...commands.listWaitingWithNonce(deviceId, nonce)];
  const killed = candidates.filter(
    (command) =>
      (target === undefined || command.target === target) && (nonce === undefined || command.nonce === nonce),
  );
  killThese(context, tx, deviceId, killed, by);
  return killed.length;
};

export const withdraw: InQueue<'withdraw'> = (context, tx, owner, by) => {
  const command = context.repositories.commands.findByOwner(owner);
  if (command === undefined) return;
  takeOutThese(context, tx, command.deviceId, [command], by);
  // End it here: if its owner lights it elsewhere at once, no fact reports the end.
  if (owner.kind === 'item') context.currentLines.end(tx, owner.id);
};

export const takeAway: InQueue<'takeAway'> = (context, tx, command, by) =>
  killThese(context, tx, command.deviceId, [command], by);

function killThese(
  context: QueueContext,
  tx: Transaction,
  deviceId: string,
  killed: readonly QueuedCommand[],
  by: string,
): void {
  for (const ended of takeOutThese(context, tx, deviceId, killed, by)) tellOwner(context, tx, ended, true);
}

/** Returns how the commands ended, for their owners. */
function takeOutThese(
  context: QueueContext,
  tx: Transaction,
  deviceId: string,
  killed: readonly QueuedCommand[],
  by: string,
): EndedCommand[] {
  const at = isoTime(tx.now);
  const ended = killed.map((command) => {
    const one = takeOut(context, tx, command, { kind: 'killed', at: tx.now }, { by });
    tx.emit({ type: 'command.killed', deviceid: deviceId, command_id: String(command.id), at, qty: 0, by });
    return one;
  });
  if (killed.some(isFirst)) goOn(context, tx, deviceId);
  return ended;
}
