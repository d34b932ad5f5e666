import type { Transaction } from '../../db/writer.ts';
import { isFirst, type Owner, type QueuedCommand } from '../../domain/commands/commandQueue.ts';
import { isoTime } from '../../domain/station/isoTime.ts';
import { showNext, removeFromQueue, notifyOwner } from './queue.ts';
import { lineOwnerOf } from './wantedLine.ts';
import type { EndedCommand, KilledCommands, CommandContext } from './types.ts';

/**
 * Removes a device's commands without callbacks, optionally only those with one target or nonce. Returns the number of removed commands.
 */
export function kill(
  context: CommandContext,
  tx: Transaction,
  { deviceId, target, nonce, by }: KilledCommands,
): number {
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
}

/** Removes the open command of a step, item, pick or slot without notifying its owner. */
export function withdraw(
  context: CommandContext,
  tx: Transaction,
  owner: Pick<Owner, 'kind' | 'id'>,
  by: string,
): void {
  const command = context.repositories.commands.findByOwner(owner);
  if (command === undefined) return;
  removeAllFromQueue(context, tx, command.deviceId, [command], by);
  // Clear the line here: if its owner immediately lights it elsewhere, no fact reports that it ended.
  const line = lineOwnerOf({ owner: command.owner });
  if (line !== undefined) context.currentLines.end(tx, line);
}

/** Removes an open command without a callback. */
export function cancel(context: CommandContext, tx: Transaction, command: QueuedCommand, by: string): void {
  killThese(context, tx, command.deviceId, [command], by);
}

function killThese(
  context: CommandContext,
  tx: Transaction,
  deviceId: string,
  killed: readonly QueuedCommand[],
  by: string,
): void {
  for (const ended of removeAllFromQueue(context, tx, deviceId, killed, by)) notifyOwner(context, tx, ended, true);
}

/** Removes these commands. Returns how they ended, for their owners. */
function removeAllFromQueue(
  context: CommandContext,
  tx: Transaction,
  deviceId: string,
  killed: readonly QueuedCommand[],
  by: string,
): EndedCommand[] {
  const at = isoTime(tx.now);
  const ended = killed.map((command) => {
    const one = removeFromQueue(context, tx, command, { kind: 'killed', at: tx.now }, { by });
    tx.emit({ type: 'command.killed', deviceid: deviceId, command_id: String(command.id), at, qty: 0, by });
    return one;
  });
  if (killed.some(isFirst)) showNext(context, tx, deviceId);
  return ended;
}
